"""`topcut serve` whose answers to commands never come: `python -m tests.api.server_without_answers serve …`.

What was asked for is done and written down, and then nobody hears of it.
"""

from __future__ import annotations

import asyncio
from typing import Any

from topcut.app.live_events import LiveEvent
from topcut.cli.main import main
from topcut.store.session import EventSession

NEVER = 1_000


async def _execute(self: LiveEvent, *given: Any, **more: Any) -> Any:
    done = await _give(self, *given, **more)
    await asyncio.sleep(NEVER)
    return done


async def _create(*given: Any, **more: Any) -> Any:
    made = await _make(*given, **more)
    await asyncio.sleep(NEVER)
    return made


if __name__ == "__main__":
    _give, _make = LiveEvent.execute, EventSession.create
    LiveEvent.execute = _execute  # type: ignore[method-assign]
    EventSession.create = _create  # type: ignore[method-assign]
    main()
