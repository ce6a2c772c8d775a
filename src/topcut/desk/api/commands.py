"""What the API does: the commands of the desk, as its pages send them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from litestar import Response, post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from topcut.client import shapes as s
from topcut.desk import commands, entering
from topcut.desk.api.answers import expected, opened, tag
from topcut.desk.commands import check_texts
from topcut.desk.desk_players import described, looked_at
from topcut.desk.guard import who_of
from topcut.desk.house import House
from topcut.desk.live import Live
from topcut.desk.once import keyed
from topcut.desk.pages import AnyRequest
from topcut.desk.phone import asked, by_phone, check_leaving, open_link
from topcut.desk.who import Who
from topcut.errors import BadInput
from topcut.event.commands import AnyCommand, Drop, Then
from topcut.event.deciding import Decision
from topcut.event.journal import Journal
from topcut.store.model import Repeated

AT_MOST = 2_000
"""Commands in one request."""
BY_ONE = 5
"""The same for a player, who has one table."""
GONE = [NotFoundException]


class Commands(Struct, forbid_unknown_fields=True):
    """Commands that are done one after the other: all of them, or none."""

    commands: Annotated[list[AnyCommand], Meta(extra_json_schema={"minItems": 1, "maxItems": AT_MOST})]


def done(journal: Journal, decisions: Sequence[Decision]) -> s.Done:
    """What commands came to, once they are written down."""
    own = sum(len(decision.facts) for decision in decisions)
    entries = journal.entries[-own:] if own else []
    facts = [s.NewFact(position=e.position, fact=msgspec.to_builtins(e.fact, str_keys=True)) for e in entries]
    return s.Done(
        version=journal.version,
        facts=facts,
        says=[line for decision in decisions for line in decision.says],
        warnings=[line for decision in decisions for line in decision.warnings],
    )


async def give(
    request: AnyRequest, house: House, live: Live, who: Who, given: Sequence[AnyCommand]
) -> Response[s.Done]:
    """Decide commands, once, on the version that was seen; what they came to."""
    if not 1 <= len(given) <= AT_MOST:
        raise BadInput(f"expected 1 to {AT_MOST}", place="commands")
    check_texts(msgspec.to_builtins(list(given)))
    found: list[s.Done] = []

    def told(journal: Journal, decisions: Sequence[Decision]) -> None:
        found[:] = [done(journal, decisions)]

    key = await keyed(request, who, live.event)
    if key is not None and (before := await key.before(house)) is not None:
        return _sent(who, msgspec.convert(before, s.Done), repeated=True)
    once = key.once(lambda _, __: found[0]) if key else None
    try:
        await commands.give(live, who, given, expected=expected(request), once=once, told=told)
    except Repeated as again:
        assert key is not None
        return _sent(who, msgspec.convert(key.answered(again.value), s.Done), repeated=True)
    return _sent(who, found[0])


def _sent(who: Who, answer: s.Done, repeated: bool = False) -> Response[s.Done]:
    headers = {"etag": tag(answer.version, who), "cache-control": "no-store"}
    return Response(answer, headers=headers | ({"idempotency-replayed": "true"} if repeated else {}))


@post("/events/{event:str}/commands", right="desk", action="command", status_code=200, raises=GONE)
async def give_commands(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], data: JSONBody[Commands]
) -> Response[s.Done]:
    """Give commands: everything that can be done with an event. Each takes the right that it needs."""
    live, who, _ = await opened(request, house, event)
    return await give(request, house, live, who, data.commands)


@post(
    "/events/{event:str}/me/{player:str}/{signed:str}/commands",
    right="speak",
    status_code=200,
    raises=GONE,
)
async def give_own_commands(
    request: AnyRequest,
    house: NamedDependency[House],
    event: FromPath[str],
    player: FromPath[str],
    signed: FromPath[str],
    data: JSONBody[Commands],
) -> Response[s.Done]:
    """What a player does by their own link: claim how their table ended, ask, leave."""
    live = await open_link(house, event, player, signed)
    if len(data.commands) > BY_ONE:
        raise BadInput(f"expected 1 to {BY_ONE}", place="commands")
    if any(isinstance(one, Drop) and one.player == player for one in data.commands):
        check_leaving(live.state, player)
    return await give(request, house, live, by_phone(player), data.commands)


class NewQuestion(Struct, forbid_unknown_fields=True):
    """Something that a player wants the desk to look at. Whoever wants to leave says so by their own link:
    nobody else can."""

    about: Literal["points", "result"]
    round: int | None = None
    """Of the result; nothing else has one."""


@post("/events/{event:str}/players/{player:str}/questions", right="ask", status_code=200, raises=GONE)
async def ask(
    house: NamedDependency[House], event: FromPath[str], player: FromPath[str], data: JSONBody[NewQuestion]
) -> s.Told:
    """Ask the desk to look at a player's points, or at a result."""
    live = await house.floor.event(event)
    if player not in live.state.players:
        raise NotFoundException("no player has this id")
    return msgspec.convert(await asked(live, player, data.about, data.round), s.Told)


class Line(Struct, forbid_unknown_fields=True):
    """A line, as the entry bar of the desk takes it."""

    text: str


class SureLine(Line, forbid_unknown_fields=True):
    """A line that counts."""

    saw: str = ""
    """The `saw` of its preview; refused if the line means something else by now."""
    then: Then | None = None
    reason: str = ""
    override: bool = False


@post("/events/{event:str}/entry", right="desk", action="command", status_code=200, raises=GONE)
async def enter_line(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], data: JSONBody[SureLine]
) -> s.Entered:
    """Let a line of the entry bar count, such as `14 2-1`."""
    given = entering.Line(data.text, True, data.saw, data.then, data.reason, data.override)
    return msgspec.convert(await entering.line(house, who_of(request), event, given), s.Entered)


@post("/events/{event:str}/previews/entry", right="desk", action="read", status_code=200, raises=GONE)
async def preview_line(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], data: JSONBody[Line]
) -> s.Meant:
    """What a line of the entry bar means; nothing is done."""
    given = entering.Line(data.text)
    return msgspec.convert(await entering.line(house, who_of(request), event, given), s.Meant)


@post("/events/{event:str}/previews/undo", right="desk", status_code=200, raises=GONE)
async def preview_undo(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], data: JSONBody[commands.Back]
) -> s.LookedBack:
    """What would change if a step were taken back, or counted again; nothing is done."""
    return msgspec.convert(await commands.looked_back(house, who_of(request), event, data), s.LookedBack)


class NameList(Struct, forbid_unknown_fields=True):
    """Names, one a line, or columns as a spreadsheet copies or saves them."""

    text: str
    columns: str = ""
    """What the columns mean, such as `name,-,id,born`, where the guess is not right."""


@post("/events/{event:str}/previews/list", right="players", status_code=200, raises=GONE)
async def preview_list(
    request: AnyRequest, house: NamedDependency[House], event: FromPath[str], data: JSONBody[NameList]
) -> s.Pasted:
    """Who is on a list of names; nobody is entered."""
    live = await house.floor.event(event)
    raw = data.text.encode(errors="replace")
    return msgspec.convert(described(await looked_at(live, who_of(request), raw, data.columns)), s.Pasted)


ROUTES = [give_commands, give_own_commands, ask, enter_line, preview_line, preview_undo, preview_list]
