"""Find who may have the bye of a round, and who has it first."""

import numpy as np

from topcut.history import History, Outcome
from topcut.pairing.engine.field import BARRED, Bools, Field, Ints
from topcut.rulebook.model import PairingRules


def count_byes(history: History, players: Ints, rules: PairingRules) -> Ints:
    """Return how many byes each has had, plus BARRED for players whom the rules give none.

    Awarded byes are prizes: they count as byes where the bye goes to who had the fewest, and they never
    forbid one (TC-A1).
    """
    byes: Ints = history.counts[Outcome.BYE][players].astype(np.int64)
    numbers = np.arange(1, history.rounds + 1)[:, None]
    ordinary = (history.played[:, players] == Outcome.BYE) & (numbers > history.awarded[players])
    if rules.second_bye == "never":  # PK-8
        byes[ordinary.any(axis=0)] += BARRED
    if not rules.bye_twice_running and history.rounds:  # FB-A11
        again = ordinary[-1]
        if not again.all():
            byes[again] += BARRED
    return byes


def find_bye_candidates(field: Field) -> Bools:
    """Return the players whose bye costs least: fewest byes so far, then fewest points."""
    found = field.byes < BARRED
    if field.rules.second_bye != "allowed":
        found &= field.byes == field.byes.min(initial=BARRED)
    found &= field.points == field.points[found].min(initial=np.iinfo(np.int64).max)
    return found


def is_pairing_sure(field: Field) -> bool:
    """Return whether the hard rules leave a pairing for sure, by counting alone.

    While each player can still meet half of the others, there is a pairing of all of them (Dirac).
    """
    if field.odd and not find_bye_candidates(field).any():
        return False
    forbids = field.met_counts and field.rules.rematches == "never"
    most = len(field.met) if forbids else 0 if field.barred is None else len(field.barred)
    return most == 0 or field.size > 2 * (most + 2)
