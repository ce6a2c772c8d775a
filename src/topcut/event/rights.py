"""List the rights there are: what it takes to do one kind of thing.

Each command and each fact names its right beside its tag; `app/access/roles.py` gives rights to roles.
"""

from typing import Any, Literal, get_args

from msgspec import StructMeta

_SeeingRight = Literal["hall", "ask", "speak", "desk", "people"]
_RoundRight = Literal["enter", "change", "override", "rounds", "seating", "time"]
_PlayerRight = Literal["players", "drop", "penalties", "answer"]
_EventRight = Literal["settings", "undo", "staff", "hooks", "export", "print", "erase", "create"]
Right = Literal[_SeeingRight, _RoundRight, _PlayerRight, _EventRight]
RIGHTS: dict[Right, str] = {
    "hall": "see what everybody sees",
    "ask": "ask the desk to look at something",
    "speak": "say how one's own table ended, and leave",
    "desk": "see the desk: drafts, the log, what players ask",
    "people": "see legal names, membership numbers and birth years",
    "enter": "enter results",
    "change": "change results that are entered",
    "override": "change records that are closed",
    "rounds": "pair, publish, start and end rounds, and their clock",
    "seating": "change tables by hand, and keep tables empty",
    "time": "give a table more time",
    "players": "enter players, check them in, edit them, hand out their links",
    "drop": "drop players and bring them back",
    "penalties": "disqualify, and refuse entry",
    "answer": "answer what players ask",
    "settings": "change options and announce them",
    "undo": "take back what others did",
    "staff": "make and revoke links and tokens",
    "hooks": "have other programs told of what happens",
    "export": "take the event out, as its log or for other programs",
    "print": "print",
    "erase": "export and delete what is known of people",
    "create": "make events",
}
assert set(RIGHTS) == set(get_args(Right))


class Declaration(StructMeta):
    """Make the classes of commands and facts: `class Extend(Command, tag="extend", right="time")`."""

    def __new__(
        cls,
        name: str,
        bases: tuple[type, ...],
        namespace: dict[str, Any],
        right: Right | None = None,
        after_finish: bool = False,
        **options: Any,
    ) -> "Declaration":
        namespace["after_finish"] = after_finish
        if right:
            namespace["right"] = right
        options |= {"kw_only": True, "omit_defaults": True, "forbid_unknown_fields": True}
        return super().__new__(cls, name, bases, namespace, **options)
