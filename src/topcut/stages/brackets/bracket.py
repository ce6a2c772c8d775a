"""Replay the bracket of an event: its rank seeds and results, its next round, its places.

Rank seeds come from the standings, from the players' own `seed`, or from a lot. Once a first round is
recorded it says what a lot gave, whatever a later seed would draw; rank seeds from standings stay what they
are, also where the recorded round has other pairs.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, permutations

import msgspec

from topcut.errors import BadInput, Impossible
from topcut.history import History, Round
from topcut.history import Table as Recorded
from topcut.history.model import Outcome
from topcut.history.parts import Part
from topcut.history.results import read_outcomes, winner_of
from topcut.lots import Stream
from topcut.pairing.model import DrawnTable
from topcut.rulebook.layout import BracketStage, cite_reading
from topcut.rulebook.planning.plan import find_bracket_size, order_rank_seeds
from topcut.stages.brackets.graph import Graph
from topcut.stages.brackets.play import OPEN, BracketPlay
from topcut.standings.advance import CutDecision
from topcut.text.messages import Message, join_messages, list_and, say

MOST_TRIED = 4
"""Byes whose order is found by trying what the later rounds allow."""


def draw_rank_seeds(history: History, part: Part, seed: str) -> tuple[list[str], bool]:
    """Return the ids in the order of their rank seeds, and whether a lot was drawn for it (PK-30)."""
    late = [player.shown_name for player in history.players if player.entered > 1]
    if late:
        problem = say(
            "{player} cannot enter late: all tables are fixed from the first round.", player=late[0]
        )
        rule = part.book.late_entry.no_later if part.book.late_entry and part.bracket else ""
        raise Impossible(problem, rule=rule)
    here = sorted((history.players[i] for i in part.members if history.last[i] >= 1), key=lambda p: p.id)
    without = [player.shown_name for player in here if player.seed is None]
    if without and len(without) < len(here):
        problem = say("{player} has no seed: expected one for every player or for none", player=without[0])
        raise BadInput(problem, place="players")
    if not without:
        order = sorted(here, key=lambda player: player.seed or 0)
        for one, other in pairwise(order):
            if one.seed == other.seed:
                problem = say(
                    "{player} and {other} have the same seed, {seed}",
                    player=one.shown_name,
                    other=other.shown_name,
                    seed=one.seed or 0,
                )
                raise BadInput(problem, place="players")
        return [player.id for player in order], False
    label = "rank seeds" + (f"/{part.name}" if part.name else "")
    return [here[at].id for at in Stream(seed, label).order(len(here)).tolist()], True


def read_rank_seeds(first: Round, ids: set[str]) -> list[str] | None:
    """Return the rank seeds in the order of a recorded first round; None if it is no such round.

    Tables are in bracket order, the better rank seed first, and byes by themselves in bracket order.
    """
    here = [table for table in first.tables if set(table.players) <= ids]
    seated = sum(len(table.players) for table in here)
    order = order_rank_seeds(find_bracket_size(max(seated, 2)))
    tables = iter([table for table in here if len(table.players) == 2])
    byes = iter([table for table in here if len(table.players) == 1])
    found: dict[int, str] = {}
    for one, other in zip(order[::2], order[1::2], strict=True):
        pair = [seed for seed in (one, other) if seed <= seated]
        table: Recorded | None = next(tables if len(pair) == 2 else byes, None)
        if table is None:
            return None
        found |= dict(zip(pair, table.players, strict=True))
    if next(tables, None) or next(byes, None) or sorted(found) != list(range(1, seated + 1)):
        return None
    return [found[seed] for seed in sorted(found)]


def complete_byes(first: Round, ids: Sequence[str]) -> Iterator[Round]:
    """Yield a recorded first round with the byes of the players (by rank seed) who sit at none of its tables.

    The best of them first has the first bye, as the rules have it; then, of a few, in any other order.
    """
    pairs = [table for table in first.tables if len(table.players) > 1]
    seated = {player_id for table in pairs for player_id in table.players}
    alone = {player_id for table in first.tables for player_id in table.players} - seated
    byes = [player_id for player_id in ids if player_id not in seated]
    wanted = find_bracket_size(max(len(ids), 2)) - len(ids)
    if not byes or len(byes) != wanted or alone.issuperset(byes) or not alone.issubset(byes):
        return
    usual = [byes[seed - 1] for seed in order_rank_seeds(find_bracket_size(len(ids))) if seed <= len(byes)]
    others = permutations(usual) if not alone and len(byes) <= MOST_TRIED else [tuple(usual)]
    for order in others:
        tables = [*pairs, *[Recorded(players=(player_id,), bye=True) for player_id in order]]
        yield msgspec.structs.replace(first, tables=tuple(tables))


@dataclass(frozen=True)
class Bracket:
    part: Part
    stage: BracketStage
    play: BracketPlay
    seed: str
    drawn: bool
    """Whether a lot gave the rank seeds."""
    entered: CutDecision | None
    """The cut before it; None where everybody plays."""
    warnings: list[Message] = field(default_factory=list)

    @property
    def winner(self) -> str | None:
        """The winner of the last table; None while that is open, and where both lost it."""
        ended = self.play.ended("F2" if self.play.needed("F2") else "F")
        return ended.winner if ended is not None and isinstance(ended.winner, str) else None

    def next(self, history: History) -> list[DrawnTable]:
        """Return the tables and byes of the next round from the top of the bracket."""
        play = self.play
        ready = play.ready()
        number = min((play.graph.round_of[name] for name in ready), default=len(play.graph.rounds))
        seeds = play.rank_seeds
        found = []
        for node in play.graph.rounds[number] if ready else ():
            ended, seats = play.ended(node.name), play.seats(node.name)
            players = [seat for seat in seats if isinstance(seat, str)]
            name = say("{table}, for third place", table=node.name) if node.name == "P3" else node.name
            if ended is None and OPEN not in seats:
                one, other = (seeds[player_id] for player_id in players)
                why = say("{table}: rank seeds {seed} and {other}", table=name, seed=one, other=other)
                if number == 0 and len(seeds) > 2:
                    why = cite_reading(why, self.stage, "kind")
            elif ended is not None and isinstance(ended.winner, str) and ended.how != "played":
                if play.gone(ended.winner):  # a bye that nobody takes
                    continue
                players = [ended.winner]
                seed = seeds[ended.winner]
                why = say("{table}: rank seed {seed}, no opponent", table=name, seed=seed)
                if isinstance(ended.loser, str):
                    away = history.name_of(ended.loser)
                    why = say(
                        "{table}: rank seed {seed}, {player} has left", table=name, seed=seed, player=away
                    )
            else:
                continue
            here = tuple(history.index[player_id] for player_id in players)
            found.append(DrawnTable(here, (why,), self.part.name))
        return found


def replay_bracket(
    graph: Graph,
    ids: Sequence[str],
    history: History,
    rounds: Sequence[Round],
    rank_seeds: Mapping[str, int] | None = None,
) -> BracketPlay:
    """Replay what is recorded of a bracket; `BadInput` if it cannot have happened.

    `ids` are in the places of the rank seeds from 1; `rank_seeds`: the players' own, if these are others.
    """
    play = BracketPlay(graph, ids, rank_seeds)
    here = set(ids)
    for number, a_round in enumerate(rounds, start=1):
        if a_round.in_bracket:
            play.leave(_list_gone(history, ids, number))
            numbered = list(enumerate(a_round.tables))
            for t, table in sorted(numbered, key=lambda entry: not entry[1].loss):  # losses before byes
                if here & set(table.players):
                    place = f"rounds[{number - 1}].tables[{t}]"
                    _record(play, table, history, place, number, _list_seated(rounds[number:]))
    play.leave(_list_gone(history, ids, len(rounds) + 1))
    return play


def _list_gone(history: History, ids: Sequence[str], number: int) -> list[str]:
    """Return who has left before this round: they lose whatever table they come to (PK-33)."""
    return [player_id for player_id in ids if history.last[history.index[player_id]] < number]


def _list_seated(rounds: Sequence[Round]) -> set[str]:
    return {player_id for a_round in rounds for table in a_round.tables for player_id in table.players}


def _record(
    play: BracketPlay, table: Recorded, history: History, place: str, number: int, later: set[str]
) -> None:
    """Record a table; of a drawn one, the only player who plays on (is in `later`) is the winner."""
    names = [history.name_of(player_id) for player_id in table.players]
    name, problem = play.table_of(table.players), ""
    if table.loss:
        if not play.lose_without_play(table.players[0]):
            problem = say("{player} has no table to lose in this bracket", player=names[0])
    elif table.bye:
        if not play.has_bye(table.players[0]):
            problem = say("{player} has no bye in this bracket", player=names[0])
    elif name is None:
        problem = say(
            "{players} do not meet in round {round} of this bracket", players=list_and(names), round=number
        )
    elif table.reported:
        try:
            drawn = Outcome.DRAW in read_outcomes(table)
            going_on = [player_id for player_id in table.players if player_id in later] if drawn else []
            winner = going_on[0] if len(going_on) == 1 else winner_of(table)
            play.report(name, winner, drawn=drawn)
        except Impossible as refused:
            raise BadInput(refused.problem, place=place) from None
    if problem:
        raise BadInput(join_messages(": ", (problem, _list_ready(play, history))), place=place)


def _list_ready(play: BracketPlay, history: History) -> Message:
    """Return the tables that can be played, as many as one line holds."""
    ready = []
    for name in play.ready()[:4]:
        one, other = (history.name_of(seat) for seat in play.seats(name) if isinstance(seat, str))
        ready.append(say("{table} is {player} against {opponent}", table=name, player=one, opponent=other))
    return join_messages(", ", ready) if ready else say("no table is left to play")
