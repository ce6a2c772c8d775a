"""Files of TOM: `tom` reads and writes them, the other modules are its parts."""
