"""Say in a plan which readings of unclear rules decided it: of flights, pods, rounds, a second day."""

from collections.abc import Sequence

from topcut.rulebook.layout import Flights, Plan, Section, SwissStage, cite_reading
from topcut.rulebook.model import Book
from topcut.rulebook.planning.pool import compute_pod_sizes, split_into_flights
from topcut.text.messages import Message, count, join_messages, list_and, say


def note_flight_sizes(rule: Flights, flights: Sequence[int]) -> tuple[Message, ...]:
    """Return why flights are not as equal as they could be (PK-A16)."""
    closest = split_into_flights(sum(flights), len(flights), "closest")
    if tuple(flights) == closest:
        return ()
    note = say(
        "flights of {sizes}, not of {closest}: each odd flight needs a bye in every round",
        sizes=list_and(flights),
        closest=list_and(closest),
    )
    return (cite_reading(note, rule, "sizes"),)


def note_flight_rounds(rule: Flights, flights: Sequence[int], rounds: int, whole: int) -> tuple[Message, ...]:
    """Return where the rounds of flights come from, if one less for each doubling differs (PK-A15).

    `whole`: the rounds of the whole division.
    """
    less = max(1, whole - (len(flights).bit_length() - 1))
    if rule.rounds != "largest flight" or less == rounds:
        return ()
    note = say("as many rounds as the table gives for a flight of {size}", size=max(flights))
    return (cite_reading(note, rule, "rounds"),)


def note_pods(book: Book, players: int) -> tuple[Message, ...]:
    """Return how players are split into pods that cannot all be full (FB-A9, FB-A10)."""
    pods = book.pairing.pods if book.pairing else None
    if pods is None or not players % pods.size or not pods.reading("remainder"):
        return ()
    sizes = list_and(compute_pod_sizes(players, pods))
    rule = join_messages(", ", (pods.reading("remainder"), pods.reading("paired")))
    return (say("in a draft: pods of {sizes}, each paired by itself ({rule})", sizes=sizes, rule=rule),)


def note_last_row(plan: Plan, table: str, players: int) -> tuple[Message, ...]:
    """Return that the last row of a round table has no limit, where it is the one (PK-A29)."""
    limits = [row.to for row in plan.tables[table].rows if row.to is not None]
    if not limits or players <= max(limits) or not plan.reading("last_row"):
        return ()
    note = say("the last row of the table is for {least} players or more", least=max(limits) + 1)
    return (cite_reading(note, plan, "last_row"),)


def note_second_day(stage: SwissStage, points: int | str) -> tuple[Message, ...]:
    """Return what the rules leave open about a second day, and how it is read (PK-A18, PK-A19, PK-A20)."""
    enter = stage.enter
    if enter is None:
        return ()
    losses = count("{n} loss", "{n} losses", enter.losses or 0)
    told: list[tuple[bool, Message, Section, str]] = [
        (
            enter.counted == "points",
            say("a record with {losses} or better: {points} points or more", losses=losses, points=points),
            enter,
            "counted",
        ),
        (enter.either == "larger", say("the larger of the two groups plays on day two"), enter, "either"),
        (stage.carries, say("points and opponents of day one count on day two"), stage, "carries"),
    ]
    return tuple(
        cite_reading(note, section, parameter)
        for holds, note, section, parameter in told
        if holds and section.reading(parameter)
    )
