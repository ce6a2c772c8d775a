"""Any commands in any order: the program does what a plain model foretells, and what must hold, holds.

Larger with TOPCUT_SOAK. What the runs contained is counted: a search that never met a late player, a repair
or a bracket would prove nothing.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule, run_state_machine_as_test

from tests.event.hypothesis_phone_rules import WithPhones
from tests.event.trial_rulesets import CONFIGS
from tests.tiers import effort, is_brief
from topcut.event import event_log

CONFIG = st.integers(0, len(CONFIGS) - 1)
SEED = st.integers(0, 2**40)


class Hours(WithPhones):
    """The rules, and hours in which much happens: single rules seldom get far."""

    @initialize(config=CONFIG, players=st.integers(2, 14))
    def begin(self, config: int, players: int) -> None:
        self.create(config, players)

    @rule(seed=SEED)
    def hour(self, seed: int) -> None:
        self.go_on(Random(seed), 6)

    def go_on(self, random: Random, commands: int) -> None:
        """So many commands, mostly sensible ones."""
        for name in random.choices(list(MOVES), [weight for weight, _ in MOVES.values()], k=commands):
            if self.model.finished and name not in ("undo", "undo_step", "redo"):
                self.reopen()
            arguments = (_argument(random, kind) for kind in MOVES[name][1].split())
            getattr(self, name)(*arguments)
            self.holds()


MOVES: dict[str, tuple[float, str]] = {
    "whole_round": (3, "n"),
    "correct_when_posted": (4, "n then bit"),
    "register": (5, "n then phase"),
    "drop": (4, "n then phase"),
    "disqualify": (2, "n then reason"),
    "restore": (4, "n then bit reason"),
    "correct": (4, "n round then bit reason"),
    "report": (3, "n round"),
    "claim": (4, "n n round"),
    "whole_table": (3, "n n"),
    "ask": (3, "n about round"),
    "answer": (2, "n"),
    "pair": (3, "bit"),
    "publish": (3, ""),
    "start": (2, "none"),
    "begin_tables": (2, "n"),
    "swap": (2, "n n reason"),
    "edit_tables": (1, "n reason"),
    "fix_table": (2, "n table"),
    "block_tables": (1, "table bit"),
    "rest_of_the_event": (1, "n reason"),
    "edit_player": (2, "n name display"),
    "forget": (1, "n"),
    "undo": (3, "count"),
    "undo_step": (3, "n"),
    "redo": (3, "n"),
}
"""How often something happens, and what it takes."""


def _argument(random: Random, kind: str) -> Any:
    choices: dict[str, list[Any]] = {
        "then": [None, "leave", "fewest", "again"],
        "reason": ["a judge said so", "a judge said so", ""],
        "phase": ["", "draft", "published", "started"],
        "round": [None, None, 1, 2, 3],
        "about": ["points", "result", "drop"],
        "bit": [False, True],
        "name": [None, None, "Ada"],
        "display": [None, "", "Zed"],
        "none": [None],
        "table": [1, 2, 3, 5, 30],
        "count": [1, 1, 2, 3, 5],
    }
    return random.choice(choices[kind]) if kind in choices else random.randrange(100)


STEPS = settings(
    max_examples=effort(5, 40, 500),
    stateful_step_count=effort(12, 12, 40),
    suppress_health_check=list(HealthCheck),
)
DAYS = effort(10, 60, 2000)


@pytest.fixture(autouse=True)
def kept_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """States are kept often, so that going back uses them."""
    monkeypatch.setattr(event_log, "STATE_INTERVAL", 5)


def test_the_program_does_what_the_model_foretells() -> None:
    run_state_machine_as_test(Hours, settings=STEPS)


def test_days_in_which_everything_happens() -> None:
    """The same with chance of our own: always alike, and known to have contained what matters."""
    seen: Counter[str] = Counter()
    for seed in range(DAYS):
        random = Random(seed)
        day = Hours()
        day.create(seed, random.choice([2, 3, 4, 5, 6, 7, 8, 8, 9, 9, 10, 12, 14]), seen)
        day.rest_of_the_event(random.choice([5, 12, 19]), "")  # lots before the first round
        for _ in range(random.randrange(4)):
            day.whole_round(random.randrange(100))
        day.go_on(random, 25)
        day.teardown()
    missing = [what for what in CONTAINED if not seen[what]]
    assert is_brief() or not missing, sorted(seen.items())


CONTAINED = (
    "late entries",
    "late entry: leave",
    "late entry: fewest",
    "late entry: again",
    "drops during tables",
    "leaving: leave",
    "leaving: fewest",
    "leaving: again",
    "byes",
    "corrected: leave",
    "corrected: fewest",
    "corrected: again",
    "corrected although closed",
    "repaired",
    "drawn again",
    "undone alone",
    "Undo",
    "Redo",
    "Restore",
    "Swap",
    "DrawLots",
    "elimination",
    "agreed by phone",
    "agreed by phone: three or more",
    "disputed",
    "Ask",
    "AnswerQuestion",
    "EditPlayer",
    "Forget",
    "Forget refused",
    "offered: pair",
    "offered: report",
    "offered: end",
    "offered: finish",
)
