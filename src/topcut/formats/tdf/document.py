"""Say what stands in a .tdf file: read its players, pods, rounds and tables word for word, and make new ones.

Unknown codes and what cannot have happened are refused by name. Unknown elements and attributes are left
alone: they stay in the tree, and are written back with it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from xml.etree.ElementTree import Element

from topcut.errors import BadInput
from topcut.formats.tdf.xml_tree import XmlDocument, XmlEditor, make_element
from topcut.history import Table
from topcut.history.builder import MOST_ROUNDS
from topcut.history.results import winner_of
from topcut.rulebook import Book
from topcut.text.messages import count, list_or, say
from topcut.text.messages import number as write_number

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
CHILDREN = {
    "tournament": ("data", "timeelapsed", "players", "pods", "standings", "finalsoptions"),
    "data": ("name",),
    "player": (
        *("firstname", "lastname", "birthdate", "starter", "order", "seed", "dropped"),
        *("creationdate", "lastmodifieddate"),
    ),
    "dropped": ("status", "round", "timestamp"),
    "pod": ("poddata", "subgroups", "rounds"),
    "poddata": ("startingtable", "playoff3rd4th"),
    "match": ("player", "player1", "player2", "timestamp", "tablenumber"),
    "categorycut": ("options", "cut", "playercount", "paired3rd4th"),
}
"""The order of what is written into an element that is there; all else goes to its end."""
DATE = "%m/%d/%Y"
VERSION = "1.80"
BIRTHDAY = "02/27/"
"""Day and month that all files have for everybody; only the year is known."""


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

    @property
    def eliminating(self) -> bool:
        return self.swiss < len(self.rounds)


@dataclass(frozen=True)
class TdfPlayer:
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
    unfinished: dict[str, tuple[int, str]]
    """Players who did not finish (dnf), each with the division and the place that is written for them."""
    cuts: dict[int, int]
    """Division to the size of its cut, 0 for none."""
    third_place: bool


def read_document(document: XmlDocument, games: Collection[str]) -> TdfFile:
    """Return what the tree of a file says. `games`: the kinds of game that are known."""
    root = document.root
    if root.tag != "tournament":
        raise BadInput(say('the first element is "{name}": expected "tournament"', name=root.tag))
    event_type = _read_code(root, "type", TYPES, "tournament")
    game = root.get("gametype", "")
    if game not in games:
        raise _unknown_word("tournament", "gametype", game, games)
    players = tuple(_read_players(root))
    known = {player.id for player in players}
    pods = tuple(_read_pods(root, known, event_type))
    _check_pods(players, pods)
    cuts, third_place = _read_cuts(root)
    places, unfinished = _read_places(root, known)
    return TdfFile(
        document=document,
        type=event_type,
        stage=_read_code(root, "stage", (SET_UP, RUNNING, FINISHED), "tournament"),
        game=game,
        mode=root.get("mode", ""),
        version=root.get("version", ""),
        name=_read_text(root, "data/name"),
        start=_read_date(root, "data/startdate", "data"),
        less_swiss=_read_flag(root, "data/lessswiss", "data"),
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
            most = write_number(MOST_PLAYERS)
            raise BadInput(say("expected at most {most} players", most=most), place="players")
        player_id = userid_of(element)
        if not player_id:
            raise BadInput(say("expected a userid"), place=say("player {number}", number=number))
        place = say("player {number}", number=player_id)
        if player_id in seen:
            raise BadInput(say("this userid appears twice"), place=place)
        seen.add(player_id)
        names = (_read_text(element, "firstname"), _read_text(element, "lastname"))
        birthdate = _read_date(element, "birthdate", place)
        dropped = element.findall("dropped")
        if len(dropped) > 1:
            raise BadInput(say("dropped twice: expected once"), place=place)
        for drop in dropped:
            if _parse_whole(status := _read_text(drop, "status")) != 1:
                raise _unknown_word(place, "dropped status", status, [1])
        yield TdfPlayer(
            id=player_id,
            name=" ".join(filter(None, names)),
            birth_year=birthdate.year if birthdate else None,
            dropped=_read_number(dropped[0], "round", say("{place}, dropped", place=place))
            if dropped
            else None,
            seed=_read_number(element, "seed", place) if element.find("seed") is not None else None,
            element=element,
        )


def _read_pods(root: Element, known: set[str], event_type: int) -> Iterator[TdfPod]:
    for number, element in enumerate(root.iterfind("pods/pod"), start=1):
        place = say("pod {number}", number=number)
        subgroups = []
        for group in element.iterfind("subgroups/subgroup"):
            subgroups.append(tuple(map(userid_of, group.iterfind("players/player"))))
            for player_id in subgroups[-1]:
                _check_known(player_id, known, place)
        if element.find("poddata/subgroupcount") is not None and subgroups:
            wanted = _read_number(element, "poddata/subgroupcount", place)
            if wanted != len(subgroups):
                problem = say(
                    "expected {wanted} subgroups, as in subgroupcount, not {found}",
                    wanted=wanted,
                    found=len(subgroups),
                )
                raise BadInput(problem, place=place)
        members = {player_id for group in subgroups for player_id in group}
        yield TdfPod(
            category=_read_code(element, "category", tuple(POOLS), place),
            stage=_read_code(element, "stage", POD_STAGES, place),
            third_place=_read_flag(element, "poddata/playoff3rd4th", place),
            additional=_read_number(element, "poddata/additionalrounds", place, absent=0),
            subgroups=tuple(subgroups),
            rounds=tuple(_read_rounds(element, members, known, event_type, place)),
            element=element,
        )


def _read_rounds(
    pod: Element, members: set[str], known: set[str], event_type: int, pod_place: str
) -> Iterator[TdfRound]:
    eliminating = False
    for number, element in enumerate(pod.iterfind("rounds/round"), start=1):
        place = say("{pod}, round {number}", pod=pod_place, number=number)
        if number > MOST_ROUNDS:
            raise BadInput(say("expected at most {most} rounds", most=MOST_ROUNDS), place=pod_place)
        if _parse_whole(element.get("number")) != number:
            written = element.get("number", "")
            problem = say(
                'its number is "{found}": expected {number}, without gaps', found=written, number=number
            )
            raise BadInput(problem, place=place)
        elimination = _read_code(element, "type", (event_type, ELIMINATION), place) == ELIMINATION
        if eliminating and not elimination:
            raise BadInput(say("a Swiss round can't follow an elimination round"), place=place)
        eliminating = elimination
        stage = _read_code(element, "stage", ROUND_STAGES, place)
        matches = []
        seen: set[str] = set()
        for position, one in enumerate(element.iterfind("matches/match"), start=1):
            match = _read_match(one, place, position)
            at = say("{round}, table {number}", round=place, number=match.table or position)
            if elimination and match.outcome == TIE:
                raise BadInput(say("a tie in an elimination round: expected a winner"), place=at)
            for player_id in match.players:
                _check_known(player_id, known, at)
                if player_id not in members:
                    raise BadInput(
                        say('"{player}" is in no subgroup of this pod', player=player_id), place=at
                    )
                if player_id in seen:
                    problem = say('"{player}" is also at another table of this round', player=player_id)
                    raise BadInput(problem, place=at)
                seen.add(player_id)
            matches.append(match)
        yield TdfRound(elimination, stage, tuple(matches), element)


def _read_match(element: Element, round_place: str, position: int) -> TdfMatch:
    place = say("{round}, table {number}", round=round_place, number=position)
    table = _read_number(element, "tablenumber", place, absent=0)
    place = say("{round}, table {number}", round=round_place, number=table or position)
    outcome = _read_code(element, "outcome", OUTCOMES, place)
    seats = [element.findall(name) for name in ("player1", "player2", "player")]
    counts = [len(found) for found in seats]
    players = tuple(userid_of(one) for found in seats for one in found)
    if counts == [0, 0, 1]:
        if outcome not in ALONE:
            problem = say(
                "outcome {outcome} for one player: expected {expected}",
                outcome=outcome,
                expected=list_or(ALONE),
            )
            raise BadInput(problem, place=place)
    elif counts == [1, 1, 0]:
        if outcome in ALONE:
            raise BadInput(
                say("outcome {outcome} is for one player, not for two", outcome=outcome), place=place
            )
    else:
        raise BadInput(say("expected player1 and player2, or one player"), place=place)
    return TdfMatch(players, outcome, table, element)


def _check_pods(players: Sequence[TdfPlayer], pods: Sequence[TdfPod]) -> None:
    home: dict[str, int] = {}
    for number, pod in enumerate(pods, start=1):
        for player_id in pod.players:
            if player_id in home:
                first = home[player_id]
                problem = (
                    say('"{player}" is in this pod twice', player=player_id)
                    if first == number
                    else say(
                        '"{player}" is in pod {pod} and pod {other}',
                        player=player_id,
                        pod=first,
                        other=number,
                    )
                )
                raise BadInput(problem, place=say("pod {number}", number=number))
            home[player_id] = number
    for player in players:
        own = pods[home[player.id] - 1].rounds if player.id in home else ()
        last = max((n for n, r in enumerate(own, start=1) if player.id in r.outcomes), default=0)
        rounds = max(len(own), not last)  # round 1 for who left before it was paired
        if player.dropped is not None and not last <= player.dropped <= rounds:
            dropped = player.dropped
            problem = (
                say("dropped after round {dropped}, but plays in round {round}", dropped=dropped, round=last)
                if last > dropped
                else count(
                    "dropped after round {dropped}, but there is {n} round",
                    "dropped after round {dropped}, but there are {n} rounds",
                    len(own),
                    dropped=dropped,
                )
            )
            raise BadInput(problem, place=say("player {number}", number=player.id))


def _read_places(
    root: Element, known: set[str]
) -> tuple[dict[int, tuple[str, ...]], dict[str, tuple[int, str]]]:
    """Return who finished, in order, and who did not."""
    finished: dict[int, list[tuple[int, str]]] = {}
    unfinished: dict[str, tuple[int, str]] = {}
    seen: set[str] = set()
    for element in root.iterfind("standings/pod"):
        category = _read_code(element, "category", (0, 1, 2), "standings")
        place = say("standings of category {number}", number=category)
        kind = element.get("type", "")
        if kind not in ("finished", "dnf"):
            raise _unknown_word(place, "type", kind, ["finished", "dnf"])
        for player in element.iterfind("player"):
            player_id, written = player.get("id", "").strip(), player.get("place", "")
            _check_known(player_id, known, place)
            if player_id in seen:
                raise BadInput(say('"{player}" appears twice', player=player_id), place=place)
            seen.add(player_id)
            number = _parse_whole(written)
            if number is None:
                problem = say(
                    'the place of "{player}" is "{found}": expected a whole number',
                    player=player_id,
                    found=written,
                )
                raise BadInput(problem, place=place)
            if kind == "finished":
                finished.setdefault(category, []).append((number, player_id))
            else:
                unfinished[player_id] = (category, written)
    return {n: tuple(player_id for _, player_id in sorted(ids)) for n, ids in finished.items()}, unfinished


def _read_cuts(root: Element) -> tuple[dict[int, int], bool]:
    cuts: dict[int, int] = {}
    third_place = False
    for element in root.iterfind("finalsoptions/categorycut"):
        key = _read_code(element, "key", (0, 1, 2), "finalsoptions")
        place = f"finalsoptions, key {key}"
        if key in cuts:
            raise BadInput(say("this key appears twice"), place=place)
        cut = _read_number(element, "cut", place, absent=0)
        if cut and (cut < 2 or cut & (cut - 1)):
            raise BadInput(say("a cut of {cut}: expected 0 or a power of two", cut=cut), place=place)
        cuts[key] = cut
        third_place = _read_flag(element, "paired3rd4th", place) or third_place
    return cuts, third_place


def _check_known(player_id: str, known: set[str], place: str) -> None:
    if player_id not in known:
        raise BadInput(say('no player has the userid "{player}"', player=player_id), place=place)


def list_divisions(book: Book) -> list[str]:
    """Return the names of the divisions, in the order in which files number them."""
    assert book.divisions is not None
    return [division.name for division in book.divisions.list]


def userid_of(element: Element) -> str:
    """Return the id of the player that an element is or stands for; empty where it names none."""
    return element.get("userid", "").strip()


def _unknown_word(place: str, name: str, value: str | None, expected: Collection[object]) -> BadInput:
    problem = say(
        '{name} "{found}" is not known: expected {expected}',
        name=name,
        found=value or "",
        expected=list_or(expected),
    )
    return BadInput(problem, place=place)


def _read_code(element: Element, name: str, known: Sequence[int], place: str) -> int:
    """Return the code in an attribute, one of those that are known."""
    number = _parse_whole(element.get(name))
    if number is None or number not in known:
        raise _unknown_word(place, name, element.get(name), dict.fromkeys(known))
    return number


def _parse_whole(value: str | None) -> int | None:
    text = (value or "").strip()
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else None


def _read_text(element: Element, path: str) -> str:
    """Return the text of an element below this one; empty where there is none."""
    return (element.findtext(path) or "").strip()


def _read_number(element: Element, path: str, place: str, absent: int | None = None) -> int:
    """Return the number in an element below this one; `absent` where nothing is written."""
    text = _read_text(element, path)
    if not text and absent is not None:
        return absent
    number = _parse_whole(text)
    if number is None:
        raise BadInput(
            say('{name} is "{found}": expected a whole number', name=path, found=text), place=place
        )
    return number


def _read_flag(element: Element, path: str, place: str) -> bool:
    text = _read_text(element, path)
    if text not in ("", "true", "false"):
        raise BadInput(say('{name} is "{found}": expected true or false', name=path, found=text), place=place)
    return text == "true"


def _read_date(element: Element, path: str, place: str) -> date | None:
    """Return a day, without the time that may stand behind it; None where nothing is written."""
    text = _read_text(element, path)
    if not text:
        return None
    try:
        return datetime.strptime(text.partition(" ")[0], DATE).date()
    except ValueError:
        name = path.rpartition("/")[2]
        problem = say('{name} is "{found}": expected MM/DD/YYYY', name=name, found=text)
        raise BadInput(problem, place=place) from None


def format_moment(at: datetime) -> str:
    return at.strftime(f"{DATE} %H:%M:%S")


def convert_match(match: TdfMatch) -> Table:
    """Return a table with its result."""
    outcome = match.outcome
    winner = {TIE: "draw", BOTH_LOST: "double_loss"}.get(outcome)
    if outcome in (FIRST_WON, SECOND_WON):
        winner = match.players[0 if outcome == FIRST_WON else 1]
    number = match.table or None
    return Table(players=match.players, table=number, winner=winner, bye=outcome == BYE, loss=outcome == LATE)


def choose_outcome(table: Table, players: Sequence[str]) -> int:
    """Return the code of a result, seen from players in this order."""
    if table.bye or table.loss:
        return BYE if table.bye else LATE
    if not table.reported:
        return OPEN
    if table.winner == "double_loss":
        return BOTH_LOST
    if table.winner == "draw" or (table.games is not None and table.games[0] == table.games[1]):
        return TIE
    return FIRST_WON if winner_of(table) == players[0] else SECOND_WON


def make_empty_file(name: str, game: str, event_type: int, mode: str, at: datetime) -> XmlDocument:
    """Return the file of an event without players."""
    before = {"name": name, "id": "", "city": "", "state": "", "country": ""}
    before |= {"roundtime": "50", "finalsroundtime": "75"}
    organizer = make_element("organizer", popid="", name="")
    behind = {"startdate": at.strftime(DATE), "lessswiss": "false", "autotablenumber": "true"}
    behind |= {"overflowtablestart": "0"}
    data = make_element("data", [*_make_texts(before), organizer, *_make_texts(behind)])
    about = {"type": str(event_type), "stage": str(SET_UP), "version": VERSION}
    root = make_element("tournament", **about, gametype=game, mode=mode)
    root.text = "\n\t"
    editor = XmlEditor(root, CHILDREN)
    for element in (data, *_make_texts({"timeelapsed": "0", "players": "", "pods": "", "finalsoptions": ""})):
        editor.insert(root, element)
    return XmlDocument(root)


def _make_texts(texts: Mapping[str, str]) -> list[Element]:
    """Return an element for each text, called by its key."""
    return [make_element(tag, text) for tag, text in texts.items()]


def make_player(player_id: str, first: str, last: str, birth_year: int, at: datetime) -> Element:
    names = {"firstname": first, "lastname": last, "birthdate": f"{BIRTHDAY}{birth_year:04}"}
    times = dict.fromkeys(("creationdate", "lastmodifieddate"), format_moment(at))
    return make_element("player", _make_texts(names | {"starter": "true"} | times), userid=player_id)


def make_pod(category: int, third_place: bool, flights: int) -> Element:
    rules = {"startingtable": "1", "playoff3rd4th": format_flag(third_place)}
    rules |= {"subgroupcount": str(flights), "additionalrounds": "0"}
    numbers = range(1, flights + 1)
    groups = [make_element("subgroup", [make_element("players")], number=str(n)) for n in numbers]
    data, subgroups = make_element("poddata", _make_texts(rules)), make_element("subgroups", groups)
    parts = [data, subgroups, make_element("rounds")]
    return make_element("pod", parts, category=str(category), stage="0")


def make_round(number: int, round_type: int, seconds: int, paired: datetime | None) -> Element:
    """Return a round without tables yet. `paired`: when, in files that say so."""
    times = {"timeleft": str(seconds)} | ({} if paired is None else {"pairtime": format_moment(paired)})
    attributes = {"number": str(number), "type": str(round_type), "stage": str(PLAYING)}
    return make_element("round", [*_make_texts(times), make_element("matches")], **attributes)


def make_match(players: Sequence[str], outcome: int, table: int, at: datetime) -> Element:
    tags = ["player"] if len(players) == 1 else ["player1", "player2"]
    seats = [make_element(tag, userid=player_id) for tag, player_id in zip(tags, players, strict=True)]
    texts = _make_texts({"timestamp": format_moment(at), "tablenumber": str(table)})
    return make_element("match", [*seats, *texts], outcome=str(outcome))


def make_drop(number: int, at: datetime) -> Element:
    texts = {"status": "1", "round": str(number), "timestamp": format_moment(at)}
    return make_element("dropped", _make_texts(texts))


def make_cut(division: int, cut: int, players: int, third_place: bool) -> Element:
    options = make_element("options", [make_element("value", str(size)) for size in sorted({0, cut})])
    texts = {"cut": str(cut), "playercount": str(players), "paired3rd4th": format_flag(third_place)}
    return make_element("categorycut", [options, *_make_texts(texts)], key=str(division))


def format_flag(flag: bool) -> str:
    return "true" if flag else "false"
