"""What do people type? One module a command, each thin: read options, call a package below, print."""
