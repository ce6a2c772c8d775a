"""Build the rows of standings that pages print and `--json` writes, and format their values.

`explain` writes out how one row came about.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from topcut.history import Outcome
from topcut.history.divisions import choose_division_mode, division_of
from topcut.rulebook.planning.pool import DivisionMode
from topcut.rulebook.tiebreak_keys import NumberFormat, ValueKey
from topcut.standings.columns import Ints
from topcut.standings.rank import LOT, Standings, rank
from topcut.text.messages import count, decimals, say

StandingRow = dict[str, Any]
YES, NO = say("yes"), say("no")


def build_rows(standings: Standings, divisions: DivisionMode | None = None) -> list[StandingRow]:
    """Build a row for each player from the top, with the rank inside divisions and flights if any."""
    history, book = standings.history, standings.book
    mode = choose_division_mode(history.players, book, divisions)
    labels = list_key_labels(standings)
    inside: dict[str, tuple[list[Any], dict[int, int]]] = {}
    names = [division_of(player, book) for player in history.players]
    flights = [player.flight for player in history.players]
    if divisions != "off" and any(names):
        inside["division"] = names, _rank_inside(standings, names, apart=mode == "separate")
    if any(flights):
        # Flights belong to their division: flight 1 of one is not flight 1 of another.
        pools = list(zip(names, flights, strict=True)) if mode == "separate" else flights
        inside["flight"] = flights, _rank_inside(standings, pools, apart=True)
    found = []
    for position, player in enumerate(standings.order.tolist()):
        who = history.players[player]
        row: StandingRow = {
            "rank": standings.rank(player),
            "id": who.id,
            "name": who.shown_name,
            "points": to_json_number(standings.points(player)),
            "dropped": bool(history.dropped[player] <= history.rounds),
            "record": count_record(standings, player),
            "tiebreaks": [
                {
                    "key": key,
                    "label": label,
                    "value": format_exact(value),
                    "shown": format_value(standings, key, value),
                }
                for key, label in labels[1:]
                for value in [standings.value(key, player)]
            ],
            "decided_by": standings.decided_by(position),
        }
        if history.disqualified[player] <= history.rounds:
            row["disqualified"] = True
        for kind, (own, places) in inside.items():
            row |= {kind: own[player], f"{kind}_rank": places[player]}
        found.append(row)
    return found


def build_document(standings: Standings, after: int, rows: list[StandingRow]) -> StandingRow:
    """Build the JSON document of all rows; `after` counts the rounds of a bracket too."""
    return {"rules": standings.book.id, "after": after, "seed": standings.seed, "standings": rows}


def list_key_labels(standings: Standings) -> list[tuple[str, str]]:
    labels = [(key.key, key.label) for key in standings.book.chain]
    return labels + ([(LOT, say("Random draw"))] if standings.book.standings.ends_in == "lot" else [])


def count_record(standings: Standings, player: int) -> dict[str, int]:
    """Count wins, losses (of every kind), draws and byes; a bye is not among the wins here."""
    counts = standings.history.counts[:, player]
    losses = (Outcome.LOSS, Outcome.DOUBLE_LOSS, Outcome.ASSIGNED, Outcome.MISSED)
    return {
        "wins": int(counts[Outcome.WIN]),
        "losses": sum(int(counts[kind]) for kind in losses),
        "draws": int(counts[Outcome.DRAW]),
        "byes": int(counts[Outcome.BYE]),
    }


def format_record(of: dict[str, int]) -> str:
    """Format a record: wins-losses, draws where there are any, and byes."""
    draws = f"-{of['draws']}" if of["draws"] else ""
    record = f"{of['wins']}-{of['losses']}{draws}"
    if of["byes"] < 2:
        return say("{record} +bye", record=record) if of["byes"] else record
    return count("{record} +{n} bye", "{record} +{n} byes", of["byes"], record=record)


def count_points(standings: Standings, player: int) -> int | Fraction:
    """Return a player's points: a whole number wherever they are one."""
    points = standings.points(player) or Fraction(0)
    return points.numerator if points.denominator == 1 else points


def format_exact(value: Fraction | None) -> str | None:
    """Return the exact value: a whole number or a fraction in lowest terms."""
    return None if value is None else str(value)


def to_json_number(value: Fraction | None) -> int | str | None:
    """Return a whole number as a number, any other as text."""
    return None if value is None else value.numerator if value.denominator == 1 else str(value)


def format_value(standings: Standings, key: str, value: Fraction | None) -> str:
    """Format a key's value for people; it decides nothing."""
    if value is None:
        return ""
    link = next((link for link in standings.book.chain if link.key == key), None)
    return format_number(value, link.shown) if isinstance(link, ValueKey) else str(value)


def format_number(value: Fraction, form: NumberFormat) -> str:
    """Format a number for people.

    >>> format_number(Fraction(15, 7), NumberFormat(form="decimal", digits=3))
    '2.143'
    >>> format_number(Fraction(5, 9), NumberFormat(form="percent"))
    '55.56%'
    """
    if form.form == "whole":
        return str(value)
    if form.form == "flag":
        return YES if value else NO
    if form.form == "percent":
        value = value / form.of * 100
    scaled = abs(value) * 10**form.digits
    units = int(scaled + Fraction(1, 2)) if form.rounding == "half up" else int(scaled)
    digits = f"{units:0{form.digits + 1}d}"
    whole, rest = digits[: len(digits) - form.digits], digits[len(digits) - form.digits :]
    sign = "-" if value < 0 and units else ""
    return decimals(f"{sign}{whole}{'.' if rest else ''}{rest}{'%' if form.form == 'percent' else ''}")


def _rank_inside(standings: Standings, labels: list[Any], apart: bool) -> dict[int, int]:
    """Return the rank of each player among players with the same label.

    `apart`: each label is an event of its own, ranked by itself, so that keys that look at who is
    still tied see only its players; otherwise it is the order of all, read for one label.
    """
    numbers = {label: i for i, label in enumerate(sorted(set(labels), key=repr))}
    pools: Ints = np.array([numbers[label] for label in labels], np.int64)
    if apart:
        alone = rank(standings.history, standings.book, standings.seed, pools)
        return {i: alone.rank(i) for i in range(len(labels))}
    places: dict[int, int] = {}
    seen: dict[Any, list[int]] = {}
    for i in standings.order.tolist():
        ahead = seen.setdefault(labels[i], [])
        tied = ahead and standings.rank(ahead[-1]) == standings.rank(i)
        places[i] = places[ahead[-1]] if tied else len(ahead) + 1
        ahead.append(i)
    return places
