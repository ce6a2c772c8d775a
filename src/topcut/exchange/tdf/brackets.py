"""Where does everybody stand in a bracket? Slots and rank seeds, as these files count them."""

from __future__ import annotations

from topcut.exchange.tdf.pods import Home
from topcut.exchange.tdf.write import Writing
from topcut.rulebook.planning.cut import bracket_size


def slots_of(writing: Writing) -> dict[str, int]:
    """Player to slot in their bracket, from the top as these files count it."""
    found: dict[str, int] = {}
    for bracket in writing.course.brackets if writing.course.eliminating else ():
        ids = bracket.play.players
        of = {seed: slot for slot, seed in enumerate(slot_seeds(bracket_size(len(ids))), start=1)}
        found |= {player_id: of[seed] for seed, player_id in enumerate(ids, start=1)}
    return found


def slot_seeds(size: int) -> list[int]:
    """The rank seeds in the slots of a bracket; the better one of a pair stands outside.

    >>> slot_seeds(8)
    [1, 8, 5, 4, 3, 6, 7, 2]
    """
    order = [1]
    while len(order) < size:
        pairs = [(seed, 2 * len(order) + 1 - seed) for seed in order]
        order = [seed for at, pair in enumerate(pairs) for seed in (pair[::-1] if at % 2 else pair)]
    return order


def write_seeds(writing: Writing, home: Home, kinds: list[bool], slots: dict[str, int]) -> None:
    """Slot and rank seed of everybody in a bracket that is new."""
    first = next((tables for (_, tables), kind in zip(home.rounds, kinds, strict=True) if kind), [])
    old = next((a_round.matches for a_round in home.before if a_round.elimination), ())
    if {frozenset(table.players) for table in first} == {frozenset(match.players) for match in old}:
        return
    seeds: dict[str, int] = {}
    for bracket in writing.course.brackets if first else ():
        seeds |= {player_id: seed for seed, player_id in enumerate(bracket.play.players, start=1)}
    ahead = ("firstname", "lastname", "birthdate", "starter")
    for element in writing.root.iterfind("players/player"):
        player_id = element.get("userid", "").strip()
        if player_id in home.players and player_id in seeds:
            writing.pen.say(element, "order", str(slots[player_id]), ahead)
            writing.pen.say(element, "seed", str(seeds[player_id]), (*ahead, "order"))
        elif player_id in home.players:
            writing.pen.drop(*element.findall("order"), *element.findall("seed"))
