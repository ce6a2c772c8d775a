"""Execute commands of a person or a program: check rights, decide, write, and answer; preview an undo."""

import asyncio
import secrets
from collections.abc import Sequence
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct

from topcut.app.access.identity import Identity
from topcut.app.clock import utc_now
from topcut.app.live_events import LiveEvent
from topcut.app.services import Services
from topcut.errors import BadInput, explain_decode_error
from topcut.event.commands import AnyCommand
from topcut.event.decide.context import ID_PATTERN, Context, Decision
from topcut.event.decide.undo import find_redo_steps, find_undo_steps, try_redo, try_undo
from topcut.event.differences import describe_differences
from topcut.event.event_log import EventLog
from topcut.store.queue import Once, Request, Told
from topcut.text.messages import render_isolated, say

LONGEST = 400
"""Letters of a text in a command, at most."""
RECENT = 200
"""Facts among which those of a request are looked for."""


def new_context(by: str, via: str = "desk") -> Context:
    """Return the context of one request: its sender, time, origin and fresh randomness."""
    return Context(at=utc_now(), by=by, entropy=secrets.token_hex(32), via=via)


def read_commands(documents: Sequence[dict[str, Any]]) -> list[AnyCommand]:
    """Read commands as a page sends them."""
    check_texts(documents)
    try:
        return msgspec.convert(documents, list[AnyCommand])
    except msgspec.ValidationError as error:
        raise BadInput(explain_decode_error(str(error))) from None


def check_texts(value: Any) -> None:
    """Refuse texts that are too long to read, and ids that no address can hold."""
    if isinstance(value, str) and len(value) > LONGEST:
        problem = say(
            "“{text}…” is too long: expected at most {most} characters", text=value[:20], most=LONGEST
        )
        raise BadInput(problem)
    if isinstance(value, dict):
        player_id = value.get("id")
        if isinstance(player_id, str) and not ID_PATTERN.fullmatch(player_id):
            raise BadInput(say("expected an id of letters, digits, points and hyphens"))
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        check_texts(part)


async def execute(
    live: LiveEvent,
    who: Identity,
    commands: Sequence[AnyCommand],
    *,
    expected: int | None = None,
    once: Once | None = None,
    told: Told | None = None,
) -> list[Decision]:
    """Decide and write commands, all or none; check each against the rights of its sender."""
    context = new_context(who.name, who.via)
    return await live.execute(
        Request(commands, context, expected, once, lambda command, log: who.check([command], log), told)
    )


def answer_page(live: LiveEvent, decisions: Sequence[Decision]) -> dict[str, Any]:
    """Return the answer to a page whose commands are done."""
    return {
        "version": live.version,
        "says": [render_isolated(line) for decision in decisions for line in decision.says],
        "warnings": [render_isolated(line) for decision in decisions for line in decision.warnings],
    }


def find_step(log: EventLog, decisions: Sequence[Decision]) -> int | None:
    """Return the step that a request has made; None if it has changed nothing."""
    last = next((decision.facts[-1] for decision in reversed(decisions) if decision.facts), None)
    recent = islice(reversed(log.entries), RECENT)
    return next((entry.step for entry in recent if last is not None and entry.fact == last), None)


class Back(Struct, forbid_unknown_fields=True):
    step: int | None = None
    redo: bool = False


async def preview_undo(services: Services, who: Identity, event: str, data: Back) -> dict[str, Any]:
    """Return the steps that would be undone or redone, the first in words, and what would change."""
    live = await services.events.open_event(event)
    log = live.session.log
    steps = find_redo_steps(log, data.step) if data.redo else find_undo_steps(log, data.step)
    after = await asyncio.to_thread(try_redo if data.redo else try_undo, log, steps)
    says = services.log_view(live, who).step(log, steps[0])
    return {
        "steps": steps,
        "says": render_isolated(says),
        "changes": [render_isolated(line) for line in describe_differences(log.state, after)],
    }
