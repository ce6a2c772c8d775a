"""Pair the next round of an event, whatever stage it is in."""

from collections.abc import Callable

from topcut.pairing.model import RoundPairing
from topcut.stages.progress import Progress
from topcut.stages.stage_types import bracket_type_of, prepare_swiss_round


def pair_next_round(progress: Progress, seed: str) -> RoundPairing:
    """Pair the next round: its draw comes from this seed, rank seeds and cuts from the progress's."""
    if progress.running:
        return progress.scored_type.pair_round(progress, seed)
    if not progress.brackets:
        raise progress.scored_type.explain_end(progress)
    return bracket_type_of(progress.brackets[0].stage).pair_round(progress, seed)


def make_table_draw(progress: Progress) -> Callable[[str], frozenset[frozenset[int]]]:
    """Return a function from a seed to the tables it draws for the next round, to be called very often."""
    if progress.draws_next:
        return prepare_swiss_round(progress).draw_tables

    def draw(seed: str) -> frozenset[frozenset[int]]:
        again = progress.with_seeds(progress.given if progress.rounds else [seed])
        return frozenset(frozenset(table.players) for table in pair_next_round(again, seed).tables)

    return draw
