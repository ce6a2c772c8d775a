"""Read the result of a table for each of its players, and refuse what cannot be a result.

The counts that break a tie are recorded and are no part of any score (AL-11).
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from topcut.errors import BadInput
from topcut.history.model import Outcome, Table
from topcut.rulebook.layout import cite_reading
from topcut.rulebook.model import Book, MatchRules
from topcut.text.messages import Field, Message, join_messages, list_and, list_or, number, say

MOST_GAMES = 99
MOST_SCORE = 10**9
MOST_COUNT = 10**9
NamePlayer = Callable[[str], str]
"""From a player's id to what errors call them."""
BESIDE_SCORES = ("winners", "eliminated", "tie_counts", "win_given_to")
"""The keys that go with scores only."""


def quote_id(player_id: str) -> str:
    """Return a player as a file names them."""
    return f'"{player_id}"'


class SeatResult(NamedTuple):
    """One player's part of a result."""

    outcome: Outcome
    games: tuple[int, int, int] = (0, 0, 0)
    """Won, lost, drawn."""
    score: int = 0


def read_seat_results(
    table: Table,
    book: Book,
    place: str,
    name: NamePlayer = quote_id,
    doubts: list[BadInput] | None = None,
) -> list[SeatResult]:
    """Return the result of each player in order, if the table is reported; errors call players by `name`.

    `doubts`: where results are collected that no table should have but that published events do have; they
    count as they are. Without it they are refused.
    """
    given = [key for key in ("games", "winner", "scores") if getattr(table, key) is not None]
    given += [key for key in ("bye", "loss") if getattr(table, key)]
    if len(given) > 1:
        raise BadInput(say("{keys}: expected one result", keys=list_and(given)), place=place)
    for key in BESIDE_SCORES:
        if getattr(table, key) is not None and table.scores is None:
            scored = book.match.results == "scores"
            problem = say("expected scores beside {key}", key=key) if scored else _expected_result(book)
            raise BadInput(problem, place=f"{place}.{key}")
    _check_size(table, book, given, place)
    match given:
        case []:
            results = []
        case ["bye" | "loss"]:
            score = (book.match.target or 0) if table.bye and book.match.bye_score == "target" else 0
            results = [SeatResult(outcome, score=score) for outcome in read_outcomes(table)]
        case ["winner"]:
            results = _read_winner(table, book, place, name)
        case ["games"] if book.match.results == "games":
            results = _read_games(table, book, place, doubts)
        case ["scores"] if book.match.results == "scores":
            results = _read_scores(table, book, place, name)
        case _:
            raise BadInput(_expected_result(book), place=f"{place}.{given[0]}")
    if table.intentional:
        if any(result.outcome != Outcome.DRAW for result in results) or not results:
            raise BadInput(say("only a draw can be intentional"), place=f"{place}.intentional")
        if not book.match.intentional_draws:
            source = book.match.source_of("intentional_draws")
            problem = say("intentional draws are not allowed here: {source}", source=source)
            raise BadInput(problem, place=f"{place}.intentional")
    return results


def read_outcomes(table: Table) -> list[Outcome]:
    """Return the outcome of each player of a table, in order; empty while it is not reported.

    >>> [one.name for one in read_outcomes(Table(players=("a", "b"), games=(1, 2, 0)))]
    ['LOSS', 'WIN']
    """
    players = table.players
    winners: tuple[str, ...]
    if table.bye or table.loss:
        return [Outcome.BYE if table.bye else Outcome.ASSIGNED]
    if table.games is not None:
        first, second, _ = table.games
        winners = () if first == second else players[:1] if first > second else players[1:]
    elif table.scores is not None:
        winners = table.winners or ()
    elif table.winner is not None and table.winner in players:
        winners = (table.winner,)
    else:
        together = {"draw": Outcome.DRAW, "double_loss": Outcome.DOUBLE_LOSS}.get(table.winner or "")
        return [] if together is None else [together] * len(players)
    if not winners:  # no win and no loss for anyone (AL-9)
        return [Outcome.DRAW] * len(players)
    return [Outcome.WIN if player_id in winners else Outcome.LOSS for player_id in players]


def count_scores(table: Table) -> list[int]:
    """Return the scores of a table as they count: 0 for a player who was eliminated (AL-8).

    >>> count_scores(Table(players=("a", "b", "c"), scores=(24, 10, 8), eliminated=("c",)))
    [24, 10, 0]
    """
    eliminated = table.eliminated or ()
    seats = zip(table.players, table.scores or (), strict=False)
    return [0 if player_id in eliminated else score for player_id, score in seats]


def has_no_winner(table: Table) -> bool:
    """Return whether everybody at a table has a score and nobody a win (AL-9)."""
    return table.scores is not None and not table.winners


def winner_of(table: Table) -> str | None:
    """Return the winner of a table of two; None where nobody won."""
    ended = read_outcomes(table)
    return table.players[ended.index(Outcome.WIN)] if Outcome.WIN in ended else None


def explain_no_byes(book: Book) -> Message | None:
    """Return why nobody can have a bye; None where the rules have byes.

    A round in which the organiser lets a player sit out has one all the same (`Round.allowed`).
    """
    if book.match.byes:
        return None
    return say("there are no byes here: {source}", source=book.match.source_of("byes"))


def _check_size(table: Table, book: Book, given: list[str], place: str) -> None:
    size = len(table.players)
    if given in (["bye"], ["loss"]):
        if size != 1:
            if table.bye:
                problem = say("a bye is for one player, not {players}", players=size)
            else:
                problem = say("a loss is for one player, not {players}", players=size)
            raise BadInput(problem, place=f"{place}.players")
    elif size not in book.match.table_sizes:
        sizes = list_or(book.match.table_sizes)
        problem = say("expected {sizes} players at a table, not {players}", sizes=sizes, players=size)
        raise BadInput(problem, place=f"{place}.players")


def _expected_result(book: Book) -> Message:
    match book.match.results:
        case "games":
            return say("expected games or a winner in this ruleset")
        case "scores":
            return say("expected scores or a winner in this ruleset")
    return say("expected a winner in this ruleset")


def _read_winner(table: Table, book: Book, place: str, name: NamePlayer) -> list[SeatResult]:
    if table.winner in ("draw", "double_loss") and table.winner in table.players:
        raise BadInput(_explain_ambiguous(table.winner, book), place=f"{place}.winner")
    if ended := read_outcomes(table):
        return [SeatResult(played) for played in ended]
    problem = say(
        '{player} does not sit at this table: expected {players}, "draw" or "double_loss"',
        player=name(table.winner or ""),
        players=join_messages(", ", map(name, table.players)),
    )
    raise BadInput(problem, place=f"{place}.winner")


def _explain_ambiguous(winner: str, book: Book) -> Message:
    """Return what to write where a player's id is the word for a draw."""
    match book.match.results:
        case "games":
            return say('"{id}" is also the id of a player here: expected games', id=winner)
        case "scores":
            return say('"{id}" is also the id of a player here: expected scores', id=winner)
    return say('"{id}" is also the id of a player here: expected another id', id=winner)


def raise_doubt(doubt: BadInput, doubts: list[BadInput] | None) -> None:
    """Keep what is wrong with something that was published and counts; refuse it where nothing is kept."""
    if doubts is None:
        raise doubt
    doubts.append(doubt)


def _read_games(table: Table, book: Book, place: str, doubts: list[BadInput] | None) -> list[SeatResult]:
    assert table.games is not None
    first, second, drawn = table.games
    best_of = book.match.best_of
    if min(table.games) < 0 or max(table.games) > MOST_GAMES:
        problem = say("expected numbers of games from 0 to {most}", most=MOST_GAMES)
        raise BadInput(problem, place=f"{place}.games")
    if best_of is not None and (max(first, second) > best_of // 2 + 1 or min(first, second) > best_of // 2):
        score = f"{first}-{second}"
        problem = say("{score} isn't possible in best of {games}", score=score, games=best_of)
        raise_doubt(BadInput(problem, place=f"{place}.games"), doubts)
    one, other = read_outcomes(table)
    return [SeatResult(one, (first, second, drawn)), SeatResult(other, (second, first, drawn))]


def _read_scores(table: Table, book: Book, place: str, name: NamePlayer) -> list[SeatResult]:
    assert table.scores is not None
    if len(table.scores) != len(table.players):
        players, given = len(table.players), len(table.scores)
        problem = say(
            "expected {players} scores, one for each player, not {given}", players=players, given=given
        )
        raise BadInput(problem, place=f"{place}.scores")
    if max(map(abs, table.scores)) > MOST_SCORE:
        raise BadInput(say("expected scores up to {most}", most=number(MOST_SCORE)), place=f"{place}.scores")
    winners, eliminated = table.winners or (), table.eliminated or ()
    for key, ids in (("winners", winners), ("eliminated", eliminated)):
        for i, player_id in enumerate(ids):
            if player_id not in table.players or player_id in ids[:i]:
                listed = join_messages(", ", map(name, table.players))
                problem = say(
                    "{player}: expected some of {players}, each once", player=name(player_id), players=listed
                )
                raise BadInput(problem, place=f"{place}.{key}[{i}]")
    for player_id in winners:
        if player_id in eliminated:
            problem = say("{player} was eliminated and cannot have won", player=name(player_id))
            raise BadInput(problem, place=f"{place}.winners")
    scores = dict(zip(table.players, count_scores(table), strict=True))
    _check_winners(table, scores, book.match, place, name)
    ended = zip(read_outcomes(table), scores.values(), strict=True)
    return [SeatResult(played, score=score) for played, score in ended]


def _check_winners(
    table: Table, scores: Mapping[str, int], match: MatchRules, place: str, name: NamePlayer
) -> None:
    """Refuse winners who cannot have won with these scores; nobody winning is always possible (AL-9).

    `scores` are the ones that count: 0 for a player who was eliminated (AL-8).
    """
    top = max(scores.values())
    best = [player_id for player_id, score in scores.items() if score == top]
    level = [player_id for player_id in best if player_id not in (table.eliminated or ())]
    tied = len(level) > 1
    winners = table.winners or ()
    for i, player_id in enumerate(winners):  # each of several must have the most (AL-7, AL-A10)
        if scores[player_id] < top:
            problem = say(
                "{player} won with {score}, but {best} has {top}: expected the most at the table",
                player=name(player_id),
                score=scores[player_id],
                best=name(best[0]),
                top=top,
            )
            raise BadInput(problem, place=f"{place}.winners[{i}]")
    target = match.target
    low = target is not None and top < target and not (tied and match.tie_below_target)  # AL-7, AL-A11
    if winners and low:
        won: dict[str, Field] = {"player": name(winners[0]), "score": top, "target": target or 0}
        if match.tie_below_target:
            problem = say(
                "{player} won with {score}: expected at least the target of {target}, or a tie at the top",
                **won,
            )
        else:
            problem = say("{player} won with {score}: expected at least the target of {target}", **won)
            if tied:
                problem = cite_reading(problem, match, "tie_below_target")
        raise BadInput(problem, place=f"{place}.winners[0]")
    if table.tie_counts or table.win_given_to is not None:
        at = f"{place}.{'tie_counts' if table.tie_counts else 'win_given_to'}"
        if not tied:
            raise BadInput(say("no players are tied at the top: expected a tie that is broken"), place=at)
        if low:
            problem = say(
                "{players} are tied below the target of {target}: expected no winner",
                players=list_and(map(name, level)),
                target=target or 0,
            )
            raise BadInput(cite_reading(problem, match, "tie_below_target"), place=at)
        _check_tie(table, level, match, place, name)


def _check_tie(table: Table, level: list[str], match: MatchRules, place: str, name: NamePlayer) -> None:
    """Check a broken tie (AL-10): counts in steps; then all players still level win, or one given the win."""
    left = _find_still_level(table.tie_counts or (), level, match, place, name)
    players = list_and(map(name, left))
    expected = say("expected {players}, who had the most in the last count", players=players)
    if len(left) > 1:
        expected = say(
            "expected {players}, who are tied in all counts (or one of them, in win_given_to too)",
            players=players,
        )
    if (given_to := table.win_given_to) is not None:
        if len(left) == 1:
            problem = say(
                "{player} alone had the most in the last count: expected no win to be given", player=players
            )
            raise BadInput(problem, place=f"{place}.win_given_to")
        if given_to not in left:
            problem = say(
                "{player} is not one of the players still tied: expected {players}",
                player=name(given_to),
                players=list_or(map(name, left)),
            )
            raise BadInput(problem, place=f"{place}.win_given_to")
        left = [given_to]
        expected = say("expected {player}, to whom the win was given", player=name(given_to))
    if set(table.winners or ()) != set(left):
        raise BadInput(expected, place=f"{place}.winners")


def _find_still_level(
    counts: tuple[dict[str, int], ...], level: list[str], match: MatchRules, place: str, name: NamePlayer
) -> list[str]:
    """Return the players still level after these counts, each of which the rules must call for."""
    called_for = match.tie_counts
    if len(counts) > len(called_for):
        problem = say("too many counts: expected none in this ruleset")
        if called_for:
            listed = join_messages(", ", called_for)
            problem = say("too many counts: expected at most these: {counts}", counts=listed)
        raise BadInput(problem, place=f"{place}.tie_counts")
    left = level
    for i, count in enumerate(counts):
        at = f"{place}.tie_counts[{i}]"
        if len(left) == 1:
            problem = say(
                "{player} alone had the most in the count before: expected no further count",
                player=name(left[0]),
            )
            raise BadInput(problem, place=at)
        if set(count) != set(left):
            players = list_and(map(name, left))
            problem = say("expected a number for each player who is still tied: {players}", players=players)
            raise BadInput(problem, place=at)
        if min(count.values()) < 0 or max(count.values()) > MOST_COUNT:
            raise BadInput(say("expected numbers from 0 to {most}", most=number(MOST_COUNT)), place=at)
        left = [player_id for player_id in left if count[player_id] == max(count.values())]
    if counts and len(left) > 1 and len(counts) < len(called_for):
        problem = say(
            "{players} are still tied: expected the next count, {count}",
            players=list_and(map(name, left)),
            count=called_for[len(counts)],
        )
        raise BadInput(problem, place=f"{place}.tie_counts")
    return left
