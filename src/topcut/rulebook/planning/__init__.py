"""How long is an event, and how is it laid out? What the rules say for a number of players."""
