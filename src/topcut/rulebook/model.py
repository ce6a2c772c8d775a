"""The shape of a ruleset: what a book may say.

A book is a TOML file; these frozen structures are what it becomes. Each table of a book carries the
`source` its values come from (a section of the published document and the rule's number), and
`sources` for single values that come from elsewhere. Nothing here knows a game.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, Literal

from msgspec import Struct

Outcome = Literal["win", "draw", "loss", "double_loss", "bye", "assigned", "missed", "idle"]
Format = Literal["swiss", "elimination", "swiss+elimination", "double-elimination", "round-robin"]

_RULE_NUMBER = re.compile(r"\b[A-Z]{2,}-[A-Z]?\d+\b")


class Section(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of a book: its values, and where in the published rules they stand."""

    source: str
    sources: dict[str, str] = {}

    def source_of(self, parameter: str) -> str:
        return self.sources.get(parameter, self.source)

    def rule(self, parameter: str) -> str:
        """What a message cites for a parameter: the first rule number of its source, else the source itself.

        >>> Section(source="§3.3.3.1 (PK-42, PK-43)").rule("flight_from")
        'PK-42'
        """
        source = self.source_of(parameter)
        number = _RULE_NUMBER.search(source)
        return number[0] if number else source


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
    round_minutes: dict[str, int] = {}
    """Length of a round by kind of event; `default` where the rules know only one."""
    extra_turns: int | None = None
    intentional_draws: bool
    byes: bool


class Credit:
    """What one round (or game) adds to a measure: what was earned of what was possible.

    In a book `[1, 3]`, or plain `1` where nothing is put in proportion.
    """

    __slots__ = ("earned", "possible")

    def __init__(self, earned: Fraction, possible: Fraction = Fraction(0)) -> None:
        self.earned = earned
        self.possible = possible

    def __repr__(self) -> str:
        return f"[{self.earned}, {self.possible}]" if self.possible else str(self.earned)


class Outcomes(Section, frozen=True, kw_only=True, tag_field="kind", tag="outcomes"):
    """Adds up a credit for each round's outcome: points, wins, win and loss rates.

    Double and assigned losses and missed rounds are losses unless the book says otherwise; a round
    in which an active player sat nowhere adds nothing.
    """

    value: Literal["sum", "rate"]
    """What was earned, or earned ÷ possible (0 where nothing was possible)."""
    win: Credit
    draw: Credit
    loss: Credit
    bye: Credit
    double_loss: Credit | None = None
    assigned: Credit | None = None
    missed: Credit | None = None
    idle: Credit = Credit(Fraction(0))

    def credit(self, outcome: Outcome) -> Credit:
        credit: Credit | None = getattr(self, outcome)
        return self.loss if credit is None else credit


class Games(Section, frozen=True, kw_only=True, tag_field="kind", tag="games"):
    """Adds up a credit for each game inside the tables' results; earned ÷ possible."""

    won: Credit
    drawn: Credit
    lost: Credit
    bye: tuple[int, int, int]
    """Games won, lost and drawn that a bye stands for; likewise the two below."""
    assigned: tuple[int, int, int] = (0, 0, 0)
    missed: tuple[int, int, int] = (0, 0, 0)


class Scores(Section, frozen=True, kw_only=True, tag_field="kind", tag="scores"):
    """The sum of the scores a player took from their tables."""


class Cumulative(Section, frozen=True, kw_only=True, tag_field="kind", tag="cumulative"):
    """A weighted sum of the running total after each round, later rounds weighing more.

    raw(r) = weight × raw(r − 1) + total(r); `normalised` divides by what winning every round gives.
    """

    win: Fraction
    draw: Fraction
    loss: Fraction
    bye: Fraction
    weight: Fraction
    normalised: bool
    after_leaving: Literal["ages", "freezes"]


class Flag(Section, frozen=True, kw_only=True, tag_field="kind", tag="flag"):
    """1 for players to whom it applies, else 0."""

    of: Literal["late", "dropped"]


Measure = Outcomes | Games | Scores | Cumulative | Flag


class Shown(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a value is printed for people. It never decides anything."""

    form: Literal["percent", "decimal", "whole", "flag"]
    """`flag`: yes or no."""
    digits: int = 2
    rounding: Literal["half up", "cut off"] = "half up"
    of: Fraction = Fraction(1)
    """The value that is 100 %."""


class ValueKey(Section, frozen=True, kw_only=True, tag_field="by", tag="value"):
    """A key with a value for each player: a measure of the player's own, or of those they met."""

    key: str
    label: str
    short: str = ""
    """The label where there is little room; the whole one if empty."""
    measure: str
    """A measure of the book, or an earlier key of the chain."""
    of: Literal["self", "opponents", "tablemates"] = "self"
    """`tablemates`: only what each opponent took from the table they shared."""
    aggregate: Literal["mean", "sum"] = "mean"
    floor: Fraction | None = None
    """No single value that enters counts for less; likewise the caps, for more."""
    cap: Fraction | None = None
    cap_if_dropped: Fraction | None = None
    empty: Fraction = Fraction(0)
    """The value of a player who met nobody."""
    better: Literal["high", "low"] = "high"
    shown: Shown


class HeadToHead(Section, frozen=True, kw_only=True, tag_field="by", tag="head_to_head"):
    """Who won when those still tied met each other."""

    key: str
    label: str
    short: str = ""
    among: Literal["two", "any"]
    """Only where exactly two are still tied, or the table of results among all of them."""


class LastOpponent(Section, frozen=True, kw_only=True, tag_field="by", tag="last_opponent"):
    """Whose last opponent stands higher, by the keys that come before in the chain."""

    key: str
    label: str
    short: str = ""
    depth: Literal["once", "recursive"]
    """Whether equal last opponents are compared by their last opponents in turn."""


Key = ValueKey | HeadToHead | LastOpponent


class Standings(Section, frozen=True, kw_only=True):
    ends_in: Literal["lot", "shared"]
    """What happens to players whom no key separates."""
    disqualified: Literal["ranked", "removed"]
    cut_counts_as_dropped: bool = False
    """Whether a player left out by a cut is treated like one who dropped."""


class Row(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One row of a round table: up to so many players (no limit in the last row), so many rounds."""

    rounds: int
    to: int | None = None
    cut: int | None = None
    second_day: int | None = None


class RoundTable(Section, frozen=True, kw_only=True):
    rows: tuple[Row, ...]


class DayTwo(Section, frozen=True, kw_only=True):
    """Who plays on the second day: enough points, or the best so many, whichever are more."""

    losses: int
    top: int


class Plan(Section, frozen=True, kw_only=True):
    """How long an event is."""

    formats: tuple[Format, ...]
    """The formats this ruleset can run, the usual one first."""
    sanctioned: tuple[Format, ...] = ()
    """Where given: the formats that need nobody's approval."""
    tables: dict[str, RoundTable] = {}
    default_table: str = ""
    minimum_players: int = 2
    below_first_row: str = ""
    """What to say of a field smaller than the published table reaches; empty: nothing."""
    first_row: int = 0
    """The smallest number of players the published table speaks of."""
    exact_players: int | None = None
    fixed_rounds: int | None = None
    swiss_only: Literal["table", "log2", "until one is unbeaten", "announced"] = "table"
    one_less: Literal["any", "modified", "never"] = "never"
    day_two: DayTwo | None = None


class Cut(Section, frozen=True, kw_only=True):
    power_of_two: bool


class Tables(Section, frozen=True, kw_only=True):
    """How many tables of which size."""

    at_most: dict[str, int] = {}
    """Largest number of tables of a size that is not the preferred one."""
    others: Literal["bottom", "top", "random"] = "bottom"
    """Where in the standings tables of the other size are."""
    order: str = "standings"
    """What tables are cut from: the standings, or a list by one key of the chain alone."""
    recommended_from: int
    fewer: Literal["warned", "refused"]


class Division(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    name: str
    born_from: int | None = None
    born_to: int | None = None


class Divisions(Section, frozen=True, kw_only=True):
    list: tuple[Division, ...]
    separate_from: int
    empty: Literal["ignored", "short"]
    """Whether a division with no players counts as one with too few."""
    merge: Literal["all", "short"]
    """Whether too few in one division join all divisions in one pool, or only that one to the next."""
    counted: Literal["largest", "all"] = "largest"
    """Whose number decides the rounds of a pool of several divisions: the largest one's, or everybody's."""
    ignored_by: tuple[Format, ...] = ()
    """The formats in which everybody plays together, whatever their division."""


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


class Flights(Section, frozen=True, kw_only=True):
    counts: tuple[int, ...]
    division_from: int
    flight_from: int
    formats: tuple[Format, ...]
    per_flight_from: int
    sizes: Literal["fewest odd", "closest"]
    late: Literal["smallest", "any"] = "smallest"
    """Where several flights are smaller than others: a late player joins one of those, or any flight."""
    rounds: Literal["largest flight", "one less per doubling"]


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
    pairing: Pairing | None = None
    cut: Cut | None = None
    tables: Tables | None = None
    divisions: Divisions | None = None
    flights: Flights | None = None
    readings: dict[str, Reading] = {}
