"""Which pods has an event, who is in them, and which rounds are theirs? New ones are made in the file."""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from topcut.errors import BadInput
from topcut.exchange.tdf.edit import made
from topcut.exchange.tdf.new import a_pod
from topcut.exchange.tdf.sheet import POOLS, Pod, PodRound
from topcut.exchange.tdf.write import Writing
from topcut.history import Player, Table
from topcut.history.parts import parts


@dataclass
class Home:
    """A pod as it becomes."""

    element: Element
    pod: Pod | None
    """As it was."""
    divisions: set[int]
    players: set[str]
    rounds: list[tuple[int, list[Table]]] = field(default_factory=list)
    """Round of the event (from 0), and the tables of the pod in it."""

    @property
    def before(self) -> tuple[PodRound, ...]:
        """The rounds that it had."""
        return self.pod.rounds if self.pod else ()


def homes_of(writing: Writing) -> list[Home]:
    """The pods of an event, with their players and tables."""
    homes = _homes(writing)
    taken = [division for home in homes for division in home.divisions]
    if len(taken) != len(set(taken)):
        pools = "each division in one pool, and only neighbours together"
        raise BadInput(f"these pools cannot be written here: expected {pools}", place="options.pools")
    of = {player_id: home for home in homes for player_id in home.players}
    for r, a_round in enumerate(writing.file.rounds):
        for t, table in enumerate(a_round.tables):
            where = {id(of.get(player)) for player in table.players}
            if len(where) > 1:
                problem = f"{' and '.join(table.players)} are in different pods"
                raise BadInput(problem, place=f"rounds[{r}].tables[{t}]")
        for home in homes:
            home.rounds.append((r, [table for table in a_round.tables if of.get(table.players[0]) is home]))
    for home in homes:
        home.rounds = _own(writing, home)
        _add_missed(writing, home)
    return homes


def _own(writing: Writing, home: Home) -> list[tuple[int, list[Table]]]:
    """The rounds of a pod: Swiss rounds up to its last one, then elimination rounds with its own tables."""
    swiss = [r for r, tables in home.rounds if writing.file.rounds[r].stage == "swiss"]
    there = home.pod.swiss if home.pod else 0
    last = max((r for r, tables in home.rounds if r in swiss and (tables or r < there)), default=-1)
    return [(r, tables) for r, tables in home.rounds if r <= last or (tables and r not in swiss)]


def _homes(writing: Writing) -> list[Home]:
    """The pods of the file, with players who came and without those who went; new ones where needed."""
    homes = [Home(pod.element, pod, set(pod.divisions), set(pod.players)) for pod in writing.sheet.pods]
    for home in homes:
        seats = home.element.findall("subgroups/subgroup/players/player")
        gone = [seat for seat in seats if seat.get("userid", "").strip() not in writing.people]
        writing.pen.drop(*gone)
        home.players &= writing.people.keys()
    if not homes and not writing.file.rounds:
        return homes
    event = writing.event
    seated = {
        player_id
        for a_round in writing.file.rounds
        for table in a_round.tables
        for player_id in table.players
    }
    for part in parts(event.history, event.book, event.file.options):
        members = [event.history.players[i] for i in part.members]
        inside = {player.id for player in members}
        own = [home for home in homes if home.players & inside]
        for player in members:
            never = player.id not in seated and 0 in (player.dropped, player.disqualified)
            if never or any(player.id in home.players for home in homes):
                continue
            division = writing.division(player)
            if not own:
                own = [_new_pod(writing, division)]
                homes += own
            home = next((home for home in own if division in home.divisions), own[0])
            _enter(writing, home, player, division)
    return homes


def _new_pod(writing: Writing, division: int) -> Home:
    pods = writing.child("pods", ("data", "timeelapsed", "players"))
    pool = {division}
    for names in writing.file.options.pools or ():
        if writing.names[division] in names:
            pool = {writing.names.index(name) for name in names}
    category = next(category for category, divisions in POOLS.items() if pool <= set(divisions))
    flights = max((player.flight or 1 for player in writing.file.players), default=1)
    element = a_pod(category, bool(writing.file.options.third_place), flights)
    writing.pen.put(pods, element)
    return Home(element, None, set(POOLS[category]), set())


def _enter(writing: Writing, home: Home, player: Player, division: int) -> None:
    """A player into a pod, the subgroup of their flight; its category grows if it must."""
    home.players.add(player.id)
    if division not in home.divisions:
        wider = home.divisions | {division}
        category = next(c for c, divisions in POOLS.items() if wider <= set(divisions))
        home.divisions = set(POOLS[category])
        writing.pen.set(home.element, "category", str(category))
    groups = home.element.findall("subgroups/subgroup/players")
    if len(groups) < (player.flight or 1):
        raise BadInput(f"no subgroup for {player.shown_name}: expected one for each flight", place="pods")
    writing.pen.put(groups[(player.flight or 1) - 1], made("player", userid=player.id))


def _add_missed(writing: Writing, home: Home) -> None:
    """Rounds that late players missed are losses without an opponent, unless the file left them out."""
    late = [one for one in writing.file.players if one.entered > 1 and one.id in home.players]
    for own, (r, tables) in enumerate(home.rounds):
        if writing.file.rounds[r].stage != "swiss":
            return
        seated = {player_id for table in tables for player_id in table.players}
        for player in late:
            if (
                r + 1 < player.entered
                and player.id not in seated
                and not _left_out(writing, home, own, player)
            ):
                tables.append(Table(players=(player.id,), loss=True))


def _left_out(writing: Writing, home: Home, own: int, player: Player) -> bool:
    """Whether the file has nothing of a late player in a round that it has."""
    old = writing.known.get(player.id)
    same = old is not None and old.entered == player.entered
    return same and own < len(home.before) and player.id not in home.before[own].outcomes
