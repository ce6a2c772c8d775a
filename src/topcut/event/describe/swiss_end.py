"""Describe who makes the cut once the Swiss rounds are over, and how far they are before."""

from msgspec import Struct

from topcut.errors import TopcutError
from topcut.stages.progress import Progress
from topcut.text.messages import Message, say


class MadeCut(Struct, frozen=True):
    """Who goes on from the Swiss rounds into a bracket that is not paired yet."""

    division: str
    """Empty where there is one bracket for all."""
    of: int
    """How many could advance: who was there to the end of the Swiss rounds."""
    players: tuple[str, ...]
    """Their ids, by their standing."""


def find_made_cuts(progress: Progress) -> list[MadeCut]:
    """Return who goes on into each bracket, between the Swiss rounds and the brackets; else nothing."""
    played = progress.history.rounds
    if not played or progress.running or progress.eliminating or not progress.bracket_follows:
        return []
    try:
        brackets = progress.brackets
    except TopcutError:  # too few players are left; pairing it says so
        return []
    ids = progress.history.players
    return [
        MadeCut(one.part.name, len(one.entered.verdicts), tuple(ids[i].id for i in one.entered.on))
        for one in brackets
        if one.entered is not None
    ]


def describe_made_cut(made: MadeCut) -> Message:
    """Return the size of a cut, in a sentence."""
    top, of = len(made.players), made.of
    if made.division:
        return say(
            "The Swiss rounds of {division} are over. {cut} of {players} players made the cut.",
            division=made.division,
            cut=top,
            players=of,
        )
    return say("The Swiss rounds are over. {cut} of {players} players made the cut.", cut=top, players=of)


def name_round_of(number: int, progress: Progress, in_bracket: bool) -> Message:
    """Return the name of a round, with how many Swiss rounds are planned where that is known."""
    planned = None if in_bracket else progress.planned_rounds
    if planned is None or number > planned:
        return say("Round {number}", number=number)
    return say("Round {number} of {planned}", number=number, planned=planned)
