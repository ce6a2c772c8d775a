"""Do .tdf files survive us, and do we get the places that stand in them?

    .venv/bin/python tools/verify_tdf.py FOLDER

For every file of the folder: read and written, it is equal as canonical XML; written as a new file and
read, it is the same event; the places of a finished one are ours; one that is not finished is reported,
paired and written until it is over, and after each round the file is read again and everything that was
there before is still there as it was. Leaves with 1 if anything differs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from copy import deepcopy
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, canonicalize, tostring

import msgspec
from msgspec.structs import replace

from topcut.errors import Impossible
from topcut.formats.event_file import Event, EventFile, build_event
from topcut.formats.tdf import document as tdf_sheet
from topcut.formats.tdf import tom as tdf
from topcut.formats.tdf.document import choose_outcome
from topcut.formats.tdf.writer import list_final_order
from topcut.formats.tdf.xml_tree import parse_xml
from topcut.history import Round, Table
from topcut.pairing.model import build_pairing_document
from topcut.stages.progress import Progress
from topcut.stages.stage_types import pair_next_round
from topcut.text.message_json import decode_text

AT = datetime(2025, 12, 24, 18, 0, 0)


def canonical(raw: bytes) -> str:
    return canonicalize(raw.decode(), with_comments=True)


def untouched(raw: bytes) -> list[str]:
    """What differs after reading and writing."""
    file = tdf.read_content(raw).file
    wrong = []
    if canonical(tdf.write_file(file, raw, AT)) != canonical(raw):
        wrong.append("written untouched, it is not the same")
    renamed = tdf.write_file(replace(file, name=f"{file.name} 2"), raw, AT)
    if canonical(tdf.write_file(file, renamed, AT)) != canonical(raw):
        wrong.append("renamed and named back, it is not the same")
    return wrong


def written_anew(raw: bytes) -> list[str]:
    """What differs after writing the event as a new file."""
    event = tdf.read_content(raw).file
    again = tdf.read_content(tdf.write_file(event, None, _day(raw), _finished(raw))).file
    return [] if again == event else ["written as a new file, it is another event"]


def _day(raw: bytes) -> datetime:
    """A moment of the day of the event: a new file begins on the day it is made."""
    start = tdf_sheet.read_document(parse_xml(raw), tdf.GAMES).start
    return AT if start is None else datetime(start.year, start.month, start.day, 18)


def _finished(raw: bytes) -> bool:
    return parse_xml(raw).root.get("stage") == str(tdf_sheet.FINISHED)


def neighbours(raw: bytes) -> tuple[int, int]:
    """Pairs of players who stand next to each other in a division, and how many we have the other way."""
    sheet = tdf_sheet.read_document(parse_xml(raw), tdf.GAMES)
    if not sheet.places:
        return 0, 0
    at = {
        player_id: position
        for position, player_id in enumerate(list_final_order(build_event(tdf.read_content(raw).file)))
    }
    pairs = [pair for ids in sheet.places.values() for pair in pairwise(ids)]
    return len(pairs), sum(at[first] > at[second] for first, second in pairs)


def places(raw: bytes) -> tuple[int, list[str]]:
    """How many places stand in the file, and those that are not ours."""
    sheet = tdf_sheet.read_document(parse_xml(raw), tdf.GAMES)
    if not sheet.places:
        return 0, []
    ours = list_final_order(build_event(tdf.read_content(raw).file))
    wrong = [
        f"category {number}: place {place} is {theirs}, and ours is {mine}"
        for number, ids in sheet.places.items()
        for place, (theirs, mine) in enumerate(
            zip(ids, [player_id for player_id in ours if player_id in ids], strict=True), start=1
        )
        if theirs != mine
    ]
    return sum(map(len, sheet.places.values())), wrong


def reported(file: EventFile) -> EventFile:
    """The event with a winner at every table that was open, first and second player in turn."""
    turn = 0
    rounds = []
    for a_round in file.rounds:
        tables = []
        for table in a_round.tables:
            tables.append(table if table.reported else replace(table, winner=table.players[turn % 2]))
            turn += not table.reported
        rounds.append(replace(a_round, tables=tuple(tables)))
    return replace(file, rounds=tuple(rounds))


def paired(event: Event) -> EventFile | None:
    """The event with one more round, its tables open; None if it is over."""
    file = event.file
    progress = Progress(event.history, event.book, file.options, file.rounds, [""])
    try:
        answer = build_pairing_document(pair_next_round(progress, f"round {len(file.rounds)}"), event.history)
    except Impossible:
        return None
    tables = tuple(msgspec.convert(table, Table, dec_hook=decode_text) for table in answer["tables"])
    return replace(file, rounds=(*file.rounds, Round(tables=tables, stage=answer["stage"])))


def meaning(file: EventFile) -> dict[str, Any]:
    """What an event says, whatever the order of its tables: the same before and after writing.

    Whoever begins with losses without an opponent came late.
    """
    lost = [{table.players[0] for table in a_round.tables if table.loss} for a_round in file.rounds]
    entered = {player.id: player.entered for player in file.players}
    for number, ids in enumerate(lost, start=1):
        entered |= {player_id: number + 1 for player_id in ids if entered[player_id] == number}
    return {
        "name": file.name,
        "players": {
            p.id: (
                p.name,
                p.division,
                p.born,
                entered[p.id],
                p.dropped if p.disqualified is None else p.disqualified,
            )
            for p in file.players
        },
        "rounds": [
            (
                a_round.stage,
                {
                    frozenset(table.players): choose_outcome(table, sorted(table.players))
                    for table in a_round.tables
                    if not (table.loss and number < entered[table.players[0]])
                },
            )
            for number, a_round in enumerate(file.rounds, start=1)
        ],
    }


def pieces(raw: bytes) -> dict[str, str]:
    """The file in pieces, each as canonical XML: what stays when an event goes on."""
    root = parse_xml(raw).root
    found = {f"root {name}": value for name, value in root.attrib.items() if name != "stage"}
    for child in root:
        if child.tag not in ("players", "pods", "finalsoptions", "standings"):
            found[str(child.tag)] = _shown(child)
    for player in root.iterfind("players/player"):
        found[f"player {player.get('userid')}"] = _shown(player, without=("order", "seed"))
    for number, pod in enumerate(root.iterfind("pods/pod")):
        found[f"pod {number} category"] = pod.get("category", "")
        for child in pod:
            if child.tag != "rounds":
                found[f"pod {number} {child.tag}"] = _shown(child)
        for a_round in pod.iterfind("rounds/round"):
            if a_round.find("matches/match[@outcome='0']") is None:
                found[f"pod {number} round {a_round.get('number')}"] = _shown(a_round, stage=False)
    return found


def _shown(element: Element, without: tuple[str, ...] = (), stage: bool = True) -> str:
    copy = deepcopy(element)
    copy.tail = None
    if not stage:
        copy.attrib.pop("stage", None)
    for child in [child for child in copy if child.tag in without]:
        copy.remove(child)
    return "".join(canonicalize(tostring(copy, "unicode"), strip_text=bool(without)))


def continued(raw: bytes) -> tuple[int, list[str]]:
    """How many rounds were added until the event was over, and what went wrong on the way."""
    wrong: list[str] = []
    rounds, at = 0, AT
    for step, (file, finished) in enumerate(_steps(tdf.read_content(raw).file)):
        at += timedelta(minutes=10)
        added = len(file.rounds) - len(tdf.read_content(raw).file.rounds)
        rounds += added
        again = tdf.write_file(file, raw, at, finished)
        read = tdf.read_content(again).file
        if meaning(read) != meaning(file):
            wrong.append(f"step {step}: read again, it is another event")
        now = pieces(again)
        wrong += [f"step {step}: {name} changed" for name, was in pieces(raw).items() if now.get(name) != was]
        if canonical(tdf.write_file(read, again, at)) != canonical(again):
            wrong.append(f"step {step}: written untouched, it is not the same")
        raw = again
    return rounds, wrong + places(raw)[1]


def _steps(file: EventFile) -> Iterator[tuple[EventFile, bool | None]]:
    """The event after each act of its scorekeeper: results, a new round, and so on to the end."""
    while True:
        file = reported(file)
        yield file, None
        following = paired(build_event(file))
        if following is None:
            yield file, True
            return
        file = following
        yield file, None


def main() -> int:
    if len(sys.argv) != 2 or not (files := sorted(Path(sys.argv[1]).glob("*.tdf"))):
        print("expected a folder with files *.tdf", file=sys.stderr)
        return 2
    total = [0, 0, 0]
    beside = [0, 0]
    for path in files:
        raw = path.read_bytes()
        number, wrong = places(raw)
        beside = [a + b for a, b in zip(beside, neighbours(raw), strict=True)]
        wrong += untouched(raw) + written_anew(raw)
        rounds = 0
        if not _finished(raw):
            rounds, more = continued(raw)
            wrong += more
        print(f"{path.name}: {number} places, {rounds} rounds added, {len(wrong)} wrong")
        for mistake in wrong[:10]:
            print(f"  {mistake}")
        total = [a + b for a, b in zip(total, (number, rounds, len(wrong)), strict=True)]
    print(f"{beside[1]} of {beside[0]} neighbours the other way")
    print(f"{len(files)} files: {total[0]} places, {total[1]} rounds added, {total[2]} wrong")
    return 1 if total[2] else 0


if __name__ == "__main__":
    sys.exit(main())
