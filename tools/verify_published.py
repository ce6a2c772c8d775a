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

from topcut.exchange import event_file
from topcut.pairing.check import check
from topcut.standings import rank

KEYS = {"omwp": "omw", "gwp": "gw", "ogwp": "ogw"}


def verify(event_path: Path) -> tuple[int, int, list[str]]:
    """(values equal to the last digit, values off by one in it, mistakes) of one pair of files."""
    event = event_file.read(str(event_path))
    published = json.loads(
        event_path.with_name(event_path.name.replace(".event.", ".published.")).read_text("utf-8"),
        parse_float=str,  # keeps the digits as they were printed
    )["standings"]
    standings = rank(event.history, event.book)
    digits = max(len(str(row[name]).partition(".")[2]) for row in published for name in KEYS)
    equal, off_by_one, mistakes = 0, 0, []
    if {row["player"] for row in published} != set(event.history.index):
        mistakes.append("the files do not list the same players")
    for row in published:
        player = event.history.index[row["player"]]
        points = standings.value("points", player)
        if points != row["points"]:
            mistakes.append(f"{row['player']}: points {points}, published {row['points']}")
        for name, key in KEYS.items():
            exact = standings.value(key, player)
            assert exact is not None
            units = abs(round(exact * 10**digits) - Fraction(row[name]) * 10**digits)
            equal += units == 0
            off_by_one += units == 1
            if units > 1:
                mistakes.append(f"{row['player']}: {key} {exact} = {float(exact)}, published {row[name]}")
    return equal, off_by_one, mistakes


def main() -> int:
    if len(sys.argv) != 2 or not (files := sorted(Path(sys.argv[1]).glob("*.event.json"))):
        print("expected a folder with files *.event.json and *.published.json", file=sys.stderr)
        return 2
    total = [0, 0, 0]
    judged = [0, 0, 0]
    for path in files:
        equal, off_by_one, mistakes = verify(path)
        print(f"{path.name}: {equal} equal, {off_by_one} off by one in the last digit, {len(mistakes)} wrong")
        for mistake in mistakes[:10]:
            print(f"  {mistake}")
        event = event_file.read(str(path))
        before = [event.history.after(r) for r in range(event.history.rounds)]
        verdicts = check(before, event.book, event.file.options, event.file.rounds)
        legal, optimal = sum(v.legal for v in verdicts), sum(v.optimal for v in verdicts)
        print(f"  of {len(verdicts)} rounds {legal} legal, {optimal} optimal")
        judged = [a + b for a, b in zip(judged, (len(verdicts), legal, optimal), strict=True)]
        total = [a + b for a, b in zip(total, (equal, off_by_one, len(mistakes)), strict=True)]
    print(f"all: {total[0]} equal, {total[1]} off by one in the last digit, {total[2]} wrong")
    print(f"pairings: of {judged[0]} rounds {judged[1]} legal, {judged[2]} optimal")
    return 1 if total[2] else 0


if __name__ == "__main__":
    sys.exit(main())
