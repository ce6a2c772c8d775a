"""Codes that nobody knows, and files that contradict themselves: refused by name, with the place."""

import pytest

from tests.formats.tdf_files import a_cut, a_file, a_pod, changed, fixture
from topcut.errors import BadInput
from topcut.formats.event_file import build_event
from topcut.formats.tdf import tom as tdf

FOUR: dict[str, int | str] = {"A": 1990, "B": 1991, "C": 1992, "D": 1993}

CODES = [
    (
        'outcome="0"',
        'outcome="7"',
        'pod 1, round 3, table 1: outcome "7" is not known: expected 0, 1, 2, 3, 5, 8 or 10',
    ),
    ('outcome="0"', 'outcome=""', 'pod 1, round 3, table 1: outcome "" is not known'),
    ('category="2"', 'category="3"', 'pod 1: category "3" is not known: expected 0, 1, 2, 8, 9 or 10'),
    (
        '<pod category="2" stage="0"',
        '<pod category="2" stage="4"',
        'pod 1: stage "4" is not known: expected 0, 1 or 2',
    ),
    (
        'type="3" stage="6"',
        'type="3" stage="9"',
        'pod 1, round 1: stage "9" is not known: expected 2, 4, 5, 6, 7 or 8',
    ),
    ('number="1" type="3"', 'number="1" type="2"', 'pod 1, round 1: type "2" is not known: expected 3 or 1'),
    ('type="3" stage="4"', 'type="3" stage="3"', 'tournament: stage "3" is not known: expected 1, 4 or 5'),
    ('type="3" stage="4"', 'type="9" stage="4"', 'tournament: type "9" is not known: expected 2 or 3'),
    (
        "VIDEO_GAME",
        "BOARD_GAME",
        'tournament: gametype "BOARD_GAME" is not known: expected TRADING_CARD_GAME or VIDEO_GAME',
    ),
    ('categorycut key="2"', 'categorycut key="4"', 'finalsoptions: key "4" is not known: expected 0, 1 or 2'),
    (
        "<starter>true</starter>",
        "<dropped><status>2</status><round>1</round></dropped>",
        'dropped status "2" is not known: expected 1',
    ),
]


@pytest.mark.parametrize(("old", "new", "problem"), CODES, ids=range(len(CODES)))
def test_a_code_that_nobody_knows_is_refused_by_name(old: str, new: str, problem: str) -> None:
    with pytest.raises(BadInput) as refused:
        tdf.read_content(changed(fixture("rehearsal-round-3"), old, new))
    assert problem in str(refused.value)


def test_an_unknown_kind_of_final_place_is_refused() -> None:
    with pytest.raises(BadInput, match='category 2: type "lost" is not known: expected finished or dnf'):
        tdf.read_content(
            changed(fixture("local-finished"), 'category="2" type="dnf"', 'category="2" type="lost"')
        )


DROP = "<dropped><status>1</status><round>{}</round></dropped>"
PLACE = '<pod category="{}" type="finished"><player id="{}" place="{}"/></pod>'
CONTRADICTIONS: list[tuple[bytes, str]] = [
    (a_file(a_pod(2, "A Z"), FOUR), 'pod 1: no player has the userid "Z"'),
    (a_file(a_pod(2, "A B", "A-C 1"), FOUR), 'pod 1, round 1, table 1: "C" is in no subgroup of this pod'),
    (a_file(a_pod(2, "A B", "A-Z 1"), FOUR), 'pod 1, round 1, table 1: no player has the userid "Z"'),
    (a_file(a_pod(2, "A B A"), FOUR), 'pod 1: "A" is in this pod twice'),
    (a_file(a_pod(2, "A B") + a_pod(1, "C B"), FOUR), 'pod 2: "B" is in pod 1 and pod 2'),
    (a_file(a_pod(8, "A B") + a_pod(1, "C D"), FOUR), "pods: senior in several pods"),
    (a_file(a_pod(2, "A B C", "A-B 1, A-C 1"), FOUR), '"A" is also at another table of this round'),
    (a_file(a_pod(2, "A B", "A-B 5"), FOUR), "table 1: outcome 5 is for one player, not for two"),
    (a_file(a_pod(2, "A B", "A 1"), FOUR), "table 1: outcome 1 for one player: expected 5 or 8"),
    (a_file(a_pod(2, "A B", "A-B 1", "!A-B 3"), FOUR), "round 2, table 1: a tie in an elimination round"),
    (
        a_file(a_pod(2, "A B", "!A-B 1", "A-B 1"), FOUR),
        "round 2: a Swiss round can't follow an elimination round",
    ),
    (
        a_file(a_pod(2, "A B", "A-B 1").replace('number="1" type', 'number="2" type'), FOUR),
        'its number is "2"',
    ),
    (a_file(a_pod(2, "A B", "A-B 1").replace("<player1", "<player2"), FOUR), "expected player1 and player2"),
    (
        a_file(a_pod(2, "A B", data="<subgroupcount>3</subgroupcount>"), FOUR),
        "expected 3 subgroups, as in subgroupcount, not 1",
    ),
    (a_file(a_pod(2, "A B", data="<playoff3rd4th>yes</playoff3rd4th>"), FOUR), "expected true or false"),
    (
        a_file(a_pod(2, "A B", "A-B 1", "A-B 1"), FOUR | {"A": DROP.format(1)}),
        "player A: dropped after round 1, but plays in round 2",
    ),
    (
        a_file(a_pod(2, "A B", "A-B 1"), FOUR | {"A": DROP.format(3)}),
        "player A: dropped after round 3, but there is 1 round",
    ),
    (a_file(players={"A": DROP.format(0) * 2}), "player A: dropped twice"),
    (a_file(players={"A": DROP.format("x")}), 'player A, dropped: round is "x": expected a whole number'),
    (a_file(players={"": 1990}), "player 1: expected a userid"),
    (
        a_file(players={"A": 1990}).replace(b"02/27", b"27/02"),
        'player A: birthdate is "27/02/1990": expected MM/DD/YYYY',
    ),
    (a_file(players={"A": 1990}, start="soon"), 'data: startdate is "soon": expected MM/DD/YYYY'),
    (a_file(finals=a_cut(2, 3)), "finalsoptions, key 2: a cut of 3: expected 0 or a power of two"),
    (a_file(finals=a_cut(2, 2) * 2), "finalsoptions, key 2: this key appears twice"),
    (a_file(a_pod(2, "A B"), FOUR, standings=PLACE.format(1, "A", 1)), "player A: has a place in category 1"),
    (a_file(players=dict(FOUR), standings=PLACE.format(2, "Z", 1)), 'no player has the userid "Z"'),
    (a_file(players=dict(FOUR), standings=PLACE.format(2, "A", "x")), 'the place of "A" is "x"'),
    (a_file(players=dict(FOUR), standings=PLACE.format(2, "A", 1) * 2), '"A" appears twice'),
    (
        a_file(players={"A": 1990}).replace(b"</players>", b'<player userid="A"/></players>'),
        "player A: this userid appears twice",
    ),
    (
        a_file().replace(
            b"</players>", b"".join(b'<player userid="%d"/>' % i for i in range(50_001)) + b"</players>"
        ),
        "players: expected at most 50,000 players",
    ),
    (b"<event/>", 'the first element is "event": expected "tournament"'),
]


@pytest.mark.parametrize(("raw", "problem"), CONTRADICTIONS, ids=range(len(CONTRADICTIONS)))
def test_what_cannot_have_happened_is_refused_with_its_place(raw: bytes, problem: str) -> None:
    with pytest.raises(BadInput) as refused:
        build_event(tdf.read_content(raw).file)
    assert problem in str(refused.value)
