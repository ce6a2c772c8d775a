"""The fewest tables that have to change in a posted round, against every pairing there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import replace
from itertools import permutations
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.pairing import pairing_oracle
from tests.pairing.multiplayer import seating_oracle
from tests.pairing.multiplayer.random_table_events import an_event as an_event_at_tables
from tests.pairing.multiplayer.random_table_events import before, by_lot
from tests.pairing.multiplayer.random_table_events import result as result_at_table
from tests.pairing.multiplayer.random_table_events import unfolding as at_tables
from tests.pairing.pairing_oracle import Table
from tests.pairing.random_swiss_events import (
    LIVELY,
    PLAIN,
    WILD,
    WITH_DIVISIONS,
    File,
    Habits,
    active,
    answered,
    happens,
    judged_field,
    pairable,
)
from tests.pairing.repair_oracle import (
    RULES,
    SEEDS,
    Repaired,
    afterwards,
    an_event_so_far,
    assert_sound,
    drawn_for,
    fewer,
    judged_beside,
    legal,
    posted_for,
    repair,
    some_begun,
    tables_of,
)
from topcut.errors import Impossible
from topcut.pairing.engine import swiss
from topcut.pairing.engine.costs import weigh_costs
from topcut.pairing.engine.matching import Unmatchable, match_cheapest
from topcut.pairing.repair import pairs

# Up to ten players: every pairing there is


def judged_alike(random: Random, rules: str, size: int) -> Counter[str]:
    """One repair, against every pairing there is."""
    habits = random.choice([PLAIN, LIVELY, WILD, WILD])
    rounds = random.randint(0, max(1, size - 2)) if size < 9 else random.randint(0, 5)
    earlier = an_event_so_far(random, rules, size, rounds, habits)
    posted = posted_for(random, earlier)
    file = afterwards(random, earlier)
    if len(active(file)) > 10:
        file = earlier
    fixed = some_begun(random, file, posted, random.choice([0.0, 0.0, 0.3, 0.6]))
    field, begun = judged_field(file), frozenset(frozenset(table) for table in fixed)
    verdict = judged_beside(field, begun)
    if verdict is None:
        with pytest.raises(Impossible):
            repair(file, posted, fixed)
        return Counter(["nothing is legal"])
    found = repair(file, posted, fixed)
    pairing = assert_sound(file, posted, fixed, found)
    _, best = verdict
    assert pairing in best
    old = {frozenset(table) for table in posted}
    assert len(found.changed) == min(len(choice - old) for choice in best)
    assert found.fewest
    assert found.optimal
    assert found.cost == pairing_oracle.cost(field, pairing)
    assert (found.before is not None) == legal(field, map(frozenset, posted))
    if found.before is not None:
        assert found.before == pairing_oracle.cost(field, frozenset(old))
    happened = Counter(key for key, part in found.cost.items() if part)
    happened["nothing changes"] += not found.changed
    happened["some change"] += 0 < len(found.changed) < len(found.tables)
    happened["not legal as posted"] += found.before is None
    happened["dearer as posted"] += found.before not in (None, found.cost)
    happened["begun"] += bool(fixed)
    happened["begun, and others change"] += bool(fixed) and bool(found.changed)
    happened["a choice"] += len({choice for choice in best if len(choice - old) == len(found.changed)}) > 1
    return happened


@pytest.mark.parametrize("size", range(2, 9))
@given(rules=st.sampled_from(RULES), seed=SEEDS)
def test_no_pairing_costs_less_or_keeps_more(size: int, rules: str, seed: int) -> None:
    judged_alike(Random(seed), rules, size)


@pytest.mark.parametrize("size", [9, 10])
@fewer(3)
@given(rules=st.sampled_from(RULES), seed=SEEDS)
def test_no_pairing_of_more_players_costs_less_or_keeps_more(size: int, rules: str, seed: int) -> None:
    judged_alike(Random(seed), rules, size)


@pytest.mark.parametrize("rules", RULES)
def test_what_is_searched_has_everything_in_it(rules: str) -> None:
    happened: Counter[str] = Counter()
    for number in range(120):
        happened += judged_alike(Random(f"{rules}/{number}"), rules, 3 + number % 6)
    wanted = ["nothing is legal", "nothing changes", "some change", "not legal as posted", "dearer as posted"]
    wanted += ["begun", "begun, and others change", "a choice", "rematches", "score_gap_squared", "apart"]
    wanted += ["cross_division"] if rules in WITH_DIVISIONS else []
    assert not [what for what in wanted if not happened[what]], happened


# More players: one matching of everybody


def solved_whole(file: File, posted: list[list[str]], fixed: list[list[str]], found: Repaired) -> None:
    """What is found is the least of one plain matching: cost before changes."""
    event = pairable(file)
    (pool,) = event.lay_out_pools("s").pools
    playing = {event.history.index[player_id] for table in fixed for player_id in table}
    field = event.build_field(replace(pool, players=[p for p in pool.players if p not in playing]))
    numbers = [*field.players.tolist(), None]
    place = {file["players"][p]["id"]: at for at, p in enumerate(field.players.tolist())}
    costs = weigh_costs(field)[0].astype(object)
    unposted = np.ones_like(costs)
    for table in posted:
        if all(player_id in place for player_id in table):
            a, b = ([place[player_id] for player_id in table] + [field.size])[:2]
            if b < len(costs):
                unposted[a, b] = unposted[b, a] = 0
    both = np.where(costs < 0, -1, costs * (len(costs) + 1) + unposted)
    best = match_cheapest(both)
    assert not isinstance(best, Unmatchable)
    seat = {number: at for at, number in enumerate(numbers)}
    ours = 0
    for drawn in found.tables:
        if not playing.intersection(drawn.players):
            a, b = [*(seat[p] for p in drawn.players), field.size][:2]
            ours += both[a, b]
    assert ours == best.cost


@pytest.mark.parametrize("rules", RULES)
@fewer(5)
@given(seed=SEEDS, size=st.integers(14, 40))
def test_larger_rounds_are_as_good_as_one_matching_of_everybody(rules: str, seed: int, size: int) -> None:
    random = Random(seed)
    habits = random.choice([PLAIN, LIVELY, WILD, replace(WILD, divisions=0.0)])
    earlier = an_event_so_far(random, rules, size, random.randint(1, 5), habits)
    posted = posted_for(random, earlier)
    file = afterwards(random, earlier)
    fixed = some_begun(random, file, posted, random.choice([0.0, 0.2, 0.7]))
    try:
        found = repair(file, posted, fixed)
    except Impossible:
        return
    assert_sound(file, posted, fixed, found)
    assert found.fewest
    assert found.optimal
    if len(active(file)) - sum(map(len, fixed)) > 12:
        solved_whole(file, posted, fixed, found)


@fewer(7)
@given(seed=SEEDS, draw=st.sampled_from([0.0, 0.05]), labels=st.sampled_from([0.0, 0.0, 1.0]))
def test_what_changes_near_the_trouble_is_as_good_as_one_matching(
    seed: int, draw: float, labels: float
) -> None:
    """Neighbourhoods are small here, so that what they prove is put to the test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairs, "NEAR", (4, 12))
        random = Random(seed)
        habits = Habits(draw=draw, drop=0.01, labels=labels)
        earlier = an_event_so_far(random, "mtr", random.randint(40, 110), random.randint(2, 4), habits)
        posted = posted_for(random, earlier) if happens(random, 0.2) else drawn_for(earlier)
        file = afterwards(random, earlier)
        found = repair(file, posted)
        assert_sound(file, posted, [], found)
        solved_whole(file, posted, [], found)


@pytest.mark.parametrize("divided", [False, True])
def test_where_no_matching_is_possible_the_tables_near_are_changed(
    divided: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(swiss, "SOLVED_TO", 30)
    monkeypatch.setattr(pairs, "SOLVED_TO", 30)
    habits = Habits(divisions=float(divided), labels=float(divided))
    for number in range(6):
        random = Random(f"{number}")
        earlier = an_event_so_far(random, "pokemon-2017", 70, 3, habits)
        posted = drawn_for(earlier)
        file = deepcopy(earlier)
        for player_id in random.sample(active(file), 2):
            file["players"][int(player_id[1:]) - 1]["dropped"] = 3
        found = repair(file, posted)
        assert_sound(file, posted, [], found)
        assert found.cost["rematches"] == 0
        assert found.optimal is not divided
        assert len(found.changed) < 25


# Three and four at a table


def judged_at_tables(file: File, fixed: list[list[str]]) -> seating_oracle.Verdict | None:
    """Every seating of those who have not begun; None where no tables seat them."""
    field = seating_oracle.field_of(file)
    playing = {player_id for table in fixed for player_id in table}
    order = tuple(player_id for player_id in field.order if player_id not in playing)
    sizes = seating_oracle.sizes_for(seating_oracle.PREFERRED[file["rules"]], len(order))
    if sizes is None:
        return None
    places = {}
    for player_id in order:
        shared = [at for at, other in enumerate(order) if field.places[other] == field.places[player_id]]
        places[player_id] = (shared[0], shared[-1])
    return seating_oracle.judged(replace(field, order=order, places=places, sizes=sizes))


def seated_again(random: Random, rules: str, size: int) -> tuple[File, list[list[str]], list[list[str]]]:
    """A round at tables that was posted, after which something happened."""
    rounds = random.choice([1, 1, 2, 2, 3])
    earlier = an_event_at_tables(random, rules, size, rounds)
    posted = [table["players"] for table in answered(earlier, "posted")["tables"]]
    if happens(random, 0.2):
        sizes = seating_oracle.sizes_for(seating_oracle.PREFERRED[rules], len(active(earlier)))
        assert sizes is not None
        posted = by_lot(random, active(earlier), sizes)
    file = deepcopy(earlier)
    for _ in range(random.choice([0, 1, 1, 2])):
        what = random.choice(["corrected", "corrected", "dropped", "late"])
        if what == "corrected":
            table = random.choice(file["rounds"][-1]["tables"])
            table.update(result_at_table(random, rules, table["players"]))
        elif what == "dropped":
            gone = random.choice(active(file))
            next(p for p in file["players"] if p["id"] == gone)["dropped"] = rounds
        else:
            file["players"].append({"id": f"late{len(file['players'])}", "entered": rounds + 1})
    if len(active(file)) < 6 or len(active(file)) > 10:
        file = earlier
    return file, posted, some_begun(random, file, posted, random.choice([0.0, 0.0, 0.4]))


@pytest.mark.parametrize("rules", seating_oracle.BOOKS)
@given(seed=SEEDS, size=st.integers(6, 10))
def test_no_seating_costs_less_or_keeps_more(rules: str, seed: int, size: int) -> None:
    random = Random(seed)
    file, posted, fixed = seated_again(random, rules, size)
    verdict = judged_at_tables(file, fixed)
    if verdict is None:
        with pytest.raises(Impossible):
            repair(file, posted, fixed)
        return
    found = repair(file, posted, fixed)
    tables = tables_of(file, found)
    begun, old = {frozenset(table) for table in fixed}, {frozenset(table) for table in posted}
    assert Counter(player_id for table in tables for player_id in table) == Counter(active(file))
    assert begun <= set(tables)
    assert frozenset(tables) - begun in verdict.tables
    assert len(found.changed) == min(len(choice - old) for choice in verdict.tables)
    assert (found.fewest, found.optimal) == (True, True)
    field = seating_oracle.field_of(file)
    if not fixed:
        assert seating_oracle.cost_in({"cost": found.cost}) == verdict.cost
    sizes_right = Counter(map(len, posted)) == Counter(field.sizes)
    everybody = Counter(player_id for table in posted for player_id in table) == Counter(active(file))
    assert (found.before is not None) == (sizes_right and everybody)
    if found.before is not None:
        assert seating_oracle.cost_in({"cost": found.before}) == best_order(field, old)


def best_order(field: seating_oracle.Field, tables: Iterable[Table]) -> seating_oracle.Cost:
    orders = (order for order in permutations(tables) if tuple(map(len, order)) == field.sizes)
    return min(field.cost(order) for order in orders)


def test_more_tables_of_three_are_repaired_as_well_as_the_engine_seats() -> None:
    happened: Counter[str] = Counter()
    for number in range(6):
        random = Random(f"tables/{number}")
        size = [18, 24, 31, 45][number % 4]
        for file, answer in at_tables(random, before("allegiance-2005", size), 3):
            posted = [table["players"] for table in answer["tables"]]
            assert repair(file, posted).changed == []
            later = deepcopy(file)
            random.choice(later["players"])["dropped"] = len(file["rounds"])
            found = repair(later, posted)
            fresh = answered(later, "s")
            tables = tables_of(later, found)
            assert Counter(player_id for table in tables for player_id in table) == Counter(active(later))
            if fresh["optimal"]:
                assert found.optimal
                assert seating_oracle.cost_in({"cost": found.cost}) == seating_oracle.cost_in(fresh)
            happened["fewest"] += found.fewest
            happened["some"] += len(found.changed) < len(tables)
            fixed = posted[:2]
            if set(active(later)).issuperset(player_id for table in fixed for player_id in table):
                beside = repair(later, posted, fixed)
                assert {frozenset(table) for table in fixed} <= set(tables_of(later, beside))
    assert happened["some"] > 10, happened
    assert happened["fewest"], happened
