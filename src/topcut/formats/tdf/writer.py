"""Write an event onto the .tdf file it came from, or onto an empty one: only what differs is touched.

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
from topcut.formats.event_file import Event, EventFile, build_event
from topcut.formats.tdf.document import FINISHED, POOLS, RUNNING, SET_UP, TdfFile
from topcut.formats.tdf.elements import BIRTHDAY, format_flag, format_moment, make_cut, make_drop, make_player
from topcut.formats.tdf.xml_editor import XmlEditor, make_element
from topcut.history import Player, check_reported
from topcut.history.divisions import division_of
from topcut.history.parts import split_into_parts
from topcut.rulebook import Book
from topcut.stages.final_places import find_final_places
from topcut.stages.player_ids import replace_ids
from topcut.stages.progress import Progress

Places = dict[int, tuple[list[tuple[str, str]], list[tuple[str, str]]]]
"""Division to the ids and places of those who finished, and of those who did not."""


@dataclass
class TdfUpdate:
    """An event, the file it is written onto, and what that file said before."""

    tdf: TdfFile
    before: EventFile
    file: EventFile
    """With userids for ids."""
    here: EventFile
    """With the ids of here."""
    ids: Mapping[str, str]
    """Those to userids."""
    book: Book
    at: datetime
    editor: XmlEditor
    own_rounds: dict[str, list[int]] = field(default_factory=dict)
    """Player to the rounds of the event (from 0) that their pod has played."""

    @property
    def root(self) -> Element:
        return self.tdf.document.root

    @cached_property
    def event(self) -> Event:
        return build_event(self.file, book=self.book)

    @cached_property
    def progress(self) -> Progress:
        event = self.event
        return Progress(event.history, event.book, event.file.options, event.file.rounds, [event.file.seed])

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
        """Return the number of a player's division; the oldest where nothing says which."""
        name = division_of(player, self.book)
        return self.names.index(name) if name in self.names else len(self.names) - 1

    def child(self, tag: str, after: tuple[str, ...]) -> Element:
        """Return a part of the file, which is made where it is missing."""
        found = self.root.find(tag)
        if found is None:
            found = make_element(tag)
            self.editor.insert(self.root, found, after)
        return found


def write_name(update: TdfUpdate) -> None:
    if update.file.name != update.before.name:
        data = update.child("data", ())
        update.editor.set_text(data, "name", update.file.name, ())


def write_players(update: TdfUpdate) -> None:
    """Write new players, changed names and years of birth, and remove players who are gone."""
    elements = {entry.id: entry.element for entry in update.tdf.players}
    update.editor.remove(
        *(element for player_id, element in elements.items() if player_id not in update.people)
    )
    for player in update.file.players:
        first, last = _split_name(player)
        old = update.known.get(player.id)
        if old is None:
            born = player.born or _invent_birth_year(update, player)
            people = update.child("players", ("data", "timeelapsed"))
            update.editor.insert(people, make_player(player.id, first, last, born, update.at))
            continue
        element = elements[player.id]
        changed = False
        if player.name.split() != old.name.split():
            update.editor.set_text(element, "firstname", first, ())
            update.editor.set_text(element, "lastname", last, ("firstname",))
            changed = True
        if player.born != old.born and player.born is not None:
            date = f"{BIRTHDAY}{player.born:04}"
            update.editor.set_text(element, "birthdate", date, ("firstname", "lastname"))
            changed = True
        if changed:
            update.editor.set_text(element, "lastmodifieddate", format_moment(update.at), ("creationdate",))


def _split_name(player: Player) -> tuple[str, str]:
    """Return first and last name: the last word is the last name."""
    first, _, last = " ".join(player.shown_name.split()).rpartition(" ")
    return first, last


def _invent_birth_year(update: TdfUpdate, player: Player) -> int:
    """Return a birth year for a player without one: the last of their division, in its season."""
    divisions = update.book.divisions
    assert divisions is not None
    division = divisions.list[update.division(player)]
    day = update.tdf.start or update.at.date()
    season = day.year - (day.month < divisions.season_month)
    moved = season - (divisions.season or season)
    return (division.born_to or division.born_from or season) + moved


def write_drops(update: TdfUpdate) -> None:
    """Write who left, and after which round of their pod; who came back has not left."""
    for element in update.root.findall("players/player"):
        player_id = element.get("userid", "").strip()
        old, left = update.known.get(player_id), _round_left(update.people[player_id])
        if (left is None) if old is None else (left == _round_left(old)):
            continue
        drop = element.find("dropped")
        if left is None:
            if drop is not None:
                update.editor.remove(drop)
            continue
        own = sum(r < left for r in update.own_rounds.get(player_id, ()))
        if drop is None:
            after = ("firstname", "lastname", "birthdate", "starter", "order", "seed")
            update.editor.insert(element, make_drop(own, update.at), after)
        else:
            update.editor.set_text(drop, "round", str(own), ("status",))
            update.editor.set_text(drop, "timestamp", format_moment(update.at), ("status", "round"))


def _round_left(player: Player) -> int | None:
    return player.disqualified if player.dropped is None else player.dropped


def write_cuts(update: TdfUpdate) -> None:
    """Write the cut of each division, and how many players it has."""
    begun = bool(update.file.rounds) and not update.tdf.pods
    before, now = find_cuts(update, update.before), find_cuts(update, update.file)
    counts = [Counter(map(update.division, file.players)) for file in (update.before, update.file)]
    third = [bool(file.options.third_place) for file in (update.before, update.file)]
    if not begun and before == now and counts[0] == counts[1] and third[0] == third[1]:
        return
    if not update.file.rounds and not _is_cut_chosen(update.file) and not update.tdf.cuts:
        return  # the rules decide when the first round is paired
    finals = update.child("finalsoptions", ("data", "timeelapsed", "players", "pods", "standings"))
    there = {element.get("key", "").strip(): element for element in finals.iterfind("categorycut")}
    for number in sorted(now, reverse=True):
        element = there.get(str(number))
        if element is None:
            offered = sorted({0, now[number]})
            cut = make_cut(number, now[number], offered, counts[1][number], third[1])
            update.editor.insert(finals, cut)
            continue
        if begun or before.get(number) != now[number]:
            update.editor.set_text(element, "cut", str(now[number]), ("options",))
        if counts[0][number] != counts[1][number]:
            update.editor.set_text(element, "playercount", str(counts[1][number]), ("options", "cut"))
        if third[0] != third[1]:
            update.editor.set_text(
                element, "paired3rd4th", format_flag(third[1]), ("options", "cut", "playercount")
            )
    if third[0] != third[1]:
        for poddata in update.root.iterfind("pods/pod/poddata"):
            update.editor.set_text(poddata, "playoff3rd4th", format_flag(third[1]), ("startingtable",))


def _is_cut_chosen(file: EventFile) -> bool:
    """Return whether the organiser has said anything about a cut."""
    own = [division.cut for division in (file.options.by_division or {}).values()]
    return any(said is not None for said in (file.options.format, file.options.cut, *own))


def find_cuts(update: TdfUpdate, file: EventFile) -> dict[int, int]:
    """Return the cut of each division, 0 for none; a bracket of several counts for the largest of them."""
    if not file.players:
        return {}
    event = build_event(file, book=update.book)
    players = event.history.players
    found = dict.fromkeys(map(update.division, players), 0)
    for whole in split_into_parts(event.history, event.book, file.options):
        for part in whole.apart or (whole,):
            sizes = Counter(update.division(players[i]) for i in part.members)
            if part.bracket is not None and part.cut:
                found[max(sizes, key=lambda number: (sizes[number], number))] = part.cut
    return found


def write_end(update: TdfUpdate, finished: bool | None) -> None:
    """Write whether the event is finished, and then the places of every division."""
    tdf, editor = update.tdf, update.editor
    if finished is None:
        finished = tdf.stage == FINISHED and (_is_complete(update.file) or not editor.changed)
    if not finished:
        if tdf.stage == FINISHED or (tdf.stage == SET_UP and update.file.rounds):
            editor.set_attribute(update.root, "stage", str(RUNNING))
        if tdf.stage == FINISHED:
            editor.remove(*update.root.findall("standings"))
        return
    if tdf.stage == FINISHED and not editor.changed:
        return
    # Lots go by the ids of here, as everybody has seen them.
    now = _list_places(
        update,
        [update.ids[player_id] for player_id in list_final_order(build_event(update.here, book=update.book))],
    )
    editor.set_attribute(update.root, "stage", str(FINISHED))
    if tdf.stage == FINISHED and update.root.find("standings") is not None and now == _places_before(update):
        return  # what the file has stays, even if we would have counted otherwise
    editor.remove(*update.root.findall("standings"))
    pods = []
    for number in sorted(POOLS[10], reverse=True):
        for kind, places in zip(("finished", "dnf"), now[number], strict=True):
            players = [make_element("player", id=player_id, place=place) for player_id, place in places]
            pods.append(make_element("pod", players, category=str(number), type=kind))
    editor.insert(update.root, make_element("standings", pods), ("data", "timeelapsed", "players", "pods"))


def _is_complete(file: EventFile) -> bool:
    return all(table.reported for a_round in file.rounds for table in a_round.tables)


def _places_before(update: TdfUpdate) -> Places | None:
    """Return the places of the event as the file had it; None where it cannot have been finished."""
    try:
        return _list_places(update, list_final_order(build_event(update.before, book=update.book)))
    except BadInput:
        return None


def _list_places(update: TdfUpdate, order: Sequence[str]) -> Places:
    """Return the places of an event whose players end in this order; who did not finish, the file says.

    Players in no pod played in nothing, and have no place.
    """
    seats = update.root.iterfind("pods/pod/subgroups/subgroup/players/player")
    inside = {seat.get("userid", "").strip() for seat in seats}
    unfinished = {player_id: place for ids in update.tdf.unfinished.values() for player_id, place in ids}
    people = {player.id: player for player in (*update.before.players, *update.file.players)}
    found: Places = {n: ([], []) for n in range(len(update.names))}
    for player_id in order:
        ranked, others = found[update.division(people[player_id])]
        if player_id in unfinished:
            others.append((player_id, unfinished[player_id]))
        elif player_id in inside:
            ranked.append((player_id, str(len(ranked) + 1)))
    return found


def choose_userids(file: EventFile, known: set[str]) -> dict[str, str]:
    """Return a userid for each id: the membership number if the file knows it, else the id if it does."""
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


def put_userids(file: EventFile, ids: Mapping[str, str]) -> EventFile:
    """Return the event with userids for ids."""
    return replace(
        file,
        players=tuple(replace(player, id=ids[player.id]) for player in file.players),
        rounds=tuple(replace(r, tables=tuple(replace_ids(t, ids) for t in r.tables)) for r in file.rounds),
    )


def list_final_order(event: Event) -> list[str]:
    """Return the ids of all players, those of one division in the order of their places.

    Who never sat at a table has no result that a key could look at: they keep the order of the file, as in
    finished files. A table that is open is an error, and so is a bracket that is not over.
    """
    check_reported(event.file.players, event.file.rounds)
    progress = Progress(event.history, event.book, event.file.options, event.file.rounds, [event.file.seed])
    history = progress.history
    ranked: list[str] = []
    for bracket in progress.brackets if progress.eliminating else ():
        if not bracket.play.over:
            raise BadInput("the bracket is not over: expected a finished event", place="rounds")
        ranked += _keep_absent_as_listed(event, [final.id for final in find_final_places(progress, bracket)])
    inside = set(ranked)
    for part in progress.parts:
        rounds = history.rounds if part.rounds is None else min(part.rounds, history.rounds)
        order = progress.standings(part, rounds).order.tolist()
        members = set(part.members)
        rest = [
            player_id for i in order if i in members and (player_id := history.players[i].id) not in inside
        ]
        ranked += _keep_absent_as_listed(event, rest)
    return ranked


def _keep_absent_as_listed(event: Event, order: list[str]) -> list[str]:
    """Return the order with players who never sat at a table among each other as in the file."""
    seated = {
        player_id for a_round in event.file.rounds for table in a_round.tables for player_id in table.players
    }
    absent = sorted(
        (player_id for player_id in order if player_id not in seated), key=event.history.index.__getitem__
    )
    listed = iter(absent)
    return [player_id if player_id in seated else next(listed) for player_id in order]
