"""Small .tdf files in a few lines, and changes to larger ones."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from topcut.formats.event_file import EventFile

FILES = sorted((Path(__file__).parent / "tdf").glob("*.tdf"))
AT = datetime(2026, 2, 14, 12, 30, 0)
STAMP = "02/14/2026 12:30:00"


def fixture(name: str) -> bytes:
    return (Path(__file__).parent / "tdf" / f"{name}.tdf").read_bytes()


def changed(raw: bytes, old: str, new: str) -> bytes:
    """The file with one piece of text replaced; it must be there."""
    text = raw.decode()
    assert old in text
    return text.replace(old, new, 1).encode()


def a_file(
    pods: str = "",
    players: Mapping[str, int | str] | None = None,
    start: str = "11/08/2025",
    finals: str = "",
    standings: str = "",
    stage: int = 4,
    more: str = "",
) -> bytes:
    """A file with these pods; players are userids with a year of birth, or with elements of their own."""
    people = "".join(
        f'<player userid="{player_id}"><firstname>{player_id}</firstname><lastname>X</lastname>'
        f"<birthdate>02/27/{about if isinstance(about, int) else 1990}</birthdate>"
        f"{about if isinstance(about, str) else ''}</player>"
        for player_id, about in (players or {}).items()
    )
    return (
        f'<tournament type="2" stage="{stage}" version="1.80" gametype="TRADING_CARD_GAME" mode="CUSTOM">'
        f"<data><name>Cup</name><startdate>{start}</startdate>{more}</data><players>{people}</players>"
        f"<pods>{pods}</pods><standings>{standings}</standings><finalsoptions>{finals}</finalsoptions></tournament>"
    ).encode()


def a_pod(category: int, players: str, *rounds: str, stage: int = 0, data: str = "") -> str:
    """A pod; a round is its tables as `A-B 1, C 5`, with `!` in front for an elimination round."""
    ids = "".join(f'<player userid="{player_id}"/>' for player_id in players.split())
    made = "".join(_round(number, text) for number, text in enumerate(rounds, start=1))
    return (
        f'<pod category="{category}" stage="{stage}"><poddata>{data}</poddata>'
        f'<subgroups><subgroup number="1">'
        f"<players>{ids}</players></subgroup></subgroups><rounds>{made}</rounds></pod>"
    )


def _round(number: int, text: str) -> str:
    round_type = 1 if text.startswith("!") else 2
    matches = ""
    for table, match in enumerate(filter(None, text.lstrip("!").split(", ")), start=1):
        who, outcome = match.split()
        ids = who.split("-")
        seats = ["player"] if len(ids) == 1 else ["player1", "player2"]
        inside = "".join(
            f'<{seat} userid="{player_id}"/>' for seat, player_id in zip(seats, ids, strict=True)
        )
        where = 0 if len(ids) == 1 else table
        matches += f'<match outcome="{outcome}">{inside}<tablenumber>{where}</tablenumber></match>'
    return f'<round number="{number}" type="{round_type}" stage="6"><matches>{matches}</matches></round>'


def a_cut(key: int, cut: int) -> str:
    return f'<categorycut key="{key}"><cut>{cut}</cut></categorycut>'


def with_table(file: EventFile, number: int, at: int, **fields: Any) -> EventFile:
    """The event with one table changed; rounds and tables from 0."""
    tables = list(file.rounds[number].tables)
    tables[at] = replace(tables[at], **fields)
    rounds = list(file.rounds)
    rounds[number] = replace(rounds[number], tables=tuple(tables))
    return replace(file, rounds=tuple(rounds))
