"""The entry bar: what a line means, said before it counts, and then done."""

from __future__ import annotations

from typing import Any

from litestar import post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, JSONBody
from msgspec import Struct
from msgspec.structs import replace

from topcut.desk.bidi import isolated
from topcut.desk.commands import answer, check_texts, give
from topcut.desk.entry import Meant, meant
from topcut.desk.guard import who_of
from topcut.desk.house import House
from topcut.desk.live import Live
from topcut.desk.pages import AnyRequest
from topcut.desk.who import Who
from topcut.errors import TopcutError
from topcut.event.commands import Correct, Then
from topcut.event.journal import Journal
from topcut.event.refusals import NotNow


class Line(Struct, forbid_unknown_fields=True):
    text: str
    sure: bool = False
    """Whether it counts now."""
    saw: str = ""
    """What was read before it counted; refused if the line means something else by now."""
    then: Then | None = None
    reason: str = ""
    override: bool = False


@post("/desk/{event:str}/entry", right="desk", status_code=200, raises=[NotFoundException])
async def entry(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], data: JSONBody[Line]
) -> dict[str, Any]:
    """What a line means, or what came of it."""
    return await line(house, who_of(request), event, data)


async def line(house: House, who: Who, event: str, data: Line) -> dict[str, Any]:
    check_texts([data.text, data.reason])
    live = await house.floor.event(event)
    if not data.sure:
        try:
            found = _meant(house, live, data.text, who)
            who.check(found.commands, live.running.journal)
            return _echo(found)
        except TopcutError as error:
            return {"kind": "wrong", "says": isolated(str(error)), "old": "", "whole": False}
    found = _meant(house, live, data.text, who)
    if not found.commands:
        raise NotNow(found.says or "nothing is typed yet")
    if data.saw and data.saw != _seen(found):
        raise NotNow(f"this means something else by now: {found.says}")
    commands = [
        replace(command, then=data.then) if data.then and hasattr(command, "then") else command
        for command in found.commands
    ]
    commands = [
        replace(command, reason=data.reason, override=data.override)
        if isinstance(command, Correct)
        else command
        for command in commands
    ]
    return answer(live, await give(live, who, commands)) | {"done": isolated(found.says)}


def _meant(house: House, live: Live, text: str, who: Who) -> Meant:
    journal = live.running.journal
    if text.strip().casefold() not in ("u", "undo"):
        return meant(text, journal, legal=who.may("people"))
    step = own_last_step(journal, who.name)
    return meant(text, journal, (step, house.logbook(live, who).step(journal, step)))


def own_last_step(journal: Journal, by: str) -> int:
    """The last step of whoever asks; what others did is not theirs to take back blindly."""
    own = [step for step in journal.steps()[1:] if journal.entries[step - 1].by == by]
    if not own:
        raise NotNow("you have done nothing here yet: the log takes back what others did")
    return own[-1]


def _seen(found: Meant) -> str:
    return f"{found.says} | {found.old}"


def _echo(found: Meant) -> dict[str, Any]:
    return {
        "kind": found.kind,
        "says": isolated(found.says),
        "old": isolated(found.old),
        "whole": bool(found.commands),
        "saw": _seen(found),
    }


ROUTES = [entry]
