"""Events out and in again: the same event, whatever happened in it; what is unknown passes through."""

import random
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.tiers import effort
from tools.verify_tdf import canonical, meaning, paired, places
from topcut.errors import Impossible
from topcut.formats.event_file import EventFile, build_event
from topcut.formats.tdf import tom as tdf
from topcut.formats.tdf.writer import list_final_order
from topcut.formats.tdf.xml_tree import encode_xml, parse_xml
from topcut.history import Player, Round, Table
from topcut.rulebook.options import ForDivision, Options

AT = datetime(2026, 2, 14, 12, 30, 0)
FILES = sorted((Path(__file__).parent / "tdf").glob("*.tdf"))
BORN = {"junior": (2014, 2019), "senior": (2010, 2013), "masters": (1950, 2009)}
POOLS = [
    (("junior",), ("senior",), ("masters",)),
    (("junior", "senior"), ("masters",)),
    (("junior",), ("senior", "masters")),
    (("junior", "senior", "masters"),),
]
LONG = settings(max_examples=effort(12, 60, 3000), deadline=None, suppress_health_check=list(HealthCheck))


class Day:
    """An event as it may happen: who comes, who plays whom, who wins, who leaves."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.pools = chance.choice(POOLS)
        sizes = {name: chance.choice([0, 1, 2, 4, 7]) for name in BORN}
        self.players: dict[str, Player] = {}
        self.length = {name: chance.randint(1, 4) for pool in self.pools for name in [pool[0]]}
        own: dict[str, ForDivision] = {}
        for pool in self.pools:
            for name in pool:
                cut = chance.choice([size for size in (0, 0, 2, 4) if size <= max(sizes[name] - 1, 0)])
                own[name] = ForDivision(rounds=self.length[pool[0]], cut=cut)
                for _ in range(sizes[name]):
                    self._add(name)
        if not self.players:
            self._add("masters")
        cuts = any(own[player.division or ""].cut for player in self.players.values())
        self.options = Options(
            format="swiss+elimination" if cuts else "swiss",
            pools=self.pools,
            third_place=chance.choice([None, True]) if cuts else None,
            by_division=own if cuts else {name: replace(one, cut=None) for name, one in own.items()},
        )
        self.rounds: list[Round] = []

    def _add(self, division: str, entered: int = 1) -> None:
        player_id = str(4_000_000 + len(self.players))
        born = self.chance.randint(*BORN[division])
        name = f"{self.chance.choice(['Åsa', 'Bo', 'Mary Ann'])} {self.chance.choice('XYZ')}{player_id[-3:]}"
        self.players[player_id] = Player(
            id=player_id, name=name, division=division, member=player_id, born=born, entered=entered
        )

    @property
    def file(self) -> EventFile:
        players, rounds = tuple(self.players.values()), tuple(self.rounds)
        return EventFile(
            topcut=1,
            name="A <day> & more",
            rules=tdf.RULES,
            options=self.options,
            players=players,
            rounds=rounds,
        )

    def swiss(self, number: int) -> None:
        tables = []
        for pool in self.pools:
            if number > self.length[pool[0]]:
                continue
            if number > 1 and self._anybody(pool) and self.chance.random() < 0.3:
                self._add(self.chance.choice(pool), number)
            here = [p.id for p in self.players.values() if p.division in pool and _left(p) is None]
            self.chance.shuffle(here)
            if len(here) % 2:
                last = here.pop()
                tables.append(Table(players=(last,), bye=self.chance.random() < 0.9))
                if not tables[-1].bye:
                    tables[-1] = Table(players=(last,), loss=True)
            tables += [Table(players=pair) for pair in zip(here[::2], here[1::2], strict=True)]
        numbered = [replace(t, table=n) if len(t.players) > 1 else t for n, t in enumerate(tables, start=1)]
        self.rounds.append(Round(tables=tuple(sorted(numbered, key=lambda table: len(table.players) == 1))))

    def report(self, draws: bool) -> None:
        """Results for the last round, and somebody who leaves after it."""
        ended = []
        for table in self.rounds[-1].tables:
            games = {"games": self.chance.choice([(2, 0, 0), (1, 2, 0), (2, 1, 0)])}
            ways = [{"winner": player_id} for player_id in table.players] * 3 + [games]
            ways += [{"winner": "draw"}, {"winner": "double_loss"}, {"games": (1, 1, 1)}] if draws else []
            ended.append(table if table.reported else replace(table, **self.chance.choice(ways)))
        self.rounds[-1] = replace(self.rounds[-1], tables=tuple(ended))
        for table in ended:
            if self.chance.random() < 0.04:
                who = self.players[self.chance.choice(table.players)]
                why = self.chance.choice(["dropped", "dropped", "disqualified"])
                self.players[who.id] = replace(who, **{why: len(self.rounds)})

    def run(self, steps: int) -> bool:
        """So many steps of an event: whether it came to its end."""
        longest = max((self.length[pool[0]] for pool in self.pools if self._anybody(pool)), default=0)
        for step in range(steps):
            if step < longest:
                self.swiss(step + 1)
                if not self.rounds[-1].tables:  # everybody has left
                    self.rounds.pop()
                    return False
            else:
                try:
                    following = paired(build_event(self.file))
                except Impossible:
                    return False
                if following is None:
                    return True
                self.rounds = list(following.rounds)
            self.report(draws=step < longest)
        return False

    def open_again(self) -> None:
        """Half of the results of the last round are not there yet."""
        tables = tuple(
            replace(table, winner=None, games=None) if self.chance.random() < 0.5 else table
            for table in self.rounds[-1].tables
        )
        self.rounds[-1] = replace(self.rounds[-1], tables=tables)

    def _anybody(self, pool: tuple[str, ...]) -> bool:
        return any(player.division in pool for player in self.players.values())


def _left(player: Player) -> int | None:
    return player.disqualified if player.dropped is None else player.dropped


def begun(file: EventFile, rounds: int) -> EventFile:
    """The event as it was after so many rounds."""
    players = []
    for player in file.players:
        if player.entered <= rounds + 1:
            left = {
                why: r if (r := getattr(player, why)) is not None and r <= rounds else None
                for why in ("dropped", "disqualified")
            }
            players.append(replace(player, **left))
    return replace(file, players=tuple(players), rounds=file.rounds[:rounds])


@LONG
@given(st.randoms(use_true_random=False), st.integers(0, 8), st.booleans())
def test_out_and_in_again_is_the_same_event(chance: random.Random, steps: int, mid_round: bool) -> None:
    day = Day(chance)
    over = day.run(steps)
    if mid_round and day.rounds:
        day.open_again()
    file = day.file
    for kind, found in _happened(file).items():
        if found:
            event(kind)
    raw = tdf.write_file(file, None, AT)
    again = tdf.read_content(raw).file
    assert meaning(again) == meaning(file)
    assert canonical(tdf.write_file(again, raw, AT)) == canonical(raw)
    # A disqualification becomes a drop, which has other rights: such places can differ.
    if over and not mid_round and all(player.disqualified is None for player in file.players):
        event("finished")
        whole = tdf.write_file(file, raw, AT, finished=True)
        assert places(whole)[1] == []
        read = tdf.read_content(whole).file
        assert meaning(read) == meaning(file)
        divided = [
            [
                player_id
                for player_id in list_final_order(build_event(f))
                if day.players[player_id].division == division
            ]
            for f in (file, read)
            for division in BORN
        ]
        assert divided[:3] == divided[3:]


@LONG
@given(st.randoms(use_true_random=False), st.integers(1, 8), st.integers(0, 8))
def test_an_event_that_went_on_is_written_onto_its_earlier_file(
    chance: random.Random, steps: int, before: int
) -> None:
    day = Day(chance)
    day.run(steps)
    early = begun(day.file, min(before, len(day.rounds)))
    raw = tdf.write_file(early, None, AT)
    now = tdf.write_file(day.file, raw, AT)
    assert meaning(tdf.read_content(now).file) == meaning(day.file)
    back = tdf.write_file(early, now, AT)  # undone, it is the early event once more
    assert meaning(tdf.read_content(back).file) == meaning(early)


def _happened(file: EventFile) -> dict[str, bool]:
    tables = [table for a_round in file.rounds for table in a_round.tables]
    return {
        "several pools": len({player.division for player in file.players}) > 1,
        "late": any(player.entered > 1 for player in file.players),
        "left": any(_left(player) for player in file.players),
        "bye": any(table.bye for table in tables),
        "loss": any(table.loss for table in tables),
        "draw": any(table.winner == "draw" for table in tables),
        "double loss": any(table.winner == "double_loss" for table in tables),
        "bracket": any(a_round.stage == "elimination" for a_round in file.rounds),
        "open": any(not table.reported for table in tables),
    }


def everywhere(root: Element) -> Iterator[Element]:
    return root.iter()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@settings(max_examples=effort(2, 12, 400), deadline=None)
@given(
    chance=st.randoms(use_true_random=False),
    name=st.sampled_from(["extra", "x:extra", "judge", "Player"]),
    text=st.sampled_from(["", "7", "<&>\r\n", "é"]),
)
def test_what_nobody_knows_passes_through(path: Path, chance: random.Random, name: str, text: str) -> None:
    document = parse_xml(path.read_bytes())
    places = list(everywhere(document.root))
    for element in chance.sample(places, 5):
        if chance.random() < 0.5:
            declared = {"xmlns:x": "urn:x"} if ":" in name else {}
            child = SubElement(element, name, {"why": text, **declared})
            child.text = text
        else:
            element.set("note", text)
    raw = encode_xml(document)
    plain = tdf.read_content(path.read_bytes()).file
    file = tdf.read_content(raw).file
    assert meaning(file) == meaning(plain)
    assert canonical(tdf.write_file(file, raw, AT)) == canonical(raw)
    following = paired(build_event(file)) if all(t.reported for r in file.rounds for t in r.tables) else None
    if following is not None:
        now = tdf.write_file(following, raw, AT)
        assert _count(now, name) == _count(raw, name)
        assert now.count(b' note="') == raw.count(b' note="')


def _count(raw: bytes, name: str) -> int:
    return sum(element.tag == name for element in everywhere(parse_xml(raw).root))
