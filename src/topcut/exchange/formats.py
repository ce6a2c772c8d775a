"""Every format in which an event can be written down, and what each of them cannot hold.

    losses("tdf", found)            # what would be lost, before anything is
    written("tdf", found, wish)     # the bytes

What a format needs is loaded when it is used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from msgspec.structs import replace

from topcut.errors import BadInput
from topcut.event.deciding import Context
from topcut.exchange import event_file, log_file
from topcut.exchange.event_file import Event
from topcut.exchange.opened import Content
from topcut.exchange.public import public
from topcut.stages.ids import whole_rounds

WEB = "pages for the web"
Target = Literal["event", "log", "tdf", "players", "pairings", "standings", "results"]


@dataclass(frozen=True)
class Wish:
    """How somebody wants it."""

    context: Context
    """Who writes it down, when, and with what chance: a log begins with that."""
    private: bool = True
    """With membership numbers, birth years and labels, which are not for everybody."""
    round: int | None = None
    """Which round, for pairings and standings; the last one, or the last whole one, if none is given."""


@dataclass(frozen=True)
class Found:
    """What stands in a file, and what follows from it."""

    content: Content
    event: Event


def found(content: Content, readings: dict[str, str] | None = None, folder: Path | None = None) -> Found:
    """An event that can be written in another format."""
    return Found(content, content.built(readings, folder))


class Format(NamedTuple):
    """One format."""

    says: str
    suffix: str
    media: str
    write: Callable[[Found, Wish], bytes]
    loses: Callable[[Found, Wish], list[str]]


def losses(target: Target, found: Found, wish: Wish) -> list[str]:
    """What would be lost, a sentence each."""
    _check_possible(target, wish)
    return FORMATS[target].loses(found, wish)


def web_losses(found: Found) -> list[str]:
    """What would be lost on pages for the web, which hold an event file for everybody."""
    players = found.event.file.players
    hidden = any(p.member is not None or p.born is not None or p.apart for p in players)
    private = ["Membership numbers, birth years and labels, which are not for everybody."]
    return [*_event_loses(found), *(private if hidden else [])]


def written(target: Target, found: Found, wish: Wish) -> bytes:
    """The event in a format."""
    _check_possible(target, wish)
    if not wish.private:
        found = Found(found.content, public(found.event))
    return FORMATS[target].write(found, wish)


def _check_possible(target: Target, wish: Wish) -> None:
    if target == "tdf" and not wish.private:
        raise BadInput("a .tdf calls people by their membership numbers: there is none for everybody")


def _event(found: Found, wish: Wish) -> bytes:
    return event_file.encode(found.event.file)


def _event_loses(found: Found, wish: Wish | None = None) -> list[str]:
    if found.content.kind != "log":
        return [*found.content.notes, *found.content.unsaid]
    return [
        "Who did what and when, and what was corrected, taken back or changed by hand.",
        "The secret of the draws, and with it the proof that nobody chose them.",
    ]


def _log(found: Found, wish: Wish) -> bytes:
    log = found.content.log
    if log is None:
        from topcut.exchange.into_event import new_log

        log = new_log(found.content, found.event, wish.context)
    return log_file.written(log.event, log.facts, log.private if wish.private else {})


def _log_loses(found: Found, wish: Wish) -> list[str]:
    if found.content.log is not None:
        return []
    from topcut.exchange.into_event import losses as to_log

    return [*found.content.notes, *to_log(found.event.file)]


def _tdf(found: Found, wish: Wish) -> bytes:
    from topcut.exchange.tdf import tom

    file, legal = found.event.file, found.content.legal  # whoever gets the results knows people by these
    names = {p.id: "" if p.name == p.id else legal.get(p.id, p.name) for p in file.players}
    file = replace(file, players=tuple(replace(p, name=names[p.id]) for p in file.players))
    original = found.content.original
    onto = None if original is None else original.encode()
    moment = wish.context.at.astimezone()  # these files have the time of the place
    return tom.write(file, onto, moment, found.content.finished)


def _tdf_loses(found: Found, wish: Wish) -> list[str]:
    from topcut.exchange.tdf import tom

    gone = ["All that only the file said which the event came from: it was deleted with somebody's name."]
    return [*(gone if found.content.forgotten else []), *tom.losses(found.event.file)]


def _sheet(kind: Literal["players", "pairings", "standings", "results"]) -> Format:
    def write(found: Found, wish: Wish) -> bytes:
        from topcut.exchange.lists import written as lists

        match kind:
            case "players":
                return lists.csv_players(found.event, wish.private)
            case "pairings":
                return lists.csv_pairings(found.event, wish.round)
            case "standings":
                whole = whole_rounds(found.event.file.rounds)
                return lists.csv_standings(found.event, whole if wish.round is None else wish.round)
            case "results":
                return lists.csv_results(found.event)

    def loses(found: Found, wish: Wish) -> list[str]:
        from topcut.exchange.lists import written as lists

        said = [*found.content.notes, *found.content.unsaid]
        return [*said, *lists.losses(found.event, kind, wish.private)]

    return Format(f"{kind} for spreadsheets (CSV)", ".csv", "text/csv; charset=utf-8", write, loses)


FORMATS: dict[Target, Format] = {
    "log": Format("the whole log", ".log", "application/x-ndjson", _log, _log_loses),
    "event": Format("an event file", ".json", "application/json", _event, _event_loses),
    "tdf": Format("a .tdf", ".tdf", "application/xml", _tdf, _tdf_loses),
    "players": _sheet("players"),
    "pairings": _sheet("pairings"),
    "standings": _sheet("standings"),
    "results": _sheet("results"),
}
