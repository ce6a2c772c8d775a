"""What do the rules say? One TOML file a ruleset in `books/`, their typed model, their loader."""

from topcut.rulebook.load import ids, load
from topcut.rulebook.model import Book

__all__ = ["Book", "ids", "load"]
