"""A host's Saturday with kills and cuts, in short; `./run soak` has one of half an hour."""

from __future__ import annotations

from pathlib import Path
from random import randrange

from tests.server.service_soak import soak
from tests.tiers import SOAK


def test_everything_that_anybody_was_told_is_true_whatever_goes_away(tmp_path: Path) -> None:
    seed = randrange(1_000_000) if SOAK else 1
    print(f"seed {seed}")
    told = soak(1_800 if SOAK else 15, seed, tmp_path)
    print(dict(told.troubles), dict(sorted(told.answers.items())))
    assert told.done
    assert told.troubles["kill"]
    assert told.troubles["cut"]
