"""Who may come in, and to do what? Links, sessions, accounts, roles and their rights."""
