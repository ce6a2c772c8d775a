"""What can be done, and by whom? One use case a module, the same for pages, programs and the command line."""
