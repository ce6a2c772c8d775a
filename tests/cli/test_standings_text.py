"""`topcut standings` for people: the table, explanations, odd names, and the ends of pipes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import IO, Any

import pytest

from tests.builders import played
from tests.command_line import assert_refused, changed, document, topcut, write
from tests.timeouts import PATIENCE

NAMES = ["Ada Lovelace", "Grace Hopper", "Alan Turing", "Grace Kelly"]
CUP = changed(
    document(played("mtr", "p1 2-0 p2, p3 2-1 p4", "p1 2-0 p3, p2 bye, p4 loss", dropped={"p4": 2})),
    {f"players[{i}].name": name for i, name in enumerate(NAMES)},
)


@pytest.fixture
def cup(tmp_path: Path) -> str:
    return str(write(CUP, tmp_path / "cup.json"))


def test_the_table(cup: str) -> None:
    assert topcut("standings", cup).out.splitlines() == [
        "An event: standings after round 2 (Magic Tournament Rules)",
        "",
        "rank  player                 points  record        OMW       GW      OGW  ahead by",
        "----  ---------------------  ------  --------  -------  -------  -------  --------",
        "   1  Ada Lovelace                6  2-0        50.00%  100.00%   45.00%  points",
        "   2  Grace Hopper                3  0-1 +bye  100.00%   50.00%  100.00%  OMW",
        "   3  Alan Turing                 3  1-1        66.67%   40.00%   66.67%  points",
        "   4  Grace Kelly (dropped)       0  0-2        50.00%   33.33%   40.00%  -",
    ]


def test_a_program_gets_json_and_nothing_else(cup: str) -> None:
    answer = topcut("standings", cup, "--json")
    assert (answer.code, answer.err) == (0, "")
    assert [row["name"] for row in json.loads(answer.out)["standings"]] == NAMES


def test_warnings_do_not_disturb_the_answer(tmp_path: Path) -> None:
    plain = changed(CUP, {"players[4]": {"id": "p5", "name": "Ada\x1b[31m\nByron"}})  # who sits nowhere
    file = str(write(plain, tmp_path / "cup.json"))
    for arguments in ([], ["--json"], ["--explain", "p1"]):
        answer = topcut("standings", file, *arguments)
        assert answer.code == 0
        assert "warning" not in answer.out
        lines = answer.err.splitlines()
        assert [line.partition("round ")[2][:1] for line in lines] == ["1", "2"]
        assert all(line.startswith(f"topcut: warning: {file}: ") and "p5" in line for line in lines)
        assert all(line.isprintable() for line in lines)
        assert "\x1b" not in answer.out


def test_standard_input(cup: str) -> None:
    raw = Path(cup).read_bytes()
    assert topcut("standings", "-", stdin=raw) == topcut("standings", cup)
    assert_refused(topcut("standings", "-", stdin=b"{"), "standard input: ")
    assert_refused(topcut("standings", "-", "--after", "9", stdin=raw), "standard input: --after: ")


@pytest.mark.parametrize("who", ["p2", "Grace Hopper", "grace hopper", "Hopper", "grace h", "hopp"])
def test_explain_finds_a_player_by_id_or_unique_name(who: str, cup: str) -> None:
    answer = topcut("standings", cup, "--explain", who)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("Grace Hopper: rank 2 of 4 after round 2\n")


def test_explain_refuses_a_name_of_two_players(cup: str, tmp_path: Path) -> None:
    assert_refused(topcut("standings", cup, "--explain", "Grace"), f"{cup}: --explain: ", "p2", "p4")
    file = str(write(changed(CUP, {"players[3].name": "Grace Hopper"}), tmp_path / "two.json"))
    answer = topcut("standings", file, "--explain", "Grace Hopper")
    assert_refused(answer, f"{file}: --explain: ", "Grace Hopper (p2)", "Grace Hopper (p4)")


def test_explain_takes_an_id_before_a_name(tmp_path: Path) -> None:
    file = str(write(changed(CUP, {"players[3].name": "p1"}), tmp_path / "cup.json"))
    assert topcut("standings", file, "--explain", "p1").out.startswith("Ada Lovelace: rank 1")


@pytest.mark.parametrize("who", ["", "Nobody", "p9", "Ada Hopper"])
def test_explain_refuses_a_name_of_nobody(who: str, cup: str) -> None:
    assert_refused(topcut("standings", cup, "--explain", who), f"{cup}: --explain: ", f'"{who}"')


def test_explain_for_programs(cup: str) -> None:
    printed = topcut("standings", cup, "--explain", "p1").out.splitlines()
    found = json.loads(topcut("standings", cup, "--explain", "p1", "--json").out)
    assert found["explained"] == printed
    assert [row["id"] for row in found["standings"]] == ["p1", "p2", "p3", "p4"]


WIDE = [
    ("Ada", 3),
    ("日本太郎", 8),
    ("한글", 4),
    ("Zoë", 3),
    ("Zoe\u0308", 3),
    ("ชื่อ", 2),
    ("שלום", 4),
    ("😀😀", 4),
    ("a\tb", 3),
    ("a\nb", 3),
    ("\x1b[31mred", 8),
    ("\x9b31mred", 7),
    ("\u202egnitsop", 8),
    ("zero\u200bwidth", 10),
]
"""Names and the columns of a terminal they fill; each control character is shown as one mark."""


def with_names(*names: str) -> dict[str, Any]:
    """An event before its first round, in which all players are level and all rows alike but for the name."""
    plain = document(played("mtr", players=" ".join(f"p{i}" for i in range(10, 10 + len(names)))))
    return changed(plain, {f"players[{i}].name": name for i, name in enumerate(names)})


@pytest.mark.parametrize(("name", "columns"), WIDE, ids=[ascii(name) for name, _ in WIDE])
def test_columns_stay_in_line(name: str, columns: int) -> None:
    plain = with_names("a" * 12, name)
    *_, plain_row, row = topcut("standings", "-", stdin=json.dumps(plain).encode()).out.splitlines()
    after_name = plain_row.split("a" * 12)[1].lstrip()
    padding = row.removeprefix(plain_row[:6]).removesuffix(after_name)
    spaces = len(padding) - len(padding.rstrip(" "))
    assert columns + spaces == 12 + len(plain_row.split("a" * 12)[1]) - len(after_name)


def test_names_cannot_write_anywhere_else_on_the_screen() -> None:
    nasty = [
        *(name for name, _ in WIDE),
        "\r\x08\x7f",
        "\u2028\u2029",
        "\u2066\u2069\ufeff",
        "\x1b]0;title\x07",
    ]
    plain = with_names(*nasty) | {"name": "Cup\x1b[2J\n"}
    raw = json.dumps(plain).encode()
    outputs = [topcut("standings", "-", stdin=raw).out]
    outputs += [topcut("standings", "-", "--explain", f"p{10 + i}", stdin=raw).out for i in range(len(nasty))]
    for out in outputs:
        assert {unicodedata.category(c) for c in out.replace("\n", "")}.isdisjoint(
            {"Cc", "Cf", "Zl", "Zp", "Cs"}
        )
    table = topcut("standings", "-", stdin=raw).out.splitlines()
    assert len(table) == 4 + len(nasty)


def test_json_keeps_names_as_they_are() -> None:
    names = [name for name, _ in WIDE]
    answer = topcut("standings", "-", "--json", stdin=json.dumps(with_names(*names)).encode())
    assert [row["name"] for row in json.loads(answer.out)["standings"]] == names


def process(
    *arguments: str | bytes, stdout: int | IO[bytes] = subprocess.PIPE, encoding: str | None = None
) -> subprocess.CompletedProcess[bytes]:
    """The command as a program of its own, maybe on a terminal with another encoding."""
    environment = os.environ | ({"PYTHONIOENCODING": encoding} if encoding else {})
    return subprocess.run(
        [sys.executable, "-m", "topcut", "standings", *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        env=environment,
        timeout=PATIENCE,
        check=False,
    )


def test_the_program_and_the_function_agree(cup: str) -> None:
    done, answer = process(cup), topcut("standings", cup)
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, answer.out, b"")
    refused = process(cup, "--after", "9")
    assert (refused.returncode, refused.stdout, refused.stderr.count(b"\n")) == (2, b"", 1)


@pytest.mark.parametrize("arguments", [[], ["--json"], ["--explain", "p1"]])
def test_a_reader_who_leaves_early_is_no_error(arguments: list[str], cup: str) -> None:
    """As in `topcut standings cup.json | head -1`, with a head that is already gone."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = process(cup, *arguments, stdout=writer)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("arguments", [[], ["--json"]])
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_is_one_line(arguments: list[str], cup: str) -> None:
    with Path("/dev/full").open("wb") as full:
        done = process(cup, *arguments, stdout=full)
    assert done.returncode != 0
    assert done.stderr.startswith(b"topcut: ")
    assert (done.stderr.count(b"\n"), done.stderr.count(b"Traceback")) == (1, 0)


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
def test_a_closed_standard_stream_is_no_traceback(closed: str, cup: str) -> None:
    file = "-" if closed == "<&-" else cup
    command = f'"{sys.executable}" -m topcut standings "{file}" {closed}'
    done = subprocess.run(["sh", "-c", command], capture_output=True, timeout=PATIENCE, check=False)
    assert done.stdout == b""
    assert b"Traceback" not in done.stderr
    assert done.stderr.count(b"\n") <= 1


def test_a_terminal_that_lacks_a_letter(tmp_path: Path) -> None:
    file = str(write(changed(CUP, {"players[0].name": "Zoë 日本"}), tmp_path / "cup.json"))
    done = process(file, encoding="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Zo? ??" in done.stdout
    told = process(file, "--json", encoding="ascii")
    assert json.loads(told.stdout)["standings"][0]["name"] == "Zoë 日本"


@pytest.mark.parametrize("argument", ["--seed", "--explain"])
@pytest.mark.skipif(sys.platform != "linux", reason="arguments are bytes there")
def test_an_argument_that_is_no_text(argument: str, cup: str) -> None:
    """A byte that is no UTF-8 cannot be written as JSON: refused, or shown somehow, but no traceback."""
    done = process(cup, "--json", argument, b"\xff")
    assert b"Traceback" not in done.stderr
    assert done.returncode in (0, 2)
