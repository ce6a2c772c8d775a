"""An event onto the .tdf file it came from, or onto an empty one: only what differs is touched.

What the file said is read once more and compared with the event, player by player and table by table;
everything else in the tree, known or not, stays as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from xml.etree.ElementTree import Element

from msgspec.structs import replace

from topcut.errors import BadInput
from topcut.exchange.event_file import Event, EventFile, built
from topcut.exchange.tdf.edit import Pen, made
from topcut.exchange.tdf.new import BIRTHDAY, a_cut, a_drop, a_player, moment
from topcut.exchange.tdf.places import final_order
from topcut.exchange.tdf.sheet import FINISHED, POOLS, RUNNING, SET_UP, Sheet
from topcut.history import Player
from topcut.history.divisions import division_of
from topcut.history.parts import parts
from topcut.rulebook import Book
from topcut.stages.course import Course
from topcut.stages.ids import renamed

Places = dict[int, tuple[list[tuple[str, str]], list[tuple[str, str]]]]
"""Division to the ids and places of those who finished, and of those who did not."""


@dataclass
class Writing:
    """An event, the file it is written onto, and what that file said before."""

    sheet: Sheet
    before: EventFile
    file: EventFile
    """With userids for ids."""
    here: EventFile
    """With the ids of here."""
    ids: Mapping[str, str]
    """Those to userids."""
    book: Book
    at: datetime
    pen: Pen
    own_rounds: dict[str, list[int]] = field(default_factory=dict)
    """Player to the rounds of the event (from 0) that their pod has played."""

    @property
    def root(self) -> Element:
        return self.sheet.document.root

    @cached_property
    def event(self) -> Event:
        return built(self.file, book=self.book)

    @cached_property
    def course(self) -> Course:
        event = self.event
        return Course(event.history, event.book, event.file.options, event.file.rounds, [event.file.seed])

    @cached_property
    def names(self) -> list[str]:
        assert self.book.divisions is not None
        return [division.name for division in self.book.divisions.list]

    @cached_property
    def people(self) -> dict[str, Player]:
        return {player.id: player for player in self.file.players}

    @cached_property
    def known(self) -> dict[str, Player]:
        return {player.id: player for player in self.before.players}

    def division(self, player: Player) -> int:
        """The number of a player's division; the oldest where nothing says which."""
        name = division_of(player, self.book)
        return self.names.index(name) if name in self.names else len(self.names) - 1

    def child(self, tag: str, after: tuple[str, ...]) -> Element:
        """A part of the file, which is made where it is missing."""
        found = self.root.find(tag)
        if found is None:
            found = made(tag)
            self.pen.put(self.root, found, after)
        return found


def write_name(writing: Writing) -> None:
    if writing.file.name != writing.before.name:
        data = writing.child("data", ())
        writing.pen.say(data, "name", writing.file.name, ())


def write_players(writing: Writing) -> None:
    """New players, changed names and years of birth, and those who are not there any more."""
    elements = {entry.id: entry.element for entry in writing.sheet.players}
    writing.pen.drop(*(element for player_id, element in elements.items() if player_id not in writing.people))
    for player in writing.file.players:
        first, last = _names(player)
        old = writing.known.get(player.id)
        if old is None:
            born = player.born or _some_year(writing, player)
            people = writing.child("players", ("data", "timeelapsed"))
            writing.pen.put(people, a_player(player.id, first, last, born, writing.at))
            continue
        element = elements[player.id]
        changed = False
        if player.name.split() != old.name.split():
            writing.pen.say(element, "firstname", first, ())
            writing.pen.say(element, "lastname", last, ("firstname",))
            changed = True
        if player.born != old.born and player.born is not None:
            date = f"{BIRTHDAY}{player.born:04}"
            writing.pen.say(element, "birthdate", date, ("firstname", "lastname"))
            changed = True
        if changed:
            writing.pen.say(element, "lastmodifieddate", moment(writing.at), ("creationdate",))


def _names(player: Player) -> tuple[str, str]:
    """First and last name: the last word is the last name."""
    first, _, last = " ".join(player.shown_name.split()).rpartition(" ")
    return first, last


def _some_year(writing: Writing, player: Player) -> int:
    """A year of birth for somebody who has none here: the last one of their division, in its season."""
    divisions = writing.book.divisions
    assert divisions is not None
    division = divisions.list[writing.division(player)]
    day = writing.sheet.start or writing.at.date()
    season = day.year - (day.month < divisions.season_month)
    moved = season - (divisions.season or season)
    return (division.born_to or division.born_from or season) + moved


def write_drops(writing: Writing) -> None:
    """Who left, and after which round of their pod; whoever came back has not left."""
    for element in writing.root.findall("players/player"):
        player_id = element.get("userid", "").strip()
        old, left = writing.known.get(player_id), _left(writing.people[player_id])
        if (left is None) if old is None else (left == _left(old)):
            continue
        drop = element.find("dropped")
        if left is None:
            if drop is not None:
                writing.pen.drop(drop)
            continue
        own = sum(r < left for r in writing.own_rounds.get(player_id, ()))
        if drop is None:
            after = ("firstname", "lastname", "birthdate", "starter", "order", "seed")
            writing.pen.put(element, a_drop(own, writing.at), after)
        else:
            writing.pen.say(drop, "round", str(own), ("status",))
            writing.pen.say(drop, "timestamp", moment(writing.at), ("status", "round"))


def _left(player: Player) -> int | None:
    return player.disqualified if player.dropped is None else player.dropped


def write_cuts(writing: Writing) -> None:
    """The cut of each division, and how many players it has."""
    begun = bool(writing.file.rounds) and not writing.sheet.pods
    before, now = cuts_of(writing, writing.before), cuts_of(writing, writing.file)
    counts = [Counter(map(writing.division, file.players)) for file in (writing.before, writing.file)]
    third = [bool(file.options.third_place) for file in (writing.before, writing.file)]
    if not begun and before == now and counts[0] == counts[1] and third[0] == third[1]:
        return
    if not writing.file.rounds and not _chosen(writing.file) and not writing.sheet.cuts:
        return  # the rules decide when the first round is paired
    finals = writing.child("finalsoptions", ("data", "timeelapsed", "players", "pods", "standings"))
    there = {element.get("key", "").strip(): element for element in finals.iterfind("categorycut")}
    for number in sorted(now, reverse=True):
        element = there.get(str(number))
        if element is None:
            offered = sorted({0, now[number]})
            cut = a_cut(number, now[number], offered, counts[1][number], third[1])
            writing.pen.put(finals, cut)
            continue
        if begun or before.get(number) != now[number]:
            writing.pen.say(element, "cut", str(now[number]), ("options",))
        if counts[0][number] != counts[1][number]:
            writing.pen.say(element, "playercount", str(counts[1][number]), ("options", "cut"))
        if third[0] != third[1]:
            flag = "true" if third[1] else "false"
            writing.pen.say(element, "paired3rd4th", flag, ("options", "cut", "playercount"))
    if third[0] != third[1]:
        for poddata in writing.root.iterfind("pods/pod/poddata"):
            writing.pen.say(poddata, "playoff3rd4th", "true" if third[1] else "false", ("startingtable",))


def _chosen(file: EventFile) -> bool:
    """Whether the organiser has said anything about a cut."""
    own = [division.cut for division in (file.options.by_division or {}).values()]
    return any(said is not None for said in (file.options.format, file.options.cut, *own))


def cuts_of(writing: Writing, file: EventFile) -> dict[int, int]:
    """Division to its cut, 0 for none; a bracket of several divisions counts for the largest of them."""
    if not file.players:
        return {}
    event = built(file, book=writing.book)
    players = event.history.players
    found = dict.fromkeys(map(writing.division, players), 0)
    for whole in parts(event.history, event.book, file.options):
        for part in whole.apart or (whole,):
            sizes = Counter(writing.division(players[i]) for i in part.members)
            if part.bracket is not None and part.cut:
                found[max(sizes, key=lambda number: (sizes[number], number))] = part.cut
    return found


def write_end(writing: Writing, finished: bool | None) -> None:
    """Whether the event is finished, and then the places of every division."""
    sheet, pen = writing.sheet, writing.pen
    if finished is None:
        finished = sheet.stage == FINISHED and (_complete(writing.file) or not pen.used)
    if not finished:
        if sheet.stage == FINISHED or (sheet.stage == SET_UP and writing.file.rounds):
            pen.set(writing.root, "stage", str(RUNNING))
        if sheet.stage == FINISHED:
            pen.drop(*writing.root.findall("standings"))
        return
    if sheet.stage == FINISHED and not pen.used:
        return
    # Lots go by the ids of here, as everybody has seen them.
    now = _places(
        writing, [writing.ids[player_id] for player_id in final_order(built(writing.here, book=writing.book))]
    )
    pen.set(writing.root, "stage", str(FINISHED))
    if sheet.stage == FINISHED and writing.root.find("standings") is not None and now == _before(writing):
        return  # what the file has stays, even if we would have counted otherwise
    pen.drop(*writing.root.findall("standings"))
    pods = []
    for number in sorted(POOLS[10], reverse=True):
        for kind, places in zip(("finished", "dnf"), now[number], strict=True):
            players = [made("player", id=player_id, place=place) for player_id, place in places]
            pods.append(made("pod", players, category=str(number), type=kind))
    pen.put(writing.root, made("standings", pods), ("data", "timeelapsed", "players", "pods"))


def _complete(file: EventFile) -> bool:
    return all(table.reported for a_round in file.rounds for table in a_round.tables)


def _before(writing: Writing) -> Places | None:
    """The places of the event as the file had it; None where it cannot have been finished."""
    try:
        return _places(writing, final_order(built(writing.before, book=writing.book)))
    except BadInput:
        return None


def _places(writing: Writing, order: Sequence[str]) -> Places:
    """The places of an event whose players end in this order; who did not finish is what the file says.

    Players in no pod played in nothing, and have no place.
    """
    seats = writing.root.iterfind("pods/pod/subgroups/subgroup/players/player")
    inside = {seat.get("userid", "").strip() for seat in seats}
    unfinished = {player_id: place for ids in writing.sheet.unfinished.values() for player_id, place in ids}
    people = {player.id: player for player in (*writing.before.players, *writing.file.players)}
    found: Places = {n: ([], []) for n in range(len(writing.names))}
    for player_id in order:
        ranked, others = found[writing.division(people[player_id])]
        if player_id in unfinished:
            others.append((player_id, unfinished[player_id]))
        elif player_id in inside:
            ranked.append((player_id, str(len(ranked) + 1)))
    return found


def userids(file: EventFile, known: set[str]) -> dict[str, str]:
    """Ids of here to userids: the membership number if the file knows it, else the id if it does."""
    found: dict[str, str] = {}
    taken: dict[str, str] = {}
    for player in file.players:
        number = (player.member or player.id).strip()
        player_id = player.id if player.id in known and number not in known else number
        if not player_id or player_id in taken:
            other = f"{taken[player_id]} and " if player_id else ""
            problem = f'{other}{player.shown_name} would have the userid "{player_id}": expected one each'
            raise BadInput(problem, place="players")
        taken[player_id] = player.shown_name
        found[player.id] = player_id
    return found


def with_userids(file: EventFile, ids: Mapping[str, str]) -> EventFile:
    """The event with userids for ids."""
    return replace(
        file,
        players=tuple(replace(player, id=ids[player.id]) for player in file.players),
        rounds=tuple(replace(r, tables=tuple(renamed(t, ids) for t in r.tables)) for r in file.rounds),
    )
