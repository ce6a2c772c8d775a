"""Show what an undo or a redo would change, before anything is done."""

import asyncio
from typing import Any

from msgspec import Struct

from topcut.app.access.identity import Identity
from topcut.app.services import Services
from topcut.event.decide.undo import find_redo_steps, find_undo_steps, try_redo, try_undo
from topcut.event.differences import describe_differences
from topcut.text.bidi import isolate


class Back(Struct, forbid_unknown_fields=True):
    step: int | None = None
    redo: bool = False


async def preview_undo(services: Services, who: Identity, event: str, data: Back) -> dict[str, Any]:
    """Return the steps that would be undone or redone, the first in words, and what would change."""
    live = await services.events.event(event)
    log = live.session.log
    steps = find_redo_steps(log, data.step) if data.redo else find_undo_steps(log, data.step)
    after = await asyncio.to_thread(try_redo if data.redo else try_undo, log, steps)
    says = services.log_view(live, who).step(log, steps[0])
    return {
        "steps": steps,
        "says": isolate(says),
        "changes": [isolate(line) for line in describe_differences(log.state, after)],
    }
