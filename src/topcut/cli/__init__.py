"""What do people type? The commands, each thin: read, call a room, print."""
