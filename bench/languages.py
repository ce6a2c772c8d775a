"""What a language costs: a command from cold, and public pages that nobody has read yet.

TOPCUT_BEFORE=PYTHON, the Python of a venv with another version, measures that version in the same run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter
from urllib.request import Request, urlopen

import msgspec

from bench.clock import best, report
from bench.desk_client import read_start
from bench.start import make_event

PLAYERS = 400
PAGES = 150
"""Pages of players, each read once in each language."""
BEFORE = "TOPCUT_BEFORE"


@contextmanager
def served(python: str, event: Path, folder: Path) -> Iterator[str]:
    """Serve the event; the address of its page."""
    database = str(folder / "event.db")
    imported = [python, "-m", "topcut", "import", str(event), "--database", database, "--id", "cup"]
    subprocess.run(imported, check=True, stdout=subprocess.DEVNULL)
    process = subprocess.Popen(
        [python, "-m", "topcut", "serve", "--database", database, "--port", "0", "--json"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield f"{read_start(process)['hall'].rstrip('/')}/e/cup"
    finally:
        process.terminate()
        process.wait(30)


def read(address: str, language: str) -> float:
    """The seconds until a page is there."""
    asked = Request(address, headers={"accept-language": language})
    start = perf_counter()
    with urlopen(asked) as answer:
        answer.read()
    return perf_counter() - start


def main() -> None:
    pythons = {"": sys.executable}
    if other := os.environ.get(BEFORE):
        pythons[", before"] = other
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        event = folder / "cup.json"
        event.write_bytes(msgspec.json.encode(make_event(PLAYERS)))

        def command(python: str, *options: str) -> None:
            run = [python, "-m", "topcut", *options, "standings", str(event)]
            subprocess.run(run, check=True, stdout=subprocess.DEVNULL, env=environment, cwd=folder)

        commands = {f"topcut standings{name}": [python] for name, python in pythons.items()}
        commands["topcut standings in German"] = [sys.executable, "--language", "de"]
        starts = best(
            15,
            **{name: lambda run=run: command(*run) for name, run in commands.items()},
        )

        pages: dict[str, list[float]] = {}
        addresses = {}
        for at, (name, python) in enumerate(pythons.items()):
            (folder / str(at)).mkdir()
            addresses[name] = stack.enter_context(served(python, event, folder / str(at)))
            read(addresses[name], "en")
            read(f"{addresses[name]}/standings", "de")
        for player in range(PAGES):
            for name, address in addresses.items():
                found = read(f"{address}/player/p{player}", "en")
                pages.setdefault(f"a player's page{name}", []).append(found)
            found = read(f"{addresses['']}/player/p{player + PAGES}", "de")
            pages.setdefault("a player's page in German", []).append(found)
    times = starts | {name: median(found) for name, found in pages.items()}
    rows = []
    for name, seconds in times.items():
        what = name.partition(",")[0].partition(" in ")[0]
        base = times.get(f"{what}, before", times[what])
        rows.append((name, seconds, "" if seconds is base else f"{seconds / base:.2f} x"))
    report(f"languages, {PLAYERS} players, beside {'the version before' if other else 'English'}", rows)
