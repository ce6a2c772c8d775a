"""Declare what a book may say: the classes that its TOML file is converted to.

Each table of a book has the `source` of its values (a section of the published document and the rule's
number), and `sources` for single values that come from elsewhere. Nothing here knows a game.
"""

from typing import Any, Literal

from msgspec import Struct, field

from topcut.rulebook.labels import NO_LABEL, Label, find_labels, make_label
from topcut.rulebook.layout import CutRules, Divisions, Flights, Plan, Section, Stage
from topcut.rulebook.tiebreak_keys import Key, Measure, StandingsRules, ValueKey

Level = Literal["casual", "championship", "premier"]
Deck = Literal["constructed", "limited"]


class MatchRules(Section, frozen=True, kw_only=True):
    """What happens at one table: who sits there, what is played, which results exist."""

    table_sizes: tuple[int, ...]
    """Players at a table, the preferred size first."""
    results: Literal["games", "scores", "winner"]
    """Whether a table reports games won and drawn, a score for each player, or only who won."""
    best_of: int | None = None
    target: int | None = None
    """The score that a winner has reached; an event may choose another."""
    tie_counts: tuple[Label, ...] = ()
    """What is counted, in this order, where several have the most and reached the target."""
    tie_below_target: bool = False
    """Whether such a tie is broken below the target too."""
    round_minutes: dict[str, int] = field(default_factory=dict)
    """Length of a round by level, by decks, or by both ("premier-constructed"); `default` for all others."""
    extra_turns: int | None = None
    intentional_draws: bool
    byes: bool
    bye_score: Literal["none", "target"] = "none"
    """The score of a player without an opponent, where tables report scores: nothing, or the target."""


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
    sits_out: Label = NO_LABEL
    """What a player has who sits out where the organiser allows that, in words."""


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
    """From this number of drawn tables on, the rest is paired by records."""
    records_count: Literal["event", "round"]
    """Whether the drawn tables are counted over all rounds so far, or in any single one."""
    empty_seats: int = 0
    """How many seats may be empty from the start, the last ones; who meets an empty place has a bye."""
    bye_says: Label = NO_LABEL
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
    """Players left over: half a pod or more are a pod too, fewer join the last; or all pods alike."""
    outside: Literal["avoided", "never"]
    """Meetings from before the pod."""


class PairingRules(Section, frozen=True, kw_only=True):
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


class Moment(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A point in an event: when a round begins, or when it ends."""

    round: int
    moment: Literal["start", "end"]


class LateEntry(Section, frozen=True, kw_only=True):
    """Who may still enter once an event has begun."""

    until: dict[Level, Moment] = field(default_factory=dict)
    """The last moment for events of a level; one that is not named has none."""
    before_bracket: bool = False
    """Whether the rules say themselves that nobody enters a bracket that has begun; nobody ever can."""
    told: bool = False
    """Whether a late player must be told of the losses, and of ranking behind players who were on time."""

    @property
    def no_later(self) -> str:
        """The rule that closes a bracket to new players; empty where none says so."""
        return self.rule("before_bracket") if self.before_bracket else ""


class RunningRules(Section, frozen=True, kw_only=True):
    """What is announced and published, and how long a record can be corrected."""

    announced: bool = False
    """Whether rounds, cut, prizes and a table for third place are announced before the first round."""
    frozen_after: int | None = None
    """The record of a round is closed by the round this many rounds later; none: open to the end."""
    frozen_when: Literal["paired", "published", "started"] = "published"
    """What that later round must have been."""
    bracket_freezes: bool = False
    """Whether the first elimination round closes the records of all rounds before it, at the same moment."""
    reminded: bool = False
    """Whether players are reminded in each round to check their record."""
    leaving_loses_reported: bool = False
    """Whether a player who leaves a bracket loses the table of the present round even if its result says
    otherwise."""
    slips: tuple[Level, ...] = ()
    """The levels of events that must use result slips."""
    kept_months: int = 0
    """How long results are kept at least after the event."""


class Option(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One way to read an unclear rule."""

    value: Any
    says: Label


class Reading(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A place where the published rules can be read in more than one way, and the way taken."""

    asks: Label
    chosen: str
    because: Label
    options: dict[str, Option]


class Book(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A whole ruleset."""

    id: str
    title: Label
    edition: Label
    status: Literal["official", "reconstructed", "house"]
    document: Label
    """The published document that `source` values point into."""
    options: tuple[str, ...]
    """The options of an event that this ruleset has a use for."""
    match: MatchRules
    measures: dict[str, Measure]
    chain: tuple[Key, ...]
    standings: StandingsRules
    plan: Plan
    stages: tuple[Stage, ...]
    """In order; a format plays the stages that name it."""
    pairing: PairingRules | None = None
    cut: CutRules | None = None
    tables: Tables | None = None
    divisions: Divisions | None = None
    flights: Flights | None = None
    late_entry: LateEntry | None = None
    running: RunningRules | None = None
    readings: dict[str, Reading] = {}
    languages: dict[str, dict[str, str]] = {}
    """By language: translations of the book's labels."""

    @property
    def primary_measure(self) -> Measure | None:
        """The measure of the primary score, the first key of the chain; None in a book that is not valid."""
        primary = self.chain[0] if self.chain else None
        return self.measures.get(primary.measure) if isinstance(primary, ValueKey) else None

    def label(self, text: str) -> Label:
        """Return a text of the book that stands for itself elsewhere, such as the name of a division."""
        return make_label(text, self.languages)

    def list_labels(self) -> list[Label]:
        """List the texts that people read, each once."""
        divisions = [self.label(division.name) for division in self.divisions.list] if self.divisions else []
        return list(dict.fromkeys([*find_labels(self), *divisions]))
