"""What does everybody see? The public pages of an event."""
