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
from topcut.desk.once import Request, keyed
from topcut.desk.pages import AnyRequest
from topcut.desk.who import Who
from topcut.errors import TopcutError
from topcut.event.commands import Correct, Then
from topcut.event.journal import Journal
from topcut.event.refusals import NotNow
from topcut.store.model import Repeated


class Line(Struct, forbid_unknown_fields=True):
    text: str
    sure: bool = False
    """Whether it counts now."""
    saw: str = ""
    """What was read before it counted; refused if the line now means something else."""
    then: Then | None = None
    reason: str = ""
    override: bool = False


class Changed(NotNow):
    """What a line means has changed since it was read."""

    def __init__(self, says: str) -> None:
        self.says = says
        super().__init__(f"this has changed since you read it. It now means: {says}")


@post("/desk/{event:str}/entry", right="desk", status_code=200, raises=[NotFoundException])
async def entry(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], data: JSONBody[Line]
) -> dict[str, Any]:
    """What a line means, or what came of it. A line that counts may be sent twice under the same
    `Idempotency-Key`, since its answer can be lost; it counts once."""
    who = who_of(request)
    key = await keyed(request, who, event) if data.sure else None
    return await line(house, who, event, data, key)


async def line(house: House, who: Who, event: str, data: Line, key: Request | None = None) -> dict[str, Any]:
    check_texts([data.text, data.reason])
    live = await house.floor.event(event)
    if not data.sure:
        try:
            found = _meant(house, live, data.text, who)
            who.check(found.commands, live.running.journal)
            return _echo(found, live)
        except TopcutError as error:
            return {"kind": "wrong", "says": isolated(str(error)), "old": "", "whole": False}
    before = await key.before(house) if key else None
    if before is None:
        try:
            return await _counted(house, live, who, data, key)
        except Repeated as again:
            assert key is not None
            before = key.answered(again.value)
        except TopcutError:
            # The first request may have been done just now, and that it is done is why this one is refused.
            before = await key.before(house) if key else None
            if before is None:
                raise
    return {**before, "done": isolated(data.saw.partition(SEEN)[0])}


async def _counted(house: House, live: Live, who: Who, data: Line, key: Request | None) -> dict[str, Any]:
    """Let a line count; what its page is told."""
    found = _meant(house, live, data.text, who)
    if not found.commands:
        raise NotNow(found.says or "nothing is typed yet")
    if data.saw and data.saw != _seen(found):
        raise Changed(found.says)
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
    once = key.once(lambda journal, made: answer(live, made) | {"version": journal.version}) if key else None
    return answer(live, await give(live, who, commands, once=once)) | {"done": isolated(found.says)}


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


SEEN = " | "
"""Between what a line means and what it would change, in what was read of it."""


def _seen(found: Meant) -> str:
    return f"{found.says}{SEEN}{found.old}"


def _echo(found: Meant, live: Live) -> dict[str, Any]:
    return {
        "kind": found.kind,
        "says": isolated(found.says),
        "old": isolated(found.old),
        "whole": bool(found.commands),
        "saw": _seen(found),
        "round": len(live.state.rounds),
    }


ROUTES = [entry]
