"""How an event begins: its name, a frozen copy of its rules, and the promise of its draws."""

from __future__ import annotations

from topcut.digests import text_digest
from topcut.errors import BadInput, Impossible
from topcut.event.commands import Create
from topcut.event.deciding import Context, Decision, checked_name
from topcut.event.facts import Created
from topcut.event.log import digest
from topcut.rulebook.frozen import thawed
from topcut.rulebook.options import check_options, format_of

USUALLY_KEPT = 3
"""Months."""


def create(command: Create, context: Context) -> Decision:
    """The first facts of an event."""
    name = checked_name(command.name)
    book = thawed(command.book)
    check_options(command.options, 0, book)
    least = book.running.kept_months if book.running else 0
    kept = max(USUALLY_KEPT, least) if command.kept_months is None else command.kept_months
    if kept < least:
        problem = f"results are kept for {least} months at least: expected no fewer than that"
        raise Impossible(problem, rule=book.running.rule("kept_months") if book.running else "")
    if kept > 1200 or kept < 0:
        raise BadInput("expected a number of months up to 1200", place="kept_months")
    if not 1 <= command.first_table <= 10**6:
        raise BadInput("expected the number of a table, from 1", place="first_table")
    rehearsal = command.rehearsal is not None
    secret = text_digest(command.rehearsal or context.entropy, "secret").hex()
    commitment = digest(secret.encode())
    fact = Created(
        name=name,
        book=command.book,
        options=command.options,
        commitment=commitment,
        kept_months=kept,
        first_table=command.first_table,
        rehearsal=rehearsal,
    )
    decision = Decision([fact], {commitment: secret.encode()})
    event_format = format_of(book, command.options)
    if book.plan.sanctioned and event_format not in book.plan.sanctioned:
        rule = book.plan.rule("sanctioned")
        decision.warnings.append(f"{event_format} needs approval beforehand ({rule})")  # PK-2
    if rehearsal:
        decision.warnings.append("a rehearsal: whoever knows its text knows every draw beforehand")
    return decision
