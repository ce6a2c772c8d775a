"""Whatever is in a file, and wherever it comes from: it is read, or refused in one line.

Within bounded memory, never with a traceback, and never waiting for what does not come.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tests.builders import played
from tests.command_line import assert_refused, document, topcut, write
from tests.formats.fuzzing import READERS, rechained, search, seeds, try_out
from tests.formats.hostile_files import LARGE, numbered, zipped
from tests.tiers import SOAK, effort
from tests.timeouts import PATIENCE
from topcut.errors import LONGEST_TEXT
from topcut.formats.paths import BEGINNINGS, LARGEST, describe_foreign

INPUTS = effort(80, 400, 30_000)
"""Spoilt files for each reader."""
LENGTHS = effort(100, 500, 20_000)
"""Lengths at which the files of each reader are cut short."""
FIRST_SEED = os.urandom(8).hex() if SOAK else "always alike"
MEMORY = 700
"""Megabytes that a command takes at most to refuse a file; a hundred thousand players need nearly as much."""
WATCHED = """
import atexit, sys
from pathlib import Path
def largest():
    status = Path("/proc/self/status").read_text().split()
    Path(sys.argv.pop(1)).write_text(status[status.index("VmHWM:") + 1])
atexit.register(largest)
from topcut.cli.main import main
main(sys.argv[2:])
"""
CUP = document(played("mtr", "A 2-0 B, C 1-1 D"))

linux = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")


def watched(folder: Path, *arguments: str) -> tuple[subprocess.CompletedProcess[str], int]:
    """A command in a process of its own, and the megabytes that it took."""
    taken = folder / "memory"
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, str(taken), *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return done, int(taken.read_text()) // 1024


@pytest.mark.large
@linux
@pytest.mark.parametrize("name", LARGE)
def test_a_file_that_is_made_to_hurt(name: str, tmp_path: Path) -> None:
    make, word = LARGE[name]
    file = tmp_path / "cup.json"
    file.write_bytes(make())
    done, memory = watched(tmp_path, "convert", str(file), "-", "--as", "event", "--rules", "pokemon-tom")
    file.unlink()
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert done.stderr.startswith(f"topcut: {file}: ")
    assert done.stderr.count("\n") == 1
    assert word in done.stderr
    assert len(done.stderr) < 3 * LONGEST_TEXT
    assert memory < MEMORY


@pytest.mark.large
@linux
def test_a_hundred_thousand_players_and_ten_rounds_are_read(tmp_path: Path) -> None:
    """The largest event that anybody may hold is no attack."""
    players = numbered(b'{"id":"p%d","name":"A player"}', 100_000)
    tables = b",".join(
        b'{"table":%d,"players":["p%d","p%d"],"games":[2,1,0]}' % (n + 1, 2 * n, 2 * n + 1)
        for n in range(50_000)
    )
    rounds = b",".join([b'{"tables":[%b]}' % tables] * 10)
    file = tmp_path / "cup.json"
    file.write_bytes(
        b'{"topcut":1,"name":"x","rules":"mtr","players":[%b],"rounds":[%b,{"tables":[{"players":["x"]}]}]}'
        % (players, rounds)
    )  # fmt: skip
    assert LARGEST / 3 < file.stat().st_size < LARGEST
    done, memory = watched(tmp_path, "standings", str(file))
    file.unlink()
    assert done.stderr == f'topcut: {file}: rounds[10].tables[0].players[0]: no player has the id "x"\n'
    assert memory < MEMORY


@pytest.mark.parametrize("reader", READERS)
def test_spoilt_files(reader: str) -> None:
    """Bits that are flipped, stretches that are gone, doubled or exchanged, words that mean something."""
    tried = search(reader, INPUTS, Random(f"{FIRST_SEED}/{reader}"))
    assert tried["inputs"] == INPUTS
    assert 0 < tried["read"] < INPUTS, "what is spoilt should be read now and then, and now and then not"


@pytest.mark.parametrize("reader", READERS)
def test_files_that_are_cut_short(reader: str) -> None:
    files = seeds()[reader]
    for raw in files:
        step = max(1, len(raw) * len(files) // LENGTHS)
        for length in range(0, len(raw), step):
            try_out(reader, raw[:length])


def test_the_seeds_are_valid() -> None:
    """Or else nothing but refusing would be tried."""
    for reader, files in seeds().items():
        read = sum(try_out(reader, raw) for raw in files)
        assert read > 0.8 * len(files), reader


FOREIGN = {
    "a text document": (
        zipped("[Content_Types].xml", "word/document.xml", size=10),
        "this is a word processor's file",
    ),
    "a zip archive": (zipped("cup.json", size=10), "this is a compressed file (zip): unpack it"),
    "an empty zip archive": (zipped(), "this is a compressed file (zip)"),
    "gzip": (b"\x1f\x8b\x08\0\0\0", "a compressed file (gzip)"),
    "bzip2": (b"BZh91AY&SY\0", "a compressed file (bzip2)"),
    "xz": (b"\xfd7zXZ\0\0", "a compressed file (xz)"),
    "zstd": (b"\x28\xb5\x2f\xfd\0", "a compressed file (zstd)"),
    "7z": (b"7z\xbc\xaf\x27\x1c", "a compressed file (7z)"),
    "rar": (b"Rar!\x1a\x07\x01\0", "a compressed file (rar)"),
    "tar": (b"cup.json".ljust(257, b"\0") + b"ustar\x0000", "a compressed file (tar)"),
    "rich text": (b"{\\rtf1", "this is a word processor's file"),
    "a PDF": (b"%PDF-1.7\n", "this is a PDF"),
    "a picture": (b"\x89PNG\r\n\x1a\n", "this is a picture"),
    "a photograph": (b"\xff\xd8\xff\xe0\0\x10JFIF", "this is a picture"),
    "a database": (b"SQLite format 3\0", "this is a database: "),
    "a web page": (b"\n<!DOCTYPE html>\n<html>", "this is a web page"),
    "another web page": (b'<html lang="en">', "this is a web page"),
    "a program": (b"\x7fELF\x02\x01\x01\0", "this is a program"),
    "a program for Windows": (b"MZ\x90\0\x03\0\0\0", "this is a program"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_files_of_other_kinds_are_called_by_their_names(name: str, tmp_path: Path) -> None:
    raw, word = FOREIGN[name]
    file = write(raw, tmp_path / "cup.json")
    for command in (["standings"], ["check"], ["import", "--database", str(tmp_path / "topcut.db")]):
        assert_refused(topcut(*command, str(file)), f"{file}: ", word)


def test_every_kind_is_tried() -> None:
    said = {describe_foreign(raw) for raw, _ in FOREIGN.values()}
    assert said >= set(BEGINNINGS.values())


@pytest.mark.parametrize(
    "text", ["MZ Smith\n", "BZhang Wei\n", "Rara Avis\n", "PK Dick\n", "7z Nick\n", "GIF\n", "{}", "<a/>"]
)
def test_what_people_are_called_is_no_other_kind(text: str) -> None:
    assert describe_foreign(text.encode()) is None


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-be", "utf-16-le", "utf-32", "utf-8-sig"])
def test_other_encodings(codec: str, tmp_path: Path) -> None:
    file = write(json.dumps(CUP).encode(codec), tmp_path / "cup.json")
    assert_refused(topcut("standings", str(file)), f"{file}: ")


@pytest.mark.parametrize(
    "letter", [b"\xfc", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80", b"\xff", b"\0", b"\x1b"]
)
def test_bytes_that_are_no_letters(letter: bytes, tmp_path: Path) -> None:
    """Latin-1, overlong forms, half characters, bytes that no letter has in UTF-8, control characters."""
    raw = json.dumps(CUP).encode().replace(b"An event", b"An " + letter)
    file = write(raw, tmp_path / "cup.json")
    assert_refused(topcut("standings", str(file)), f"{file}: ")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
class TestPipes:
    def test_nobody_writes_into_it(self, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe.json"
        os.mkfifo(pipe)
        assert_refused(topcut("standings", str(pipe)), f"{pipe}: ", "JSON")

    def test_somebody_takes_their_time(self, tmp_path: Path) -> None:
        """As in `topcut standings <(sleep 1; cat cup.json)`."""
        script = f"{sys.executable} -m topcut standings <(sleep 0.3; cat {write(CUP, tmp_path / 'cup.json')})"
        done = subprocess.run(
            ["bash", "-c", script], capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("An event: standings")


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/urandom"])
def test_devices_without_end(path: str) -> None:
    if not Path(path).exists():
        pytest.skip(f"there is no {path}")
    assert_refused(topcut("standings", path), f"{path}: too large")


def test_long_messages_are_cut_in_the_middle(tmp_path: Path) -> None:
    """What was expected stands at the end."""
    file = write(CUP | {"a" * 100_000: 1}, tmp_path / "cup.json")
    answer = topcut("standings", str(file))
    assert_refused(answer, f'{file}: unknown key "aaa', " … ", 'aaa"; is it misspelt?')
    assert len(answer.err) < len(str(file)) + 2 * LONGEST_TEXT


def test_a_warning_for_everybody_would_be_too_many(tmp_path: Path) -> None:
    file = write(
        CUP | {"players": CUP["players"] + [{"id": f"p{n}"} for n in range(500)]}, tmp_path / "cup.json"
    )
    answer = topcut("standings", str(file))
    assert answer.code == 0
    assert len(answer.err.splitlines()) == 101
    assert answer.err.endswith("more players are at no table; these are the first 100\n")


def test_a_list_that_is_broken_is_refused_as_a_list(tmp_path: Path) -> None:
    """And not as an event file, which nobody meant."""
    file = write(b'Name,Club\nAda,x\n"Bo,y\nCy,z\n', tmp_path / "players.csv")
    assert_refused(topcut("standings", str(file)), f"{file}: line 3: a quote opens and never closes")


def test_a_log_that_cannot_have_happened_is_named(tmp_path: Path) -> None:
    """Its chain is whole, and yet a player of a table was never registered."""
    log = next(raw for raw in seeds()["log"] if b'"tables":[{"players":["p1",' in raw)
    file = write(
        rechained(log.replace(b'{"players":["p1",', b'{"players":["%b",' % (b"x" * 5000))), tmp_path / "a"
    )
    answer = topcut("check", str(file))
    assert answer.code in (1, 2)
    refused = topcut("import", "--database", str(tmp_path / "topcut.db"), str(file))
    assert_refused(refused, f"{file}: fact ", "there is no player", " … ")
    assert len(refused.err) < len(str(file)) + 2 * LONGEST_TEXT
