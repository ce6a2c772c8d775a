"""What is shown of an event? Plain values for pages and programs, read off a state."""
