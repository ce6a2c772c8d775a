"""Build a `History` from what is recorded, refusing what cannot have happened.

A mistake is one `BadInput` that names its place, such as `rounds[1].tables[3].winner`.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from topcut.errors import BadInput
from topcut.history.arrays import NEVER, History
from topcut.history.model import Outcome, Player, Round, Table
from topcut.history.results import (
    SeatResult,
    explain_no_byes,
    quote_id,
    raise_doubt,
    read_seat_results,
)
from topcut.rulebook.layout import Format, SwissStage
from topcut.rulebook.model import Book
from topcut.rulebook.planning.stages import list_stages
from topcut.text.messages import Field, Message, join_messages, list_and, list_first, say
from topcut.text.messages import number as in_digits

MOST_ROUNDS = 1000
MOST_PLAYERS = 200_000
MOST_SEATS = 10_000_000
"""Players times rounds; the arrays have room for all of them, whether they play or not."""
LEFT = ("dropped", "cut", "disqualified")
"""The reasons to leave, as fields of a player."""
MOST_BYES = 9
"""Awarded byes of a player; published events give up to three."""
SHOWN = 5
"""Tables without a result that an error names, at most."""


def build_history(
    players: Sequence[Player],
    rounds: Sequence[Round],
    book: Book,
    doubts: list[BadInput] | None = None,
) -> History:
    """Return the history of the scored rounds in `rounds`; every reported table counts.

    Elimination rounds are checked but leave no trace: they never feed the keys of the standings. `doubts`
    collects results that published events have and that nobody should enter: they count as they are. Without
    it they are refused.
    """
    _check_players(players, book)
    if len(rounds) > MOST_ROUNDS:
        problem = say("expected at most {most} rounds, not {rounds}", most=MOST_ROUNDS, rounds=len(rounds))
        raise BadInput(problem, place="rounds")
    if len(players) * len(rounds) > MOST_SEATS:
        problem = say(
            "{rounds} rounds of {players} players: expected at most {most} seats in all",
            rounds=len(rounds),
            players=len(players),
            most=in_digits(MOST_SEATS),
        )
        raise BadInput(problem, place="rounds")
    index = {player.id: i for i, player in enumerate(players)}
    scored = next((r for r, a_round in enumerate(rounds) if not a_round.is_scored), len(rounds))
    for r, a_round in enumerate(rounds):
        if a_round.is_scored and r > scored:
            problem = say("a Swiss round after an elimination round")
            raise BadInput(problem, place=f"rounds[{r}].stage")
    n = len(players)
    byes = np.array([p.byes for p in players], np.int64)
    entered = np.array([p.entered for p in players], np.int64)
    entered[entered <= byes + 1] = 1  # players with awarded byes need not be there
    left = {
        why: np.array([NEVER if (r := getattr(p, why)) is None else r for p in players], np.int64)
        for why in LEFT
    }
    last = np.minimum.reduce(list(left.values())) if n else np.empty(0, np.int64)
    played = np.full((scored, n), Outcome.IDLE, np.uint8)
    numbers = np.arange(1, scored + 1)[:, None]
    played[numbers < entered] = Outcome.MISSED
    played[numbers <= byes] = Outcome.BYE  # whether or not a table says so
    played[numbers > last] = Outcome.GONE
    games = np.zeros((3, scored, n), np.uint8) if book.match.results == "games" else None
    scores = np.zeros((scored, n), np.int64) if book.match.results == "scores" else None
    met = []
    decided: dict[tuple[int, int], Table] = {}
    most, no_byes = max(book.match.table_sizes), explain_no_byes(book)
    for r, a_round in enumerate(rounds):
        _check_pods(a_round, index, book, f"rounds[{r}].pods")
        seen: dict[str, int] = {}
        who: list[int] = []
        results: list[SeatResult] = []
        largest = min(max((len(table.players) for table in a_round.tables), default=1), most)
        meetings = np.full((max(largest - 1, 0), n), n, np.int32)
        against: list[tuple[list[int], list[int]]] = [([], []) for _ in meetings]
        for t, table in enumerate(a_round.tables):
            place = f"rounds[{r}].tables[{t}]"
            seats = _check_seats(table, players, index, r + 1, seen, t, place)
            reported = read_seat_results(
                table, book, place, lambda player_id: _name(players, index, player_id), doubts=doubts
            )
            if table.bye and no_byes and not (a_round.allowed and "sits-out" in a_round.allowed.what):
                raise BadInput(no_byes, place=f"{place}.bye")
            if not a_round.allows_draws and any(result.outcome == Outcome.DRAW for result in reported):
                problem = say("an elimination round can't end in a draw: expected a winner")
                raise_doubt(BadInput(problem, place=place), doubts)
            if a_round.is_scored and not reported:
                played[r, seats] = Outcome.IDLE
            if reported and a_round.is_scored:
                who += seats
                results += reported
                if table.tie_counts or table.win_given_to is not None or len(table.winners or ()) > 1:
                    decided.update(dict.fromkeys(((r, seat) for seat in seats), table))
                for turn in range(1, len(seats)):
                    against[turn - 1][0].extend(seats)
                    against[turn - 1][1].extend(seats[turn:] + seats[:turn])
        if a_round.is_scored:
            for row, (seats, others) in zip(meetings, against, strict=True):
                row[seats] = others
            met.append(meetings)
        if results:
            played[r, who] = [result.outcome for result in results]
            if games is not None:
                games[:, r, who] = np.array([result.games for result in results]).T
            if scores is not None:
                scores[r, who] = [result.score for result in results]
    return History(
        players=tuple(players),
        played=played,
        opponents=np.concatenate(met) if met else np.empty((0, n), np.int32),
        meeting_round=np.repeat(np.arange(len(met), dtype=np.int32), [len(rows) for rows in met]),
        games=games,
        scores=scores,
        entered=entered,
        decided=decided,
        **left,
    )


def _name(players: Sequence[Player], index: Mapping[str, int], player_id: str) -> str:
    """Return what an error calls a player: by name, or by what a file has in the place of an id."""
    at = index.get(player_id)
    name = player_id if at is None else players[at].shown_name
    return quote_id(player_id) if name == player_id else name


def _check_pods(a_round: Round, index: Mapping[str, int], book: Book, place: str) -> None:
    """Refuse pods of strangers, or where there cannot be any."""
    if a_round.pods is None:
        return
    if book.pairing is None or book.pairing.pods is None or not a_round.is_scored:
        problem = say("{ruleset} has no pods", ruleset=book.id)
        raise BadInput(problem if a_round.is_scored else say("a bracket has no pods"), place=place)
    for player_id, pod in a_round.pods.items():
        if player_id not in index:
            raise BadInput(say('no player has the id "{id}"', id=player_id), place=place)
        if not 0 < pod <= len(index):
            problem = say("expected a pod from 1 to {most}, not {pod}", most=len(index), pod=pod)
            raise BadInput(problem, place=f"{place}.{player_id}")


def list_missing_results(rounds: Sequence[Round], names: Mapping[str, str]) -> list[Message]:
    """Return the tables that are not reported yet, in words.

    >>> seven = Table(players=("p1", "p2"), table=7)
    >>> list_missing_results([Round(tables=(seven,))], {"p1": "Ada", "p2": "Bo"})
    ['round 1 table 7 (Ada, Bo)']
    """
    return [
        say(
            "round {round} table {table} ({players})",
            round=r,
            table=t if table.table is None else table.table,
            players=join_messages(", ", [names.get(player_id, player_id) for player_id in table.players]),
        )
        for r, a_round in enumerate(rounds, start=1)
        for t, table in enumerate(a_round.tables, start=1)
        if not table.reported
    ]


def check_reported(players: Sequence[Player], rounds: Sequence[Round]) -> None:
    """Refuse rounds in which a table is not reported yet, naming the first few of them."""
    missing = list_missing_results(rounds, {player.id: player.shown_name for player in players})
    if missing:
        raise BadInput(say("not reported yet: {tables}", tables=list_first(missing, SHOWN)), place="rounds")


def list_idle_players(history: History, most: int | None = None) -> list[tuple[int, Player]]:
    """Return (round, player) for each player without a table in a round; at most `most` of them."""
    found = np.argwhere(history.played == Outcome.IDLE)[:most]
    return [(int(r) + 1, history.players[p]) for r, p in found]


def _check_players(players: Sequence[Player], book: Book) -> None:
    if len(players) > MOST_PLAYERS:
        most, there = in_digits(MOST_PLAYERS), in_digits(len(players))
        problem = say("expected at most {most} players, not {players}", most=most, players=there)
        raise BadInput(problem, place="players")
    seen: dict[str, int] = {}
    divisions = [division.name for division in book.divisions.list] if book.divisions else None
    for i, player in enumerate(players):
        place = f"players[{i}]"
        if not player.id:
            raise BadInput(say("expected an id that is not empty"), place=f"{place}.id")
        if player.id in seen:
            problem = say(
                '"{id}" is the id of {place} too', id=player.id, place=f"players[{seen[player.id]}]"
            )
            raise BadInput(problem, place=f"{place}.id")
        seen[player.id] = i
        if not 1 <= player.entered <= MOST_ROUNDS:
            raise BadInput(say("expected the number of a round, from 1"), place=f"{place}.entered")
        if not 0 <= player.byes <= MOST_BYES:
            raise BadInput(say("expected a number from 0 to {most}", most=MOST_BYES), place=f"{place}.byes")
        if player.byes and (unfit := explain_no_awarded_byes(book)):
            raise BadInput(unfit, place=f"{place}.byes")
        left = {why: r for why in LEFT if (r := getattr(player, why)) is not None}
        if len(left) > 1:
            raise BadInput(say("{keys}: expected one reason to leave", keys=list_and(left)), place=place)
        for why, r in left.items():
            if not 0 <= r <= MOST_ROUNDS:
                raise BadInput(say("expected the number of a round, or 0"), place=f"{place}.{why}")
            if r < player.entered - 1:
                problem = say(
                    "left after round {left} but entered in round {entered}", left=r, entered=player.entered
                )
                raise BadInput(problem, place=f"{place}.{why}")
        if divisions and player.division is not None and player.division not in divisions:
            problem = say(
                'no division is called "{division}": expected {divisions}',
                division=player.division,
                divisions=join_messages(", ", divisions),
            )
            raise BadInput(problem, place=f"{place}.division")
        for name in ("flight", "pod", "seat", "seed"):
            number = getattr(player, name)
            if number is not None and number < 1:
                raise BadInput(say("expected a number from 1"), place=f"{place}.{name}")


def explain_no_awarded_byes(book: Book, event_format: Format | None = None) -> Message | None:
    """Return why no player can have awarded byes by these rules, and in this format; None where they can."""
    if not book.match.byes:
        return say("there are no byes here: {source}", source=book.match.source_of("byes"))
    if book.pairing is not None and book.pairing.chart is not None:
        source = book.pairing.source_of("chart")
        return say("the chart has no room for awarded byes: expected none ({source})", source=source)
    stages = [] if event_format is None else list_stages(book, event_format)
    if event_format is not None and not any(isinstance(stage, SwissStage) for stage in stages):
        return say("awarded byes are for Swiss rounds, and the format {format} has none", format=event_format)
    return None


def _check_seats(
    table: Table,
    players: Sequence[Player],
    index: dict[str, int],
    number: int,
    seen: dict[str, int],
    position: int,
    place: str,
) -> list[int]:
    """Return the players at a table as numbers; each must be known, present and at no other table."""
    seats = []
    for s, player_id in enumerate(table.players):
        at = f"{place}.players[{s}]"
        seat = index.get(player_id)
        if seat is None:
            raise BadInput(say('no player has the id "{id}"', id=player_id), place=at)
        if player_id in seen:
            problem = say('"{id}" sits at this table already in round {round}', id=player_id, round=number)
            if seen[player_id] != position:
                there = f"tables[{seen[player_id]}]"
                problem = say(
                    '"{id}" sits at {place} too in round {round}', id=player_id, place=there, round=number
                )
            raise BadInput(problem, place=at)
        seen[player_id] = position
        player = players[seat]
        if number < player.entered and not (table.loss or (table.bye and player.has_awarded_bye(number))):
            problem = say(
                '"{id}" plays in round {round} but entered in round {entered}',
                id=player_id,
                round=number,
                entered=player.entered,
            )
            raise BadInput(problem, place=at)
        for why in LEFT:
            last = getattr(player, why)
            if last is not None and number > last:
                raise BadInput(_explain_absence(player_id, number, why, last), place=at)
        seats.append(seat)
    return seats


def _explain_absence(player_id: str, number: int, why: str, last: int) -> Message:
    """Return why a player cannot play in a round."""
    known: dict[str, Field] = {"id": player_id, "round": number, "last": last}
    match why:
        case "dropped":
            return say('"{id}" plays in round {round} but dropped after round {last}', **known)
        case "cut":
            return say('"{id}" plays in round {round} but was cut after round {last}', **known)
    return say('"{id}" plays in round {round} but was disqualified after round {last}', **known)
