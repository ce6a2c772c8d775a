"""Turn states, rounds, tables and players into the shapes of the API."""

from datetime import datetime
from typing import Any

import msgspec

from topcut.app.access.identity import Identity
from topcut.app.live_events import LiveEvent
from topcut.app.views.round_view import AtTable, clock_view, playing, tables
from topcut.app.views.visibility import last_public_round
from topcut.client import schemas as s
from topcut.event.draft_warnings import find_draft_warnings
from topcut.event.facts import Result
from topcut.event.state import ListedPlayer, RoundState, State
from topcut.history.model import Table
from topcut.pairing.model import filter_public_reasons

RESULT = Result.__struct_fields__


def event_shape(live: LiveEvent, state: State, now: datetime) -> s.Event:
    a_round = state.round
    return s.Event(
        id=live.event,
        version=live.version,
        name=state.name,
        rules=state.book.id,
        rules_title=state.book.title,
        options=msgspec.to_builtins(state.options),
        players=len(state.players),
        active=sum(1 for _ in state.active()),
        round=a_round.number if a_round else 0,
        phase=a_round.phase if a_round else None,
        clock=clock_shape(last_public_round(state), now),
        announced=list(state.announced.says) if state.announced else [],
        commitment=state.commitment,
        created=state.created,
        finished=state.finished,
        purged=state.purged,
        blocked=sorted(state.blocked),
    )


def clock_shape(a_round: RoundState | None, now: datetime) -> s.Clock | None:
    view = clock_view(a_round, now)
    if view is None:
        return None
    return s.Clock(
        ends=None if view.paused else view.ends, paused=view.paused, left=view.left, last_ends=view.last_ends
    )


def player_shape(listed: ListedPlayer, who: Identity) -> s.Player:
    """Return a player with the fields that `who` may see."""
    player = listed.player
    known: dict[str, Any] = {}
    if who.may("desk"):
        known |= {"here": listed.here, "fixed": listed.fixed, "apart": player.apart}
    if who.may("people"):
        known |= {"legal_name": listed.legal or None, "member": player.member, "born": player.born}
    return s.Player(
        id=player.id,
        name=player.shown_name,
        division=player.division,
        entered=player.entered,
        dropped=player.dropped,
        cut=player.cut,
        disqualified=player.disqualified,
        flight=player.flight,
        pod=player.pod,
        seat=player.seat,
        **known,
    )


def round_shape(state: State, a_round: RoundState, who: Identity, now: datetime) -> s.Round:
    """Return a round with all its tables; only staff see the claims of players."""
    views = tables(state, a_round)
    notes = find_draft_warnings(state) if a_round is state.upcoming and who.may("desk") else []
    return s.Round(
        number=a_round.number,
        stage=a_round.stage,
        phase=a_round.phase,
        seed=a_round.seed,
        attempt=a_round.attempt,
        published=a_round.published,
        clock=clock_shape(a_round, now),
        tables=[_table(a_round, t, v, who) for t, v in zip(a_round.tables, views, strict=True)],
        missing=[table.table for table in a_round.missing],
        preview=[s.Notable(kind=note.kind, says=note.says, table=note.table) for note in notes],
    )


def _table(a_round: RoundState, table: Table, view: AtTable, who: Identity) -> s.Table:
    alone: Any = view.alone
    result = None
    if table.reported and not alone:
        result = Result(**{name: getattr(table, name) for name in RESULT})
    known: dict[str, Any] = {}
    if who.may("desk"):
        said = a_round.claims.get(table.table, {}) if isinstance(table.table, int) else {}
        claims = tuple(s.PlayerClaim(player=player, result=result) for player, result in said.items())
        known = {"confirmed": view.confirmed, "disputed": view.disputed, "claims": claims}
    return s.Table(
        table=table.table,
        players=[s.Seat(id=player_id, name=name) for player_id, name in view.players],
        reported=table.reported,
        result=result,
        says=view.result,
        alone=alone,
        new=view.new,
        extra=view.extra,
        why=view.why if who.may("desk") else tuple(filter_public_reasons(view.why)),
        **known,
    )


def round_listed(a_round: RoundState) -> s.RoundListed:
    reported, real = playing(a_round)
    return s.RoundListed(
        number=a_round.number,
        stage=a_round.stage,
        phase=a_round.phase,
        tables=real,
        reported=reported,
    )
