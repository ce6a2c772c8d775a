"""Do we get the standings that were published, and how good were the published pairings?

    .venv/bin/python tools/verify_published.py FOLDER

FOLDER holds pairs of files: NAME.event.json, an event file, and NAME.published.json with
`{"standings": [{"player": id, "points": 9, "omwp": 0.4833333, "gwp": …, "ogwp": …}, …]}`.
Points must be equal. A percentage must be our exact value rounded to as many digits as the file
prints. Sites that add up in single precision are off by one in the last digit now and then; such
values are counted by themselves, and more than one unit in the last digit is a mistake.
Leaves with 1 if anything differs. Pairings are judged as `topcut check` does, and only counted.
"""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path

from topcut.formats import event_file
from topcut.pairing.audit import check_round
from topcut.standings import rank

KEYS = {"omwp": "omw", "gwp": "gw", "ogwp": "ogw"}


def verify(event_path: Path) -> tuple[int, int, int, int, list[str]]:
    """Rows, rows equal to the last digit, values equal to it, values off by one in it, and mistakes."""
    event = event_file.read_event(str(event_path))
    published = json.loads(
        event_path.with_name(event_path.name.replace(".event.", ".published.")).read_text("utf-8"),
        parse_float=str,  # keeps the digits as they were printed
    )["standings"]
    standings = rank(event.history, event.book)
    digits = max(len(str(row[name]).partition(".")[2]) for row in published for name in KEYS)
    rows, equal, off_by_one = 0, 0, 0
    mistakes: list[str] = []
    if {row["player"] for row in published} != set(event.history.index):
        mistakes.append("the files do not list the same players")
    for row in published:
        player = event.history.index[row["player"]]
        points = standings.value("points", player)
        if points != row["points"]:
            mistakes.append(f"{row['player']}: points {points}, published {row['points']}")
        before = equal
        for name, key in KEYS.items():
            exact = standings.value(key, player)
            assert exact is not None
            units = abs(round(exact * 10**digits) - Fraction(row[name]) * 10**digits)
            equal += units == 0
            off_by_one += units == 1
            if units > 1:
                mistakes.append(f"{row['player']}: {key} {exact} = {float(exact)}, published {row[name]}")
        rows += points == row["points"] and equal - before == len(KEYS)
    return len(published), rows, equal, off_by_one, mistakes


def main() -> int:
    if len(sys.argv) != 2 or not (files := sorted(Path(sys.argv[1]).glob("*.event.json"))):
        print("expected a folder with files *.event.json and *.published.json", file=sys.stderr)
        return 2
    total = [0, 0, 0, 0, 0]
    judged = [0, 0, 0]
    for path in files:
        *counts, mistakes = verify(path)
        counts.append(len(mistakes))
        print(f"{path.name}: {in_words(counts)}")
        for mistake in mistakes[:10]:
            print(f"  {mistake}")
        event = event_file.read_event(str(path))
        history, book, file = event.history, event.book, event.file
        numbers = range(history.rounds)
        verdicts = [check_round(history.after(r), book, file.options, file.rounds, r) for r in numbers]
        legal, optimal = sum(v.legal for v in verdicts), sum(v.optimal for v in verdicts)
        print(f"  of {len(verdicts)} rounds {legal} legal, {optimal} optimal")
        judged = [a + b for a, b in zip(judged, (len(verdicts), legal, optimal), strict=True)]
        total = [a + b for a, b in zip(total, counts, strict=True)]
    print(f"all: {in_words(total)}")
    print(f"pairings: of {judged[0]} rounds {judged[1]} legal, {judged[2]} optimal")
    return 1 if total[-1] else 0


def in_words(counts: list[int]) -> str:
    published, rows, equal, off_by_one, wrong = counts
    values = f"{equal} values equal, {off_by_one} off by one in the last digit, {wrong} wrong"
    return f"{rows} of {published} rows equal; {values}"


if __name__ == "__main__":
    sys.exit(main())
