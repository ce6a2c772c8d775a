"""Report a round by the API: `python report_round.py ADDRESS TOKEN EVENT < results.txt`.

Each line is a table and the games of its first and second player, such as `14 2-1`. The same list can be sent
again: a table that has this very result already is passed over.
"""

import re
import sys

from topcut.client import Client, Refused, RemoteEvent
from topcut.errors import TopcutError
from topcut.event.commands import Report
from topcut.event.facts import Result


def report(event: RemoteEvent, number: int, line: str) -> None:
    found = re.fullmatch(r"(\d+) (\d+)-(\d+)", line)
    if found is None:
        raise ValueError("expected a table and its games, such as 14 2-1")
    table, first, second = map(int, found.groups())
    try:
        event.give(Report(table=table, round=number, result=Result(games=(first, second, 0))))
    except Refused as refused:
        there = refused.kind == "already-reported" and refused.problem["old"] == refused.problem["new"]
        if not there:
            raise


def main(address: str, token: str, event: str) -> None:
    with Client(address, token) as desk:
        cup = desk.event(event)
        number = cup.look().round
        for count, line in enumerate(sys.stdin, start=1):
            if line.strip():
                try:
                    report(cup, number, line.strip())
                except (Refused, ValueError) as problem:
                    sys.exit(f"line {count}: {problem}")
        missing = len(cup.round(number).missing)
        left = {0: "every table is reported", 1: "1 table is not reported yet"}
        print(f"round {number}: {left.get(missing, f'{missing} tables are not reported yet')}")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:4])
    except TopcutError as problem:
        sys.exit(str(problem))
