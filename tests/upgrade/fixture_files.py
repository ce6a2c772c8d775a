"""What has the version before left? The files that `make_fixtures` made, opened for a test."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

BEFORE = Path(__file__).parent / "before"


def data(name: str) -> Any:
    """Return what a JSON file of the version before says."""
    return json.loads((BEFORE / name).read_text(encoding="utf-8"))


def lines(name: str) -> set[str]:
    """Return the lines of a list of the version before."""
    return set((BEFORE / name).read_text(encoding="utf-8").splitlines())


def unpacked(folder: Path) -> Path:
    """Write the database of the version before into a folder, and return its path."""
    database = folder / "topcut.db"
    database.write_bytes(gzip.decompress((BEFORE / "topcut.db.gz").read_bytes()))
    return database
