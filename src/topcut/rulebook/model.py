"""The shape of a ruleset: what a book may say.

A book is a TOML file; frozen structures are what it becomes. Each table of a book carries the
`source` its values come from (a section of the published document and the rule's number), and
`sources` for single values that come from elsewhere. Nothing here knows a game.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, field

from topcut.rulebook.keys import Key, Measure, Standings
from topcut.rulebook.layout import Cut, Divisions, Flights, Plan, Stage
from topcut.rulebook.running import LateEntry, Running
from topcut.rulebook.section import Section


class Match(Section, frozen=True, kw_only=True):
    """What happens at one table: who sits there, what is played, which results exist."""

    table_sizes: tuple[int, ...]
    """Players at a table, the preferred size first."""
    results: Literal["games", "scores", "winner"]
    """Whether a table reports games won and drawn, a score for each player, or only who won."""
    best_of: int | None = None
    target: int | None = None
    """The score that a winner has reached; an event may choose another."""
    tie_counts: tuple[str, ...] = ()
    """What is counted, in this order, where several have the most and reached the target."""
    tie_below_target: bool = False
    """Whether such a tie is broken below the target too."""
    round_minutes: dict[str, int] = field(default_factory=dict)
    """Length of a round by kind of event; `default` where the rules know only one."""
    extra_turns: int | None = None
    intentional_draws: bool
    byes: bool


class Tables(Section, frozen=True, kw_only=True):
    """How many tables of which size."""

    at_most: dict[str, int] = field(default_factory=dict)
    """Largest number of tables of a size that is not the preferred one."""
    others: Literal["bottom", "top", "random"] = "bottom"
    """Where in the standings tables of the other size are."""
    order: str = "standings"
    """What tables are cut from: the standings, or a list by one key of the chain alone."""
    recommended_from: int
    fewer: Literal["warned", "refused"]


class Chart(Section, frozen=True, kw_only=True):
    """Who meets whom, round by round, by seat and by what happened at earlier tables.

    A table is named by a letter; its two places are seats ("1") or earlier tables' winners and losers
    ("winner A", "loser A").
    """

    rounds: tuple[dict[str, tuple[str, str]], ...]
    draws: Literal["lot", "records"]
    """After one drawn table its players take the winner's and the loser's place by lot, or all by records."""
    exchange: bool
    """Whether two who drew in the first round change places in the third if they still have one record."""
    records_from: int
    """So many drawn tables, and the rest is paired by records."""
    records_count: Literal["event", "round"]
    """Whether those are counted over all rounds so far, or in any single one."""
    empty_seats: int = 0
    """How many seats may be empty from the start, the last ones; who meets an empty place has a bye."""
    bye_says: str = ""
    """What such a bye counts for, in the words of a plan."""

    @property
    def seats(self) -> int:
        return 2 * len(self.rounds[0])

    @property
    def fewest(self) -> int:
        """The fewest players who can begin."""
        return self.seats - self.empty_seats


class Pods(Section, frozen=True, kw_only=True):
    """Players who draft together and then play each other, by standing."""

    size: int
    remainder: Literal["own from half", "equal"]
    """Those left over: half a pod or more are one of their own, fewer join the last; or all pods alike."""
    outside: Literal["avoided", "never"]
    """Meetings from before the pod."""


class Pairing(Section, frozen=True, kw_only=True):
    """How a round is paired: what is minimised, in order, and what is never done."""

    minimise: tuple[
        Literal[
            "second_byes",
            "rematches",
            "dead_end",
            "bye_points",
            "cross_division",
            "score_gap_squared",
            "displacement",
            "apart",
        ],
        ...,
    ]
    """`displacement`: how far players sit from where the standings have them, at tables of three and more."""
    rematches: Literal["avoided", "allowed", "never", "never within the recommended rounds"]
    newest_first: bool = False
    """Whether a rematch of a newer round outweighs any number of older ones."""
    second_bye: Literal["avoided", "allowed", "never"] = "avoided"
    bye_twice_running: bool = True
    """Whether the bye may go to the player who had it in the round before."""
    look_ahead: int = 2
    """Planned rounds that a small field must be left able to play."""
    chart: Chart | None = None
    pods: Pods | None = None


class Option(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One way to read an unclear rule."""

    value: Any
    says: str


class Reading(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A place where the published rules can be read in more than one way, and the way taken."""

    asks: str
    chosen: str
    because: str
    options: dict[str, Option]


class Book(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A whole ruleset."""

    id: str
    title: str
    edition: str
    status: Literal["official", "reconstructed", "house"]
    document: str
    """The published document that `source` values point into."""
    options: tuple[str, ...]
    """The options of an event that this ruleset has a use for."""
    match: Match
    measures: dict[str, Measure]
    chain: tuple[Key, ...]
    standings: Standings
    plan: Plan
    stages: tuple[Stage, ...]
    """Each format plays those that name it, in this order."""
    pairing: Pairing | None = None
    cut: Cut | None = None
    tables: Tables | None = None
    divisions: Divisions | None = None
    flights: Flights | None = None
    late_entry: LateEntry | None = None
    running: Running | None = None
    readings: dict[str, Reading] = {}
