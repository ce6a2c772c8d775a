"""Out and in again gives the same: players with whatever names, and rounds of tables of every size."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from topcut.errors import BadInput
from topcut.formats.csv.reader import detect_kind, read_csv
from topcut.formats.csv.writer import MARK, write_pairings, write_players, write_results, write_standings
from topcut.formats.event_file import Event, EventFile, build_event
from topcut.history import Player, Round, Table

AWKWARD = st.sampled_from(
    [
        "=1+1",
        "'=1",
        "''x",
        "@me",
        "-",
        "+49",
        "'t Hooft",
        'O"Neil',
        '"',
        ",;|",
        "a,b",
        "Okafor, Ada",
        "\uff1dx",
        "1. Ada",
    ]
)
LETTERS = st.characters().filter(str.isprintable)
TEXTS = st.one_of(
    AWKWARD, st.text(LETTERS, min_size=1, max_size=20), st.text("=+-@'\" ,;|\uff0b1a", min_size=1, max_size=8)
)
ONE_LINE = TEXTS.map(lambda text: " ".join(text.split())).filter(bool)
NUMBERS = st.none() | st.integers(1, 99)


@st.composite
def people(draw: st.DrawFn, least: int = 1, most: int = 9) -> tuple[Player, ...]:
    ids = draw(st.lists(ONE_LINE, min_size=least, max_size=most, unique=True))
    return tuple(Player(id=player_id, name=draw(ONE_LINE)) for player_id in ids)


@st.composite
def described(draw: st.DrawFn) -> tuple[Player, ...]:
    """People of whom more is known."""
    made = []
    for player in draw(people()):
        entered = draw(st.integers(1, 5))
        left: dict[str, Any] = {}
        if draw(st.booleans()):
            left = {
                draw(st.sampled_from(["dropped", "cut", "disqualified"])): draw(st.integers(entered - 1, 9))
            }
        made.append(
            replace(
                player,
                division=draw(st.none() | st.sampled_from(["junior", "senior", "masters"])),
                member=draw(st.none() | ONE_LINE),
                born=draw(st.none() | st.integers(1900, 2099)),
                entered=entered,
                flight=draw(NUMBERS),
                pod=draw(NUMBERS),
                seat=draw(NUMBERS),
                seed=draw(NUMBERS),
                apart=tuple(draw(st.lists(ONE_LINE, max_size=3))),
                **left,
            )
        )
    return tuple(made)


def event(rules: str, players: tuple[Player, ...], rounds: list[Round]) -> Event:
    return build_event(EventFile(topcut=1, name="Cup", rules=rules, players=players, rounds=tuple(rounds)))


@given(described(), st.booleans())
@example((Player(id="=a", name="=1+1"), Player(id="'=a", name="'=1+1", apart=("'",))), True)
def test_players_come_back(players: tuple[Player, ...], mark: bool) -> None:
    raw = write_players(event("pokemon-2017", players, []), private=True)
    raw = raw if mark else raw.removeprefix(MARK)  # as other programs save it
    kind, file, _ = read_csv(raw, "pokemon-2017", "Cup")
    assert (kind, detect_kind(raw)) == ("players", "players")
    assert file.players == players


@st.composite
def results(draw: st.DrawFn, rules: str, sizes: tuple[int, ...]) -> Event:
    """An event of two rounds whose tables are of these sizes."""
    players = draw(people(max(sizes), 9))
    rounds = []
    for stage in draw(st.sampled_from([["swiss"], ["swiss", "swiss"], ["swiss", "elimination"]])):
        left = list(draw(st.permutations([player.id for player in players])))
        tables: list[Table] = []
        while left and (not tables or draw(st.booleans())):
            size = draw(st.sampled_from([size for size in (1, *sizes) if size <= len(left)]))
            seated, left = tuple(left[:size]), left[size:]
            tables.append(draw(reported(rules, seated, len(tables) + 1, draws=stage == "swiss")))
        rounds.append(Round(tables=tuple(tables), stage=stage))  # type: ignore[arg-type]
    try:
        return event(rules, players, rounds)
    except BadInput:  # an elimination table that is drawn, a bye where there are none
        assume(False)
        raise


@st.composite
def reported(draw: st.DrawFn, rules: str, players: tuple[str, ...], number: int, draws: bool) -> Table:
    base = Table(players=players, table=draw(st.sampled_from([None, number, f"T{number}"])))
    if len(players) == 1:
        bye = rules != "allegiance-2005" and draw(st.booleans())
        return Table(players=players, bye=bye, loss=not bye)
    winners = [*players, "double_loss", *(["draw"] if draws else [])]
    assume(not {"draw", "double_loss"} & set(players))
    ways = [
        "none",
        "winner",
        *(["games"] if rules == "mtr" else ["scores"] if rules == "allegiance-2005" else []),
    ]
    way = draw(st.sampled_from(ways))
    if way == "none":
        return base
    if way == "games":
        games = draw(
            st.sampled_from([(2, 0, 0), (2, 1, 0), (1, 2, 0), (0, 1, 2), (1, 1, 1), (0, 0, 0), (0, 0, 3)])
        )
        level = games[0] == games[1]
        assume(draws or not level)
        return replace(base, games=games, intentional=level and draw(st.booleans()))
    if way == "scores":
        scores = tuple(draw(st.integers(-50, 50)) for _ in players)
        out = tuple(player_id for player_id in players if draw(st.integers(0, 5)) == 0)
        counted = {
            player_id: 0 if player_id in out else score
            for player_id, score in zip(players, scores, strict=True)
        }
        top = max(counted.values())
        able = [
            player_id
            for player_id in players
            if counted[player_id] == top and player_id not in out and top >= 20
        ]
        won = tuple(player_id for player_id in able if draw(st.booleans()))
        return replace(base, scores=scores, winners=won, eliminated=out or None)
    winner = draw(st.sampled_from(winners))
    return replace(base, winner=winner, intentional=winner == "draw" and draw(st.booleans()))


def same_rounds(played: Event, rules: str) -> None:
    raw = write_results(played)
    kind, file, _ = read_csv(raw, rules, "Cup")
    assert kind in ("results", "pairings")
    assert file.rounds == played.file.rounds
    names = {player.id: player.name for player in played.file.players}
    assert all(player.name == names[player.id] for player in file.players)


@given(results("mtr", (2,)))
def test_results_of_games_come_back(played: Event) -> None:
    same_rounds(played, "mtr")


@given(results("fab-gem", (2,)))
def test_results_of_winners_come_back(played: Event) -> None:
    same_rounds(played, "fab-gem")


@given(results("allegiance-2005", (3, 4)))
def test_results_of_scores_come_back(played: Event) -> None:
    same_rounds(played, "allegiance-2005")


@given(results("commander-4", (4, 3)))
def test_results_of_larger_tables_come_back(played: Event) -> None:
    same_rounds(played, "commander-4")


@given(results("mtr", (2,)))
def test_the_pairing_of_a_round_comes_back(played: Event) -> None:
    raw = write_pairings(played)
    _, file, _ = read_csv(raw, "mtr", "Cup")
    last = played.file.rounds[-1]
    (found,) = file.rounds
    assert [(t.players, t.table, t.bye, t.loss) for t in found.tables] == [
        (t.players, t.table, t.bye, t.loss) for t in last.tables
    ]


@given(people())
def test_standings_come_back_as_their_order(players: tuple[Player, ...]) -> None:
    played = event("mtr", players, [Round(tables=tuple(Table(players=(p.id,), bye=True) for p in players))])
    _, file, _ = read_csv(write_standings(played), "mtr", "Cup")
    assert {(player.id, player.name) for player in file.players} == {(p.id, p.name) for p in players}
    assert [player.seed for player in file.players] == list(range(1, len(players) + 1))
