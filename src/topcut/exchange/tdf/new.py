"""A .tdf file in which nothing has happened yet, and the elements of which files are made."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from xml.etree.ElementTree import Element

from topcut.exchange.tdf.edit import Pen, made
from topcut.exchange.tdf.fields import DATE
from topcut.exchange.tdf.sheet import PLAYING, SET_UP
from topcut.exchange.tdf.tree import Document

MOMENT = f"{DATE} %H:%M:%S"
VERSION = "1.80"
BIRTHDAY = "02/27/"
"""Day and month that all files have for everybody; only the year is known."""


def moment(at: datetime) -> str:
    return at.strftime(MOMENT)


def empty_file(name: str, game: str, event_type: int, mode: str, at: datetime) -> Document:
    """A file of an event without players."""
    data = made(
        "data",
        [
            made("name", name),
            made("id"),
            made("city"),
            made("state"),
            made("country"),
            made("roundtime", "50"),
            made("finalsroundtime", "75"),
            made("organizer", popid="", name=""),
            made("startdate", at.strftime(DATE)),
            made("lessswiss", "false"),
            made("autotablenumber", "true"),
            made("overflowtablestart", "0"),
        ],
    )
    root = made(
        "tournament", type=str(event_type), stage=str(SET_UP), version=VERSION, gametype=game, mode=mode
    )
    root.text = "\n\t"
    pen = Pen(root)
    for element in (data, made("timeelapsed", "0"), made("players"), made("pods"), made("finalsoptions")):
        pen.put(root, element)
    return Document(root)


def a_player(player_id: str, first: str, last: str, born: int, at: datetime) -> Element:
    now = moment(at)
    return made(
        "player",
        [
            made("firstname", first),
            made("lastname", last),
            made("birthdate", f"{BIRTHDAY}{born:04}"),
            made("starter", "true"),
            made("creationdate", now),
            made("lastmodifieddate", now),
        ],
        userid=player_id,
    )


def a_pod(category: int, third_place: bool, flights: int) -> Element:
    poddata = [
        made("startingtable", "1"),
        made("playoff3rd4th", "true" if third_place else "false"),
        made("subgroupcount", str(flights)),
        made("additionalrounds", "0"),
    ]
    groups = [made("subgroup", [made("players")], number=str(n + 1)) for n in range(flights)]
    return made(
        "pod",
        [made("poddata", poddata), made("subgroups", groups), made("rounds")],
        category=str(category),
        stage="0",
    )


def a_round(number: int, round_type: int, seconds: int, paired: datetime | None) -> Element:
    """A round without tables yet. `paired`: when, in files that say so."""
    times = [made("timeleft", str(seconds))]
    if paired is not None:
        times.append(made("pairtime", moment(paired)))
    return made(
        "round", [*times, made("matches")], number=str(number), type=str(round_type), stage=str(PLAYING)
    )


def a_match(players: Sequence[str], outcome: int, table: int, at: datetime) -> Element:
    seats = ["player"] if len(players) == 1 else ["player1", "player2"]
    return made(
        "match",
        [
            *(made(seat, userid=player_id) for seat, player_id in zip(seats, players, strict=True)),
            made("timestamp", moment(at)),
            made("tablenumber", str(table)),
        ],
        outcome=str(outcome),
    )


def a_drop(number: int, at: datetime) -> Element:
    return made("dropped", [made("status", "1"), made("round", str(number)), made("timestamp", moment(at))])


def a_cut(division: int, cut: int, offered: Sequence[int], players: int, third_place: bool) -> Element:
    return made(
        "categorycut",
        [
            made("options", [made("value", str(size)) for size in offered]),
            made("cut", str(cut)),
            made("playercount", str(players)),
            made("paired3rd4th", "true" if third_place else "false"),
        ],
        key=str(division),
    )
