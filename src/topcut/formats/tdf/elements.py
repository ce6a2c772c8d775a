"""Make an empty .tdf file, and the elements of which files are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from xml.etree.ElementTree import Element

from topcut.formats.tdf.document import DATE, PLAYING, SET_UP
from topcut.formats.tdf.xml_editor import XmlEditor, make_element
from topcut.formats.tdf.xml_tree import XmlDocument

MOMENT = f"{DATE} %H:%M:%S"
VERSION = "1.80"
BIRTHDAY = "02/27/"
"""Day and month that all files have for everybody; only the year is known."""


def format_moment(at: datetime) -> str:
    return at.strftime(MOMENT)


def make_empty_file(name: str, game: str, event_type: int, mode: str, at: datetime) -> XmlDocument:
    """Return the file of an event without players."""
    place = {"name": name, "id": "", "city": "", "state": "", "country": ""}
    times = {"roundtime": "50", "finalsroundtime": "75"}
    organizer = make_element("organizer", popid="", name="")
    rules = {"startdate": at.strftime(DATE), "lessswiss": "false", "autotablenumber": "true"}
    last = {"overflowtablestart": "0"}
    data = make_element("data", [*_make_texts(place | times), organizer, *_make_texts(rules | last)])
    root = make_element(
        "tournament", type=str(event_type), stage=str(SET_UP), version=VERSION, gametype=game, mode=mode
    )
    root.text = "\n\t"
    editor = XmlEditor(root)
    rest = _make_texts({"timeelapsed": "0", "players": "", "pods": "", "finalsoptions": ""})
    for element in (data, *rest):
        editor.insert(root, element)
    return XmlDocument(root)


def _make_texts(texts: Mapping[str, str]) -> list[Element]:
    """Return an element for each text, called by its key."""
    return [make_element(tag, text) for tag, text in texts.items()]


def make_player(player_id: str, first: str, last: str, birth_year: int, at: datetime) -> Element:
    names = {"firstname": first, "lastname": last, "birthdate": f"{BIRTHDAY}{birth_year:04}"}
    times = dict.fromkeys(("creationdate", "lastmodifieddate"), format_moment(at))
    return make_element("player", _make_texts(names | {"starter": "true"} | times), userid=player_id)


def make_pod(category: int, third_place: bool, flights: int) -> Element:
    rules = {"startingtable": "1", "playoff3rd4th": format_flag(third_place)}
    data = make_element(
        "poddata", _make_texts(rules | {"subgroupcount": str(flights), "additionalrounds": "0"})
    )
    numbers = range(1, flights + 1)
    groups = [make_element("subgroup", [make_element("players")], number=str(n)) for n in numbers]
    parts = [data, make_element("subgroups", groups), make_element("rounds")]
    return make_element("pod", parts, category=str(category), stage="0")


def make_round(number: int, round_type: int, seconds: int, paired: datetime | None) -> Element:
    """Return a round without tables yet. `paired`: when, in files that say so."""
    times = {"timeleft": str(seconds)} | ({} if paired is None else {"pairtime": format_moment(paired)})
    attributes = {"number": str(number), "type": str(round_type), "stage": str(PLAYING)}
    return make_element("round", [*_make_texts(times), make_element("matches")], **attributes)


def make_match(players: Sequence[str], outcome: int, table: int, at: datetime) -> Element:
    tags = ["player"] if len(players) == 1 else ["player1", "player2"]
    seats = [make_element(tag, userid=player_id) for tag, player_id in zip(tags, players, strict=True)]
    texts = _make_texts({"timestamp": format_moment(at), "tablenumber": str(table)})
    return make_element("match", [*seats, *texts], outcome=str(outcome))


def make_drop(number: int, at: datetime) -> Element:
    texts = {"status": "1", "round": str(number), "timestamp": format_moment(at)}
    return make_element("dropped", _make_texts(texts))


def make_cut(division: int, cut: int, offered: Sequence[int], players: int, third_place: bool) -> Element:
    options = make_element("options", [make_element("value", str(size)) for size in offered])
    texts = {"cut": str(cut), "playercount": str(players), "paired3rd4th": format_flag(third_place)}
    return make_element("categorycut", [options, *_make_texts(texts)], key=str(division))


def format_flag(flag: bool) -> str:
    return "true" if flag else "false"
