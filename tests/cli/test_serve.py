"""`topcut serve` and `topcut demo` from the outside: what they print, and that they are there."""

from __future__ import annotations

import json
import os
import shlex
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from tests.command_line import assert_refused, topcut
from tests.timeouts import PATIENCE

pytestmark = pytest.mark.large  # servers in processes of their own


@contextmanager
def running(
    *arguments: str, lines: int, variables: dict[str, str] | None = None
) -> Iterator[tuple[str, int]]:
    """The first lines that a server prints, while it runs."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", **(variables or {})}
    process = subprocess.Popen(
        [sys.executable, "-m", "topcut", *arguments], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert process.stdout is not None
    try:
        yield "".join(process.stdout.readline() for _ in range(lines)), process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=PATIENCE) == 0
        process.stdout.close()


def test_serve_prints_a_link_and_listens_on_this_machine_alone(tmp_path: Path) -> None:
    with running("serve", "--database", str(tmp_path / "x.db"), "--port", "0", lines=4) as (said, pid):
        assert said.startswith("desk          http://127.0.0.1:")
        assert "/enter#" in said
        assert "Only this computer" in said
        address = said.split()[1].partition("/enter")[0]
        with urlopen(address, timeout=PATIENCE) as page:
            assert "There are no events yet" in page.read().decode()
        listening = {
            line.split()[1].partition(":")[0]
            for line in Path(f"/proc/{pid}/net/tcp").read_text("utf-8").splitlines()[1:]
            if line.split()[3] == "0A"
            and int(line.split()[1].partition(":")[2], 16) == int(address.rpartition(":")[2])
        }
        assert listening == {"0100007F"}


def test_demo_has_a_lively_event(tmp_path: Path) -> None:
    with running("demo", "--no-open", "--json", "--port", "0", lines=4) as (said, _):
        hall = json.loads(said)["hall"]
        with urlopen(f"{hall}/e/autumn-open", timeout=PATIENCE) as page:
            assert "Round 4 is being played" in page.read().decode()


def test_a_port_that_is_taken_is_one_clear_line(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        answer = topcut("serve", "--database", str(tmp_path / "x.db"), "--port", port)
    assert answer.code == 2
    assert answer.err.startswith("topcut: --port: cannot listen at 127.0.0.1:")
    assert not (tmp_path / "x.db").exists()


def test_a_database_that_cannot_be_opened_is_one_clear_line(tmp_path: Path) -> None:
    answer = topcut("serve", "--database", str(tmp_path / "no" / "x.db"), "--port", "0")
    assert answer.code == 2
    assert answer.err.count("\n") == 1


def test_several_processes_on_a_file_are_refused_in_one_clear_line(tmp_path: Path) -> None:
    answer = topcut("serve", "--database", str(tmp_path / "x.db"), "--port", "0", "--workers", "2")
    assert_refused(answer, "--workers: ", "add --database postgresql://")
    assert not (tmp_path / "x.db").exists()


def links_in(database: Path) -> list[str]:
    """The keys, as digests, by which somebody can sign in."""
    with closing(sqlite3.connect(database)) as connection:
        return [key for (key,) in connection.execute("SELECT key FROM kept WHERE space LIKE 'link%'")]


def test_the_link_names_the_address_that_people_use(tmp_path: Path) -> None:
    database = ("--database", str(tmp_path / "x.db"))
    address = ("--address", "https://play.example/")
    with running("serve", *database, "--port", "0", *address, lines=3) as (said, _):
        assert said.startswith("desk          https://play.example/enter#")
        assert "public page   https://play.example\n" in said
        made = topcut("link", "new", "Lena", "--all-events", *database)
        assert (made.code, made.err) == (0, "")
        assert made.out.startswith("https://play.example/enter#")


@pytest.mark.parametrize(
    "address",
    ["play.example", "https://", "ftp://play.example", "https://play.example/topcut", "https://a b", ""],
)
def test_an_address_that_is_none_is_one_clear_line(address: str, tmp_path: Path) -> None:
    database = tmp_path / "x.db"
    answer = topcut("serve", "--database", str(database), "--port", "0", "--address", address)
    assert_refused(answer, "--address: ", "such as https://play.example")
    assert not database.exists()


def test_a_start_without_a_link_prints_no_key_makes_none_and_says_how_to_get_one(tmp_path: Path) -> None:
    database = tmp_path / "my x.db"
    arguments = ("serve", "--database", str(database), "--port", "0", "--no-link")
    with running(*arguments, lines=4) as (said, _):
        assert "#" not in said
        assert links_in(database) == []
        command = said.splitlines()[0].partition("this command makes one: ")[2].removesuffix(")")
        program, *told = shlex.split(command)
        made = topcut(*["Mara" if word == "NAME" else word for word in told])
        assert (program, made.code) == ("topcut", 0)
        address, _, key = made.out.strip().partition("/enter#")
        assert address == said.split()[1]
        sent = Request(f"{address}/enter", json.dumps({"key": key}).encode())
        sent.add_header("content-type", "application/json")
        with urlopen(sent, timeout=PATIENCE) as answer:
            assert json.load(answer) == {"go": "/"}
    with running(*arguments, "--json", lines=4) as (said, _):
        assert "#" not in said
        assert json.loads(said)["desk"] == json.loads(said)["hall"]


@pytest.mark.parametrize(("option", "printed"), [((), False), (("--link",), True), (("--no-link",), False)])
def test_the_journal_gets_a_key_only_if_it_is_asked_for(
    option: tuple[str, ...], printed: bool, tmp_path: Path
) -> None:
    """systemd says by a variable which file the journal is."""
    database = tmp_path / "x.db"
    read, write = os.pipe()
    journal = os.fstat(write)
    variables = {"JOURNAL_STREAM": f"{journal.st_dev}:{journal.st_ino}"}
    process = subprocess.Popen(
        [sys.executable, "-m", "topcut", "serve", "--database", str(database), "--port", "0", *option],
        stdout=write,
        env=os.environ | variables,
    )
    os.close(write)
    with open(read, encoding="utf-8") as lines:
        said = lines.readline()
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=PATIENCE) == 0
    assert said.startswith("desk          http://127.0.0.1:")
    assert ("/enter#" in said, len(links_in(database))) == (printed, int(printed))


def test_a_journal_elsewhere_keeps_no_link_back(tmp_path: Path) -> None:
    """Programs that a service starts have its variables, and outputs of their own."""
    database = ("--database", str(tmp_path / "x.db"))
    with running("serve", *database, "--port", "0", lines=1, variables={"JOURNAL_STREAM": "9:1"}) as (
        said,
        _,
    ):
        assert "/enter#" in said


def test_a_link_made_before_any_server_ran_is_whole_and_says_what_it_takes_for_granted(
    tmp_path: Path,
) -> None:
    database = ("--database", str(tmp_path / "x.db"))
    assert topcut("new", "Cup", "--rules", "mtr", *database).code == 0
    guessed = topcut("link", "new", "Lena", "--event", "cup", *database)
    assert guessed.out.startswith("http://127.0.0.1:8080/enter#")
    assert "--address" in guessed.err
    given = topcut(
        "link", "new", "Bo", "--event", "cup", "--address", "http://10.0.0.7:81", "--json", *database
    )
    told = json.loads(given.out)
    assert told["link"] == f"http://10.0.0.7:81/enter#{told['key']}"
    assert given.err == ""
    assert_refused(
        topcut("link", "new", "Cy", "--event", "cup", "--address", "here", *database), "--address: "
    )
    again = topcut("link", "new", "Bo", "--event", "cup", *database)
    assert_refused(
        again, "Bo is already the name of a link, an account or a player here", "Choose another name"
    )
    assert topcut("add", "Ada Okafor", *database).code == 0
    for taken in ("bo", " Bo ", "p1"):
        assert_refused(topcut("link", "new", taken, "--event", "cup", *database), "could not tell them apart")
    for odd in ("", "x" * 61, "Bo\u202e"):
        assert_refused(topcut("link", "new", odd, "--event", "cup", *database), "expected a name of 1 to 60")
    token = topcut("link", "new", "Robot", "--event", "cup", "--token", *database)
    assert (token.out[:22], token.err) == ("Authorization: Bearer ", "")
