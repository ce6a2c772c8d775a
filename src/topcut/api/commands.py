"""Execute and preview commands of the desk, as its pages send them; export and delete personal data."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from litestar import Response, delete, get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from topcut.api.requests import NO_STORE, ApiRequest, Id, find_listed, tag, to_document
from topcut.app import entry_line
from topcut.app import execute as executing
from topcut.app.access.identity import Identity
from topcut.app.access.player_links import open_player_link
from topcut.app.execute import check_texts, execute
from topcut.app.idempotency import do_once
from topcut.app.live_events import LiveEvent
from topcut.app.player_claims import ask_desk, check_leaving, identity_by_phone
from topcut.app.player_list import describe_list, read_player_list
from topcut.client import schemas as s
from topcut.errors import BadInput
from topcut.event.commands import AnyCommand, Drop, Forget, Then
from topcut.event.decide.context import Decision
from topcut.event.describe.personal_data import collect_personal_data
from topcut.event.event_log import EventLog
from topcut.text.message_json import to_plain
from topcut.text.messages import language_in_use, say, using_language

AT_MOST = 2_000
"""Commands in one request, at most."""
BY_ONE = 5
"""Commands in one request of a player, at most: a player has one table."""


class Commands(Struct, forbid_unknown_fields=True):
    """Commands that are executed in this order: all of them, or none."""

    commands: Annotated[list[AnyCommand], Meta(extra_json_schema={"minItems": 1, "maxItems": AT_MOST})]


def describe_done(log: EventLog, decisions: Sequence[Decision]) -> s.Done:
    """Return the facts, sentences and warnings that commands led to, once they are saved."""
    own = sum(len(decision.facts) for decision in decisions)
    entries = log.entries[-own:] if own else []
    facts = [s.NewFact(position=e.position, fact=to_plain(e.fact)) for e in entries]
    return s.Done(
        version=log.version,
        facts=facts,
        says=[line for decision in decisions for line in decision.says],
        warnings=[line for decision in decisions for line in decision.warnings],
    )


async def give(
    request: ApiRequest, live: LiveEvent, who: Identity, given: Sequence[AnyCommand]
) -> Response[s.Done]:
    """Execute commands once, on the version that the program has seen, and answer with the new facts."""
    if not 1 <= len(given) <= AT_MOST:
        raise BadInput(say("expected 1 to {most} commands", most=AT_MOST), place="commands")
    check_texts(msgspec.to_builtins(list(given)))
    found: list[s.Done] = []

    def told(log: EventLog, decisions: Sequence[Decision]) -> None:
        found[:] = [describe_done(log, decisions)]

    key, language = await request.identify(live.event), language_in_use()

    def keep(*_: object) -> Any:  # called in the task that saves, which has a language of its own
        with using_language(language):
            return to_plain(found[0])

    async def work() -> s.Done:
        once = key.once(keep) if key else None
        await execute(live, who, given, expected=request.expected, once=once, told=told)
        return found[0]

    answer, repeated = await do_once(key, request.services.store, work)
    done = to_document(answer, s.Done)
    headers = NO_STORE | {"etag": tag(done.version, who)}
    return Response(done, headers=headers | ({"idempotency-replayed": "true"} if repeated else {}))


@post("/events/{event:str}/commands", right="desk", action="command", status_code=200)
async def give_commands(request: ApiRequest, event: Id, data: JSONBody[Commands]) -> Response[s.Done]:
    """Execute commands: everything that can be done with an event. Each command needs its own right."""
    live, who, _ = await request.open_event(event)
    return await give(request, live, who, data.commands)


@post("/events/{event:str}/me/{player:str}/{signed:str}/commands", right="speak", status_code=200)
async def give_own_commands(
    request: ApiRequest, event: Id, player: Id, signed: Id, data: JSONBody[Commands]
) -> Response[s.Done]:
    """Execute commands of a player with a link of their own: report a result, ask the desk, drop."""
    live = await open_player_link(request.services, event, player, signed)
    if len(data.commands) > BY_ONE:
        raise BadInput(say("expected 1 to {most} commands", most=BY_ONE), place="commands")
    if any(isinstance(one, Drop) and one.player == player for one in data.commands):
        check_leaving(live.state, player)
    return await give(request, live, identity_by_phone(player), data.commands)


class NewQuestion(Struct, forbid_unknown_fields=True):
    """A question for the desk about a player. To drop, a player needs a link of their own instead."""

    about: Literal["points", "result"]
    round: int | None = None
    """The round of the result; only a question about a result has one."""


@post("/events/{event:str}/players/{player:str}/questions", right="ask", status_code=200)
async def ask(request: ApiRequest, event: Id, player: Id, data: JSONBody[NewQuestion]) -> s.Told:
    """Ask the desk to check a player's points or a result."""
    live = await request.services.events.open_event(event)
    find_listed(live.state, player)
    return to_document(await ask_desk(live, player, data.about, data.round), s.Told)


class Line(Struct, forbid_unknown_fields=True):
    """A line for the entry bar of the desk."""

    text: str


class SureLine(Line, forbid_unknown_fields=True):
    """A line for the entry bar that is to be saved."""

    saw: str = ""
    """The `saw` of the preview. The line is refused if its meaning has changed since."""
    then: Then | None = None
    reason: str = ""
    override: bool = False


@post("/events/{event:str}/entry", right="desk", action="command", status_code=200)
async def enter_line(request: ApiRequest, event: Id, data: JSONBody[SureLine]) -> s.Entered:
    """Save a line of the entry bar, such as `14 2-1`."""
    line = entry_line.EntryRequest(data.text, True, data.saw, data.then, data.reason, data.override)
    found = await entry_line.enter_line(request.services, request.who, event, line)
    return to_document(found, s.Entered)


@post("/events/{event:str}/previews/entry", right="desk", action="read", status_code=200)
async def preview_line(request: ApiRequest, event: Id, data: JSONBody[Line]) -> s.Meant:
    """Explain what a line of the entry bar means, without saving it."""
    found = await entry_line.preview_line(request.services, request.who, event, data.text)
    return to_document(found, s.Meant)


@post("/events/{event:str}/previews/undo", right="desk", status_code=200)
async def preview_undo(request: ApiRequest, event: Id, data: JSONBody[executing.Back]) -> s.LookedBack:
    """Preview what an undo or a redo of a step would change."""
    found = await executing.preview_undo(request.services, request.who, event, data)
    return to_document(found, s.LookedBack)


class NameList(Struct, forbid_unknown_fields=True):
    """A list of players: one name per line, or columns from a spreadsheet."""

    text: str
    columns: str = ""
    """The meanings of the columns, such as `name,-,id,division`, if the guess is wrong."""


@post("/events/{event:str}/previews/list", right="players", status_code=200)
async def preview_list(request: ApiRequest, event: Id, data: JSONBody[NameList]) -> s.Pasted:
    """Preview the players on a list, without adding them."""
    live = await request.services.events.open_event(event)
    raw = data.text.encode(errors="replace")
    found = await read_player_list(live, request.who, raw, data.columns)
    return to_document(describe_list(found), s.Pasted)


@get("/events/{event:str}/players/{player:str}/data", right="erase", action="heavy")
async def personal_data(request: ApiRequest, event: Id, player: Id) -> Response[dict[str, Any]]:
    """Export all data about one player, to give to that player."""
    live, _, state = await request.open_event(event)
    find_listed(state, player)
    return Response(collect_personal_data(live.session.log, player), headers=NO_STORE)


@delete("/events/{event:str}/players/{player:str}/data", right="erase", action="command", status_code=200)
async def forget_player(request: ApiRequest, event: Id, player: Id) -> Response[s.Done]:
    """Delete a player's personal data for good, once the event is finished. The results stay."""
    live, who, state = await request.open_event(event)
    find_listed(state, player)
    return await give(request, live, who, [Forget(player=player)])
