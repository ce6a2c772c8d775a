"""`topcut print`: every kind from a file, a log or standard input; mistakes are one line, and no file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.shop import Shop, started
from tests.command_line import topcut
from tests.printing.pdf_reader import codes, pages, sheets, text_of
from tests.timeouts import PATIENCE
from topcut.event.event_log import EventLog
from topcut.formats import log_file
from topcut.printing.printed_event import stamp_moment
from topcut.printing.registry import SHEET_BUILDERS
from topcut.rulebook.options import Options

EXAMPLES = Path(__file__).parents[2] / "src" / "topcut" / "examples"
PRINTED = {
    "pairings": ("autumn-cup", "Round 3: pairings A–Z"),
    "slips": ("autumn-cup", "Ada Okafor"),
    "standings": ("league-night", "Standings after round 4"),
    "sheet": ("draft-pod", "Chart for 8 players"),
    "card": ("league-night", "membership number"),
    "bracket": ("city-cup-final", "Sami Korhonen"),
    "sign-in": ("league-night", "Sign-in: 10 players"),
    "seats": ("draft-pod", "Seats A–Z"),
}


def test_every_kind_has_an_example() -> None:
    assert [*PRINTED, "pods"] == list(SHEET_BUILDERS), "pods are printed in test_drafts"


@pytest.mark.parametrize("kind", list(PRINTED))
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_every_kind_is_printed(kind: str, paper: str, tmp_path: Path) -> None:
    event, says = PRINTED[kind]
    path = tmp_path / "out.pdf"
    answer = topcut("print", kind, str(EXAMPLES / f"{event}.json"), "-o", str(path), "--paper", paper)
    assert (answer.code, answer.out) == (0, "")
    assert answer.err == f"topcut: wrote {path}\n"
    assert says in text_of(path.read_bytes())
    sides = {
        round(side) for side in (sheets(path.read_bytes())[0].width, sheets(path.read_bytes())[0].height)
    }
    assert sides == ({210, 297} if paper == "a4" else {216, 279})


def test_from_standard_input_to_standard_output() -> None:
    raw = (EXAMPLES / "autumn-cup.json").read_bytes()
    arguments = [sys.executable, "-m", "topcut", "print", "pairings", "-", "-o", "-"]
    done = subprocess.run(arguments, input=raw, capture_output=True, check=True, timeout=PATIENCE)
    assert done.stderr == b""
    assert "Round 3: pairings A–Z" in text_of(done.stdout)


def test_what_was_chosen_is_on_the_paper(tmp_path: Path) -> None:
    path = tmp_path / "slips.pdf"
    options = ["--round", "2", "--tables", "2-3", "--per-page", "8", "--at", "Sat 14:05\n", "-o", str(path)]
    event = str(EXAMPLES / "league-night.json")
    link = "https://desk.example/{round}/{table}?again={table}"
    assert topcut("print", "slips", event, *options, "--link", link).code == 0
    (page,) = pages(path.read_bytes())
    assert "Round 2" in page
    assert "Sat 14:05 ·" in " ".join(page)
    found = {text for text, _, _ in codes(path.read_bytes(), 0)}
    assert found == {f"https://desk.example/2/{table}?again={table}" for table in (2, 3)}


def test_a_log_knows_the_moment_of_publication_and_which_tables_are_new(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    started(shop, "Ada Bo Cy Di Ed Flo Gil Hal")
    for table in "1234":
        shop("report", table, "2-0")
    for act in ("end", "pair", "publish"):
        shop("round", act)
    shop("drop", shop.json("round", "show")["tables"][0]["players"][0], "--then", "fewest")
    log = tmp_path / "cup.log"
    shop("export", "-o", str(log))
    path = tmp_path / "out.pdf"
    assert topcut("print", "slips", str(log), "--changed", "-o", str(path)).code == 0
    shown = shop.json("round", "show")
    assert text_of(path.read_bytes()).count("new table") == len(
        [t for t in shown["changed"] if isinstance(t, int)]
    )
    assert topcut("print", "pairings", str(log), "-o", str(path)).code == 0
    found = log_file.decode_log(log.read_bytes())
    a_round = EventLog(found.facts, found.private).state.rounds[1]
    assert a_round.published is not None
    assert a_round.renewed is not None
    assert a_round.renewed > a_round.published
    head = " ".join(pages(path.read_bytes())[0][:5])
    assert "Round 2: pairings A–Z Cup" in head
    assert stamp_moment(a_round.renewed, Options()) in head


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["slips", "{cup}", "--tables", "99"], "{cup}: round 3 has no such table (only tables 99)"),
        (
            ["slips", "{cup}", "--changed"],
            "{cup}: --changed: expected a log: an event file does not say which tables changed",
        ),
        (
            ["slips", "{cup}", "--link", "https://x.example"],
            'expected an address with {table} in it, not "https',
        ),
        (["pairings", "{cup}", "--round", "7"], "{cup}: there is no round 7: expected 1 to 3"),
        (["sheet", "{cup}"], "{cup}: these rules have no chart"),
        (["seats", "{cup}"], "{cup}: no player has a seat yet"),
        (["card", "{cup}", "--player", "Nobody"], "Nobody"),
        (["menu", "{cup}"], "expected one of 'pairings'"),
        (
            ["standings", "{cup}", "--round", "2"],
            "standings: --round has no effect here; did you mean --after?",
        ),
        (["pairings", "{cup}", "--player", "Ada"], "pairings: --player has no effect here; leave it out"),
        (["sign-in", "{cup}", "--per-page", "6"], "sign-in: --per-page has no effect here; leave it out"),
        (["slips", "{cup}", "--link", "{table}" + "x" * 5_000], "this address is too long for a QR code"),
        (["slips", "{cup}", "--at", "x" * 81], "expected at most 80 characters"),
        (["slips", "{cup}", "--per-page", "5"], "expected one of '4', '6', '8'"),
        (["slips", "nowhere.json"], "nowhere.json: cannot read this file"),
        (
            ["slips", "{cup}", "-o", "{none}/x.pdf"],
            "{none}/x.pdf: cannot write this file: No such file or directory",
        ),
    ],
    ids=lambda value: " ".join(value).replace("{cup}", "cup")[:40] if isinstance(value, list) else "",
)
def test_mistakes_are_one_line_and_nothing_is_written(
    arguments: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = {"{cup}": str(EXAMPLES / "autumn-cup.json"), "{none}": str(tmp_path / "none")}
    for mark, name in names.items():
        arguments = [argument.replace(mark, name) for argument in arguments]
        says = says.replace(mark, name)
    answer = topcut("print", *arguments)
    assert answer.code == 2
    assert says in answer.err
    assert answer.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_letter_that_cannot_be_printed_is_a_warning(tmp_path: Path) -> None:
    event = json.loads((EXAMPLES / "autumn-cup.json").read_bytes())
    event["players"][0]["name"] = "Zo\U0001bfff"
    path = tmp_path / "cup.json"
    path.write_text(json.dumps(event))
    answer = topcut("print", "pairings", str(path), "-o", str(tmp_path / "out.pdf"))
    assert answer.code == 0
    warned, written, _ = answer.err.split("\n")
    assert warned.startswith(f"topcut: warning: player {event['players'][0]['id']}, Zo")
    assert "no font on this machine has" in warned
    assert written.startswith("topcut: wrote ")
