"""What players say and ask by phone, as a scorekeeper would keep it on paper; a part of the model.

A claim is worth nothing until everybody at the table says the same; then it is a result like any other.
"""

from __future__ import annotations

from typing import Any

from tests.event.reference_model import Model, Question, Round, Verdict
from topcut.event.facts import Result
from topcut.event.state import State


def tidy(model: Model) -> None:
    """Claims go when their table has a result or other players; questions go with a player off the list,
    and the wish to leave with whoever has left."""
    for a_round in model.rounds:
        for table, (players, _) in list(a_round.claims.items()):
            seats = a_round.tables.get(table)
            if seats is None or seats.players != players or seats.result is not None:
                del a_round.claims[table]
    model.questions = [
        (number, player, about, of)
        for number, player, about, of in model.questions
        if player in model.players and not (about == "drop" and model.players[player].left is not None)
    ]


def outcome_of(result: Result) -> tuple[Any, ...]:
    """What a result says, however it is written."""
    won, out = (frozenset(ids or ()) for ids in (result.winners, result.eliminated))
    return (result.games, result.winner, result.scores, won, out, result.intentional)


def may_claim(model: Model, number: int | None, table: int, player: str, quality: str) -> Verdict:
    a_round = model.round(number)
    if a_round is None or table not in a_round.tables or player not in a_round.tables[table].players:
        return "no"
    return model.may_report(number, table, quality)


def claim(a_round: Round, table: int, player: str, result: Result) -> bool:
    """Somebody says how a table ended; whether that settles it."""
    seats = a_round.tables[table]
    _, said = a_round.claims.setdefault(table, (seats.players, {}))
    said[player] = result
    agreed = set(said) == set(seats.players) and len({outcome_of(one) for one in said.values()}) == 1
    if agreed:
        seats.result = result
    return agreed


def may_ask(model: Model, player: str, about: str, number: int | None) -> Verdict:
    if model.finished or player not in model.players or (number is None) == (about == "result"):
        return "no"
    if any(question[1:] == (player, about, number) for question in model.questions):
        return "no"
    if about == "drop":
        return "yes" if model.players[player].left is None else "no"
    if about == "points":
        own = [(r, r.of(player)) for r in model.rounds if r.stage == "swiss"]
        counting = [r.number for r, seats in own if seats is not None and seats.result is not None]
        return "no" if counting and not any(map(model.open, counting)) else "yes"
    a_round = model.round(number)
    if a_round is None or a_round.phase == "draft" or a_round.of(player) is None:
        return "no"
    return "yes" if model.open(a_round.number) else "no"


def as_said(state: State, model: Model) -> None:
    """The program holds the claims and questions that the model foretells."""
    tidy(model)
    for now, known in zip(state.rounds, model.rounds, strict=True):
        assert now.claims == {table: said for table, (_, said) in known.claims.items()}
        assert now.claimed == sorted(known.claims)
        disputed = [
            table for table, (_, said) in known.claims.items() if len(set(map(outcome_of, said.values()))) > 1
        ]
        assert now.disputed == sorted(disputed)
    assert _questions(state) == model.questions


def looks_again(state: State, model: Model) -> None:
    """Steps were taken back, or count again, out of their order: take over what is left."""
    model.questions = _questions(state)
    for now, known in zip(state.rounds, model.rounds, strict=True):
        for table, said in now.claims.items():
            seats = known.tables[table]
            assert set(said) <= set(seats.players), "somebody speaks for a table of others"
            assert seats.result is None, "a claim beside a result"
            known.claims[table] = (seats.players, dict(said))


def _questions(state: State) -> list[Question]:
    return [(asked.number, asked.player, asked.about, asked.round) for asked in state.questions]
