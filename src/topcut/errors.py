"""What can go wrong, said in one line.

Every error that a person can cause is one of these classes, with its data in fields; anything else
that escapes is a bug. `exit_code` is what the command line returns for it.
"""

from __future__ import annotations

import re

LONGEST = 1_000
"""Letters of a problem or a place. What stands in a file can be as long as the file."""


class TopcutError(Exception):
    """The root of every error that is somebody's mistake rather than ours."""

    exit_code = 2

    def __init__(self, said: str = "") -> None:
        super().__init__(_shortened(said))


class BadInput(TopcutError):
    """Something given to Topcut cannot be read: where it stands, and what was expected there.

    >>> str(BadInput("expected 2 players", place="rounds[0].tables[1]", file="cup.json"))
    'cup.json: rounds[0].tables[1]: expected 2 players'
    """

    def __init__(self, problem: str, *, place: str = "", file: str = "") -> None:
        self.problem = _shortened(problem)
        self.place = _shortened(place)
        self.file = file
        super().__init__(": ".join(part for part in (file, self.place, self.problem) if part))

    def in_file(self, file: str) -> BadInput:
        """The same mistake, now that the file it stands in is known."""
        return BadInput(self.problem, place=self.place, file=file)


class Impossible(TopcutError):
    """The rules themselves refuse what was asked: which rule, and in its words why.

    >>> str(Impossible("a flight would hold 17 players; at least 32 are needed", rule="PK-42"))
    'PK-42: a flight would hold 17 players; at least 32 are needed'
    """

    exit_code = 3

    def __init__(self, problem: str, *, rule: str) -> None:
        self.problem = problem
        self.rule = rule
        super().__init__(f"{rule}: {problem}" if rule else problem)


def _shortened(text: str) -> str:
    """The text without its middle, if it is too long for anybody: what was expected stands at the end."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} … {text[-LONGEST // 2 :]}"


_WORDS = {
    "int": "a whole number",
    "float": "a number with a decimal point",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table of keys",
    "null": "nothing",
}


def in_words(message: str) -> str:
    """What a decoder says of a value of the wrong kind, for people.

    >>> in_words("Expected `int | null`, got `str`")
    'expected a whole number, got text'
    """

    if message.startswith("Object missing required field"):
        return f'expected the key "{message.partition("`")[2].removesuffix("`")}"'

    def kinds(found: re.Match[str]) -> str:
        names = [name for name in found[1].split(" | ") if name != "null" or found[1] == "null"]
        return " or ".join(_WORDS.get(name, f'"{name}"') for name in names)

    plain = re.sub(r"`([^`]*)`", kinds, message)
    plain = re.sub(r"of length <= (\d+)", r"of at most \1 letters", plain)
    return plain[:1].lower() + plain[1:]
