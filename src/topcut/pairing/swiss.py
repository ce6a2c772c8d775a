"""One pool, one round: the best pairing there is, drawn by lot, and the proof that it is the best.

Small fields are compared as a whole. Larger ones are drawn score group by score group, with windows
where that is not enough; what is left (a rematch that cannot be avoided, divisions that have to mix)
goes to an exact matching of everybody.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from topcut.lots import Stream
from topcut.pairing.apart import least, spread
from topcut.pairing.exhaustive import SEATS, Compared, compare
from topcut.pairing.field import Cost, Field, Tables, cost_of, shown
from topcut.pairing.groups import eligible_for_bye
from topcut.pairing.large import Drawn, Large
from topcut.pairing.matching import Unmatchable
from topcut.pairing.solved import Solved, solve
from topcut.pairing.thinned import draw_thinned

COUNTED_TO = 64
"""Up to so many seats a draw that is only approximately uniform is tried by counting all pairings."""
SOLVED_TO = 2500
"""Up to so many players everything can be solved by one matching, in a few seconds at most."""


@dataclass(frozen=True)
class Paired:
    """A round of one pool."""

    field: Field
    tables: Tables
    cost: Cost
    uniform: Literal["exact", "approximate"]
    certificate: dict[str, object]
    optimal: bool = True
    certain: frozenset[tuple[int, int]] = frozenset()
    """Tables of which it is known that every optimal pairing has them."""


class NoPairing(Exception):
    """The hard rules leave no pairing: nobody may have the bye, or everybody has met."""

    def __init__(self, cause: Literal["bye", "rematch"], field: Field) -> None:
        super().__init__(cause)
        self.cause: Literal["bye", "rematch"] = cause
        self.field = field


class Pool:
    """A field ready to be drawn, once or many times; what was found out stays known."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self._compared: Compared | None = None
        self._large: Large | None = None
        self.sweeps = False
        if field.odd and not eligible_for_bye(field).any():
            raise NoPairing("bye", field)
        if field.size + field.odd <= SEATS:
            self._compared = compare(field)
            if self._compared is None:
                raise NoPairing("rematch", field)
        elif not field.several_divisions:
            self.sweeps = field.kept_apart and field.size > COUNTED_TO
            self._large = Large(replace(field, labels=()) if self.sweeps else field)

    def draw(self, stream: Stream) -> Paired:
        """A round; it depends on the stream alone, however often others were drawn before."""
        if self._compared is not None:
            found = self._compared
            certain = found.certain
            return Paired(
                self.field, found.draw(stream), found.cost, "exact", found.certificate, certain=certain
            )
        if self._large is None and self.field.size > SOLVED_TO:
            return self._thinned(stream)
        drawn = self._large.draw(stream) if self._large is not None else None
        if drawn is not None and self.sweeps:
            swept = self._swept(drawn, stream)
            if swept.optimal or self.field.size > SOLVED_TO:
                return swept
        elif drawn is not None:
            small = self.field.size <= COUNTED_TO
            if drawn.uniform == "exact" or not small or self._solved.uniform != "exact":
                return Paired(self.field, drawn.tables, drawn.cost, drawn.uniform, drawn.certificate)
        solved = self._solved
        return Paired(self.field, solved.draw(stream), solved.cost, solved.uniform, solved.certificate)

    @cached_property
    def _solved(self) -> Solved:
        solved = solve(self.field)
        if isinstance(solved, Unmatchable):
            raise NoPairing("rematch", self.field)
        return solved

    def _swept(self, drawn: Drawn, stream: Stream) -> Paired:
        """Labels are kept apart by sweeps where whole groups are too large to be drawn again and again."""
        assert self._large is not None
        tables = spread(self.field, drawn.tables, stream)
        apart = cost_of(self.field, tables)["apart"]
        # Windows let more players leave their groups than parity alone would.
        bound = least(self.field, self._large.parity) if drawn.certificate["kind"] == "parity" else 0
        cost, proof = drawn.cost | {"apart": apart}, drawn.certificate | {"apart": bound}
        return Paired(self.field, tables, cost, "approximate", proof, optimal=apart == bound)

    def _thinned(self, stream: Stream) -> Paired:
        tables = draw_thinned(self.field, stream)
        if tables is None:
            raise NoPairing("rematch", self.field)
        cost = shown(self.field, cost_of(self.field, tables))
        return Paired(self.field, tables, cost, "approximate", {"kind": "none"}, optimal=False)
