"""Whatever a file says, the answer is standings or one line: nothing else ever comes out."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from tests.builders import a_round, played
from tests.commands import Answer, assert_refused, document, topcut
from topcut.history import Round, Table

VALID = [
    document(event)
    for event in (
        played(
            "pokemon-2017",
            "A beats B, C 1-1 D, E bye",
            a_round("A 2-1 C, B ties D, E loss", seed="two", format="draft"),
            a_round("A beats D", stage="elimination"),
            division={"A": "masters", "B": "senior"},
            born={"C": 1990, "D": 2005},
            entered={"E": 1},
            dropped={"B": 2},
            flight={"A": 1, "B": 2},
            apart={"A": ["x", "y"]},
            options={
                "rounds": 4,
                "cut": 2,
                "by_division": {"masters": {"rounds": 3}},
                "divisions": "modified",
            },
        ),
        played("allegiance-2005", "a:20* b:7 c:9x, d:3 e:4 f:5 g:1", "a:1 d:2 e:3", options={"target": 20}),
        played(
            "allegiance-2005",
            Round(
                tables=(
                    Table(
                        players=("A", "B", "a"),
                        scores=(5, 5, 1),
                        winners=("B",),
                        tie_counts=({"A": 3, "B": 3}, {"A": 2, "B": 2}),
                        win_given_to="B",
                    ),
                )
            ),
            options={"target": 5},
        ),
        played("commander-4", "a beats b c d, e ties f g"),
        played("fab-gem", "A beats B, C both-lose D", "A - C", disqualified={"D": 1}, cut={"B": 1}),
        played("mtr", "A 2-0 B, C 1-0-1 D", "A ties C, B 0-2 D", seed="s", disqualified={"D": 2}),
        played("draft-sheet", "A 2-0 B, C 2-1 D", seat={"A": 1, "B": 5}),
    )
]

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 5)
    | st.sampled_from([10**6, -(10**9), 2**31, 2**63, 10**40, 1.5, 2.0, 1e300])
    | st.sampled_from(["", "A", "B", "a", "draw", "double_loss", "masters", "mtr", "fab-gem", "elimination"])
    | st.text(max_size=5)
)
KEYS = st.sampled_from(["topcut", "name", "rules", "players", "rounds", "tables", "id", "winner"]) | st.text(
    max_size=4
)
JSON: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


def places(node: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all nodes below this one."""
    steps = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [path for step, inner in steps for path in [(*at, step), *places(inner, (*at, step))]]


def at(node: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        node = node[step]
    return node


@st.composite
def spoilt(draw: st.DrawFn) -> bytes:
    """A valid event file in which nodes were taken away, doubled, exchanged for others or made up."""
    plain = deepcopy(draw(st.sampled_from(VALID)))
    for _ in range(draw(st.integers(1, 3))):
        paths = places(plain)
        if not paths:
            break
        *outer, last = draw(st.sampled_from(paths))
        holder = at(plain, tuple(outer))
        match draw(st.sampled_from(["away", "other", "new", "again", "key"])):
            case "away":
                del holder[last]
            case "other":
                holder[last] = deepcopy(at(plain, draw(st.sampled_from(paths))))
            case "new":
                holder[last] = draw(JSON)
            case "again" if isinstance(holder, list):
                holder.insert(draw(st.integers(0, len(holder))), deepcopy(holder[last]))
            case _ if isinstance(holder, dict):
                holder[draw(KEYS)] = draw(JSON)
    return json.dumps(plain).encode()


@st.composite
def torn(draw: st.DrawFn) -> bytes:
    """A valid event file in which a stretch of bytes was taken away, doubled or overwritten."""
    raw = json.dumps(draw(st.sampled_from(VALID))).encode()
    begin, end = sorted((draw(st.integers(0, len(raw))), draw(st.integers(0, len(raw)))))
    end = min(end, begin + draw(st.integers(0, 40)))
    return raw[:begin] + draw(st.just(b"") | st.just(raw[begin:end] * 2) | st.binary(max_size=6)) + raw[end:]


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
def test_spoilt_event_files(raw: bytes) -> None:
    check(topcut("standings", "-", "--json", stdin=raw))


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
