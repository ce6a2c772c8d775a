"""Tries made-up files on every reader for as long as you like, and says how many it tried.

    .venv/bin/python -m tools.fuzz                     a minute for each reader
    .venv/bin/python -m tools.fuzz csv --seconds 600   ten minutes for one
    .venv/bin/python -m tools.fuzz csv --guided        with atheris, where that is installed

Files that can be read are spoilt in many ways (`tests/formats/fuzzing.py`). With `--guided`, atheris makes
them up: it watches which lines of a reader an input comes to, and goes on from what is new. The first input
at which a reader does anything but read or refuse ends the search.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

WATCHED = ["topcut.formats", "topcut.event", "topcut.history", "topcut.rulebook.options", "json", "csv"]
"""Where atheris looks for what is new."""


def spoil(reader: str, seconds: float, seed: str) -> Counter[str]:
    """Try spoilt files until the time is over."""
    from tests.formats.fuzzing import search

    tried: Counter[str] = Counter()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        tried += search(reader, 50, Random(f"{seed}/{tried['inputs']}"))
    return tried


def guided(atheris: Any, reader: str, seconds: float) -> None:
    """Let atheris search; it ends the process when the time is over."""
    with atheris.instrument_imports(include=WATCHED, enable_loader_override=False):
        from tests.formats.fuzzing import seeds, try_out
    with tempfile.TemporaryDirectory() as folder:
        for number, raw in enumerate(seeds()[reader]):
            (Path(folder) / str(number)).write_bytes(raw)
        options = [f"-max_total_time={seconds:.0f}", "-max_len=65536", "-timeout=20", "-rss_limit_mb=4000"]
        options += ["-print_final_stats=1", "-verbosity=0"]
        atheris.Setup([sys.argv[0], folder, *options], lambda raw: try_out(reader, raw) and None)
        atheris.Fuzz()


def said(name: str, tried: Counter[str]) -> None:
    """One line about a search."""
    print(f"{name}: {tried['inputs']:,} inputs tried, {tried['read']:,} of them read, the others refused")


def main() -> None:
    """The search that the arguments ask for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("reader", nargs="?", help="which reader (default: one after the other)")
    parser.add_argument("--seconds", type=float, default=60, help="for each reader")
    parser.add_argument("--seed", default=str(time.time_ns()), help="to repeat a search of spoilt files")
    parser.add_argument("--guided", action="store_true", help="with atheris, one reader at a time")
    wanted = parser.parse_args()
    if wanted.guided:
        if wanted.reader is None or find_spec("atheris") is None:
            parser.error("--guided takes one reader, and needs atheris (pip install atheris)")
        guided(import_module("atheris"), wanted.reader, wanted.seconds)
    from tests.formats.fuzzing import READERS

    for reader in [wanted.reader] if wanted.reader else READERS:
        said(reader, spoil(reader, wanted.seconds, f"{wanted.seed}/{reader}"))


if __name__ == "__main__":
    main()
