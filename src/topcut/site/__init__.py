"""What stays on the web? An event as pages that need no server, with the same for programs beside them."""
