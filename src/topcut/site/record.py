"""List the rounds of one player: opponents, outcomes and points so far."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import accumulate

from topcut.history import Outcome
from topcut.history.model import OUTCOME_WORDS, Table
from topcut.history.results import has_no_winner, read_outcomes
from topcut.rulebook.tiebreak_keys import Outcomes, ValueKey
from topcut.stages.leaderboard import Leaderboard

WORDS = OUTCOME_WORDS | {Outcome.ASSIGNED: "loss", Outcome.MISSED: "missed, counts as a loss"}

NOBODY_WON = "nobody won"


@dataclass(frozen=True)
class PlayedRound:
    """A round of one player."""

    number: int
    stage: str
    table: int | str | None
    against: tuple[tuple[str, str], ...]
    """Ids and names."""
    outcome: str
    """One or two words; empty while it is open."""
    result: str
    points: str
    """So far; empty where they do not count or are not known."""


def list_played_rounds(
    board: Leaderboard,
    rounds: Iterable[tuple[int, str, Table | None]],
    name: Callable[[str], str],
    player: str,
) -> list[PlayedRound]:
    """Return the rounds of a player; `rounds`: number, stage, and the player's table in it."""
    running = sum_points_by_round(board, player)
    played = board.standings.history if board.rounds else None
    at = played.index.get(player) if played is not None else None
    found = []
    for number, stage, table in rounds:
        if table is None:
            if played is not None and at is not None and number <= played.rounds:
                outcome = WORDS.get(Outcome(int(played.played[number - 1, at])), "")
                if outcome:
                    found.append(PlayedRound(number, stage, None, (), outcome, "", running.get(number, "")))
            continue
        ended = dict(zip(table.players, read_outcomes(table), strict=False))
        outcome, result = (WORDS[ended[player]], _format_numbers(table, player)) if ended else ("", "")
        outcome = NOBODY_WON if has_no_winner(table) else outcome
        against = tuple((player_id, name(player_id)) for player_id in table.players if player_id != player)
        found.append(
            PlayedRound(number, stage, table.table, against, outcome, result, running.get(number, ""))
        )
    return found


def _format_numbers(table: Table, player: str) -> str:
    """Return the result in numbers, this player's first."""
    at = table.players.index(player)
    if table.games is not None:
        first, second, drawn = table.games
        mine, theirs = (first, second) if at == 0 else (second, first)
        return f"{mine}-{theirs}" + (f"-{drawn}" if drawn else "")
    if table.scores is not None:
        others = ", ".join(str(score) for i, score in enumerate(table.scores) if i != at)
        return f"{table.scores[at]} : {others}"
    return "by agreement" if table.intentional else ""


def sum_points_by_round(board: Leaderboard, player: str) -> dict[int, str]:
    """Return the points after each round that counts; empty where points are no sum of rounds."""
    if not board.rounds:
        return {}
    standings = board.standings
    at, first = standings.history.index.get(player), standings.book.chain[0]
    measure = standings.book.measures.get(first.measure) if isinstance(first, ValueKey) else None
    if at is None or not isinstance(measure, Outcomes) or measure.value != "sum":
        return {}
    each = board.explainer.exact.round_credits(measure, at)
    totals = accumulate(credit.earned for credit in each)
    return {number: str(total) for number, total in enumerate(totals, start=1)}
