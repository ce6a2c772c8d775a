"""Split an event into the parts that are played by themselves, and plan each: divisions, or everybody."""

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from msgspec.structs import replace as with_values

from topcut.errors import BadInput, Impossible
from topcut.history.arrays import History
from topcut.history.divisions import choose_division_mode, division_of
from topcut.history.model import Outcome
from topcut.rulebook.layout import BracketStage, Format, RoundRobinStage, SwissStage
from topcut.rulebook.model import Book
from topcut.rulebook.options import ForDivision, Options, choose_format
from topcut.rulebook.planning.plan import EventPlan, Wishes, plan_pool
from topcut.rulebook.planning.pool import DivisionMode, PlannedPool, group_divisions, refuse_flights
from topcut.rulebook.planning.stages import PlannedStage, list_stages, plan_swiss_stages
from topcut.text.messages import say


@dataclass(frozen=True)
class Part:
    """Players who play an event of their own: a division, several of them in one pool, or everybody."""

    name: str
    """Empty where there is only one part."""
    members: list[int]
    """As numbers in the history, with players who left."""
    mode: DivisionMode
    mixed: bool
    format: Format
    flights: int
    """0 for none."""
    plan: EventPlan | None
    """What the rules plan for this number of players; None where they refuse it."""
    refused: Impossible | BadInput | None
    asked: int | None
    """Rounds as the organiser chose them."""
    cut: int | None
    """Players in the cut, as the organiser chose or as the rules have it."""
    book: Book
    bracket_parts: "tuple[Part, ...]" = ()
    """Its divisions, where the organiser chose their cuts: Swiss rounds together, brackets apart."""
    flights_refused: Impossible | None = None
    """Why the rules do not allow the flights that the organiser chose."""
    flights_chosen_for: str | None = None
    """The division whose own option gives the flights; None where the event's does."""

    @property
    def recommended(self) -> int | None:
        """The Swiss rounds that the rules plan, both days together."""
        if self.plan is None or self.plan.rounds is None:
            return None
        return self.plan.rounds + (self.plan.day_two.rounds if self.plan.day_two else 0)

    @property
    def rounds(self) -> int | None:
        """Planned rounds before any bracket; None where nothing gives a number."""
        if self.round_robin:
            players = len(self.members)
            circle = 0 if players < 2 else players - 1 + players % 2
            return circle if self.asked is None else min(self.asked, circle)
        return self.asked or self.recommended

    @cached_property
    def swiss(self) -> list[PlannedStage]:
        table, second_day = self.asked, None
        if self.plan is not None and self.plan.rounds is not None:
            table = self.plan.rounds
            second_day = self.plan.day_two.rounds if self.plan.day_two else None
        return plan_swiss_stages(self.book, self.format, table, second_day, self.asked)

    @cached_property
    def bracket(self) -> BracketStage | None:
        """The elimination stage, if there is one."""
        stages = list_stages(self.book, self.format)
        found = next((stage for stage in stages if isinstance(stage, BracketStage)), None)
        uncut = found and found.enter and found.enter.top == "cut" and self.cut is None
        return None if uncut else found

    @cached_property
    def round_robin(self) -> bool:
        return any(isinstance(stage, RoundRobinStage) for stage in list_stages(self.book, self.format))

    def stage_of(self, number: int) -> PlannedStage | None:
        """Return the Swiss stage to which a round (from 0) belongs."""
        inside = [at for at in self.swiss if at.first <= number and (at.end is None or number < at.end)]
        return inside[-1] if inside else None


def split_into_parts(history: History, book: Book, options: Options) -> list[Part]:
    """Return the parts of an event as they are before its next round."""
    # Players who enter later are not known yet, so that a round can be drawn again when they are.
    known = [i for i in range(history.size) if history.entered[i] <= history.rounds + 1]
    event_format = choose_format(book, options)
    if not any(isinstance(stage, SwissStage) for stage in list_stages(book, event_format)):
        known = [i for i in known if history.last[i] >= 1]
    mode: DivisionMode = "off"
    if book.divisions is None or event_format not in book.divisions.ignored_by:  # PK-16
        # Divisions that began in one pool stay in it (PK-13).
        began = [i for i in known if history.entered[i] == 1]
        players = [[history.players[i] for i in some if history.last[i] >= 1] for some in (known, began)]
        modes = [choose_division_mode(some, book, options.division_mode) for some in players]
        mode = "modified" if "modified" in modes else modes[0]
    names = [division_of(player, book) for player in history.players]
    found = []
    groups = _group_divisions(mode, book, options, names, known)
    owns = [_own_options(options, {names[i] for i in members}) for _, members in groups]
    chosen = [own.flights or options.flights or 1 for own in owns]
    why_not = [
        _refuse_flights(history, book, members, mode, event_format, flights)
        for (_, members), flights in zip(groups, chosen, strict=True)
    ]
    # The event's flights are for each division that may have some; if none may, that is refused (PK-42).
    some = any(flights > 1 and not refused for flights, refused in zip(chosen, why_not, strict=True))
    for (label, members), own, flights, no_flights in zip(groups, owns, chosen, why_not, strict=True):
        divisions = {names[i] for i in members}
        spared = no_flights is not None and not own.flights and some
        in_flights = 0 if spared or flights == 1 else flights
        chosen_for = next((name for name in divisions if name), None) if own.flights else None
        asked = options.cut if own.cut is None else own.cut
        by_size = book.flights is not None and event_format in book.flights.formats
        named = label or chosen_for if by_size else None
        wishes = Wishes(
            format=options.format,
            table=options.table,
            flights=in_flights or None,
            cut=asked or None,
        )
        plan, refused = _plan_part(book, [names[i] for i in members], mode, wishes)
        part = Part(
            name=label,
            members=members,
            mode=mode,
            mixed=mode == "modified" and len(divisions) > 1,
            format=event_format,
            flights=in_flights,
            plan=plan,
            refused=refused,
            asked=own.rounds or options.rounds,
            cut=(plan.cut if plan else None) if asked is None else asked or None,
            book=book,
            flights_refused=None if spared else _name_division(no_flights, named),
            flights_chosen_for=chosen_for,
        )
        brackets = _split_brackets(part, options, names) if part.mixed else ()
        found.append(replace(part, bracket_parts=brackets))
    return found


def excuse_idle_parts(history: History, book: Book, options: Options) -> History:
    """Return the history in which no part is idle in rounds that it had not planned and did not play.

    Where divisions play apart, one can be done while another goes on.
    """
    played = history.played.copy()
    for part in split_into_parts(history, book, options):
        for r in range(history.rounds if part.rounds is None else part.rounds, history.rounds):
            if np.isin(played[r, part.members], (Outcome.IDLE, Outcome.GONE)).all():
                played[r, part.members] = Outcome.GONE
    return replace(history, played=played)


def _group_divisions(
    mode: DivisionMode, book: Book, options: Options, names: list[str | None], everyone: list[int]
) -> list[tuple[str, list[int]]]:
    """Return (name, players) for each set of divisions that play together; also players who left."""
    if mode == "off" or book.divisions is None:
        return [("", everyone)]
    order = [division.name for division in book.divisions.list]
    if options.pools is not None:
        together = [list(pool) for pool in options.pools]
    elif mode == "separate":
        together = [[name] for name in order]
    else:
        here = [names[i] for i in everyone]
        sizes = [here.count(name) for name in order]
        kind, groups = group_divisions(book.divisions, sizes)
        together = [[order[i] for i in group] for group in groups] if kind == "modified" else [order]
    sets = [(" and ".join(group), [i for i in everyone if names[i] in group]) for group in together]
    without = [i for i in everyone if names[i] is None]
    if without and mode == "separate":
        sets.append(("no division", without))
    elif without:
        sets[-1][1].extend(without)
    sets = [(label, members) for label, members in sets if members]
    return [("", members) for _, members in sets] if len(sets) == 1 else sets


def _plan_part(
    book: Book, divisions: list[str | None], mode: DivisionMode, wishes: Wishes
) -> tuple[EventPlan | None, Impossible | BadInput | None]:
    """Return what the rules plan for these players, without cut and flights where they refuse them."""
    sizes = Counter(divisions)
    largest = book.divisions is not None and book.divisions.counted == "largest" and mode == "modified"
    most = max(sizes.values(), default=0) if largest else len(divisions)
    pool = PlannedPool(len(divisions), most, "separate" if mode == "off" else mode)
    refused: Impossible | BadInput | None = None
    for tried in (wishes, with_values(wishes, flights=None, cut=None)):
        try:
            return plan_pool(book, pool, tried), refused
        except Impossible as error:
            refused = refused or error
        except BadInput as error:
            refused = refused or BadInput(error.problem, place=f"options.{error.place}")
    return None, refused


def _name_division(refused: Impossible | None, division: str | None) -> Impossible | None:
    """Return a refusal of flights with the division that it is about."""
    if refused is None or not division:
        return refused
    problem = say("{division}: {problem}", division=division, problem=refused.problem)
    return Impossible(problem, rule=refused.rule)


def _refuse_flights(
    history: History, book: Book, members: list[int], mode: DivisionMode, event_format: Format, flights: int
) -> Impossible | None:
    """Return why these players may not play in flights; None if they may, or have theirs already."""
    if flights == 1 or book.flights is None or any(history.players[i].flight for i in members):
        return None
    # Late players do not begin flights.
    started = sum(1 for i in members if history.entered[i] == 1)
    pool = PlannedPool(started, started, "separate" if mode == "off" else mode)
    return refuse_flights(book, pool, event_format, flights)


def _own_options(options: Options, divisions: set[str | None]) -> ForDivision:
    """Return the options of a division; for several in one pool, the rounds that all of them play."""
    own = [(options.by_division or {}).get(name or "") or ForDivision() for name in divisions]
    if len(own) == 1:
        return own[0]
    rounds = {division.rounds for division in own}
    return ForDivision(rounds=rounds.pop() if len(rounds) == 1 else None)


def _split_brackets(part: Part, options: Options, names: list[str | None]) -> tuple[Part, ...]:
    """Return the divisions of a pool as parts of their own, if any of them has a cut of its own."""
    own = {name: division.cut for name, division in (options.by_division or {}).items()}
    here = dict.fromkeys(name for i in part.members if (name := names[i]) is not None)
    if all(own.get(name) is None for name in here):
        return ()
    found = []
    for name in here:
        cut = options.cut if own.get(name) is None else own[name]
        members = [i for i in part.members if names[i] == name]
        found.append(replace(part, name=name, members=members, mixed=False, cut=cut or None))
    return tuple(found)
