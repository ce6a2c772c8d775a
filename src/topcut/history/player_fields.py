"""Declare what is known of a player beside the name, for commands, forms, lists, files and privacy.

Derived from it: options of `topcut add` and `topcut player edit`, forms at the desk, meanings of columns,
words of the JSON Schema, what is deleted with a name, what is left out for everybody. docs/architecture.md
lists what else a new field needs.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

EARLIEST_YEAR = 1900
"""The first birth year that is taken."""


class PlayerField(NamedTuple):
    name: str
    """In commands, files, forms and options of the command line."""
    label: str
    """What people call it."""
    metavar: str
    """What stands for its value in the help of the command line."""
    add_help: str
    """What the command line says of it where players enter."""
    edit_help: str
    """What the command line says of it where it is changed."""
    description: str = ""
    """What the JSON Schema says of it."""
    examples: tuple[Any, ...] = ()
    """What the JSON Schema shows of it."""
    type: type = str
    """`tuple` takes several texts."""
    heading: str = ""
    """The heading of its column in a terminal, where that is not its name."""
    private: bool = False
    """Whether only staff may know it."""
    personal: bool = False
    """Whether it is kept outside the log, with the name, and deleted with it."""

    @property
    def is_year(self) -> bool:
        return self.type is int

    @property
    def empty(self) -> Any:
        return () if self.type is tuple else None


PLAYER_FIELDS = (
    PlayerField(
        "display",
        "shown as",
        "NAME",
        "What everybody sees in the place of the name.",
        "What everybody sees in its place; an empty one: the name.",
        heading="shown as",
    ),
    PlayerField(
        "member",
        "membership number",
        "NUMBER",
        "The membership number.",
        "Another membership number; an empty one takes it away.",
        "Their number as a member of the league, for paper.",
        private=True,
        personal=True,
    ),
    PlayerField(
        "born",
        "birth year",
        "YEAR",
        "The birth year, for divisions.",
        "Another birth year; the division follows it.",
        "Year of birth; gives the division where none is written.",
        (1990,),
        type=int,
        private=True,
        personal=True,
    ),
    PlayerField(
        "division",
        "division",
        "NAME",
        "The division, also of several players at once.",
        "Another division, whatever the birth year.",
        "One of the ruleset's divisions; any name where it has none.",
        ("masters",),
    ),
    PlayerField(
        "apart",
        "kept apart",
        "LABEL",
        "Players who share a label are kept apart.",
        "All labels; an empty one takes them away.",
        "Labels: players who share one are kept apart where that costs nothing else.",
        (["Okafor family"],),
        type=tuple,
        private=True,
    ),
)
PRIVATE = tuple(field for field in PLAYER_FIELDS if field.private)
PERSONAL = tuple(field for field in PLAYER_FIELDS if field.personal)


def read_fields(source: object, fields: Iterable[PlayerField] = PLAYER_FIELDS) -> dict[str, Any]:
    """Return the values of these fields by their names."""
    return {field.name: getattr(source, field.name) for field in fields}


def clear_fields(fields: Iterable[PlayerField]) -> dict[str, Any]:
    """Return the values that say nothing, for `replace`."""
    return {field.name: field.empty for field in fields}


def has_private_fields(player: object) -> bool:
    """Return whether a player has a value that only staff may know."""
    return any(getattr(player, field.name) not in (None, "", ()) for field in PRIVATE)
