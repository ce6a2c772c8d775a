"""What does a command load? Whoever asks about a file does not wait for all that an event is made of."""

import subprocess
import sys

import pytest

SCRIPT = """
import sys
from topcut.cli.main import run
code = run(sys.argv[1:])
print(code, *sorted(name for name in sys.modules if name.startswith("topcut.")), file=sys.stderr)
"""
EVENT = b'{"topcut": 1, "name": "Duel", "rules": "mtr", "players": [{"id": "Ada"}, {"id": "Bo"}]}'
HEAVY = (
    "topcut.event.event_log",
    "topcut.formats.tdf",
    "topcut.formats.csv",
    "topcut.site",
    "topcut.web",
    "topcut.api",
)


@pytest.mark.parametrize("command", ["standings", "bracket", "pair"])
def test_a_question_about_an_event_file_loads_nothing_of_other_files(command: str) -> None:
    arguments = [sys.executable, "-c", SCRIPT, command, "-"]
    told = subprocess.run(arguments, input=EVENT, capture_output=True, check=True).stderr.decode().split()
    assert "topcut.formats.registry" in told  # it did load something
    assert [name for name in told if name.startswith(HEAVY)] == []
