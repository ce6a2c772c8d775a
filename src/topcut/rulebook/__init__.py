"""What do the rules say? One TOML file a ruleset in `books/`, their typed model, their loader."""

from topcut.rulebook.loader import list_ids, load
from topcut.rulebook.model import Book

__all__ = ["Book", "list_ids", "load"]
