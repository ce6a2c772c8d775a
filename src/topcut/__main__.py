"""Lets ``python -m topcut`` do what ``topcut`` does."""

from topcut.cli.main import main

if __name__ == "__main__":
    main()
