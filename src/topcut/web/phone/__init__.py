"""What does a player do by phone? Their own page, and the page behind a slip."""
