"""Define what an audit says about a recorded round: what is wrong, how bad that is, who is concerned."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from topcut.text.messages import Message

Severity = Literal["illegal", "not optimal", "not replayed", "remark"]
"""Illegal: it breaks a rule that is never broken. Not optimal: a better pairing was possible. Not replayed:
the recorded seed draws other tables. Remark: nothing is wrong, but a judge should know."""


@dataclass(frozen=True)
class RoundProblem:
    """One departure from the rules, said once."""

    rule: str
    """The number of a rule, or a section of the document; empty where neither speaks of it."""
    players: list[str]
    """Ids."""
    text: Message
    severity: Severity = "illegal"
    tables: list[list[str]] = field(default_factory=list)
    """The players by table, where the problem is which of them sit together."""


@dataclass(frozen=True)
class RoundVerdict:
    """What was found about one recorded round."""

    round: int
    legal: bool
    optimal: bool
    replayed: bool | None
    cost: dict[str, Any]
    best: dict[str, Any]
    problems: list[RoundProblem]
    pair_downs: int = 0
    """Tables of two players who had different points before the round."""
    remarks: list[RoundProblem] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return self.legal and self.optimal and self.replayed is not False


def make_problem(
    rule: str, tables: Iterable[Sequence[str]], text: Message, severity: Severity = "illegal"
) -> RoundProblem:
    """Return a problem of whole tables, each player named once."""
    seated = [list(table) for table in tables]
    players = list(dict.fromkeys(player_id for table in seated for player_id in table))
    return RoundProblem(rule, players, text, severity, seated)
