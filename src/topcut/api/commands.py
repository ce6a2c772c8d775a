"""Take commands of the desk, as its pages send them, and preview what they would do."""

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from litestar import Response, post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from topcut.api.requests import AnyRequest, identity_of, key_of
from topcut.api.responses import expected, opened, tag
from topcut.app import entry_line
from topcut.app import execute as executing
from topcut.app.access.identity import Identity
from topcut.app.access.player_links import open_player_link
from topcut.app.execute import check_texts, execute
from topcut.app.live_events import LiveEvent
from topcut.app.player_claims import ask_desk, check_leaving, identity_by_phone
from topcut.app.player_list import describe_list, read_player_list
from topcut.app.services import Services
from topcut.client import schemas as s
from topcut.errors import BadInput
from topcut.event.commands import AnyCommand, Drop, Then
from topcut.event.decide.context import Decision
from topcut.event.event_log import EventLog
from topcut.store.interface import Repeated

AT_MOST = 2_000
"""Commands in one request, at most."""
BY_ONE = 5
"""Commands in one request of a player, at most: a player has one table."""
GONE = [NotFoundException]


class Commands(Struct, forbid_unknown_fields=True):
    """Commands that are executed in this order: all of them, or none."""

    commands: Annotated[list[AnyCommand], Meta(extra_json_schema={"minItems": 1, "maxItems": AT_MOST})]


def done(log: EventLog, decisions: Sequence[Decision]) -> s.Done:
    """Return the facts, sentences and warnings that commands led to, once they are saved."""
    own = sum(len(decision.facts) for decision in decisions)
    entries = log.entries[-own:] if own else []
    facts = [s.NewFact(position=e.position, fact=msgspec.to_builtins(e.fact, str_keys=True)) for e in entries]
    return s.Done(
        version=log.version,
        facts=facts,
        says=[line for decision in decisions for line in decision.says],
        warnings=[line for decision in decisions for line in decision.warnings],
    )


async def give(
    request: AnyRequest, services: Services, live: LiveEvent, who: Identity, given: Sequence[AnyCommand]
) -> Response[s.Done]:
    """Execute commands once, on the version that the program has seen, and answer with the new facts."""
    if not 1 <= len(given) <= AT_MOST:
        raise BadInput(f"expected 1 to {AT_MOST}", place="commands")
    check_texts(msgspec.to_builtins(list(given)))
    found: list[s.Done] = []

    def told(log: EventLog, decisions: Sequence[Decision]) -> None:
        found[:] = [done(log, decisions)]

    key = await key_of(request, live.event)
    if key is not None and (before := await key.earlier_answer(services.store)) is not None:
        return _sent(who, msgspec.convert(before, s.Done), repeated=True)
    once = key.once(lambda _, __: found[0]) if key else None
    try:
        await execute(live, who, given, expected=expected(request), once=once, told=told)
    except Repeated as again:
        assert key is not None
        return _sent(who, msgspec.convert(key.read_answer(again.value), s.Done), repeated=True)
    return _sent(who, found[0])


def _sent(who: Identity, answer: s.Done, repeated: bool = False) -> Response[s.Done]:
    headers = {"etag": tag(answer.version, who), "cache-control": "no-store"}
    return Response(answer, headers=headers | ({"idempotency-replayed": "true"} if repeated else {}))


@post("/events/{event:str}/commands", right="desk", action="command", status_code=200, raises=GONE)
async def give_commands(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str], data: JSONBody[Commands]
) -> Response[s.Done]:
    """Execute commands: everything that can be done with an event. Each command needs its own right."""
    live, who, _ = await opened(request, services, event)
    return await give(request, services, live, who, data.commands)


@post(
    "/events/{event:str}/me/{player:str}/{signed:str}/commands",
    right="speak",
    status_code=200,
    raises=GONE,
)
async def give_own_commands(
    request: AnyRequest,
    services: NamedDependency[Services],
    event: FromPath[str],
    player: FromPath[str],
    signed: FromPath[str],
    data: JSONBody[Commands],
) -> Response[s.Done]:
    """Execute commands of a player who has their own link: claim a result, ask the desk, leave."""
    live = await open_player_link(services, event, player, signed)
    if len(data.commands) > BY_ONE:
        raise BadInput(f"expected 1 to {BY_ONE}", place="commands")
    if any(isinstance(one, Drop) and one.player == player for one in data.commands):
        check_leaving(live.state, player)
    return await give(request, services, live, identity_by_phone(player), data.commands)


class NewQuestion(Struct, forbid_unknown_fields=True):
    """A question for the desk about a player. Leaving is no question: it takes the player's own link."""

    about: Literal["points", "result"]
    round: int | None = None
    """The round of the result; only a question about a result has one."""


@post("/events/{event:str}/players/{player:str}/questions", right="ask", status_code=200, raises=GONE)
async def ask(
    services: NamedDependency[Services],
    event: FromPath[str],
    player: FromPath[str],
    data: JSONBody[NewQuestion],
) -> s.Told:
    """Ask the desk to look at a player's points, or at a result."""
    live = await services.events.event(event)
    if player not in live.state.players:
        raise NotFoundException("no player has this id")
    return msgspec.convert(await ask_desk(live, player, data.about, data.round), s.Told)


class Line(Struct, forbid_unknown_fields=True):
    """A line of the entry bar of the desk."""

    text: str


class SureLine(Line, forbid_unknown_fields=True):
    """A line of the entry bar that is to be saved."""

    saw: str = ""
    """The `saw` of its preview; the line is refused if it means something else by now."""
    then: Then | None = None
    reason: str = ""
    override: bool = False


@post("/events/{event:str}/entry", right="desk", action="command", status_code=200, raises=GONE)
async def enter_line(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str], data: JSONBody[SureLine]
) -> s.Entered:
    """Save a line of the entry bar, such as `14 2-1`."""
    line = entry_line.EntryRequest(data.text, True, data.saw, data.then, data.reason, data.override)
    return msgspec.convert(
        await entry_line.enter_line(services, identity_of(request), event, line), s.Entered
    )


@post("/events/{event:str}/previews/entry", right="desk", action="read", status_code=200, raises=GONE)
async def preview_line(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str], data: JSONBody[Line]
) -> s.Meant:
    """Explain what a line of the entry bar means, without saving it."""
    found = await entry_line.preview_line(services, identity_of(request), event, data.text)
    return msgspec.convert(found, s.Meant)


@post("/events/{event:str}/previews/undo", right="desk", status_code=200, raises=GONE)
async def preview_undo(
    request: AnyRequest,
    services: NamedDependency[Services],
    event: FromPath[str],
    data: JSONBody[executing.Back],
) -> s.LookedBack:
    """Show what an undo or a redo of a step would change, without doing it."""
    return msgspec.convert(
        await executing.preview_undo(services, identity_of(request), event, data), s.LookedBack
    )


class NameList(Struct, forbid_unknown_fields=True):
    """A list of names, one a line, or columns as a spreadsheet copies or saves them."""

    text: str
    columns: str = ""
    """The meaning of the columns, such as `name,-,id,division`, where the guess is wrong."""


@post("/events/{event:str}/previews/list", right="players", status_code=200, raises=GONE)
async def preview_list(
    request: AnyRequest, services: NamedDependency[Services], event: FromPath[str], data: JSONBody[NameList]
) -> s.Pasted:
    """Show the players on a list of names, without entering them."""
    live = await services.events.event(event)
    raw = data.text.encode(errors="replace")
    return msgspec.convert(
        describe_list(await read_player_list(live, identity_of(request), raw, data.columns)), s.Pasted
    )


ROUTES = [give_commands, give_own_commands, ask, enter_line, preview_line, preview_undo, preview_list]
