"""Describe what the pairing of a round costs."""

from collections.abc import Iterable, Mapping
from typing import Any

from topcut.text.messages import Message, count, join_messages, say, say_as


def describe_cost(cost: Mapping[str, Any], names: Iterable[str] | None = None) -> Message:
    """Return the parts of a cost that are not nought; `names`: only these parts.

    >>> describe_cost({"rematches": 1, "cross_division": 2, "bye_points": 0})
    '1 rematch, 2 cross-division matches'
    """
    parts = [_describe_part(name, cost[name]) for name in (cost if names is None else names)]
    return join_messages(", ", parts) or say_as("of the costs of a pairing", "none")


def _describe_part(name: str, n: Any) -> str:
    """Return one part of a cost in words; empty where it is nought, or no number."""
    if not n or isinstance(n, dict):
        return ""
    match name:
        case "second_byes":
            return count("{n} second bye", "{n} second byes", n)
        case "rematches":
            return count("{n} rematch", "{n} rematches", n)
        case "dead_end":
            return say("a later round needs a rematch or a second bye")
        case "bye_points":
            return count("bye with {n} point", "bye with {n} points", n)
        case "cross_division":
            return count("{n} cross-division match", "{n} cross-division matches", n)
        case "pair_downs":
            return count("{n} pair-down", "{n} pair-downs", n)
        case "displacement":
            return say("distance from the standings {sum}", sum=n)
        case "apart":
            return count("{n} table despite “don't pair with”", "{n} tables despite “don't pair with”", n)
        case _:
            return f"{name} {n}"
