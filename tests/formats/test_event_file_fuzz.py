"""Whatever a file says, the answer is standings or one line: nothing else ever comes out."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from tests.command_line import Answer, assert_refused, topcut
from tests.formats.damaged_event_files import JSON, VALID, spoilt, torn


def check(answer: Answer) -> None:
    if answer.code == 0:
        assert json.loads(answer.out)["standings"] is not None
        warnings = answer.err.splitlines()
        assert all(line.startswith("topcut: warning: ") and line.isprintable() for line in warnings)
    else:
        assert_refused(answer, "topcut: standard input: ")


@given(JSON)
def test_any_document(plain: Any) -> None:
    check(topcut("standings", "-", "--json", stdin=json.dumps(plain).encode()))


@given(spoilt())
def test_spoilt_event_files(plain: Any) -> None:
    check(topcut("standings", "-", "--json", stdin=json.dumps(plain).encode()))


@given(torn())
def test_torn_event_files(raw: bytes) -> None:
    check(topcut("standings", "-", "--json", stdin=raw))


@given(st.binary(max_size=200))
@example(b"\x00")
@example(b"\xff\xfe{\x00}\x00")
@example(b'{"topcut": 1')
def test_any_bytes(raw: bytes) -> None:
    check(topcut("standings", "-", "--json", stdin=raw))


def test_the_event_files_are_valid_before_they_are_spoilt() -> None:
    codes = [topcut("standings", "-", stdin=json.dumps(plain).encode()).code for plain in VALID]
    assert codes == [0, 0, 0, 0, 2, 0, 0]  # one has a table that is not reported yet
    assert topcut("standings", "-", "--after", "1", stdin=json.dumps(VALID[4]).encode()).code == 0
