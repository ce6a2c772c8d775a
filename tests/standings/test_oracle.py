"""Does the engine agree with the plain arithmetic of the oracle: every value, place, rank and reason?"""

from __future__ import annotations

import os
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.standings.random_results import (
    Event,
    a_large_event,
    an_event,
    book,
    events,
    standings,
    swiss_rounds,
)
from tests.standings.ruleset_oracles import ORACLES
from tests.standings.standings_oracle import Oracle, Place
from tests.tiers import SOAK, effort, is_brief
from topcut.history import build_history
from topcut.rulebook import list_ids
from topcut.standings import rank
from topcut.standings.document import build_rows

MANY = effort(40, 300, 20_000)
FIRST_SEED = os.urandom(8).hex() if SOAK else "always alike"
MULTIPLAYER = {"allegiance-2005", "commander-4"}

Row = dict[str, Any]


def test_every_ruleset_has_an_oracle() -> None:
    assert sorted(ORACLES) == list_ids()


@pytest.mark.parametrize("rules", sorted(ORACLES))
@given(data=st.data())
def test_the_engine_agrees_with_the_oracle(rules: str, data: st.DataObject) -> None:
    event = data.draw(events(book(rules).match.results), "event")
    after = data.draw(st.integers(0, swiss_rounds(event)), "after")
    assert found(event, rules, after) == expected(oracle(event, rules, after))


@pytest.mark.parametrize("rules", sorted(ORACLES))
def test_the_engine_agrees_in_many_events_that_hold_what_is_rare(rules: str) -> None:
    happened: Counter[str] = Counter()
    for number in range(MANY):
        seed = f"{FIRST_SEED}/{rules}/{number}"
        random = Random(seed)
        event = an_event(random, book(rules).match.results)
        for after in {swiss_rounds(event), random.randint(0, swiss_rounds(event))}:
            assert found(event, rules, after) == expected(oracle(event, rules, after)), (seed, after, event)
        happened += occurrences(event, oracle(event, rules))
    rare = [what for what in must_happen(rules) if happened[what] < MANY // 30 and not is_brief()]
    assert not rare, happened


@pytest.mark.parametrize("rules", sorted(ORACLES))
def test_a_pool_is_ranked_as_an_event_of_its_own(rules: str) -> None:
    for number in range(MANY // 3):
        seed = f"{FIRST_SEED}/{rules}/{number}/pools"
        random = Random(seed)
        event = an_event(random, book(rules).match.results)
        pools = [random.randint(0, 2) for _ in event.players]
        history = build_history(event.players, event.rounds, book(rules))
        ranked = build_rows(rank(history, book(rules), event.seed, np.array(pools)))
        for pool in range(3):
            members = {player.id for player, of in zip(event.players, pools, strict=True) if of == pool}
            wanted = expected(ORACLES[rules](event.players, event.rounds, event.seed, members))
            of_pool = [row for row in ranked if row["id"] in members]
            assert without_looks(of_pool) == wanted, (seed, pools, event)


@pytest.mark.parametrize(
    ("rules", "size"),
    [
        *((rules, 400) for rules in sorted(set(ORACLES) - MULTIPLAYER)),
        ("mtr", 17_000),
        ("pokemon-2017", 17_000),
    ],
)
def test_the_engine_agrees_where_many_are_alike(rules: str, size: int) -> None:
    """Short and crowded: what is only done for many players is done here."""
    event = a_large_event(Random(f"{rules}/{size}"), size, length=2)
    worked_out = oracle(event, rules)
    ranked = standings(event, book(rules))
    order = [ranked.history.players[player].id for player in ranked.order]
    assert sorted(order) == sorted(worked_out.ranked)
    for position in sorted(Random(size).sample(range(len(order) - 1), effort(60, 300, len(order) - 1))):
        player, after = order[position : position + 2]
        sign, key = worked_out.compare(player, after)
        assert (sign < 0, key) == (key is not None, ranked.decided_by(position))
        found_values = {name: ranked.value(name, ranked.history.index[player]) for name in worked_out.chain}
        assert found_values == worked_out.values(player)


def oracle(event: Event, rules: str, after: int | None = None) -> Oracle:
    return ORACLES[rules](event.players, event.rounds[:after], event.seed)


def expected(worked_out: Oracle) -> list[Row]:
    return [as_row(place) for place in worked_out.standings()]


def found(event: Event, rules: str, after: int) -> list[Row]:
    return without_looks(build_rows(standings(event, book(rules), after)))


def as_row(place: Place) -> Row:
    """A row of the oracle in the words of the contract."""
    (_, points), *rest = place.values.items()
    return {
        "rank": place.rank,
        "id": place.id,
        "points": points,
        "dropped": place.dropped,
        "record": place.record,
        "tiebreaks": [(key, None if value is None else str(value)) for key, value in rest],
        "decided_by": place.decided_by,
    }


def without_looks(found_rows: list[Row]) -> list[Row]:
    """The engine's rows without what is only shown."""
    return [
        {
            **{name: row[name] for name in ("rank", "id", "dropped", "record", "decided_by")},
            "points": Fraction(row["points"]),
            "tiebreaks": [(tiebreak["key"], tiebreak["value"]) for tiebreak in row["tiebreaks"]],
        }
        for row in found_rows
    ]


def occurrences(event: Event, worked_out: Oracle) -> Counter[str]:
    """How often each rare thing happened in an event."""
    happened: Counter[str] = Counter()
    rounds = len(worked_out.rounds)
    happened["elimination"] += len(event.rounds) - rounds
    for player_id, turns in worked_out.turns.items():
        happened.update(turn.outcome for turn in turns)
        happened["drawn game"] += sum(turn.games[2] > 0 for turn in turns)
        happened["win without games"] += sum(turn.outcome == "win" and not any(turn.games) for turn in turns)
        happened["table of four"] += sum(len(turn.opponents) == 3 for turn in turns)
        met = worked_out.opponents(player_id)
        happened["rematch"] += len(set(met)) < len(met)
        happened["met nobody"] += rounds > 0 and not met
        player = worked_out.players[player_id]
        for why in ("dropped", "cut", "disqualified"):
            last = getattr(player, why)
            happened[why] += last is not None and last <= rounds
            happened["leaves later"] += last is not None and last > rounds
    places = worked_out.standings()
    happened.update(f"by {place.decided_by}" for place in places)
    happened["shared rank"] += len(places) - len({place.rank for place in places})
    happened["removed"] += len(event.players) - len(places)
    for place, after in pairwise(places):
        if place.decided_by == "last_opponent":
            last, other = (worked_out.opponents(player_id)[-1:] for player_id in (place.id, after.id))
            deep = last and other and worked_out.by_values(last[0], other[0])[0] == 0
            happened["last opponent's last opponent"] += bool(deep)
    return happened


def must_happen(rules: str) -> set[str]:
    """What a search that is worth its time has met."""
    made = ORACLES[rules]
    anywhere = {"assigned", "missed", "idle", "draw", "double loss", "dropped", "cut", "disqualified"}
    anywhere |= {"leaves later", "rematch", "met nobody", "elimination"} | {f"by {key}" for key in made.chain}
    if rules in MULTIPLAYER:
        anywhere |= {"table of four"}
    else:
        anywhere |= {"bye", "drawn game", "win without games"}
    if made.removes_disqualified:
        anywhere |= {"removed"}
    ties = {
        "by head_to_head": made.head_to_head,
        "by last_opponent": made.last_opponent,
        "last opponent's last opponent": made.last_opponent,
        "by lot": made.lot,
        "shared rank": not made.lot,
    }
    return anywhere | {what for what, has in ties.items() if has}
