"""Who players are, at a prompt: display names, one player's data, forgetting one, deleting what is due."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.shop import Shop
from tests.command_line import topcut


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def played(shop: Shop) -> None:
    """An event of one round between a child, who is shown as Zed, and Bo; it is not finished."""
    shop("new", "Cup", "--rules", "pokemon-2017")
    shop("add", "Xanthippe Quackenbush", "--display", "Zed", "--born", "2014", "--member", "member-1")
    shop("add", "Bo", "--born", "2014")
    for act in ("pair", "publish", "start"):
        shop("round", act)
    shop("report", "1", "2-0")
    shop("round", "end")


def test_a_display_name_is_what_is_shown(shop: Shop) -> None:
    played(shop)
    assert "Quackenbush" not in shop("round", "show", "--round", "1").out
    assert "Zed (Xanthippe Quackenbush)" in shop("player", "list").out
    first = next(one for one in shop.json("player", "list")["players"] if one["id"] == "p1")
    assert (first["name"], first["legal"]) == ("Zed", "Xanthippe Quackenbush")
    assert "enters" in shop("add", "Cy", "--display", "Quill", "--born", "2013").out
    shop("player", "edit", "Xanthippe", "--display", "")
    assert "Zed" not in shop("player", "list").out
    assert (
        "--display, --member, --born and --byes are for one player"
        in shop("add", "A", "B", "--display", "C", code=2).err
    )


def test_a_copy_for_everybody_has_no_names(shop: Shop) -> None:
    played(shop)
    for arguments in (
        ["export", "--public"],
        ["export", "--public", "--as", "event"],
        ["export", "--public", "--json"],
    ):
        out = topcut(*arguments, "--database", shop.database).out
        for word in ("Quackenbush", "Zed", "Bo", "member-1", '"born"'):
            assert word not in out
    assert "Quackenbush" not in shop("export", "--as", "event").out


def test_a_player_gets_their_data(shop: Shop) -> None:
    played(shop)
    out = shop("player", "data", "Zed").out
    for word in ("Xanthippe Quackenbush", "member-1", "2014", "Zed (p1) enters", "beats"):
        assert word in out
    data = shop.json("player", "data", "quackenbush")
    assert (data["player"], data["known"][0]["member"]) == ("p1", "member-1")
    assert "no player has the id 'Mallory'" in shop("player", "data", "Mallory", code=2).err


def test_a_player_is_forgotten_when_the_event_is_over_and_it_is_meant(shop: Shop, tmp_path: Path) -> None:
    played(shop)
    assert "Hide it with a display name now" in shop("player", "forget", "Zed", "--yes", code=2).err
    shop("event", "finish", "--reason", "a test")
    assert "add --yes to confirm" in shop("player", "forget", "Zed", code=2).err
    said = shop("player", "forget", "Zed", "--yes", "--reason", "they asked").out
    assert "The personal data of p1 is deleted (1 record). The results stay. Reason: they asked." in said
    assert "PK-58" in said
    assert "Quackenbush" not in shop("log").out + shop("player", "list").out + shop("export").out
    assert "The name and other personal data are deleted." in shop("player", "data", "p1").out
    assert "Deleted names can't be restored" in shop("undo", code=2).err
    file = str(tmp_path / "cup.log")
    shop("export", "-o", file)
    assert "everything is in order" in topcut("check", file).out
    shop("import", file, "--id", "again")
    assert "Bo" in shop("player", "list", "--event", "again").out


def test_names_that_are_due_go_at_a_prompt_too(shop: Shop) -> None:
    assert "there is no such database" in shop("event", "purge", "--due", code=2).err
    played(shop)
    shop("event", "finish", "--reason", "a test")
    for event in ("one", "two"):
        shop("new", "Cup", "--rules", "mtr", "--keep", "0", "--id", event)
        shop("add", "Ada", "--event", event)
        shop("event", "finish", "--reason", "a test", "--event", event)
    assert shop("event", "list").out.count("finished, names to be deleted") == 2
    assert "leave out --event" in shop("event", "purge", "--due", "--event", "one", code=2).err
    assert sorted(shop("event", "purge", "--due").out.splitlines()) == [
        "one: names and birth years deleted",
        "two: names and birth years deleted",
    ]
    assert shop("event", "purge", "--due").out == "no names have to be deleted\n"
    assert shop.json("event", "purge", "--due") == {"purged": []}
    listed = {one["event"]: one for one in shop.json("event", "list")["events"]}
    assert listed["one"]["purged"]
    assert "due" in listed["cup"]
    assert "Ada" not in json.dumps(shop.json("player", "list", "--event", "one"))
    assert "finished, names kept until " in shop("event", "list").out
