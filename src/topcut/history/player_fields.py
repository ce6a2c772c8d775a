"""Declare what is known of a player beside the name, for commands, forms, lists, files and privacy.

Derived from it: options of `topcut add` and `topcut player edit`, forms at the desk, meanings of columns,
words of the JSON Schema, what is deleted with a name, what is left out for everybody. docs/architecture.md
lists what else a new field needs.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from topcut.text.messages import Message, say

EARLIEST_YEAR = 1900
"""The first birth year that is taken."""


class PlayerField(NamedTuple):
    name: str
    """In commands, files, forms and options of the command line."""
    label: Message
    """What people call it."""
    metavar: str
    """What stands for its value in the help of the command line."""
    add_help: Message
    """What the command line says of it where players enter."""
    edit_help: Message
    """What the command line says of it where it is changed."""
    description: str = ""
    """What the JSON Schema says of it."""
    examples: tuple[Any, ...] = ()
    """What the JSON Schema shows of it."""
    type: type = str
    """`tuple` takes several texts, `int` a year or a number."""
    counted: bool = False
    """Whether it is a number of things, 0 where nothing is known, and not a year."""
    heading: Message = Message("")
    """The heading of its column in a terminal, where that is not its name."""
    private: bool = False
    """Whether only staff may know it."""
    personal: bool = False
    """Whether it is kept outside the log, with the name, and deleted with it."""

    @property
    def is_year(self) -> bool:
        return self.type is int and not self.counted

    @property
    def empty(self) -> Any:
        return () if self.type is tuple else 0 if self.counted else None


PLAYER_FIELDS = (
    PlayerField(
        "display",
        say("display name"),
        "NAME",
        say("The display name: everyone sees it instead of the name."),
        say("The display name, which everyone sees; an empty one shows the name."),
        heading=say("display name"),
    ),
    PlayerField(
        "member",
        say("membership number"),
        "NUMBER",
        say("The membership number."),
        say("Another membership number; an empty one removes it."),
        "Their number as a member of the league, for paper.",
        private=True,
        personal=True,
    ),
    PlayerField(
        "born",
        say("birth year"),
        "YEAR",
        say("The birth year, for divisions."),
        say("Another birth year; the division follows it."),
        "Year of birth; gives the division where none is written.",
        (1990,),
        type=int,
        private=True,
        personal=True,
    ),
    PlayerField(
        "division",
        say("division"),
        "NAME",
        say("The division, also of several players at once."),
        say("Another division, whatever the birth year."),
        "One of the ruleset's divisions; any name where it has none.",
        ("masters",),
    ),
    PlayerField(
        "apart",
        say("don't pair with"),
        "LABEL",
        say("A family, team or club: players who share one are not paired if possible."),
        say("All families, teams or clubs of the player; an empty one removes them."),
        "Labels: players who share one are kept apart where that costs nothing else.",
        (["Okafor family"],),
        type=tuple,
        private=True,
    ),
    PlayerField(
        "byes",
        say("awarded byes"),
        "NUMBER",
        say("Awarded byes: the number of rounds that the player won before the event began."),
        say("Change the number of awarded byes (0: none). Only possible before their rounds are paired."),
        "Awarded byes: rounds won before the event began, from the first one on.",
        (2,),
        type=int,
        counted=True,
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
    return any(getattr(player, field.name) not in (None, "", (), 0) for field in PRIVATE)
