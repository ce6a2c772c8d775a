"""Read and write the lines of a log: facts with who, when and from where, chained by hashes.

A logged fact is one line of JSON. It holds the SHA-256 of the line before it, so that no line can be
changed, taken out or put in without all later ones showing it.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from topcut.errors import BadInput, TopcutError, explain_decode_error
from topcut.event.facts import AnyFact
from topcut.text.message_json import decode_message, encode_message
from topcut.text.messages import say

NOTHING = ""
"""What the first line has before it."""


class Logged(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A fact in its place."""

    position: int
    step: int
    """The position of the first fact of its command; what is undone together has the same."""
    at: Annotated[datetime, Meta(tz=True)]
    by: str
    via: str = ""
    """From where: the command line, a page, a program."""
    previous: str
    fact: AnyFact


class BrokenChain(TopcutError):
    """A line of a log is not the one that was written."""

    exit_code = 1

    def __init__(self, position: int, problem: str) -> None:
        self.position = position
        self.problem = problem
        super().__init__(say("fact {position}: {problem}", position=position, problem=problem))


_DECODER = msgspec.json.Decoder(Logged, dec_hook=decode_message)
encode_entry = msgspec.json.Encoder(enc_hook=encode_message).encode


def digest(line: bytes) -> str:
    return sha256(line).hexdigest()


def read_lines(lines: Iterable[bytes], after: int = 0, previous: str = NOTHING) -> Iterator[Logged]:
    """Yield the facts in lines that follow the one at position `after` with the digest `previous`."""
    for position, line in enumerate(lines, start=after + 1):
        try:
            logged = _DECODER.decode(line)
        except msgspec.ValidationError as error:
            found = " ".join(explain_decode_error(str(error)).split())
            problem = say("not a fact this version knows: {problem}", problem=found)
            raise BadInput(problem, place=say("fact {position}", position=position)) from None
        except (msgspec.DecodeError, UnicodeDecodeError):
            place = say("fact {position}", position=position)
            raise BadInput(say("not a line of a log: expected JSON"), place=place) from None
        if logged.position != position:
            raise BrokenChain(position, say("its line says it is fact {position}", position=logged.position))
        if logged.previous != previous:
            problem = say("fact {position} is not the one it was written after", position=position - 1)
            raise BrokenChain(position, problem)
        if not 1 <= logged.step <= position:
            problem = say("it belongs to step {step}, which does not exist yet", step=logged.step)
            raise BrokenChain(position, problem)
        previous = digest(line)
        yield logged


def write_lines(
    facts: Sequence[AnyFact],
    *,
    after: int,
    previous: str,
    at: datetime,
    by: str,
    via: str,
    step: int | None = None,
) -> list[bytes]:
    """Return the lines of one step, or of more facts of a step that has begun."""
    found = []
    own = after + 1 if step is None else step
    for position, fact in enumerate(facts, start=after + 1):
        logged = Logged(position=position, step=own, at=at, by=by, via=via, previous=previous, fact=fact)
        found.append(encode_entry(logged))
        previous = digest(found[-1])
    return found
