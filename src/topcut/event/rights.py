"""List the rights there are: what it takes to do one kind of thing.

Each command and each fact names its right beside its tag; `app/access/roles.py` gives rights to roles.
"""

from typing import Any, Literal, get_args

from msgspec import StructMeta

from topcut.text.messages import Message, say

_SeeingRight = Literal["hall", "ask", "speak", "desk", "people"]
_RoundRight = Literal["enter", "change", "override", "rounds", "seating", "time"]
_PlayerRight = Literal["players", "drop", "penalties", "answer"]
_EventRight = Literal["settings", "undo", "staff", "hooks", "export", "print", "erase", "create"]
Right = Literal[_SeeingRight, _RoundRight, _PlayerRight, _EventRight]
RIGHTS: dict[Right, Message] = {
    "hall": say("see the public pages"),
    "ask": say("ask the desk a question"),
    "speak": say("report the result of their own table, and drop"),
    "desk": say("see the desk: drafts, the log and questions of players"),
    "people": say("see legal names, membership numbers and birth years"),
    "enter": say("enter results"),
    "change": say("change results that are entered"),
    "override": say("change closed records, allow exceptions to the rules"),
    "rounds": say("pair, publish, start and end rounds, and control their clock"),
    "seating": say("change tables by hand, and keep tables empty"),
    "time": say("give a table more time"),
    "players": say("add players, check them in, edit them and give them their links"),
    "drop": say("drop and reinstate players"),
    "penalties": say("disqualify players, and refuse entry"),
    "answer": say("answer questions of players"),
    "settings": say("change and announce options"),
    "undo": say("undo what others did"),
    "staff": say("create and revoke links and tokens"),
    "hooks": say("manage webhooks"),
    "export": say("export the event, as its log or for other programs"),
    "print": say("print"),
    "erase": say("export and delete personal data"),
    "create": say("create events"),
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
