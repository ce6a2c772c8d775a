"""Declare the errors that a person can cause, each said in one line.

Any other exception that escapes is a bug. `exit_code` is what the command line returns.
"""

import re

from topcut.text.messages import Message, join_messages, to_message

LONGEST_TEXT = 1_000
"""Letters of a problem or a place at most: they may quote a value as long as its file."""


class TopcutError(Exception):
    """The base of every error that is a user's mistake rather than a bug."""

    exit_code = 2

    def __init__(self, said: str = "") -> None:
        self.message = to_message(_shorten(said))
        """What is wrong, and what to do."""
        super().__init__(self.message.in_english())


class BadInput(TopcutError):
    """An input that cannot be read: its place, and what was expected there.

    >>> str(BadInput("expected 2 players", place="rounds[0].tables[1]", file="cup.json"))
    'cup.json: rounds[0].tables[1]: expected 2 players'
    """

    def __init__(self, problem: str, *, place: str = "", file: str = "") -> None:
        self.problem = _shorten(problem)
        self.place = _shorten(place)
        self.file = file
        super().__init__(join_messages(": ", (file, self.place, self.problem)))

    def in_file(self, file: str) -> "BadInput":
        """Return the mistake with the file it is in."""
        return BadInput(self.problem, place=self.place, file=file)


class Impossible(TopcutError):
    """A request that the rules refuse: which rule, and why.

    >>> str(Impossible("a flight would hold 17 players; at least 32 are needed", rule="PK-42"))
    'PK-42: a flight would hold 17 players; at least 32 are needed'
    """

    exit_code = 3

    def __init__(self, problem: str, *, rule: str) -> None:
        self.problem = problem
        self.rule = rule
        super().__init__(join_messages(": ", (rule, problem)))


def _shorten(text: str) -> str:
    """Return the text, if it is too long without its middle: what was expected comes at the end."""
    if len(text) <= LONGEST_TEXT:
        return text
    if isinstance(text, Message):  # one of its fields quotes a long value
        text = text.map_fields(lambda part: _cut(part, LONGEST_TEXT // 5))
    return _cut(text, LONGEST_TEXT)


def _cut(text: str, to: int) -> str:
    if len(text) <= to:
        return text
    return f"{text[: to // 2]} … {text[-to // 2 :]}"


_WORDS = {
    "int": "a whole number",
    "float": "a number with a decimal point",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table of keys",
    "null": "nothing",
}


def explain_decode_error(message: str) -> str:
    """Return for people what a decoder says of a value of the wrong kind.

    >>> explain_decode_error("Expected `int | null`, got `str`")
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
