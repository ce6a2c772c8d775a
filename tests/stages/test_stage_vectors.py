"""The worked examples of the rules about brackets, places and cuts."""

from __future__ import annotations

import pytest

from tests.builders import a_round, played
from tests.stages.played_events import answered, places, progress, started
from topcut.history import Round
from topcut.rulebook.planning.plan import order_rank_seeds
from topcut.standings import rank
from topcut.standings.advance import apply_cut

SWISS_CUTS = ["dci-1999", "fab-gem", "mtr", "pokemon-2017", "pokemon-tom"]


@pytest.mark.parametrize(
    ("players", "byes", "tables"), [(53, 11, 21), (8, 0, 4), (9, 7, 1), (33, 31, 1), (64, 0, 32), (5, 3, 1)]
)
def test_pk_t4_byes_go_to_the_best_rank_seeds(players: int, byes: int, tables: int) -> None:
    answer = answered(started("pokemon-2017", players, format="elimination"))
    seeds = answer["seeds"]
    alone = [seeds[table["players"][0]] for table in answer["tables"] if table.get("bye")]
    assert sorted(alone) == list(range(1, byes + 1))
    met = sorted(
        sorted(seeds[player_id] for player_id in t["players"]) for t in answer["tables"] if not t.get("bye")
    )
    size = players + byes
    assert met == [[seed, size + 1 - seed] for seed in range(byes + 1, size // 2 + 1)]
    assert len(met) == tables


@pytest.mark.parametrize(
    "pairs",
    ["1,4 2,3", "1,8 4,5 2,7 3,6", "1,16 8,9 4,13 5,12 2,15 7,10 3,14 6,11"],
)
def test_pk_t5_the_order_of_a_bracket(pairs: str) -> None:
    expected = [int(seed) for seed in pairs.replace(",", " ").split()]
    assert order_rank_seeds(len(expected)) == expected


QUARTERS = ["1 beats 8, 5 beats 4, 2 beats 7, 6 beats 3", "5 beats 1, 6 beats 2", "6 beats 5"]


def eliminated(texts: list[str]) -> list[Round]:
    return [a_round(text, stage="elimination") for text in texts]


@pytest.mark.parametrize("rules", SWISS_CUTS)
def test_pk_t6_after_swiss_rounds_losers_of_one_round_go_by_standing(rules: str) -> None:
    """Eleven rounds in which the better number always wins: 1 to 8, and those behind keep their places."""
    field = [str(i) for i in range(1, 13)]
    swiss = [
        ", ".join(f"{min(a, b, key=int)} beats {max(a, b, key=int)}" for a, b in circle(field, r))
        for r in range(11)
    ]
    options = {"cut": 8, "rounds": 11}
    event = played(rules, *swiss, *eliminated(QUARTERS), players=" ".join(field), options=options)
    expected = dict(
        zip(["6", "5", "1", "2", "3", "4", "7", "8", "9", "10", "11", "12"], range(1, 13), strict=True)
    )
    assert places(progress(event)) == expected


def circle(field: list[str], r: int) -> list[tuple[str, str]]:
    """Everybody meets everybody, so that the standings are the order of strength."""
    rest = field[1:]
    turned = [field[0], *rest[r:], *rest[:r]]
    half = len(field) // 2
    return list(zip(turned[:half], reversed(turned[half:]), strict=True))


def test_pk_t6_alone_losers_of_one_round_go_by_who_beat_them() -> None:
    seeds = {str(i): i for i in range(1, 9)}
    options = {"format": "elimination"}
    event = played("pokemon-2017", *eliminated(QUARTERS), rank_seed=seeds, options=options)
    expected = dict(zip(["6", "5", "2", "1", "3", "4", "7", "8"], range(1, 9), strict=True))
    assert places(progress(event)) == expected


@pytest.mark.parametrize("rules", ["dci-1999", "fab-gem"])
def test_dc_a9_fb_a13_the_top_8_is_seeded_by_standing(rules: str) -> None:
    field = [str(i) for i in range(1, 13)]
    swiss = [
        ", ".join(f"{min(a, b, key=int)} beats {max(a, b, key=int)}" for a, b in circle(field, r))
        for r in range(11)
    ]
    now = progress(played(rules, *swiss, players=" ".join(field), options={"cut": 8, "rounds": 11}))
    first = now.brackets[0].play
    tables = [first.seats(node.name) for node in first.graph.rounds[0]]
    assert tables == [("1", "8"), ("4", "5"), ("2", "7"), ("3", "6")]


def after_nine_rounds(enough: int, others: int = 60) -> dict[str, str]:
    """Results of nine rounds by byes and losses alone: so many with two losses, the others with four."""
    good = {f"g{i}": "WWWWWWWLL" for i in range(enough)}
    return good | {f"o{i}": "WWWWWLLLL" for i in range(others)}


@pytest.mark.parametrize(("enough", "on"), [(40, 40), (25, 32), (32, 32)])
def test_pk_t8_day_two_is_for_21_points_or_the_best_32(enough: int, on: int) -> None:
    results = after_nine_rounds(enough)
    rounds = [
        ", ".join(
            f"{player_id} {'bye' if letters[r] == 'W' else 'loss'}" for player_id, letters in results.items()
        )
        for r in range(9)
    ]
    event = played("pokemon-2017", *rounds, options={"table": "tcg-two-day"})
    enter = event.book.stages[1].enter
    assert enter is not None
    found = apply_cut(rank(event.history, event.book), enter, None, range(event.history.size))
    ids = {event.history.players[i].id for i in found.on}
    assert len(ids) == on
    assert sum(player_id.startswith("g") for player_id in ids) == min(enough, on)


@pytest.mark.parametrize(
    ("results", "inside"), [("WWWWWWWLL", True), ("WWWWWWTTT", True), ("WWWWWWTTL", False)]
)
def test_pk_t8_records_at_the_line(results: str, inside: bool) -> None:
    """7-2-0 and 6-0-3 have 21 points; 6-1-2 has 20 and goes on by rank only."""
    words = {"W": "beats", "T": "ties", "L": "beats"}
    rounds = []
    for r, letter in enumerate(results):
        one, other = ("X", f"y{r}") if letter != "L" else (f"y{r}", "X")
        rounds.append(f"{one} {words[letter]} {other}")
    event = played("pokemon-2017", *rounds, options={"table": "tcg-two-day"})
    enter = event.book.stages[1].enter
    assert enter is not None
    verdicts = apply_cut(rank(event.history, event.book), enter, None, range(event.history.size)).verdicts
    by_points = [v for v in verdicts if event.history.players[v.player].id == "X"]
    assert by_points[0].why.startswith(
        "21 points: 21 points or more" if inside else "place 1, among the best 32"
    )
