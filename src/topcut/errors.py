"""Declare the errors that a person can cause, each said in one line.

Any other exception that escapes is a bug. `exit_code` is what the command line returns.
"""

import re

from topcut.text.messages import Message, count, join_messages, list_or, say, to_message

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


_KINDS = {
    "int": say("a whole number"),
    "float": say("a number"),
    "str": say("text"),
    "bool": say("true or false"),
    "array": say("a list"),
    "object": say("a table of keys"),
    "null": say("nothing"),
}


def explain_decode_error(message: str) -> Message:
    """Return for people what a decoder says of a value of the wrong kind.

    >>> explain_decode_error("Expected `int | null`, got `str`")
    'expected a whole number, not text'
    >>> explain_decode_error("Expected `array` of length 3, got 2 - at `$.games`")
    'expected a list of 3 entries for "games"'
    """
    found = re.fullmatch(r"(.*?)(?: (?:- at|for) `(?:\$\.?)?(.*)`)?", message, re.DOTALL)
    assert found is not None
    problem = _explain_problem(found[1])
    return say('{problem} for "{key}"', problem=problem, key=found[2]) if found[2] else problem


def _explain_problem(message: str) -> Message:
    if found := re.fullmatch(r"Object missing required field `(.*)`", message):
        return say('expected the key "{key}"', key=found[1])
    if found := re.fullmatch(r"Object contains unknown field `(.*)`", message, re.DOTALL):
        return say('unknown key "{key}"; is it misspelt?', key=found[1])
    if found := re.fullmatch(r"Expected `(.*)`, got `(.*)`", message):
        wanted, kind = _name_kinds(found[1]), _name_kinds(found[2])
        return say("expected {wanted}, not {found}", wanted=wanted, found=kind)
    if found := re.fullmatch(r"Expected `str` of length <= (\d+)", message):
        n = int(found[1])
        return count("expected text of at most {n} character", "expected text of at most {n} characters", n)
    if found := re.fullmatch(r"Expected `array` of length <= (\d+)", message):
        n = int(found[1])
        return count("expected a list of at most {n} entry", "expected a list of at most {n} entries", n)
    if found := re.fullmatch(r"Expected `array` of length (\d+)(?:, got (\d+))?", message):
        n = int(found[1])
        return count("expected a list of {n} entry", "expected a list of {n} entries", n)
    if found := re.fullmatch(
        r"Expected `array` of (?:at least length|length >=) (\d+)(?:, got (\d+))?", message
    ):
        n = int(found[1])
        return count("expected a list of at least {n} entry", "expected a list of at least {n} entries", n)
    if found := re.fullmatch(r"Expected `str` of length >= (\d+)", message):
        n = int(found[1])
        return count("expected text of at least {n} character", "expected text of at least {n} characters", n)
    if found := re.fullmatch(r"Expected `(.*)` ([<>]=?) (.*)", message):
        kind, limit = _name_kinds(found[1]), found[3]
        if found[2] == ">=":
            return say("expected {kind} of at least {limit}", kind=kind, limit=limit)
        if found[2] == "<=":
            return say("expected {kind} of at most {limit}", kind=kind, limit=limit)
    if found := re.fullmatch(r"Expected `str` matching regex '(.*)'", message):
        return say("expected text of the form {pattern}", pattern=found[1])
    if found := re.fullmatch(r"Invalid (?:enum )?value (.*)", message, re.DOTALL):
        return say("unknown value {value}", value=found[1])
    if message == "Invalid base64 encoded string":
        return say("expected base64")
    plain = re.sub(r"`([^`]*)`", lambda one: _name_kinds(one[1]).in_english(), message)
    return Message(plain[:1].lower() + plain[1:])


def _name_kinds(kinds: str) -> Message:
    """Return what people call a decoder's kinds of values, such as `int | null`."""
    names = [name for name in kinds.split(" | ") if name != "null" or kinds == "null"]
    return list_or([_KINDS.get(name, f'"{name}"') for name in names])
