"""Read a .tdf file word for word: its players, pods, rounds and tables, each with its element.

Codes that nobody knows and whatever cannot have happened are refused by name. Unknown elements and
attributes are left alone: they stay in the tree, and are written back with it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from xml.etree.ElementTree import Element

from topcut.errors import BadInput
from topcut.formats.tdf.xml_tree import XmlDocument
from topcut.history.builder import MOST_ROUNDS
from topcut.text.phrases import join_or

OPEN, FIRST_WON, SECOND_WON, TIE, BYE, LATE, BOTH_LOST = 0, 1, 2, 3, 5, 8, 10
OUTCOMES = (OPEN, FIRST_WON, SECOND_WON, TIE, BYE, LATE, BOTH_LOST)
ALONE = (BYE, LATE)
"""Outcomes of one player without an opponent."""
POOLS = {0: (0,), 1: (1,), 2: (2,), 8: (0, 1), 9: (1, 2), 10: (0, 1, 2)}
"""Category of a pod: the divisions that play in it, as they are numbered in the book, the youngest first."""
SET_UP, RUNNING, FINISHED = 1, 4, 5
TYPES = (2, 3)
ELIMINATION = 1
"""Type of a round; a Swiss round has the type of the event."""
PLAYING, PLAYED, LAST = 2, 6, 8
ROUND_STAGES = (2, 4, 5, 6, 7, 8)
POD_STAGES = (0, 1, 2)
MOST_PLAYERS = 50_000
"""As many as the largest file holds."""


@dataclass(frozen=True)
class TdfMatch:
    players: tuple[str, ...]
    outcome: int
    table: int
    element: Element


@dataclass(frozen=True)
class TdfRound:
    elimination: bool
    stage: int
    matches: tuple[TdfMatch, ...]
    element: Element

    @cached_property
    def outcomes(self) -> dict[str, int]:
        """Return the outcome of their table for each player."""
        return {player_id: match.outcome for match in self.matches for player_id in match.players}


@dataclass(frozen=True)
class TdfPod:
    """Players who are paired with each other, and their rounds, which are numbered from 1."""

    category: int
    stage: int
    third_place: bool
    additional: int
    """Swiss rounds beyond those that the rules plan."""
    subgroups: tuple[tuple[str, ...], ...]
    rounds: tuple[TdfRound, ...]
    element: Element

    @property
    def divisions(self) -> tuple[int, ...]:
        return POOLS[self.category]

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(player_id for group in self.subgroups for player_id in group)

    @property
    def swiss(self) -> int:
        return sum(not a_round.elimination for a_round in self.rounds)


@dataclass(frozen=True)
class TdfPlayer:
    """A player of the file."""

    id: str
    name: str
    birth_year: int | None
    dropped: int | None
    """The last round of their pod that they took part in."""
    seed: int | None
    element: Element


@dataclass(frozen=True)
class TdfFile:
    """All that is understood of a file."""

    document: XmlDocument
    type: int
    stage: int
    game: str
    mode: str
    version: str
    name: str
    start: date | None
    less_swiss: bool
    players: tuple[TdfPlayer, ...]
    pods: tuple[TdfPod, ...]
    places: dict[int, tuple[str, ...]]
    """Division to its players from the first place on; empty while the event is not finished."""
    unfinished: dict[int, tuple[tuple[str, str], ...]]
    """Division to the players who did not finish (dnf), each with the place that is written for them."""
    cuts: dict[int, int]
    """Division to the size of its cut, 0 for none."""
    third_place: bool


def read_document(document: XmlDocument, games: Collection[str]) -> TdfFile:
    """Return what the tree of a file says. `games`: the kinds of game that are known."""
    root = document.root
    if root.tag != "tournament":
        raise BadInput(f'the first element is "{root.tag}": expected "tournament"')
    event_type = read_code(root.get("type"), TYPES, "tournament", "type")
    game = root.get("gametype", "")
    if game not in games:
        raise unknown_word("tournament", "gametype", game, list(games))
    players = tuple(_read_players(root))
    known = {player.id for player in players}
    pods = tuple(_read_pods(root, known, event_type))
    _check_pods(players, pods)
    cuts, third_place = _read_cuts(root)
    places, unfinished = _read_places(root, known)
    return TdfFile(
        document=document,
        type=event_type,
        stage=read_code(root.get("stage"), (SET_UP, RUNNING, FINISHED), "tournament", "stage"),
        game=game,
        mode=root.get("mode", ""),
        version=root.get("version", ""),
        name=read_text(root, "data/name"),
        start=read_date(read_text(root, "data/startdate"), "data", "startdate"),
        less_swiss=read_flag(root, "data/lessswiss", "data"),
        players=players,
        pods=pods,
        places=places,
        unfinished=unfinished,
        cuts=cuts,
        third_place=third_place or any(pod.third_place for pod in pods),
    )


def _read_players(root: Element) -> Iterator[TdfPlayer]:
    seen: set[str] = set()
    for number, element in enumerate(root.iterfind("players/player"), start=1):
        if number > MOST_PLAYERS:
            raise BadInput(f"expected at most {MOST_PLAYERS:,} players", place="players")
        player_id = element.get("userid", "").strip()
        if not player_id:
            raise BadInput("expected a userid", place=f"player {number}")
        place = f"player {player_id}"
        if player_id in seen:
            raise BadInput("this userid stands twice", place=place)
        seen.add(player_id)
        names = (read_text(element, "firstname"), read_text(element, "lastname"))
        birthdate = read_date(read_text(element, "birthdate"), place, "birthdate")
        dropped = element.findall("dropped")
        if len(dropped) > 1:
            raise BadInput("dropped twice: expected once", place=place)
        for drop in dropped:
            read_code(read_text(drop, "status"), (1,), place, "dropped status")
        yield TdfPlayer(
            id=player_id,
            name=" ".join(name for name in names if name),
            birth_year=birthdate.year if birthdate else None,
            dropped=read_number(dropped[0], "round", f"{place}, dropped") if dropped else None,
            seed=read_number(element, "seed", place) if element.find("seed") is not None else None,
            element=element,
        )


def _read_pods(root: Element, known: set[str], event_type: int) -> Iterator[TdfPod]:
    for number, element in enumerate(root.iterfind("pods/pod"), start=1):
        place = f"pod {number}"
        subgroups = []
        for group in element.iterfind("subgroups/subgroup"):
            ids = [player.get("userid", "").strip() for player in group.iterfind("players/player")]
            for player_id in ids:
                _check_known(player_id, known, place)
            subgroups.append(tuple(ids))
        counted = element.find("poddata/subgroupcount")
        if counted is not None and subgroups:
            count = read_number(element, "poddata/subgroupcount", place)
            if count != len(subgroups):
                raise BadInput(f"{len(subgroups)} subgroups, and a subgroupcount of {count}", place=place)
        members = {player_id for group in subgroups for player_id in group}
        yield TdfPod(
            category=read_code(element.get("category"), tuple(POOLS), place, "category"),
            stage=read_code(element.get("stage"), POD_STAGES, place, "stage"),
            third_place=read_flag(element, "poddata/playoff3rd4th", place),
            additional=read_number(element, "poddata/additionalrounds", place, absent=0),
            subgroups=tuple(subgroups),
            rounds=tuple(_read_rounds(element, members, known, event_type, place)),
            element=element,
        )


def _read_rounds(
    pod: Element, members: set[str], known: set[str], event_type: int, pod_place: str
) -> Iterator[TdfRound]:
    eliminating = False
    for number, element in enumerate(pod.iterfind("rounds/round"), start=1):
        place = f"{pod_place}, round {number}"
        if number > MOST_ROUNDS:
            raise BadInput(f"expected at most {MOST_ROUNDS} rounds", place=pod_place)
        if parse_whole(element.get("number")) != number:
            written = f'"{element.get("number", "")}"'
            raise BadInput(f"its number is {written}: expected {number}, without gaps", place=place)
        elimination = read_code(element.get("type"), (event_type, ELIMINATION), place, "type") == ELIMINATION
        if eliminating and not elimination:
            raise BadInput("a Swiss round after an elimination round", place=place)
        eliminating = elimination
        stage = read_code(element.get("stage"), ROUND_STAGES, place, "stage")
        matches = []
        seen: set[str] = set()
        for position, one in enumerate(element.iterfind("matches/match"), start=1):
            match = _read_match(one, place, position)
            at = f"{place}, table {match.table or position}"
            if elimination and match.outcome == TIE:
                raise BadInput("a tie in an elimination round: expected a winner", place=at)
            for player_id in match.players:
                _check_known(player_id, known, at)
                if player_id not in members:
                    raise BadInput(f'"{player_id}" is in no subgroup of this pod', place=at)
                if player_id in seen:
                    raise BadInput(f'"{player_id}" sits at another table of this round too', place=at)
                seen.add(player_id)
            matches.append(match)
        yield TdfRound(elimination, stage, tuple(matches), element)


def _read_match(element: Element, round_place: str, position: int) -> TdfMatch:
    table = read_number(element, "tablenumber", f"{round_place}, table {position}", absent=0)
    place = f"{round_place}, table {table or position}"
    outcome = read_code(element.get("outcome"), OUTCOMES, place, "outcome")
    seats = [element.findall(name) for name in ("player1", "player2", "player")]
    counts = [len(found) for found in seats]
    players = tuple(one.get("userid", "").strip() for found in seats for one in found)
    if counts == [0, 0, 1]:
        if outcome not in ALONE:
            problem = f"outcome {outcome} of one player: expected {join_or(list(map(str, ALONE)))}"
            raise BadInput(problem, place=place)
    elif counts == [1, 1, 0]:
        if outcome in ALONE:
            raise BadInput(f"outcome {outcome} is for one player, not for two", place=place)
    else:
        raise BadInput("expected player1 and player2, or one player", place=place)
    return TdfMatch(players, outcome, table, element)


def _check_pods(players: Sequence[TdfPlayer], pods: Sequence[TdfPod]) -> None:
    home: dict[str, int] = {}
    for number, pod in enumerate(pods, start=1):
        for player_id in pod.players:
            if player_id in home:
                where = (
                    "this pod twice"
                    if home[player_id] == number
                    else f"pod {home[player_id]} and pod {number}"
                )
                raise BadInput(f'"{player_id}" is in {where}', place=f"pod {number}")
            home[player_id] = number
    for player in players:
        own = pods[home[player.id] - 1].rounds if player.id in home else ()
        last = max((n for n, r in enumerate(own, start=1) if player.id in r.outcomes), default=0)
        rounds = max(len(own), not last)  # round 1 for who left before it was paired
        if player.dropped is not None and not last <= player.dropped <= rounds:
            problem = f"dropped after round {player.dropped}"
            found = f"plays in round {last}" if last > player.dropped else f"there are {len(own)} rounds"
            raise BadInput(f"{problem}, and {found}", place=f"player {player.id}")


def _read_places(
    root: Element, known: set[str]
) -> tuple[dict[int, tuple[str, ...]], dict[int, tuple[tuple[str, str], ...]]]:
    """Return who finished, in order, and who did not, by division."""
    found: dict[int, list[tuple[int, str]]] = {}
    unfinished: dict[int, list[tuple[str, str]]] = {}
    seen: set[str] = set()
    for element in root.iterfind("standings/pod"):
        category = read_code(element.get("category"), (0, 1, 2), "standings", "category")
        place = f"standings of category {category}"
        kind = element.get("type", "")
        if kind not in ("finished", "dnf"):
            raise unknown_word(place, "type", kind, ["finished", "dnf"])
        for player in element.iterfind("player"):
            player_id = player.get("id", "").strip()
            _check_known(player_id, known, place)
            if player_id in seen:
                raise BadInput(f'"{player_id}" stands twice', place=place)
            seen.add(player_id)
            number = parse_whole(player.get("place"))
            if number is None:
                raise BadInput(f'"{player_id}" has the place "{player.get("place", "")}"', place=place)
            if kind == "finished":
                found.setdefault(category, []).append((number, player_id))
            else:
                unfinished.setdefault(category, []).append((player_id, player.get("place", "")))
    places = {
        category: tuple(player_id for _, player_id in sorted(ranked)) for category, ranked in found.items()
    }
    return places, {category: tuple(ids) for category, ids in unfinished.items()}


def _read_cuts(root: Element) -> tuple[dict[int, int], bool]:
    cuts: dict[int, int] = {}
    third_place = False
    for element in root.iterfind("finalsoptions/categorycut"):
        key = read_code(element.get("key"), (0, 1, 2), "finalsoptions", "key")
        place = f"finalsoptions, key {key}"
        if key in cuts:
            raise BadInput("this key stands twice", place=place)
        cut = read_number(element, "cut", place, absent=0)
        if cut and (cut < 2 or cut & (cut - 1)):
            raise BadInput(f"a cut of {cut}: expected 0 or a power of two", place=place)
        cuts[key] = cut
        third_place = read_flag(element, "paired3rd4th", place) or third_place
    return cuts, third_place


def _check_known(player_id: str, known: set[str], place: str) -> None:
    if player_id not in known:
        raise BadInput(f'no player has the userid "{player_id}"', place=place)


DATE = "%m/%d/%Y"


def unknown_word(place: str, name: str, value: str | None, expected: Sequence[str]) -> BadInput:
    """Return the refusal of a word that is none of those expected."""
    return BadInput(f'{name} "{value or ""}" is not known: expected {join_or(expected)}', place=place)


def read_code(value: str | None, known: Sequence[int], place: str, name: str) -> int:
    """Return a code, one of those that are known."""
    number = parse_whole(value)
    if number is None or number not in known:
        raise unknown_word(place, name, value, list(dict.fromkeys(str(code) for code in known)))
    return number


def parse_whole(value: str | None) -> int | None:
    """Return a whole number, if it is one."""
    text = (value or "").strip()
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else None


def read_text(element: Element, path: str) -> str:
    """Return the text of an element below this one; empty where there is none."""
    return (element.findtext(path) or "").strip()


def read_number(element: Element, path: str, place: str, absent: int | None = None) -> int:
    """Return the number in an element below this one; `absent` where nothing is written."""
    text = read_text(element, path)
    if not text and absent is not None:
        return absent
    number = parse_whole(text)
    if number is None:
        raise BadInput(f'{path} is "{text}": expected a whole number', place=place)
    return number


def read_flag(element: Element, path: str, place: str) -> bool:
    """Return whether an element below this one says so."""
    text = read_text(element, path)
    if text not in ("", "true", "false"):
        raise BadInput(f'{path} is "{text}": expected true or false', place=place)
    return text == "true"


def read_date(text: str, place: str, name: str) -> date | None:
    """Return a day, without the time that may stand behind it; None where nothing is written."""
    if not text:
        return None
    try:
        return datetime.strptime(text.partition(" ")[0], DATE).date()
    except ValueError:
        raise BadInput(f'{name} is "{text}": expected MM/DD/YYYY', place=place) from None
