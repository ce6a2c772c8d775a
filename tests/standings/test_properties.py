"""What must hold for the standings of any event whatever (invariants 8 and 9 of the rules)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.builders import played
from tests.builders import standings as standings_of
from tests.standings.random_results import Event, book, events, standings, swiss_rounds
from topcut.history import Player, Round, Table, build_history
from topcut.rulebook import list_ids
from topcut.standings import Standings, rank
from topcut.standings.document import build_rows
from topcut.standings.rank import list_keys

TWO_PLAYERS = sorted(set(list_ids()) - {"allegiance-2005", "commander-4"})
WITH_LOT = ["fab-gem", "pokemon-2017", "pokemon-tom"]
LIMITS: dict[str, dict[str, tuple[str | int, int]]] = {
    "commander-4": {"opponents_wins": ("1/6", 1), "opponents_points": (0, 40)},
    "dci-1999": {"omw": ("1/3", 1), "gw": ("1/3", 1), "ogw": ("1/3", 1)},
    "draft-sheet": {"omp": (3, 24), "gp": (0, 3), "ogp": (1, 3)},
    "fab-gem": {"ctb": (0, 1), "pml": (0, 1), "oml": (0, 1), "octb": (0, 1)},
    "mtr": {"omw": ("1/3", 1), "gw": ("1/3", 1), "ogw": ("1/3", 1)},
    "pokemon-2017": {"late": (0, 1), "owp": ("1/4", 1), "oowp": ("1/4", 1)},
    "pokemon-tom": {"owp": ("1/4", 1), "oowp": ("1/4", 1)},
}
RESULTS: list[dict[str, Any]] = [
    *({"games": games} for games in ((2, 0, 0), (0, 2, 0), (2, 1, 0), (1, 1, 1), (0, 0, 0))),
    {"winner": "draw"},
    {"winner": "double_loss"},
]

every_ruleset = pytest.mark.parametrize("rules", list_ids())
two_players = pytest.mark.parametrize("rules", TWO_PLAYERS)


def an_event(data: st.DataObject, rules: str) -> Event:
    return data.draw(events(book(rules).match.results), "event")


def values(ranked: Standings, player_id: str) -> dict[str, Fraction | None]:
    """What every key says of one player."""
    return {key: ranked.value(key, ranked.history.index[player_id]) for key in list_keys(ranked.book)}


@every_ruleset
@given(data=st.data())
def test_the_order_in_the_file_never_matters(rules: str, data: st.DataObject) -> None:
    event = an_event(data, rules)
    shuffled = Event(
        tuple(data.draw(st.permutations(event.players), "players")),
        tuple(shuffle(data, a_round) for a_round in event.rounds),
        event.seed,
    )
    assert build_rows(standings(shuffled, book(rules))) == build_rows(standings(event, book(rules)))


def shuffle(data: st.DataObject, a_round: Round) -> Round:
    """The same results with the tables, and the seats at each, in another order."""
    tables = data.draw(st.permutations(a_round.tables), "tables")
    return replace(a_round, tables=tuple(reseat(data, table) for table in tables))


def reseat(data: st.DataObject, table: Table) -> Table:
    order = data.draw(st.permutations(range(len(table.players))), "seats")
    fields: dict[str, Any] = {"players": tuple(table.players[i] for i in order)}
    if table.scores is not None:
        fields["scores"] = tuple(table.scores[i] for i in order)
    if table.games is not None:
        first, second, drawn = table.games
        fields["games"] = (first, second, drawn) if order == [0, 1] else (second, first, drawn)
    return replace(table, **fields)


@pytest.mark.parametrize("rules", sorted(LIMITS))
@given(data=st.data())
def test_values_lie_between_floor_and_cap(rules: str, data: st.DataObject) -> None:
    event = an_event(data, rules)
    ranked = standings(event, book(rules))
    for player in event.players:
        found = values(ranked, player.id)
        for key, (low, high) in LIMITS[rules].items():
            value = found[key]
            assert value is not None
            assert Fraction(low) <= value <= Fraction(high), (player.id, key)


@pytest.mark.parametrize("rules", ["pokemon-2017", "pokemon-tom"])
@given(data=st.data())
def test_who_met_only_dropped_players_has_at_most_three_quarters(rules: str, data: st.DataObject) -> None:
    event = an_event(data, rules)
    rounds = event.rounds[: swiss_rounds(event)]
    dropped = tuple(drops(player, len(rounds)) for player in event.players)
    ranked = standings(Event(dropped, rounds), book(rules))
    freezes = book(rules).standings.opponents_freeze == "at the drop"
    for player in dropped:
        if freezes and player.dropped != len(rounds):
            continue  # their percentages stay as they were while opponents had not dropped yet
        found = values(ranked, player.id)
        assert Fraction(1, 4) <= (found["owp"] or 0) <= Fraction(3, 4)
        assert Fraction(1, 4) <= (found["oowp"] or 0) <= Fraction(3, 4)


def drops(player: Player, rounds: int) -> Player:
    """The same player, who drops when they left anyway, at the latest after the last round."""
    lasts = [last for last in (player.dropped, player.cut, player.disqualified, rounds) if last is not None]
    last = max(min(lasts), player.entered - 1)
    return replace(player, dropped=last, cut=None, disqualified=None)


@every_ruleset
@given(data=st.data())
def test_ranks_are_strict_with_a_lot_and_shared_by_equals_without(rules: str, data: st.DataObject) -> None:
    ranked = standings(an_event(data, rules), book(rules))
    order = ranked.order.tolist()
    ranks = [ranked.rank(player) for player in order]
    if rules in WITH_LOT:
        assert ranks == list(range(1, len(order) + 1))
        return
    found = [values(ranked, ranked.history.players[player].id) for player in order]
    for position in range(len(order)):
        equals = [other for other in range(len(order)) if found[other] == found[position]]
        separated = position == equals[-1] < len(order) - 1
        assert ranks[position] == equals[0] + 1
        assert (ranked.decided_by(position) is not None) == separated


@every_ruleset
@given(data=st.data())
def test_later_rounds_leave_earlier_standings_alone(rules: str, data: st.DataObject) -> None:
    event = an_event(data, rules)
    after = data.draw(st.integers(0, swiss_rounds(event)), "after")
    shorter = event._replace(rounds=event.rounds[:after])
    assert build_rows(standings(event, book(rules), after)) == build_rows(standings(shorter, book(rules)))


@pytest.mark.parametrize("rules", WITH_LOT)
@given(data=st.data(), seed=st.text())
def test_a_seed_moves_only_those_whom_no_key_separates(rules: str, data: st.DataObject, seed: str) -> None:
    event = an_event(data, rules)
    history = build_history(event.players, event.rounds, book(rules))
    one, other = (blocks(rank(history, book(rules), text)) for text in (event.seed, seed))
    assert one == other


def blocks(ranked: Standings) -> list[tuple[set[str], dict[str, Fraction | None]]]:
    """From the top, the players whom only a lot separates, with all that the other keys say of them."""
    found: list[tuple[set[str], dict[str, Fraction | None]]] = []
    together = False
    for position, player in enumerate(ranked.order.tolist()):
        player_id = ranked.history.players[player].id
        said = values(ranked, player_id)
        drawn = said.pop("lot")
        assert (drawn is not None) == (together or ranked.decided_by(position) == "lot")
        if together:
            found[-1][0].add(player_id)
            assert said == found[-1][1]
        else:
            found.append(({player_id}, said))
        together = ranked.decided_by(position) == "lot"
    return found


@two_players
@given(data=st.data())
def test_a_corrected_result_is_as_good_as_one_entered_right(rules: str, data: st.DataObject) -> None:
    right = an_event(data, rules)
    scored = [(r, a_round) for r, a_round in enumerate(right.rounds) if a_round.stage == "swiss"]
    places = [(r, t) for r, a_round in scored for t in range(len(a_round.tables))]
    met = [(r, t) for r, t in places if len(right.rounds[r].tables[t].players) > 1]
    if not met:
        return
    r, t = data.draw(st.sampled_from(met), "place")
    mistake = data.draw(st.sampled_from(RESULTS), "mistake")
    wrong = with_table(right, r, t, Table(players=right.rounds[r].tables[t].players, **mistake))
    entered_right = build_rows(standings(right, book(rules)))
    build_rows(standings(wrong, book(rules)))
    corrected = with_table(wrong, r, t, right.rounds[r].tables[t])
    assert build_rows(standings(corrected, book(rules))) == entered_right


def with_table(event: Event, r: int, t: int, table: Table) -> Event:
    tables = list(event.rounds[r].tables)
    tables[t] = table
    rounds = list(event.rounds)
    rounds[r] = replace(rounds[r], tables=tuple(tables))
    return event._replace(rounds=tuple(rounds))


@every_ruleset
@given(data=st.data())
def test_ranking_leaves_the_history_as_it_was(rules: str, data: st.DataObject) -> None:
    event = an_event(data, rules)
    history = build_history(event.players, event.rounds, book(rules))
    first = build_rows(rank(history, book(rules), event.seed))
    build_rows(rank(history.after(history.rounds // 2), book(rules), "another"))
    assert build_rows(rank(history, book(rules), event.seed)) == first


@pytest.mark.parametrize("without_opponents", [False, True])
@pytest.mark.parametrize("rounds", range(1, 9))
def test_cumulative_tiebreakers_compare_scores_from_the_last_round_back(
    rounds: int, without_opponents: bool
) -> None:
    """FB-8, for all records at once: each player meets the one with the opposite record in every round."""
    records = ["".join(record) for record in product("WL", repeat=rounds)]
    opposite = str.maketrans("WL", "LW")
    texts = []
    for r in range(rounds):
        if without_opponents:
            tables = [f"{record} {'bye' if record[r] == 'W' else 'loss'}" for record in records]
        else:
            winners = [record for record in records if record[r] == "W"]
            tables = [f"{record} beats {record.translate(opposite)}" for record in winners]
        Random(r).shuffle(tables)
        texts.append(", ".join(tables))
    ranked = standings_of(played("fab-gem", *texts))
    found = {record: values(ranked, record) for record in records}
    for points in range(rounds + 1):
        alike = [record for record in records if record.count("W") == points]
        assert {found[record]["points"] for record in alike} == {points}
        assert sorted(alike, key=lambda record: found[record]["ctb"] or 0) == sorted(alike, key=backwards)
        assert len({found[record]["ctb"] for record in alike}) == len(alike)


def backwards(record: str) -> list[int]:
    """The points after the last round, after the one before, and so on."""
    return [record[:r].count("W") for r in range(len(record), 0, -1)]
