"""Declare the errors that a person can cause, each said in one line.

Any other exception that escapes is a bug. `exit_code` is what the command line returns.
"""

import re

from topcut.text.messages import Message, join_messages, list_or, say, to_message

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
    "int": say("a whole number"),
    "float": say("a number with a decimal point"),
    "str": say("text"),
    "bool": say("true or false"),
    "array": say("a list"),
    "object": say("a table of keys"),
    "null": say("nothing"),
}
_EXPECTED = re.compile(r"Expected `([^`]*)`(?: of length <= (\d+))?(?:, got `([^`]*)`)?")
_MISSING = re.compile(r"Object missing required field `([^`]*)`")


def explain_decode_error(message: str) -> Message:
    """Return for people what a decoder says of a value of the wrong kind.

    >>> explain_decode_error("Expected `int | null`, got `str`")
    'expected a whole number, got text'
    """
    if found := _MISSING.match(message):
        return say('expected the key "{key}"', key=found[1])
    if found := _EXPECTED.fullmatch(message):
        expected, most, given = found.groups()
        if most and "str" in expected.split(" | "):
            return say("expected text of at most {most} letters", most=int(most))
        if most:
            return say("expected a list of at most {most} entries", most=int(most))
        if given:
            return say(
                "expected {expected}, got {given}", expected=_name_kinds(expected), given=_name_kinds(given)
            )
        return say("expected {expected}", expected=_name_kinds(expected))
    plain = re.sub(r"`([^`]*)`", lambda kinds: _name_kinds(kinds[1]).in_english(), message)
    return Message(plain[:1].lower() + plain[1:])


def _name_kinds(kinds: str) -> Message:
    """Return for people the kinds of values that a decoder names, such as `int | null`."""
    names = [name for name in kinds.split(" | ") if name != "null" or kinds == "null"]
    return list_or(_WORDS.get(name, f'"{name}"') for name in names)
