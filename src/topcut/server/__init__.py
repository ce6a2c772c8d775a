"""How is the program served? One process or several, its connections, and the application they run."""
