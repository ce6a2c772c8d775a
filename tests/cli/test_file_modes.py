"""Exports hold names and, in a log, the secret of draws to come: only their owner can read them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.shop import Shop, started
from tests.command_line import topcut
from topcut.cli import output

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")


@pytest.fixture(autouse=True)
def usual_mask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    shop = Shop(tmp_path)
    started(shop)
    return shop


@pytest.mark.parametrize("there", [False, True], ids=["new", "in the place of another"])
@pytest.mark.parametrize("kind", ["log", "event", "players"])
def test_an_export_is_its_owners(shop: Shop, tmp_path: Path, kind: str, there: bool) -> None:
    file = tmp_path / "cup"
    if there:
        file.write_text("everybody can read this")
        assert mode(file) == 0o644
    shop("export", "--as", kind, "-o", str(file))
    assert mode(file) == 0o600
    assert b"everybody" not in file.read_bytes()


def test_a_log_as_json_and_a_conversion_are_too(shop: Shop, tmp_path: Path) -> None:
    shop("export", "--json", "-o", str(tmp_path / "cup.json"))
    shop("export", "-o", str(tmp_path / "cup.log"))
    assert topcut("convert", str(tmp_path / "cup.log"), str(tmp_path / "out.json")).code == 0
    assert {mode(tmp_path / name) for name in ("cup.json", "cup.log", "out.json", "topcut.db")} == {0o600}


def test_what_is_for_everybody_is_as_usual(shop: Shop, tmp_path: Path) -> None:
    shop("export", "--public", "-o", str(tmp_path / "public.log"))
    assert mode(tmp_path / "public.log") == 0o644


def test_it_is_so_before_anything_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    real = os.fsync

    def looked_at(file: int) -> None:
        seen.append(stat.S_IMODE(os.fstat(file).st_mode))
        real(file)

    monkeypatch.setattr(os, "fsync", looked_at)
    output.write_file(b"secret", str(tmp_path / "cup.log"), private=True)
    assert seen == [0o600]
