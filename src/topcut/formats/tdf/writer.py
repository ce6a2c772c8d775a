"""Write an event onto the .tdf file it came from, or onto an empty one: only what differs is touched.

What the file said is read once more and compared with the event, player by player and table by table;
everything else in the tree, known or not, stays as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from xml.etree.ElementTree import Element

from topcut.errors import BadInput
from topcut.formats.event_file import Event, EventFile, build_event
from topcut.formats.tdf import document
from topcut.formats.tdf.document import TdfFile
from topcut.formats.tdf.xml_tree import XmlEditor, make_element
from topcut.history import Player, check_reported
from topcut.history.divisions import division_of
from topcut.history.parts import split_into_parts
from topcut.rulebook import Book
from topcut.stages.final_places import find_final_places
from topcut.stages.progress import Progress
from topcut.text.messages import say

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
        return build_event(self.file, book=self.book, reading="known")

    @cached_property
    def progress(self) -> Progress:
        return _progress_of(self.event)

    @cached_property
    def names(self) -> list[str]:
        return document.list_divisions(self.book)

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


def write_players(update: TdfUpdate) -> None:
    """Write new players, changed names and years of birth, and remove players who are gone."""
    elements = {entry.id: entry.element for entry in update.tdf.players}
    update.editor.remove(*(one for player_id, one in elements.items() if player_id not in update.people))
    for player in update.file.players:
        first, _, last = " ".join(player.shown_name.split()).rpartition(" ")  # the last word is the last name
        old = update.known.get(player.id)
        if old is None:
            born = player.born or _invent_birth_year(update, player)
            element = document.make_player(player.id, first, last, born, update.at)
            update.editor.insert(update.editor.child(update.root, "players"), element)
            continue
        texts: dict[str, str] = {}
        if player.name.split() != old.name.split():
            texts |= {"firstname": first, "lastname": last}
        if player.born != old.born and player.born is not None:
            texts["birthdate"] = f"{document.BIRTHDAY}{player.born:04}"
        if texts:
            texts["lastmodifieddate"] = document.format_moment(update.at)
        for tag, text in texts.items():
            update.editor.set_text(elements[player.id], tag, text)


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
        player_id = document.userid_of(element)
        old, left = update.known.get(player_id), _round_left(update.people[player_id])
        if left == (_round_left(old) if old else None):
            continue
        drop = element.find("dropped")
        if left is None:
            update.editor.remove(*element.findall("dropped"))
            continue
        own = sum(r < left for r in update.own_rounds.get(player_id, ()))
        if drop is None:
            update.editor.insert(element, document.make_drop(own, update.at))
        else:
            update.editor.set_text(drop, "round", str(own))
            update.editor.set_text(drop, "timestamp", document.format_moment(update.at))


def _round_left(player: Player) -> int | None:
    return player.disqualified if player.dropped is None else player.dropped


def write_cuts(update: TdfUpdate) -> None:
    """Write the cut of each division, and how many players it has."""
    begun = bool(update.file.rounds) and not update.tdf.pods
    was, now = (
        (find_cuts(update, f), Counter(map(update.division, f.players)), bool(f.options.third_place))
        for f in (update.before, update.file)
    )
    if not begun and was == now:
        return
    options = update.file.options
    own = [division.cut for division in (options.by_division or {}).values()]
    chosen = any(said is not None for said in (options.format, options.cut, *own))
    if not update.file.rounds and not chosen and not update.tdf.cuts:
        return  # the rules decide when the first round is paired
    (old_cuts, old_counts, old_third), (cuts, counts, third) = was, now
    finals = update.editor.child(update.root, "finalsoptions")
    there = {element.get("key", "").strip(): element for element in finals.iterfind("categorycut")}
    for number in sorted(cuts, reverse=True):
        element = there.get(str(number))
        if element is None:
            element = document.make_cut(number, cuts[number], counts[number], third)
            update.editor.insert(finals, element)
            continue
        if begun or old_cuts.get(number) != cuts[number]:
            update.editor.set_text(element, "cut", str(cuts[number]))
        if old_counts[number] != counts[number]:
            update.editor.set_text(element, "playercount", str(counts[number]))
        if old_third != third:
            update.editor.set_text(element, "paired3rd4th", document.format_flag(third))
    if old_third != third:
        for poddata in update.root.iterfind("pods/pod/poddata"):
            update.editor.set_text(poddata, "playoff3rd4th", document.format_flag(third))


def find_cuts(update: TdfUpdate, file: EventFile) -> dict[int, int]:
    """Return the cut of each division, 0 for none; a bracket of several counts for the largest of them."""
    if not file.players:
        return {}
    event = build_event(file, book=update.book, reading="known")
    players = event.history.players
    found = dict.fromkeys(map(update.division, players), 0)
    for whole in split_into_parts(event.history, event.book, file.options):
        for part in whole.bracket_parts or (whole,):
            sizes = Counter(update.division(players[i]) for i in part.members)
            if part.bracket is not None and part.cut:
                found[max(sizes, key=lambda number: (sizes[number], number))] = part.cut
    return found


def write_end(update: TdfUpdate, finished: bool | None) -> None:
    """Write whether the event is finished, and then the places of every division."""
    editor, was_finished = update.editor, update.tdf.stage == document.FINISHED
    if finished is None:
        complete = all(table.reported for a_round in update.file.rounds for table in a_round.tables)
        finished = was_finished and (complete or not editor.changed)
    if not finished:
        if was_finished or (update.tdf.stage == document.SET_UP and update.file.rounds):
            editor.set_attribute(update.root, "stage", str(document.RUNNING))
        if was_finished:
            editor.remove(*update.root.findall("standings"))
        return
    if was_finished and not editor.changed:
        return
    # Lots go by the ids of here, as everybody has seen them.
    order = list_final_order(build_event(update.here, book=update.book, reading="known"))
    now = _list_places(update, [update.ids[player_id] for player_id in order])
    editor.set_attribute(update.root, "stage", str(document.FINISHED))
    if was_finished and update.root.find("standings") is not None and now == _places_before(update):
        return  # what the file has stays, even if we would have counted otherwise
    editor.remove(*update.root.findall("standings"))
    pods = []
    for number in sorted(document.POOLS[10], reverse=True):
        for kind, places in zip(("finished", "dnf"), now[number], strict=True):
            players = [make_element("player", id=player_id, place=place) for player_id, place in places]
            pods.append(make_element("pod", players, category=str(number), type=kind))
    editor.insert(update.root, make_element("standings", pods))


def _places_before(update: TdfUpdate) -> Places | None:
    """Return the places of the event as the file had it; None where it cannot have been finished."""
    try:
        return _list_places(
            update, list_final_order(build_event(update.before, book=update.book, reading="known"))
        )
    except BadInput:
        return None


def _list_places(update: TdfUpdate, order: Sequence[str]) -> Places:
    """Return the places of an event whose players end in this order; who did not finish, the file says.

    Players in no pod played in nothing, and have no place.
    """
    seats = update.root.iterfind("pods/pod/subgroups/subgroup/players/player")
    inside = set(map(document.userid_of, seats))
    unfinished = update.tdf.unfinished
    people = {player.id: player for player in (*update.before.players, *update.file.players)}
    found: Places = {n: ([], []) for n in range(len(update.names))}
    for player_id in order:
        ranked, others = found[update.division(people[player_id])]
        if player_id in unfinished:
            others.append((player_id, unfinished[player_id][1]))
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
            name = player.shown_name
            problem = say("{player} would have an empty userid: expected one for each player", player=name)
            if player_id:
                problem = say(
                    '{player} and {other} would have the userid "{userid}": expected one for each player',
                    player=taken[player_id],
                    other=name,
                    userid=player_id,
                )
            raise BadInput(problem, place="players")
        taken[player_id] = player.shown_name
        found[player.id] = player_id
    return found


def list_final_order(event: Event) -> list[str]:
    """Return the ids of all players, those of one division in the order of their places.

    Who never sat at a table has no result that a key could look at: they keep the order of the file, as in
    finished files. A table that is open is an error, and so is a bracket that is not over.
    """
    check_reported(event.file.players, event.file.rounds)
    seated = event.file.seated
    ranked: list[str] = []
    for order in _list_orders(_progress_of(event)):
        absent = (player_id for player_id in order if player_id not in seated)
        listed = iter(sorted(absent, key=event.history.index.__getitem__))
        ranked += [player_id if player_id in seated else next(listed) for player_id in order]
    return ranked


def _list_orders(progress: Progress) -> Iterator[list[str]]:
    """Yield the players of each bracket by their places, then those of each part who are in no bracket."""
    history = progress.history
    inside: set[str] = set()
    for bracket in progress.brackets if progress.eliminating else ():
        if not bracket.play.over:
            raise BadInput(say("the bracket is not over: expected a finished event"), place="rounds")
        yield (order := [final.id for final in find_final_places(progress, bracket)])
        inside.update(order)
    for part in progress.parts:
        rounds = history.rounds if part.rounds is None else min(part.rounds, history.rounds)
        members = set(part.members)
        ranked = (i for i in progress.standings(part, rounds).order.tolist() if i in members)
        order = [history.players[i].id for i in ranked]
        yield [player_id for player_id in order if player_id not in inside]


def _progress_of(event: Event) -> Progress:
    return Progress(event.history, event.book, event.file.options, event.file.rounds, [event.file.seed])
