"""What comes next, who goes on, and who ends where? Cuts, brackets and final places."""
