"""`./run bench [NAME …]`: run all benchmarks, or those named."""

from __future__ import annotations

import sys
from importlib import import_module

NAMES = (
    "standings",
    "pairing",
    "tables",
    "stages",
    "event",
    "repair",
    "desk",
    "service",
    "paper",
    "exchange",
    "start",
    "languages",
)


def main() -> None:
    for name in sys.argv[1:] or NAMES:
        if name not in NAMES:
            sys.exit(f"bench: no benchmark is called {name}; expected {', '.join(NAMES)}")
        import_module(f"bench.{name}").main()


main()
