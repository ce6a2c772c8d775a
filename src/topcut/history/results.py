"""Read the result of a table for each of its players, and refuse what cannot be a result.

The counts that break a tie are recorded and are no part of any score (AL-11).
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from topcut.errors import BadInput
from topcut.history.model import Outcome, Table
from topcut.rulebook.model import Book, MatchRules
from topcut.text.messages import list_and, list_or

MOST_GAMES = 99
MOST_SCORE = 10**9
MOST_COUNT = 10**9
NamePlayer = Callable[[str], str]
"""From a player's id to what errors call them."""
BESIDE_SCORES = {"winners": "stand", "eliminated": "stands", "tie_counts": "stand", "win_given_to": "stands"}
"""The keys that go with scores only, each with its verb."""


def quote_id(player_id: str) -> str:
    """Return a player as a file names them."""
    return f'"{player_id}"'


class SeatResult(NamedTuple):
    """One player's part of a result."""

    outcome: Outcome
    games: tuple[int, int, int] = (0, 0, 0)
    """Won, lost, drawn."""
    score: int = 0


def read_seat_results(table: Table, book: Book, place: str, name: NamePlayer = quote_id) -> list[SeatResult]:
    """Return the result of each player in order, if the table is reported; errors call players by `name`."""
    given = [key for key in ("games", "winner", "scores") if getattr(table, key) is not None]
    given += [key for key in ("bye", "loss") if getattr(table, key)]
    if len(given) > 1:
        raise BadInput(f"{' and '.join(given)}: expected one result", place=place)
    for key, verb in BESIDE_SCORES.items():
        if getattr(table, key) is not None and table.scores is None:
            scored = book.match.results == "scores"
            problem = f"{key} {verb} beside scores: expected scores too" if scored else _expected_result(book)
            raise BadInput(problem, place=f"{place}.{key}")
    _check_size(table, book, given, place)
    match given:
        case []:
            results = []
        case ["bye" | "loss"]:
            results = [SeatResult(outcome) for outcome in read_outcomes(table)]
        case ["winner"]:
            results = _read_winner(table, book, place, name)
        case ["games"] if book.match.results == "games":
            results = _read_games(table, book, place)
        case ["scores"] if book.match.results == "scores":
            results = _read_scores(table, book, place, name)
        case _:
            raise BadInput(_expected_result(book), place=f"{place}.{given[0]}")
    if table.intentional:
        if any(result.outcome != Outcome.DRAW for result in results) or not results:
            raise BadInput("only a draw can be intentional", place=f"{place}.intentional")
        if not book.match.intentional_draws:
            rule = book.match.source_of("intentional_draws")
            raise BadInput(f"intentional draws are not allowed here: {rule}", place=f"{place}.intentional")
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


def has_no_winner(table: Table) -> bool:
    """Return whether everybody at a table has a score and nobody a win (AL-9)."""
    return table.scores is not None and not table.winners


def winner_of(table: Table) -> str | None:
    """Return the winner of a table of two; None where nobody won."""
    ended = read_outcomes(table)
    return table.players[ended.index(Outcome.WIN)] if Outcome.WIN in ended else None


def _check_size(table: Table, book: Book, given: list[str], place: str) -> None:
    size = len(table.players)
    if given in (["bye"], ["loss"]):
        if size != 1:
            raise BadInput(f"a {given[0]} is for one player, not {size}", place=f"{place}.players")
        if table.bye and not book.match.byes:
            raise BadInput(f"there are no byes here: {book.match.source_of('byes')}", place=f"{place}.bye")
    elif size not in book.match.table_sizes:
        sizes = " or ".join(str(size) for size in book.match.table_sizes)
        raise BadInput(f"expected {sizes} players at a table, not {size}", place=f"{place}.players")


def _expected_result(book: Book) -> str:
    results = book.match.results
    either = "" if results == "winner" else f"{results} or "
    return f"expected {either}a winner in this ruleset"


def _read_winner(table: Table, book: Book, place: str, name: NamePlayer) -> list[SeatResult]:
    if table.winner in ("draw", "double_loss") and table.winner in table.players:
        instead = "another id" if book.match.results == "winner" else book.match.results
        problem = f'"{table.winner}" is also the id of a player here: expected {instead}'
        raise BadInput(problem, place=f"{place}.winner")
    if ended := read_outcomes(table):
        return [SeatResult(played) for played in ended]
    expected = f'expected {", ".join(map(name, table.players))}, "draw" or "double_loss"'
    problem = f"{name(table.winner or '')} does not sit at this table: {expected}"
    raise BadInput(problem, place=f"{place}.winner")


def _read_games(table: Table, book: Book, place: str) -> list[SeatResult]:
    assert table.games is not None
    first, second, drawn = table.games
    best_of = book.match.best_of
    if min(table.games) < 0 or max(table.games) > MOST_GAMES:
        raise BadInput(f"expected numbers of games from 0 to {MOST_GAMES}", place=f"{place}.games")
    if best_of is not None and (max(first, second) > best_of // 2 + 1 or min(first, second) > best_of // 2):
        raise BadInput(f"{first}-{second} cannot be in a best of {best_of}", place=f"{place}.games")
    one, other = read_outcomes(table)
    return [SeatResult(one, (first, second, drawn)), SeatResult(other, (second, first, drawn))]


def _read_scores(table: Table, book: Book, place: str, name: NamePlayer) -> list[SeatResult]:
    assert table.scores is not None
    if len(table.scores) != len(table.players):
        expected = f"expected {len(table.players)} scores, one for each player"
        raise BadInput(f"{expected}, not {len(table.scores)}", place=f"{place}.scores")
    if max(map(abs, table.scores)) > MOST_SCORE:
        raise BadInput(f"expected scores up to {MOST_SCORE:,}", place=f"{place}.scores")
    winners, eliminated = table.winners or (), table.eliminated or ()
    for key, ids in (("winners", winners), ("eliminated", eliminated)):
        for i, player_id in enumerate(ids):
            if player_id not in table.players or player_id in ids[:i]:
                expected = f"expected some of {', '.join(map(name, table.players))}, each once"
                raise BadInput(f"{name(player_id)}: {expected}", place=f"{place}.{key}[{i}]")
    for player_id in winners:
        if player_id in eliminated:
            raise BadInput(f"{name(player_id)} was eliminated and cannot have won", place=f"{place}.winners")
    written = zip(table.players, table.scores, strict=True)
    scores = {player_id: 0 if player_id in eliminated else score for player_id, score in written}  # AL-8
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
            problem = f"{name(player_id)} won with {scores[player_id]}, but {name(best[0])} has {top}"
            raise BadInput(f"{problem}: expected the most at the table", place=f"{place}.winners[{i}]")
    target = match.target
    low = target is not None and top < target and not (tied and match.tie_below_target)  # AL-7, AL-A11
    if winners and low:
        tie = ", or a tie at the top" if match.tie_below_target else ""
        problem = f"{name(winners[0])} won with {top}: expected at least the target of {target}{tie}"
        raise BadInput(problem, place=f"{place}.winners[0]")
    if table.tie_counts or table.win_given_to is not None:
        at = f"{place}.{'tie_counts' if table.tie_counts else 'win_given_to'}"
        if not tied:
            raise BadInput("nobody is level at the top: expected a tie that is broken", place=at)
        if low:
            below = f"{list_and(map(name, level))} are level below the target of {target}"
            raise BadInput(f"{below}: expected no winner", place=at)
        _check_tie(table, level, match, place, name)


def _check_tie(table: Table, level: list[str], match: MatchRules, place: str, name: NamePlayer) -> None:
    """Check a broken tie (AL-10): counts in steps; then all players still level win, or one given the win."""
    left = _find_still_level(table.tie_counts or (), level, match, place, name)
    reason = "who had the most in the last count"
    if len(left) > 1:
        reason = "who are level in all counts (or one of them, in win_given_to too)"
    if (given_to := table.win_given_to) is not None:
        if len(left) == 1:
            problem = f"{name(left[0])} alone had the most in the last count: expected no win to be given"
            raise BadInput(problem, place=f"{place}.win_given_to")
        if given_to not in left:
            problem = f"{name(given_to)} is not among those still level: expected {list_or(map(name, left))}"
            raise BadInput(problem, place=f"{place}.win_given_to")
        left, reason = [given_to], "to whom the win was given"
    if set(table.winners or ()) != set(left):
        raise BadInput(f"expected {list_and(map(name, left))}, {reason}", place=f"{place}.winners")


def _find_still_level(
    counts: tuple[dict[str, int], ...], level: list[str], match: MatchRules, place: str, name: NamePlayer
) -> list[str]:
    """Return the players still level after these counts, each of which the rules must call for."""
    called_for = match.tie_counts
    if len(counts) > len(called_for):
        most = f"at most these: {', '.join(called_for)}" if called_for else "none in this ruleset"
        raise BadInput(f"too many counts: expected {most}", place=f"{place}.tie_counts")
    left = level
    for i, count in enumerate(counts):
        at = f"{place}.tie_counts[{i}]"
        if len(left) == 1:
            problem = f"{name(left[0])} alone had the most in the count before: expected no further one"
            raise BadInput(problem, place=at)
        if set(count) != set(left):
            names = list_and(map(name, left))
            raise BadInput(f"expected a number for each of those still level: {names}", place=at)
        if min(count.values()) < 0 or max(count.values()) > MOST_COUNT:
            raise BadInput(f"expected numbers from 0 to {MOST_COUNT:,}", place=at)
        left = [player_id for player_id in left if count[player_id] == max(count.values())]
    if counts and len(left) > 1 and len(counts) < len(called_for):
        following = called_for[len(counts)]
        problem = f"{list_and(map(name, left))} are still level: expected the next count, {following}"
        raise BadInput(problem, place=f"{place}.tie_counts")
    return left
