"""A bracket of an event: its rank seeds, what was played in it, what comes next, who ends where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from topcut.errors import BadInput, Impossible
from topcut.history import History, Round
from topcut.history import Table as Recorded
from topcut.history.parts import Part
from topcut.history.results import winner_of
from topcut.pairing.paired import Table
from topcut.rulebook.layout import BracketStage, DoubleEliminationStage
from topcut.stages.double import double
from topcut.stages.graph import Graph, single
from topcut.stages.places import Place, places
from topcut.stages.play import OPEN, Play
from topcut.standings.advance import Advancing


@dataclass(frozen=True)
class Bracket:
    """One bracket; `play` holds its results."""

    part: Part
    stage: BracketStage
    play: Play
    seed: str
    drawn: bool
    """Whether a lot gave the rank seeds."""
    entered: Advancing | None
    """The cut before it; None where everybody plays."""
    warnings: list[str] = field(default_factory=list)

    @property
    def over(self) -> bool:
        return self.play.over

    @property
    def winner(self) -> str | None:
        """Who has won the last table; None while that is open, and where both lost it."""
        last = "F2" if "F2" in self.play.graph.nodes and self.play.needed("F2") else "F"
        ended = self.play.ended(last)
        return ended.winner if ended is not None and isinstance(ended.winner, str) else None

    def places(self, history: History) -> list[Place]:
        """The places that are decided, by the book's rule for those who went out together."""
        return places(self.play, self.stage.placement, self.stage.rule("placement"), history.name_of)

    def next(self, history: History) -> list[Table]:
        """The tables of the next round, from the top of the bracket, and those who have a bye in it."""
        play = self.play
        ready = play.ready()
        number = min((play.graph.round_of[name] for name in ready), default=len(play.graph.rounds))
        seeds = {player_id: at for at, player_id in enumerate(play.players, start=1)}
        found = []
        for node in play.graph.rounds[number] if ready else ():
            ended, seats = play.ended(node.name), play.seats(node.name)
            players = [seat for seat in seats if isinstance(seat, str)]
            name = "P3, for third place" if node.name == "P3" else node.name
            if ended is None and OPEN not in seats:
                why = f"{name}: rank seeds {' and '.join(str(seeds[player_id]) for player_id in players)}"
            elif ended is not None and isinstance(ended.winner, str) and ended.how != "played":
                if play.gone(ended.winner):  # a bye that nobody takes
                    continue
                players = [ended.winner]
                left = f"{history.name_of(ended.loser)} has left" if isinstance(ended.loser, str) else ""
                why = f"{name}: rank seed {seeds[ended.winner]}, {left or 'nobody opposite'}"
            else:
                continue
            found.append(
                Table(tuple(history.index[player_id] for player_id in players), (why,), self.part.name)
            )
        return sorted(found, key=lambda table: len(table.players) == 1)


def graph_of(stage: BracketStage, players: int, third_place: bool) -> Graph:
    """The tables of a bracket of so many."""
    if isinstance(stage, DoubleEliminationStage):
        return double(players, stage.reset)
    return single(players, third_place)


def replayed(graph: Graph, ids: Sequence[str], history: History, rounds: Sequence[Round]) -> Play:
    """The bracket with everything that is recorded of it; what cannot have happened is an error."""
    play = Play(graph, ids)
    here = set(ids)
    for number, a_round in enumerate(rounds, start=1):
        if a_round.stage == "elimination":
            play.leave(_gone(history, ids, number))
            numbered = list(enumerate(a_round.tables))
            for t, table in sorted(numbered, key=lambda entry: not entry[1].loss):  # losses before byes
                if here & set(table.players):
                    _record(play, table, history, f"rounds[{number - 1}].tables[{t}]", number)
    play.leave(_gone(history, ids, len(rounds) + 1))
    return play


def _gone(history: History, ids: Sequence[str], number: int) -> list[str]:
    """Who has left before this round: they lose whatever table they come to (PK-33)."""
    last = [
        min(a[history.index[player_id]] for a in (history.dropped, history.cut, history.disqualified))
        for player_id in ids
    ]
    return [player_id for player_id, last_round in zip(ids, last, strict=True) if last_round < number]


def _record(play: Play, table: Recorded, history: History, place: str, number: int) -> None:
    names = [history.name_of(player_id) for player_id in table.players]
    if table.loss:
        if not play.forfeit(table.players[0]):
            problem = f"{names[0]} has no table to lose in this bracket: {_expected(play, history)}"
            raise BadInput(problem, place=place)
        return
    if table.bye:
        if not play.bye_of(table.players[0]):
            raise BadInput(f"{names[0]} has no bye in this bracket: {_expected(play, history)}", place=place)
        return
    name = play.table_of(table.players)
    if name is None:
        who = " and ".join(names)
        problem = f"{who} do not meet in round {number} of this bracket: {_expected(play, history)}"
        raise BadInput(problem, place=place)
    if table.reported:
        try:
            play.report(name, winner_of(table))
        except Impossible as refused:
            raise BadInput(refused.problem, place=place) from None


def _expected(play: Play, history: History) -> str:
    """The tables that could be played instead, as far as one line holds them."""
    tables = []
    for name in play.ready()[:4]:
        seats = [history.name_of(player_id) for player_id in play.seats(name) if isinstance(player_id, str)]
        tables.append(f"{name} is {' against '.join(seats)}")
    return ", ".join(tables) or "no table is left to play"
