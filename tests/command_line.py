"""The command line in tests: call it, and hold its refusals to their shape.

answer = topcut("standings", str(write(event, tmp_path / "cup.json")), "--json")
"""

from __future__ import annotations

import json
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from copy import deepcopy
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import msgspec

from topcut.cli.main import run
from topcut.formats.event_file import Event
from topcut.text.message_json import encode_in_english


class Answer(NamedTuple):
    """What a command gave back."""

    code: int
    out: str
    err: str


def topcut(*arguments: str, stdin: bytes = b"") -> Answer:
    """Run a command in this process."""
    out, err = (TextIOWrapper(BytesIO(), "utf-8", errors="backslashreplace", newline="\n") for _ in range(2))
    with (
        redirect_stdout(out),
        redirect_stderr(err),
        patch.object(sys, "stdin", TextIOWrapper(BytesIO(stdin))),
    ):
        code = run(list(arguments))
    for stream in (out, err):
        stream.seek(0)
    return Answer(code, out.read(), err.read())


def document(event: Event) -> dict[str, Any]:
    """The event file of a built event, as plain data."""
    plain: dict[str, Any] = json.loads(msgspec.json.encode(event.file, enc_hook=encode_in_english))
    return plain


def write(event: Event | dict[str, Any] | bytes, path: Path) -> Path:
    """Write an event, a document or bytes as an event file."""
    if isinstance(event, Event):
        event = document(event)
    path.write_bytes(event if isinstance(event, bytes) else json.dumps(event).encode())
    return path


GONE = object()
"""In `changed`: take the node away."""


def changed(plain: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """A copy of a document with other values at some places, such as `rounds[0].tables[1].games`."""
    copy = deepcopy(plain)
    for place, value in changes.items():
        *outer, last = (int(step) if step.isdigit() else step for step in re.findall(r"[^.\[\]]+", place))
        node: Any = copy
        for step in outer:
            node = node[step]
        if value is GONE:
            del node[last]
        elif isinstance(node, list) and last == len(node):
            node.append(value)
        else:
            node[last] = value
    return copy


def assert_refused(answer: Answer, *expected: str, code: int = 2) -> None:
    """One line on standard error that says all that is expected, without control characters; nothing else."""
    assert answer.code == code, answer
    assert answer.out == ""
    assert answer.err.startswith("topcut: ")
    assert answer.err.endswith("\n")
    line = answer.err.removesuffix("\n")
    assert line.isprintable(), f"more than one line, or control characters: {line!r}"
    assert "Traceback" not in line
    for text in expected:
        assert text in line, f"{text!r} is not in {line!r}"


class Case(NamedTuple):
    """A mistake in an event file, and what the line about it says."""

    name: str
    plain: dict[str, Any]
    changes: dict[str, Any]
    word: str
    at: str | None = None
    """The place that is named; by default the first one that was changed."""

    def check(self, folder: Path) -> None:
        file = write(changed(self.plain, self.changes), folder / "cup.json")
        place = next(iter(self.changes)) if self.at is None else self.at
        assert_refused(
            topcut("standings", str(file)), f"{file}: {place}: " if place else f"{file}: ", self.word
        )
