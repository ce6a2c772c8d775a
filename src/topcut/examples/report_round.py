"""Report a round by the API: `python report_round.py ADDRESS TOKEN EVENT < results.txt`.

Each line is a table and the games of its first and second player, such as `14 2-1`. A table that has a result
already is passed over, so that the same list can be sent again.
"""

from __future__ import annotations

import sys

from topcut.client import Client, Refused
from topcut.event.commands import Report
from topcut.event.facts import Result


def main(address: str, token: str, event: str) -> None:
    with Client(address, token) as desk:
        cup = desk.event(event)
        number = cup.look().round
        for line in sys.stdin:
            table, _, score = line.partition(" ")
            first, _, second = score.partition("-")
            result = Result(games=(int(first), int(second), 0))
            try:
                cup.give(Report(table=int(table), round=number, result=result))
            except Refused as problem:
                if problem.kind != "already-reported":
                    raise
        missing = cup.round(number).missing
        print(f"round {number}: {len(missing)} tables are not reported yet")


if __name__ == "__main__":
    main(*sys.argv[1:4])
