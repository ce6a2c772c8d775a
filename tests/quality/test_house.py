"""Is the source laid out as `tools/house` wants it, and does each path in the map of it exist?"""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any, cast

ROOT = Path(__file__).resolve().parents[2]
STEP = re.compile(r"([a-z_]+/[\w/]+\.(?:py|js))(?:: (\w+))?")
"""A step of the picture: `app/execute.py: execute`, `web/static/live.js`."""
MAP = ROOT / "docs" / "architecture.md"
HOUSE = ROOT / "tools" / "house"
PATH = re.compile(r"`((?:[\w.-]+/)+[\w.*-]*|[\w-]+\.(?:py|toml|html|js|md|typ))`")
"""A path in backticks: `web/`, `event/facts.py`, `docs/*.md`, `errors.py`; of modules, below `src/topcut`."""


@cache
def load_house() -> Any:
    """Load the script as a module; its name has no suffix."""
    loader = SourceFileLoader("house", str(HOUSE))
    house = module_from_spec(cast(ModuleSpec, spec_from_loader("house", loader)))
    loader.exec_module(house)
    return house


def count_all() -> dict[str, Any]:
    """Return what `tools/house` counts, by name."""
    house = load_house()
    return {count.what: count for count in house.count_all(house.read_modules())}


def test_every_goal_of_the_layout_is_reached() -> None:
    assert [count for count in count_all().values() if count.number > count.goal] == []


def test_no_public_class_name_is_there_twice_without_a_reason() -> None:
    (twice,) = [count.found for what, count in count_all().items() if "class names" in what]
    assert {name.partition(":")[0] for name in twice} == set(load_house().ALSO_TWICE)


def test_the_script_prints_the_table() -> None:
    done = subprocess.run([sys.executable, HOUSE], capture_output=True, text=True, check=False)
    assert "source lines" in done.stdout
    assert (done.stderr, done.returncode) == ("", 0)


def missing_paths(page: str) -> list[str]:
    """Return the paths on a page that lead nowhere."""
    found = [re.sub("[A-Z]+", "*", path) for path in PATH.findall(page)]  # AREA.py: any area
    return [path for path in found if not any(any(at.glob(path)) for at in (ROOT, ROOT / "src" / "topcut"))]


def test_every_file_on_the_map_exists() -> None:
    assert missing_paths(MAP.read_text("utf-8")) == []


def missing_steps(page: str) -> list[str]:
    """Return the steps of the picture, each a file and perhaps a function in it, that are not there."""
    picture = page.split("```")[1]
    found = []
    for path, name in STEP.findall(picture):
        file = ROOT / "src" / "topcut" / path
        if not file.exists() or (name and f"def {name}(" not in file.read_text("utf-8")):
            found.append(f"{path}: {name}")
    return found


def test_every_step_of_the_picture_is_there() -> None:
    page = MAP.read_text("utf-8")
    assert len(STEP.findall(page.split("```")[1])) > 12
    assert missing_steps(page) == []
    assert missing_steps("```\n app/limits.py: nothing   store/nowhere.py\n```") == [
        *("app/limits.py: nothing", "store/nowhere.py: ")
    ]


def test_a_path_that_leads_nowhere_is_found() -> None:
    assert missing_paths("see `event/facts.py`, `web/`, `docs/*.md` and `run`") == []
    assert missing_paths("see `event/nothing.py`, `nowhere/` and `nothing.py`") == [
        *("event/nothing.py", "nowhere/", "nothing.py")
    ]
