"""`topcut check` on a log: the chain, every draw from its secret, every round as it was when it started."""

from __future__ import annotations

from dataclasses import asdict

import msgspec

from topcut.cli.output import print_json, table, visible
from topcut.event.check import Findings, check
from topcut.event.log import BrokenChain
from topcut.exchange.log_file import LogFile
from topcut.rulebook.planning.words import counted

SAID = {True: "yes", False: "NO", None: "-"}


def judged(file: LogFile, as_json: bool) -> bool:
    """Print what there is to say of a log; whether everything is in order."""
    try:
        found = check(file.facts, file.private)
    except BrokenChain as broken:
        found = Findings(len(file.facts), [], [], [], {}, [], [f"the chain is broken: {broken}"])
    if as_json:
        answer = {
            "ok": found.ok,
            "facts": found.facts,
            "rounds": [asdict(verdict) for verdict in found.rounds],
            "draws": [msgspec.to_builtins(draw) for draw in found.draws],
            "notes": found.notes,
            "overrides": found.overrides,
            "problems": found.problems,
        }
        print_json(answer)
    else:
        _print(file.event, found)
    return found.ok


def _print(event: str, found: Findings) -> None:
    print(visible(f"{event}: {counted(found.facts, 'fact')}"))
    print()
    if found.draws:
        _print_draws(found)
    for verdict in found.rounds:
        for problem in verdict.problems if not verdict.legal or verdict.round not in found.notes else ():
            print(
                visible(
                    f"round {verdict.round}: {problem.text}{f' ({problem.rule})' if problem.rule else ''}"
                )
            )
    for line in (*found.overrides, *found.problems):
        print(visible(line))
    if any(draw.replayed is None for draw in found.draws):
        print("the secret of some draws is not known yet: they can be replayed when the event is finished")
    print("everything is in order" if found.ok else "not everything is in order")


def _print_draws(found: Findings) -> None:
    draws = [
        [str(d.position), d.what, str(d.attempt), SAID[d.replayed], _about(d.undone, d.problem)]
        for d in found.draws
    ]
    print(table(["fact", "draw", "attempt", "replayed", ""], draws, right=[0, 2]))
    print()
    rounds = [
        [str(v.round), SAID[v.legal], SAID[v.optimal], found.notes.get(v.round, "")] for v in found.rounds
    ]
    print(table(["round", "legal", "optimal", ""], rounds, right=[0]))
    print()


def _about(undone: bool, problem: str) -> str:
    return "; ".join(word for word in ("taken back" if undone else "", problem) if word)
