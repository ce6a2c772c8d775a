"""What the published procedures ask of an event while it runs, in a terminal
(PK-1, PK-11, PK-13, PK-20, PK-60, PK-61, DC-2)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.shop import Shop

EIGHT = ("Ada", "Bo", "Cy", "Di", "Eve", "Fay", "Gus", "Hal")
PK = ("--rules", "pokemon-2017")


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def new(shop: Shop, rules: str, *options: str) -> None:
    chosen = [word for option in options for word in ("--option", option)]
    shop("new", "Cup", "--rules", rules, *chosen)


def played(shop: Shop) -> str:
    """One whole round of eight; what its end said."""
    for step in ("pair", "publish", "start"):
        shop("round", step)
    for table in range(1, 5):
        shop("report", str(table), "2-0")
    return shop("round", "end").out


def test_the_end_of_swiss_says_who_is_in_and_what_closes(shop: Shop) -> None:
    """PK-60, PK-61, PK-A27."""
    new(shop, "pokemon-2017", "format=swiss+elimination", "rounds=2", "cut=4")
    shop("add", *EIGHT)
    assert played(shop) == "Round 1 ends.\n"
    closes = "Publishing the first elimination round closes all Swiss records (PK-A27)."
    assert closes in played(shop)
    about = shop("event", "show").out
    assert "round 2 of 2: ended\n" in about
    assert "The Swiss rounds are over. 4 of 8 players made the cut. In the cut: " in about
    assert closes in about
    shown = shop.json("event", "show")
    assert (shown["planned_rounds"], shown["closing"]) == (2, closes)
    ((cut),) = shown["cut"]
    assert (cut["of"], len(cut["players"]), cut["division"]) == (8, 4, None)
    assert f"! results to check: {closes}" in shop("round", "pair").out
    assert "Rounds 1 and 2 can no longer be corrected (PK-A27)." in shop("round", "publish").out
    shown = shop.json("event", "show")
    assert (shown["cut"], shown["closing"]) == ([], None)


def test_an_announcement_without_prizes_or_rounds_is_refused(shop: Shop) -> None:
    """PK-1."""
    new(shop, "pokemon-2017")
    refused = shop("event", "announce", "--prizes", "a cup", code=2)
    assert "The number of rounds and the cut are missing." in refused.err
    shop("add", *EIGHT)
    refused = shop("event", "announce", code=2)
    assert "does not say how many players get prizes (PK-1)" in refused.err
    assert "none" in refused.err
    assert shop.json("event", "show")["announced"] is None
    assert "Prizes: none." in shop("event", "announce", "--prizes", "none").out


def test_players_change_how_divisions_play(shop: Shop) -> None:
    """PK-12, PK-13."""
    new(shop, "pokemon-2017")
    shop("add", *(f"M{n}" for n in range(9)), "--division", "masters")
    shop("add", *(f"S{n}" for n in range(6)), "--division", "senior")
    apart = shop("event", "announce", "--prizes", "none").out
    assert "masters: 4 rounds, then a top 4." in apart
    assert "Divisions are separated: each plays by itself." in apart
    changed = shop("player", "remove", "S5")
    assert (
        "Divisions are now modified: senior and masters play in one pool."
        " Fewer than 6 players: senior (5) (PK-13). Plan: " in changed.out
    )
    assert "This differs from the announcement. Announce again." in changed.err
    about = shop("event", "show").out
    assert (
        "Divisions are modified: senior and masters play in one pool.\nFewer than 6 players: senior (5)"
        in about
    )
    assert shop.json("event", "show")["divisions"].startswith("Divisions are modified")
    paired = shop("round", "pair")
    assert "Divisions are modified: senior and masters play in one pool." in paired.out
    assert "This differs from the announcement: " in paired.err


def test_a_player_without_a_division_is_named(shop: Shop, tmp_path: Path) -> None:
    """PK-11: as a note while no player has one, as a warning once the event has divisions."""
    new(shop, "pokemon-2017")
    told = shop("add", "Xena")
    missing = "Xena has no division (PK-11). Set a birth year or a division for this player."
    assert missing in told.out
    assert missing in shop("add", "Ada", "--born", "1990").err, "from here on divisions matter"
    players = tmp_path / "list.csv"
    players.write_text("name,division\nBo,masters\nCy,\nDi,\n")
    listed = shop("add", "--from", str(players))
    assert "Cy, Di have no division (PK-11). Set a birth year or a division for each of them." in listed.err
    assert "no division" not in shop("player", "edit", "Cy", "--born", "2004").err
    assert shop.json("add", "Eve")["warnings"] == [missing.replace("Xena", "Eve")]


def test_rules_without_divisions_ask_for_none(shop: Shop) -> None:
    new(shop, "mtr")
    answer = shop("add", *EIGHT)
    assert "division" not in answer.out + answer.err


def test_round_lengths_by_level_and_decks(shop: Shop) -> None:
    """DC-2."""
    new(shop, "dci-1999", "level=premier", "deck=constructed")
    shop("add", *EIGHT)
    shop("round", "pair")
    shop("round", "publish")
    assert "Round 1 starts (70 minutes).\n" in shop("round", "start").out


def test_the_minutes_of_one_round_are_those_of_the_next(shop: Shop) -> None:
    new(shop, "pokemon-2017", "format=swiss", "rounds=3")
    shop("add", *EIGHT)
    shop("round", "pair")
    shop("round", "publish")
    assert "This round has no clock, because the rules give no length." in shop("round", "start").out
    refused = shop("round", "extend", "5", code=2)
    assert "Round 1 has no clock. Set the clock to the minutes that are left." in refused.err
    assert "The clock of round 1 shows 45 minutes from now." in shop("round", "clock", "45").out
    shop("round", "extend", "5")
    for table in range(1, 5):
        shop("report", str(table), "2-0")
    shop("round", "end")
    shop("round", "pair")
    shop("round", "publish")
    started = shop("round", "start").out
    assert "Round 2 starts (45 minutes).\nThe clock shows 45 minutes, as in the round before.\n" in started


def test_what_a_late_player_must_be_told(shop: Shop) -> None:
    """PK-20."""
    new(shop, "pokemon-2017", "rounds=4", "format=swiss")
    shop("add", *EIGHT)
    played(shop)
    for step in ("pair", "publish", "start"):
        shop("round", step)
    told = (
        "Tell Zoe: entering late means 2 losses for rounds 1 to 2."
        " It also means a place below players with the same record who were on time (PK-20)."
    )
    assert told in shop.json("add", "Zoe")["says"]
