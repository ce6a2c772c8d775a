"""Plan the tables of rulesets that seat more than two at one, and the empty seats of a chart."""

from topcut.errors import Impossible
from topcut.rulebook.layout import cite, cite_both
from topcut.rulebook.model import Book, Chart
from topcut.text.messages import Message, count, list_and, say


def count_tables(
    players: int, preferred: int, other: int, at_most: int | None = None
) -> tuple[int, int] | None:
    """Return how many tables of the preferred and the other size seat everybody; `None` where none do.

    There are as few tables of the other size as possible, and not more than `at_most` (AL-2, AL-3).

    >>> count_tables(11, preferred=3, other=4)
    (1, 2)
    """
    # Numbers of other tables repeat their remainders after `preferred` steps: no need to look further.
    for others in range(preferred):
        left = players - other * others
        if left < 0 or (at_most is not None and others > at_most):
            return None
        if left % preferred == 0:
            return left // preferred, others
    return None


def plan_tables(book: Book, players: int) -> tuple[dict[str, int] | None, tuple[Message, ...]]:
    """Return how many tables of each size there are, where more than two sit at one (AL-3), and notes."""
    rule = book.tables
    if rule is None:
        return None, ()
    preferred, other = book.match.table_sizes
    at_most = rule.at_most.get(str(other))
    counts = count_tables(players, preferred, other, at_most)
    if counts is None:
        sizes = {"players": players, "preferred": preferred, "other": other}
        problem = (
            say(
                "{players} players cannot be seated at tables of {preferred} and {other}, "
                "at most {most} of {other}",
                most=at_most or 0,
                **sizes,
            )
            if count_tables(players, preferred, other)
            else say("{players} players cannot be seated at tables of {preferred} and {other}", **sizes)
        )
        raise Impossible(problem, rule=book.match.rule("table_sizes"))
    notes: tuple[Message, ...] = ()
    if players < rule.recommended_from:
        least = rule.recommended_from
        if rule.fewer == "refused":  # AL-A9
            problem = say("expected at least {least} players, not {players}", least=least, players=players)
            raise Impossible(problem, rule=rule.rule("recommended_from"))
        note = say("fewer than {least} players are not recommended", least=least)
        notes = (cite_both(note, rule, "recommended_from"),)
    return {str(preferred): counts[0], str(other): counts[1]}, notes


def explain_wrong_number(chart: Chart, players: int) -> Message:
    """Explain why this number of players cannot follow a chart, and what to do instead."""
    if not chart.empty_seats:
        return say(
            "the chart is for {seats} players, not {players}; "
            "for other numbers choose a ruleset without a chart (topcut rules lists them)",
            seats=chart.seats,
            players=players,
        )
    return say(
        "the chart is for {fewest} to {seats} players, not {players}; "
        "for other numbers choose a ruleset without a chart (topcut rules lists them)",
        fewest=chart.fewest,
        seats=chart.seats,
        players=players,
    )


def count_chart_byes(chart: Chart, players: int) -> tuple[list[int], int]:
    """Return the byes of every round while nobody leaves, and the most that one player can have.

    A player who meets an empty place wins, and the empty place loses (DS-18), so results do not change the
    numbers. `byes` holds for each place the byes that its player can have had; an empty place has no entry.
    """
    byes = {str(seat): {0} if seat <= players else set() for seat in range(1, chart.seats + 1)}
    found = []
    for tables in chart.rounds:
        alone = 0
        after: dict[str, set[int]] = {}
        for letter, (a, b) in tables.items():
            winner = loser = byes[a] | byes[b]
            if bool(byes[a]) != bool(byes[b]):
                alone += 1
                winner, loser = {number + 1 for number in winner}, set()
            after |= {f"winner {letter}": winner, f"loser {letter}": loser}
        found.append(alone)
        byes = after
    most = max(number for held in byes.values() for number in held)
    return found, most


def note_empty_seats(book: Book, players: int) -> tuple[Message, ...]:
    """Return what a plan says of seats that stay empty."""
    chart = book.pairing.chart if book.pairing else None
    if chart is None or not chart.fewest <= players < chart.seats:
        return ()
    empty = [*range(players + 1, chart.seats + 1)]
    byes, most = count_chart_byes(chart, players)
    each = [
        count("{n} bye in round {round}", "{n} byes in round {round}", n, round=r)
        if n
        else say("none in round {round}", round=r)
        for r, n in enumerate(byes, start=1)
    ]
    note = count(
        "seat {seats} stays empty: {byes}; {most}",
        "seats {seats} stay empty: {byes}; {most}",
        len(empty),
        seats=list_and(empty),
        byes=list_and(each),
        most=say("no player has more than one")
        if most < 2
        else say("a player can have {number}", number=most),
    )
    notes = (cite_both(note, chart, "empty_seats"),)
    return notes + ((cite(chart.bye_says, chart, "bye_says"),) if chart.bye_says else ())
