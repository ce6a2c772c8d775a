"""List the rights of each role. Entering a result and changing one are two rights."""

from typing import Literal

from topcut.event.rights import Right
from topcut.text.messages import Message, say

Role = Literal[
    "organiser", "head judge", "scorekeeper", "judge", "registration", "display", "player", "public"
]

_PUBLIC: frozenset[Right] = frozenset({"hall", "ask"})
_STAFF: frozenset[Right] = _PUBLIC | {"desk", "print"}
_JUDGE: frozenset[Right] = _STAFF | {"enter", "time", "answer"}
_REGISTRATION: frozenset[Right] = _STAFF | {"people", "players", "drop"}
_SCOREKEEPER: frozenset[Right] = _JUDGE | _REGISTRATION | {"change", "rounds", "seating", "undo", "export"}
_HEAD_JUDGE: frozenset[Right] = _SCOREKEEPER | {"override", "penalties", "settings", "staff"}
_ORGANISER: frozenset[Right] = _HEAD_JUDGE | {"hooks", "erase", "create"}

ROLES: dict[Role, frozenset[Right]] = {
    "organiser": _ORGANISER,
    "head judge": _HEAD_JUDGE,
    "scorekeeper": _SCOREKEEPER,
    "judge": _JUDGE,
    "registration": _REGISTRATION,
    "display": _PUBLIC,
    "player": _PUBLIC | {"speak"},
    "public": _PUBLIC,
}
ROLE_NAMES: dict[Role, Message] = {
    "organiser": say("organiser"),
    "head judge": say("head judge"),
    "scorekeeper": say("scorekeeper"),
    "judge": say("judge"),
    "registration": say("registration"),
    "display": say("display"),
    "player": say("player"),
    "public": say("public"),
}
"""What people call the roles."""
GIVEN = tuple(role for role in ROLES if role not in ("player", "public"))
"""Roles that a link can have; players have their own links, and the public needs none."""
OPEN: frozenset[Right] = ROLES["public"] | {"speak"}
"""Rights that need no link; `speak` is for signed addresses, whose handlers check the signature."""
