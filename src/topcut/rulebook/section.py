"""Declare the base of every table of a book: the source of its values in the published rules."""

import re
from typing import Literal

from msgspec import Struct

Format = Literal["swiss", "elimination", "swiss+elimination", "double-elimination", "round-robin"]

_RULE_NUMBER = re.compile(r"\b[A-Z]{2,}-[A-Z]?\d+\b")


class Section(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of a book: its values, and their sources in the published rules."""

    source: str
    sources: dict[str, str] = {}

    def source_of(self, parameter: str) -> str:
        return self.sources.get(parameter, self.source)

    def rule(self, parameter: str) -> str:
        """Return what a message cites for a parameter: the first rule number of its source, else the source.

        >>> Section(source="§3.3.3.1 (PK-42, PK-43)").rule("flight_from")
        'PK-42'
        """
        source = self.source_of(parameter)
        number = _RULE_NUMBER.search(source)
        return number[0] if number else source


def cite(note: str, section: Section, parameter: str) -> str:
    """Return a note, followed by the number of the rule it comes from if that rule has one."""
    rule = section.rule(parameter)
    return note if rule == section.source_of(parameter) else f"{note} ({rule})"
