"""`topcut site`: into a folder of its own, all of it or nothing."""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import redirect_stderr
from itertools import count
from pathlib import Path

import pytest

from tests.command_line import assert_refused, topcut, write
from tests.site.example_events import EXAMPLES, example, unfinished
from topcut.cli import site
from topcut.site.pages import build_site

CUP = str(EXAMPLES / "autumn-cup.json")


def content(folder: Path) -> dict[str, bytes]:
    """The files of a folder."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def test_a_folder_is_made_and_has_the_whole_site(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "site"
    answer = topcut("site", CUP, "-o", str(folder))
    assert (answer.code, answer.out) == (0, "")
    assert answer.err == f"topcut: wrote {folder}/index.html and {len(content(folder)) - 1} other files\n"
    assert content(folder) == build_site(example("autumn-cup"))
    assert [path.name for path in folder.parent.iterdir()] == ["site"]


@pytest.mark.parametrize("patience", [-1.0, 3600.0], ids=["slow", "fast"])
def test_only_a_person_at_a_terminal_is_told_how_far_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, patience: float
) -> None:
    """What a log or a script reads is the same on a slow machine and on a fast one."""
    monkeypatch.setattr(site, "PATIENCE", patience)
    screen, terminal = os.openpty()
    told = b""
    with open(terminal, "w", encoding="utf-8") as watched, open(screen, "rb", buffering=0) as seen:
        with redirect_stderr(watched):
            site.write_site(example("autumn-cup"), tmp_path / "site")
        while b"other files" not in told:
            told += seen.read(4096)
    assert (b"topcut: 1 file so far" in told) is (patience < 0)
    assert "so far" not in topcut("site", CUP, "-o", str(tmp_path / "site")).err


def test_programs_are_told_the_files(tmp_path: Path) -> None:
    answer = topcut("site", CUP, "-o", str(tmp_path / "site"), "--at", "Sat 14:05", "--json")
    assert json.loads(answer.out) == {"files": sorted(content(tmp_path / "site"))}
    assert b"as of Sat 14:05" in (tmp_path / "site" / "index.html").read_bytes()


def test_a_site_takes_the_place_of_an_older_one(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    topcut("site", str(EXAMPLES / "city-cup-final.json"), "-o", str(folder))
    topcut("site", CUP, "-o", str(folder))
    assert content(folder) == build_site(example("autumn-cup"))
    assert os.listdir(tmp_path) == ["site"]


def test_everybody_may_read_it(tmp_path: Path) -> None:
    topcut("site", CUP, "-o", str(tmp_path / "site"))
    (tmp_path / "plain").mkdir()
    assert (tmp_path / "site").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_an_empty_folder_is_taken_and_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to("there")
    assert topcut("site", CUP, "-o", str(tmp_path / "link")).code == 0
    assert content(tmp_path / "there") == build_site(example("autumn-cup"))
    assert (tmp_path / "link").is_symlink()


def test_nothing_of_others_is_touched(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "index.json").write_text('{"files": []}')
    assert_refused(topcut("site", CUP, "-o", str(folder)), f"{folder}: ", "was not made by `topcut site`")
    (folder / "index.json").unlink()
    (folder / "photo.jpg").write_text("us")
    assert_refused(topcut("site", CUP, "-o", str(folder)), f"{folder}: ", "was not made by `topcut site`")
    assert_refused(topcut("site", CUP, "-o", str(folder / "photo.jpg")), "was not made by `topcut site`")
    assert content(folder) == {"photo.jpg": b"us"}


@pytest.mark.parametrize("foreign", ["CNAME", "players/photo.jpg", ".git/config"])
def test_a_file_that_somebody_laid_into_a_site_is_not_lost(tmp_path: Path, foreign: str) -> None:
    folder = tmp_path / "site"
    topcut("site", CUP, "-o", str(folder))
    (folder / foreign).parent.mkdir(exist_ok=True)
    (folder / foreign).write_text("mine")
    before = content(folder)
    assert_refused(topcut("site", CUP, "-o", str(folder)), str(folder), foreign)
    assert content(folder) == before


def test_a_mistake_in_the_event_leaves_the_old_site(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    topcut("site", CUP, "-o", str(folder))
    before = content(folder)
    wrong = write(b'{"topcut": 1}', tmp_path / "wrong.json")
    assert_refused(topcut("site", str(wrong), "-o", str(folder)), "wrong.json")
    assert content(folder) == before


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert_refused(
        topcut("site", CUP, "-o", str(tmp_path / "file" / "site")), "cannot write this site", "file"
    )
    assert_refused(topcut("site", CUP, "-o", str(tmp_path / "site"), "--at", "x" * 81), "--at", "80")


def test_folders_change_places_one_after_the_other_where_they_cannot_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    topcut("site", CUP, "-o", str(tmp_path / "site"))
    monkeypatch.setattr(site, "_swap_folders", lambda one, other: False)
    site.replace_folder(build_site(unfinished()), tmp_path / "site")
    assert content(tmp_path / "site") == build_site(unfinished())
    assert os.listdir(tmp_path) == ["site"]


def killed_at(step: int, files: dict[str, bytes], folder: Path) -> bool:
    """Write a site in a process that is killed for real before a step on the disk; whether it came there."""
    writer = os.fork()
    if writer == 0:
        steps = count()

        def watch(event: str, _: object) -> None:
            if event.startswith(("open", "os.", "ctypes.")) and next(steps) == step:
                os.kill(os.getpid(), signal.SIGKILL)

        try:
            sys.addaudithook(watch)
            site.replace_folder(files, folder)
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(writer, 0)[1])


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere folders change places one after the other")
@pytest.mark.large
def test_whoever_is_killed_leaves_the_old_site_or_the_new(tmp_path: Path) -> None:
    """At whatever step: never half of one."""
    folder = tmp_path / "site"
    old, new = build_site(unfinished()), build_site(example("autumn-cup"))
    seen = []
    for step in count():
        site.replace_folder(old, folder)
        if not killed_at(step, new, folder):
            break
        found = content(folder)
        assert found in (old, new), step
        seen.append(found == new)
    assert content(folder) == new
    assert seen == sorted(seen)
    assert seen.count(False) > len(new), "every file is a step"
    assert True in seen, "what was there before is removed in steps"
