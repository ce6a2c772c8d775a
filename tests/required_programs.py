"""Programs that only tests need, and what happens where one is missing."""

import os
import shutil

import pytest


def program(name: str, how_to_get_it: str) -> str:
    """The path of a program. Without it the test is skipped; with TOPCUT_REQUIRE_ALL=1 it fails."""
    path = shutil.which(name)
    if path is None:
        give_up = pytest.fail if os.environ.get("TOPCUT_REQUIRE_ALL") == "1" else pytest.skip
        give_up(f"{name} is not installed; {how_to_get_it}")
    return path
