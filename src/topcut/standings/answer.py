"""The standings as people and programs read them: rows with ranks, records, values, reasons."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from topcut.history import Played
from topcut.history.divisions import division_mode, division_of
from topcut.rulebook.keys import Shown, ValueKey
from topcut.rulebook.planning.pool import Mode
from topcut.standings.columns import Ints
from topcut.standings.rank import LOT, Standings, keys, rank

Row = dict[str, Any]


def rows(standings: Standings, divisions: Mode | None = None) -> list[Row]:
    """One row a player from the top, with the keys of the contract.

    Divisions and flights stand in the rows where the event has them, with the rank inside them.
    """
    history, book = standings.history, standings.book
    mode = division_mode(history.players, book, divisions)
    labels = key_labels(standings)
    inside: dict[str, dict[int, tuple[Any, int]]] = {}
    names = [division_of(player, book) for player in history.players]
    flights = [player.flight for player in history.players]
    if divisions != "off" and any(names):
        inside["division"] = _inside(standings, names, apart=mode == "separate")
    if any(flights):
        # Flights belong to their division: flight 1 of one is not flight 1 of another.
        pools = list(zip(names, flights, strict=True)) if mode == "separate" else flights
        places = _inside(standings, pools, apart=True)
        inside["flight"] = {i: (flights[i], place) for i, (_, place) in places.items()}
    found = []
    for position, player in enumerate(standings.order.tolist()):
        who = history.players[player]
        row: Row = {
            "rank": standings.rank(player),
            "id": who.id,
            "name": who.shown_name,
            "points": plain(standings.value(keys(book)[0], player)),
            "dropped": bool(history.dropped[player] <= history.rounds),
            "record": record(standings, player),
            "tiebreaks": [
                {"key": key, "label": label, "value": text(value), "shown": shown(standings, key, value)}
                for key, label in labels[1:]
                for value in [standings.value(key, player)]
            ],
            "decided_by": standings.decided_by(position),
        }
        if history.disqualified[player] <= history.rounds:
            row["disqualified"] = True
        for kind, places in inside.items():
            row[kind], row[f"{kind}_rank"] = places[player]
        found.append(row)
    return found


def document(standings: Standings, after: int, rows: list[Row]) -> Row:
    """All rows with what they follow from; `after` counts the rounds of a bracket too."""
    return {"rules": standings.book.id, "after": after, "seed": standings.seed, "standings": rows}


def key_labels(standings: Standings) -> list[tuple[str, str]]:
    """The keys of the chain and what people call them."""
    labels = [(key.key, key.label) for key in standings.book.chain]
    return labels + ([(LOT, "Lot")] if standings.book.standings.ends_in == "lot" else [])


def record(standings: Standings, player: int) -> dict[str, int]:
    """Wins, losses (of every kind), draws and byes; a bye is not among the wins here."""
    counts = standings.history.counts[:, player]
    losses = (Played.LOSS, Played.DOUBLE_LOSS, Played.ASSIGNED, Played.MISSED)
    return {
        "wins": int(counts[Played.WIN]),
        "losses": sum(int(counts[kind]) for kind in losses),
        "draws": int(counts[Played.DRAW]),
        "byes": int(counts[Played.BYE]),
    }


def record_words(of: dict[str, int]) -> str:
    """Wins-losses, draws where there are any, and byes, which are wins without an opponent."""
    draws = f"-{of['draws']}" if of["draws"] else ""
    byes = {0: "", 1: " +bye"}.get(of["byes"], f" +{of['byes']} byes")
    return f"{of['wins']}-{of['losses']}{draws}{byes}"


def text(value: Fraction | None) -> str | None:
    """The exact value: a whole number or a fraction in lowest terms."""
    return None if value is None else str(value)


def plain(value: Fraction | None) -> int | str | None:
    """A whole number as a number, anything else as text."""
    return None if value is None else value.numerator if value.denominator == 1 else str(value)


def shown(standings: Standings, key: str, value: Fraction | None) -> str:
    """The value as it is printed for people; it decides nothing."""
    if value is None:
        return ""
    for link in standings.book.chain:
        if link.key == key and isinstance(link, ValueKey):
            return decimal(value, link.shown)
    return str(value)


def decimal(value: Fraction, form: Shown) -> str:
    """
    >>> decimal(Fraction(15, 7), Shown(form="decimal", digits=3))
    '2.143'
    >>> decimal(Fraction(5, 9), Shown(form="percent"))
    '55.56%'
    """
    if form.form == "whole":
        return str(value)
    if form.form == "flag":
        return "yes" if value else "no"
    if form.form == "percent":
        value = value / form.of * 100
    scaled = abs(value) * 10**form.digits
    units = int(scaled + Fraction(1, 2)) if form.rounding == "half up" else int(scaled)
    digits = f"{units:0{form.digits + 1}d}"
    whole, rest = digits[: len(digits) - form.digits], digits[len(digits) - form.digits :]
    sign = "-" if value < 0 and units else ""
    return f"{sign}{whole}{'.' if rest else ''}{rest}{'%' if form.form == 'percent' else ''}"


def _inside(standings: Standings, labels: list[Any], apart: bool) -> dict[int, tuple[Any, int]]:
    """(label, rank) of each player among those with the same label.

    `apart`: each label is an event of its own, ranked by itself, so that keys that look at who is
    still tied see only its players; otherwise it is the order of all, read for one label.
    """
    numbers = {label: i for i, label in enumerate(sorted(set(labels), key=repr))}
    pools: Ints = np.array([numbers[label] for label in labels], np.int64)
    if apart:
        alone = rank(standings.history, standings.book, standings.seed, pools)
        return {i: (labels[i], alone.rank(i)) for i in range(len(labels))}
    places: dict[int, tuple[Any, int]] = {}
    seen: dict[Any, list[int]] = {}
    for i in standings.order.tolist():
        ahead = seen.setdefault(labels[i], [])
        tied = bool(ahead) and standings.rank(ahead[-1]) == standings.rank(i)
        places[i] = (labels[i], places[ahead[-1]][1] if tied else len(ahead) + 1)
        ahead.append(i)
    return places
