"""Event files for tests that search: valid ones, spoilt ones, torn ones."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

from tests.builders import a_round, played
from tests.command_line import document
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
def spoilt(draw: st.DrawFn) -> Any:
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
    return plain


@st.composite
def torn(draw: st.DrawFn) -> bytes:
    """A valid event file in which a stretch of bytes was taken away, doubled or overwritten."""
    raw = json.dumps(draw(st.sampled_from(VALID))).encode()
    begin, end = sorted((draw(st.integers(0, len(raw))), draw(st.integers(0, len(raw)))))
    end = min(end, begin + draw(st.integers(0, 40)))
    return raw[:begin] + draw(st.just(b"") | st.just(raw[begin:end] * 2) | st.binary(max_size=6)) + raw[end:]


LARGER = ("allegiance-2005", "commander-4")
"""Tables of three and four, and no byes."""


@st.composite
def events(draw: st.DrawFn) -> Any:
    """The document of a valid event file with all kinds of keys, nulls where those are allowed."""
    rules = draw(st.sampled_from(["mtr", "fab-gem", "commander-4", "allegiance-2005", "pokemon-2017"]))
    sizes = (3, 4) if rules in LARGER else (2,)
    ids = draw(st.lists(st.text(min_size=1, max_size=4), min_size=1, max_size=9, unique=True))
    kinds = draw(st.lists(st.sampled_from(["swiss", "elimination"]), max_size=3))
    rounds: list[dict[str, Any]] = []
    for stage in sorted(kinds, reverse=True):
        left = draw(st.permutations(ids))
        tables: list[dict[str, Any]] = []
        while left and draw(st.integers(0, 5)) > 0:
            size = draw(st.sampled_from([*sizes, 1]))
            seats, left = left[:size], left[size:]
            if len(seats) == size and not (size == 1 and rules in LARGER):
                tables.append({"players": list(seats), **draw(_result(rules, seats, stage))})
        rounds.append({"tables": tables, **draw(st.sampled_from([{}, {"seed": None}, {"seed": "x"}]))})
        if stage == "elimination" or draw(st.booleans()):
            rounds[-1]["stage"] = stage
    players = [{"id": player_id, **draw(_about(len(rounds)))} for player_id in ids]
    more = draw(
        st.fixed_dictionaries({}, optional={"seed": st.none() | st.text(), "rounds": st.just(rounds)})
    )
    return {"topcut": 1, "name": draw(st.text()), "rules": rules, "players": players, **more}


def _about(rounds: int) -> st.SearchStrategy[dict[str, Any]]:
    """Keys of a player that change nothing in so many rounds."""
    number = st.none() | st.integers(1)
    leaving = st.sampled_from(["dropped", "cut", "disqualified"])
    left = st.dictionaries(leaving, st.integers(rounds, 1000), max_size=1)
    optional = {
        "name": st.text(),
        "division": st.none() | st.sampled_from(["junior", "senior", "masters"]),
        "member": st.none() | st.text(),
        "born": st.none() | st.integers(1900, 2030),
        "entered": st.just(1),
        "apart": st.lists(st.text()),
        **dict.fromkeys(("flight", "pod", "seat", "seed"), number),
    }
    return st.builds(lambda one, other: one | other, st.fixed_dictionaries({}, optional=optional), left)


@st.composite
def _result(draw: st.DrawFn, rules: str, seats: list[str], stage: str) -> Any:
    """A result for these players, or none yet."""
    extra = draw(
        st.fixed_dictionaries(
            {},
            optional={
                "table": st.none() | st.integers() | st.text(),
                "why": st.lists(st.text()),
                "games": st.none(),
                "bye": st.just(False),
                "intentional": st.just(False),
            },
        )
    )
    if len(seats) == 1:
        return extra | draw(st.sampled_from([{"bye": True}, {"loss": True, "bye": False}]))
    possible: list[dict[str, Any]] = [{}]
    possible += [{"winner": player_id} for player_id in seats if player_id not in ("draw", "double_loss")]
    if not {"draw", "double_loss"} & set(seats):
        possible.append({"winner": "double_loss"})
        if stage == "swiss":
            possible.append({"winner": "draw"})
    if rules == "mtr":
        possible += [{"games": [2, 0, 0]}, {"games": [1, 2, 1]}]
    if rules == "allegiance-2005":
        scores = [30 - place for place, _ in enumerate(seats)]
        possible += [
            {"scores": scores, "winners": [seats[0]], "eliminated": draw(st.sampled_from([None, []]))}
        ]
        possible += [{"scores": scores, "winners": draw(st.sampled_from([None, []]))}] * (stage == "swiss")
    return extra | draw(st.sampled_from(possible))
