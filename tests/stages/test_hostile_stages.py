"""Can events with several stages be broken, by playing them as `pair` says or by spoiling their files?"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.command_line import Answer, assert_refused, topcut
from tests.stages.damaged_events import FORMATS, Plain, Story, any_event, asked, call, new_event, spoilt
from tests.stages.stage_books import begun, house, more, seated, stage
from tests.tiers import effort

STORIES = range(effort(6, 30, 3000))
SPOILT = range(effort(3, 16, 1500))
COMMANDS = [
    text.split() for text in ("pair --seed q", "bracket", "bracket --size 4", "cut", "standings", "check")
]


def event(ids: str, played: Sequence[str] = (), rules: str = "pokemon-2017", **options: Any) -> Plain:
    """A small event; each round is a text such as `a>b c=d e` (a won, both lost, a bye), `-e` is a loss."""
    players = [{"id": player_id, "seed": at} for at, player_id in enumerate(ids.split(), start=1)]
    plain = {"topcut": 1, "name": "Cup", "rules": rules, "players": players, "rounds": [], "options": options}
    return plain | {"rounds": [{"stage": "elimination", "tables": tables(text)} for text in played]}


def tables(text: str) -> list[Plain]:
    found: list[Plain] = []
    for word in text.split():
        ids = word.replace("=", ">").split(">")
        if len(ids) == 2:
            found.append({"players": ids, "winner": "double_loss" if "=" in word else ids[0]})
        else:
            found.append({"players": [word.removeprefix("-")], "loss" if word[0] == "-" else "bye": True})
    return found


def in_order(answer: Answer, command: str, as_json: bool) -> None:
    """What every answer must be: an answer, or one line that says what is wrong and where."""
    if answer.code in (2, 3):
        assert_refused(answer, code=answer.code)
        assert answer.code == 3 or answer.err.startswith("topcut: standard input: "), answer.err
        return
    assert answer.code == 0 or (command, answer.code) == ("check", 1), answer
    warnings = answer.err.splitlines()
    assert all(line.startswith("topcut: warning: ") and line.isprintable() for line in warnings), warnings
    if as_json:
        json.loads(answer.out)
    else:
        assert all(line.isprintable() for line in answer.out.splitlines())


def judge(plain: Plain, rng: Random) -> None:
    """An event that followed `pair` is in order, and the order of its players says nothing."""
    checked = call("check", plain)
    assert checked.code == 0, (checked, plain)
    shuffled = plain | {"players": rng.sample(plain["players"], k=len(plain["players"]))}
    number = rng.randint(0, len(plain["rounds"]))
    for command, *given in COMMANDS:
        as_json = rng.random() < 0.7
        arguments = [*given, *["--json"] * as_json]
        answers = []
        for file in (plain, shuffled):
            now = file | {"rounds": file["rounds"][: number if command == "pair" else None]}
            answers.append(call(command, now, *arguments))
        in_order(answers[0], command, as_json)
        assert answers[0] == answers[1], (command, arguments, plain)
    brackets = call("bracket", plain, "--json")
    if brackets.code == 0:
        found = json.loads(brackets.out)
        for bracket in found.get("divisions", [found]):
            placed = [row["id"] for row in bracket["places"]]
            assert len(placed) == len(set(placed)), (placed, plain)
            if bracket["kind"] == "elimination" and not plain["options"].get("third_place"):  # see BUGS
                assert set(bracket["rank_seeds"]) <= set(placed), plain


@pytest.mark.parametrize("number", STORIES)
def test_an_event_that_followed_pair_is_in_order(number: int) -> None:
    rng = Random(f"story {number}")
    judge(Story(any_event(rng), rng, careful=True).told(), rng)


def test_an_event_that_followed_pair_with_all_it_says_is_in_order() -> None:
    for number in STORIES:
        rng = Random(f"careless {number + 30}")
        judge(Story(any_event(rng), rng).told(), rng)


OWN = {"masters": {"flights": 2, "cut": 4}}
SPLIT: Plain = {"divisions": "separate", "rounds": 4, "cut": 2, "by_division": OWN}


@pytest.mark.parametrize(("count", "options"), [(70, SPLIT), (230, {"table": "tcg-two-day"})])
def test_flights_and_two_days(count: int, options: Plain) -> None:
    rng = Random(count)
    plain = new_event(rng, "pokemon-2017", options, count)
    for at, player in enumerate(plain["players"]):
        player["division"] = "senior" if options is SPLIT and at >= 66 else "masters"
    story = Story(plain, rng, careful=True)
    assert call("check", story.told()).code == 0
    assert "Every table of the bracket is played" in story.end


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_spoilt_file_has_an_answer_or_is_refused_in_one_line(command: list[str]) -> None:
    for number in SPOILT:
        rng = Random(f"odd {number}")
        plain = Story(any_event(rng), rng, careful=True).told()
        for _ in range(10):
            file = spoilt(plain, rng)
            as_json = rng.random() < 0.5
            in_order(call(command[0], file, *command[1:], *["--json"] * as_json), command[0], as_json)


# What was wrong once, case by case; each says what is right


def swiss(ids: str, text: str, rules: str = "pokemon-2017", **options: Any) -> Plain:
    plain = event(ids, rules=rules, **options) | {"rounds": [{"tables": tables(text)}]}
    for player in plain["players"]:
        del player["seed"]
    return plain


def with_all(plain: Plain, key: str, value: Any, number: int | None = None) -> Plain:
    """The event in which the first so many players have a key."""
    for player in plain["players"][:number]:
        player[key] = value
    return plain


BY_LOT = swiss("a b c d e f g h", "a>b c>d e>f g>h", "mtr", cut=2, rounds=1)
"""Before a final between two of four, which only a lot can choose."""


def with_final(plain: Plain, seed: str) -> Plain:
    final = asked("pair", plain, "--seed", seed)["tables"][0]["players"]
    played = {"stage": "elimination", "seed": seed, "tables": [{"players": final, "winner": final[0]}]}
    return plain | {"rounds": [*plain["rounds"], played]}


ONE, FINAL = more(rounds="3"), stage("elimination", "top = 4")
TWO = [more(rounds="1"), more("top = 8", rounds="2"), FINAL]
ANEW = more("top = 8", rounds="3", carries="false")
RECORD = ONE, ANEW, more("losses = 1", rounds="1"), FINAL
PODS = more(rounds="2", pods="true"), more(rounds="2", pods="true"), FINAL
BEST_8, UNBEATEN = stage("elimination", "top = 8"), stage("elimination", "losses = 0")
LOTS = more(rounds="1"), more("top = 3", rounds="1"), stage("elimination", "top = 2")
ALONE = stage("swiss", event_format="swiss", rounds="5"), ONE, stage("elimination", 'top = "cut"')
MIXED = stage("swiss", event_format="elimination", rounds="2"), stage("elimination", "top = 4", "elimination")
BOTH, MIX, CUT = '["swiss", "swiss+elimination"]', '["elimination"]', {"cut": 2, "rounds": 3}
KNOCKOUT: Plain = {"format": "elimination"}
DOUBLE: Plain = {"format": "double-elimination"}
SENIORS = with_all(event("a b c d", **KNOCKOUT), "division", "senior")
WITHOUT_BEST = with_all(event("a b c d e", ["d>e a b c", "b>c d"], **DOUBLE), "dropped", 1, 1)
BOTH_GONE = with_all(event("a b c d", ["a>d b>c", "c>d"], **DOUBLE), "dropped", 1, 2)
ONE_ALONE = with_all(event("a b c d e", format="round-robin", divisions="separate"), "division", "junior")
with_all(ONE_ALONE, "division", "masters", 4)
RIGHT: dict[str, Callable[[Path], bool]] = {
    "TypeError, a Bracket is a key and holds lists": lambda _: (
        call("bracket", SENIORS, "--division", "senior").code == 0
    ),
    "IndexError for an even number, one bye and somebody at no table": lambda _: (
        call("check", swiss("a b c d", "a>b c")).code == 1
    ),
    "check does not name the file": lambda _: (
        "standard input: players[0]" in call("check", with_all(swiss("a b", "a>b", "mtr"), "flight", 1)).err
    ),
    "Swiss rounds in an elimination event with the option rounds": lambda _: (
        '"swiss"' not in call("pair", event("a b c d", rounds=3, **KNOCKOUT), "--json").out
    ),
    "a round robin goes on after everybody has met everybody": lambda _: (
        '"R4-1"' not in call("bracket", event("a b c d", format="round-robin", rounds=7), "--json").out
    ),
    "a bye is refused that stands before the loss opposite, and check accepts it": lambda _: (
        call("pair", event("a b c d", ["a -d b>c"], **KNOCKOUT)).code == 0
    ),
    "a player has won the final that both lost": lambda _: (
        "no player won" in call("pair", event("a b c d", ["a>d b>c", "a=b"], **KNOCKOUT)).err
    ),
    "no file and no place where both lose in double elimination": lambda _: (
        "standard input: rounds[0].tables[0]" in call("bracket", event("a b c d", ["a=d b>c"], **DOUBLE)).err
    ),
    "a bye for a player who has left": lambda _: (
        "rank seed 1, no opponent" not in call("pair", WITHOUT_BEST, "--json").out
    ),
    "no place for two who left an upper table of double elimination": lambda _: (
        len(asked("bracket", BOTH_GONE)["places"]) == 4
    ),
    "no place for two who lost a semi-final before a table for third place": lambda _: (
        len(asked("bracket", event("a b c d", ["a=d b>c"], third_place=True, **KNOCKOUT))["places"]) == 4
    ),
    "a round robin never ends where a division has one player": lambda _: (
        len(Story(ONE_ALONE, Random(1), quiet=True).told()["rounds"]) == 3
    ),
    "list(range(flight)), a MemoryError for 10**9": lambda _: (
        call("pair", with_all(event("a b c d"), "flight", 10**5, 1)).code == 2
    ),
    "nobody is left although nobody has played": lambda _: (
        "nobody is left" not in call("bracket", event("a b c d", cut=2)).err
    ),
    "the points of the stage before decide who meets whom where nothing carries": lambda path: (
        "(0)" in asked("pair", begun(house(path, ONE, ANEW, FINAL), 16, 3).plain)["tables"][0]["why"][0]
    ),
    "a loss is counted from all rounds, the points only from the restart": lambda path: (
        "6 points or more" in call("cut", begun(house(path, *RECORD), 16, 6).plain).out
    ),
    "pods of a first draft are overwritten by those of the second": lambda path: all(
        call("check", begun(house(path, *PODS, base="fab-gem"), n).told()).code == 0 for n in (14, 15, 16)
    ),
    "no plan and no end where the final takes more than there are": lambda path: (
        "QF" in str(begun(house(path, ONE, BEST_8, power_of_two="true"), 6, 4).plain["rounds"][3])
    ),
    "rounds are held against the first format although a cut makes it another": lambda path: (
        call("pair", begun(house(path, *ALONE, formats=BOTH), 8, options=CUT).plain).code == 0
    ),
    "ValueError for Swiss rounds before a format named for its bracket": lambda path: (
        topcut("plan", "--players=8", "--rules", house(path, *MIXED, formats=MIX)).code in (0, 2)
    ),
    "the plan of a final by record has the cut of the round table": lambda path: (
        "top 4" not in topcut("plan", "--players=16", "--rules", house(path, ONE, UNBEATEN)).out
    ),
    "check takes the seed of the file before that of the round": lambda _: all(
        call("check", with_final(BY_LOT | {"seed": "lots"}, str(n))).code == 0 for n in range(20)
    ),
    "another seed makes another cut, and the recorded tables are no part of it": lambda _: all(
        call("bracket", with_final(BY_LOT, "x"), "--seed", str(n)).code == 0 for n in range(20)
    ),
    "the lots of a cut: pair has the last round's seed, check the next one's": lambda path: all(
        call("check", begun(house(path, *LOTS), n, seed=None).told()).code == 0 for n in range(10, 20)
    ),
}


@pytest.mark.parametrize("says", RIGHT)
def test_what_is_right(tmp_path: Path, says: str) -> None:
    assert RIGHT[says](tmp_path)


def test_no_file_to_draw_several_brackets_into() -> None:
    plain = with_all(swiss("a b c d e f g h", "a>b c>d e>f g>h", cut=2, rounds=1), "division", "senior")
    with_all(plain, "division", "masters", 4)["options"]["divisions"] = "separate"
    assert len(asked("bracket", plain)["divisions"]) == 2
    assert_refused(call("bracket", plain, "--svg", "/"), "--svg")


def test_nothing_is_drawn_where_there_is_an_error(tmp_path: Path) -> None:
    picture = tmp_path / "x.svg"
    bad = event("a b c d", ["a>d b>c", "a>c"], **KNOCKOUT)
    assert_refused(call("bracket", bad, "--svg", str(picture)), "rounds[1]")
    assert not picture.exists()
    assert call("bracket", event("a b c d", **KNOCKOUT), "--svg", str(picture)).code == 0
    assert "<svg" in picture.read_text(encoding="utf-8")


@pytest.mark.parametrize("number", range(effort(10, 50, 2000)))
def test_plans_are_plans_or_refused(number: int) -> None:
    rng = Random(f"plan {number}")
    sizes = [str(rng.choice([0, 1, 3, 8, 64, 227, 800, 10**7, 10**14])) for _ in range(rng.randint(1, 4))]
    rules = rng.choice(["pokemon-2017", "mtr", "fab-gem", "dci-1999"])
    arguments = ["--rules", rules, "--players", ",".join(sizes)]
    wishes = {"format": FORMATS, "cut": ["0", "6", "8", "2,4"], "flights": ["0", "3", "4"]}
    for option, values in wishes.items():
        arguments += [f"--{option}", rng.choice(values)] if rng.random() < 0.4 else []
    answer = topcut("plan", *arguments, "--json")
    if answer.code:
        assert_refused(answer, code=3 if answer.code == 3 else 2)
    else:
        assert json.loads(answer.out)
        assert topcut("plan", *arguments).code == 0


@pytest.mark.parametrize("count", [9, 16, 23])
@pytest.mark.parametrize("enter", ["top = 6", "points = 6", "top = 5\nlevel_up_to = 12", "losses = 1"])
def test_who_goes_on_by_a_house_book(tmp_path: Path, enter: str, count: int) -> None:
    final = stage("double-elimination", "top = 3", reset="true")
    plain = begun(house(tmp_path, ONE, more(enter, rounds="2"), final), count).told()
    assert call("check", plain).code == 0, call("check", plain).out
    rows = asked("standings", plain, "--after", "3")["standings"]
    points = [row["points"] for row in rows]
    level = sum(p >= points[4] for p in points)
    number = {"top = 6": 6, "top = 5\nlevel_up_to = 12": level if level <= 12 else 5}
    on, ranks = seated(plain, 4), {row["id"]: row["rank"] for row in rows}
    assert len(on) == number.get(enter, sum(p >= 6 for p in points))
    assert max(ranks[player_id] for player_id in on) <= min(
        rank for player_id, rank in ranks.items() if player_id not in on
    )
    played = [table for a_round in plain["rounds"][5:] for table in a_round["tables"] if "winner" in table]
    lost = Counter(
        player_id for table in played for player_id in table["players"] if player_id != table["winner"]
    )
    best = asked("bracket", plain)["places"][0]["id"]
    assert sorted(lost[player_id] for player_id in seated(plain, 6) - {best}) == [2, 2]
    assert lost[best] < 2


def test_pods_in_one_stage(tmp_path: Path) -> None:
    draft = more("top = 16", rounds="2", pods="true")
    plain = begun(house(tmp_path, ONE, draft, FINAL, base="fab-gem"), 24).told()
    pods = {player["id"]: player.get("pod") for player in plain["players"]}
    assert Counter(pods[player_id] for player_id in seated(plain, 4)) == {1: 8, 2: 8}
    for a_round in plain["rounds"][3:5]:
        assert all(
            len({pods[player_id] for player_id in table["players"]}) == 1 for table in a_round["tables"]
        )


def test_late_after_a_cut(tmp_path: Path) -> None:
    story = begun(house(tmp_path, *TWO), 12, 1)
    story.plain["players"].append({"id": "late", "entered": 2})
    assert_refused(call("pair", story.plain), "late cannot enter after the cut before", code=3)


def test_check_of_a_cut_before_a_new_division(tmp_path: Path) -> None:
    book = house(tmp_path, *TWO, base="pokemon-2017")
    plain = with_all(begun(book, 12, 2, options={"divisions": "separate"}).plain, "division", "masters")
    plain["players"].append({"id": "late", "entered": 3, "division": "junior"})
    assert call("check", plain).code in (0, 1)


def test_check_finds_who_was_left_out_of_a_cut(tmp_path: Path) -> None:
    story = begun(house(tmp_path, *TWO), 12, 1)
    rows = asked("cut", story.plain)["cuts"][0]["players"]
    for row in rows[:2] + [row for row in rows if not row["in"]]:
        story.players()[row["id"]]["cut"] = 1
    assert story.step()
    assert len(seated(story.plain, 2)) == 6
    assert call("check", story.plain).code == 1


def test_one_bracket_after_divisions_of_their_own_length(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text(
        'id = "one"\nbase = "pokemon-2017"\nchoose = { PK-A31 = "a" }\n', encoding="utf-8"
    )
    own: Plain = {"cut": 8, "by_division": {"masters": {"rounds": 7}, "senior": {"rounds": 6}}}
    plain = with_all(begun(str(tmp_path / "one.toml"), 24, options=own).plain, "division", "masters")
    story = Story(with_all(plain, "division", "senior", 12), Random(1), quiet=True, careful=True)
    assert all(story.step() for _ in range(7))
    assert not any("after 5 rounds" in row["why"] for row in asked("bracket", story.plain)["places"])


MISTAKES = {
    "stages[0].enter: expected no [stages.enter]": [more("top = 4", rounds="3")],
    "stages[1]: expected [stages.enter]": [ONE, stage("elimination")],
    "stages[0].kind: ": [stage("elimination"), ONE],
    "stages[1].enter.top: expected at least one": [ONE, more("top = 0", rounds="3")],
    "stages[1].enter: expected `top`, `losses` or `points`": [ONE, more("backfill = true", rounds="3")],
    "stages[1].enter.points: expected `points` or": [ONE, more("points = 3\nlosses = 1", rounds="3")],
    "stages[1].enter.level_up_to: expected `top`, and": [ONE, more("top = 8\nlevel_up_to = 7", rounds="3")],
    "stages[0].rounds: the Swiss stages": [ONE, more(rounds='"table"')],
    "stages[1].pods: expected a [pairing.pods]": [ONE, more(rounds="1", pods="true")],
    "stages[0].rounds: expected at least one round": [more(rounds="0")],
    "stages[0].kind: expected the stages that the format": [ONE],
}


@pytest.mark.parametrize("says", MISTAKES)
def test_a_mistake_in_the_stages_of_a_book(tmp_path: Path, says: str) -> None:
    book = house(tmp_path, *MISTAKES[says])
    answer = topcut("plan", "--rules", book, "--players", "8")
    assert_refused(answer, f"{book}:", says)
    line = int(answer.err.removeprefix(f"topcut: {book}:").partition(":")[0])
    lines = Path(book).read_text(encoding="utf-8").splitlines()
    assert lines[:line].count("[[stages]]") == 1 + int(says[7]), "not the line of that stage"
