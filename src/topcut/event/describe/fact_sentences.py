"""Describe single facts of the log that need no other fact to be understood."""

from msgspec import Struct
from msgspec.structs import asdict

from topcut.event import facts as f
from topcut.history.model import Allowance
from topcut.rulebook.labels import Languages, make_label
from topcut.rulebook.options import FOR_PODS
from topcut.text.messages import Field, Message, count, join_messages, list_and, say

SHOWN_OF_HASH = 16
"""Letters of a secret or a hash that are shown."""


def describe_creation(fact: f.Created) -> Message:
    title = make_label(str(fact.book.get("title", "")), fact.book.get("languages", {}))
    if fact.rehearsal:
        created = say("{event} is created as a rehearsal ({ruleset}).", event=fact.name, ruleset=title)
    else:
        created = say("{event} is created ({ruleset}).", event=fact.name, ruleset=title)
    begins = fact.commitment[:SHOWN_OF_HASH]
    return join_messages(" ", [created, say("The hash of its secret begins with {begins}.", begins=begins)])


def describe_import(fact: f.TakenOver) -> Message:
    """Return the sentence of an event that comes from a file."""
    if not fact.rounds:
        return say("The event is imported from a file ({source}).", source=fact.source)
    return count(
        "The event is imported from a file ({source}), with {n} round played elsewhere.",
        "The event is imported from a file ({source}), with {n} rounds played elsewhere.",
        len(fact.rounds),
        source=fact.source,
    )


def describe_options(options: Struct) -> Message:
    """Return the options that are chosen, with the options of divisions behind their names.

    A draft that is in progress is no choice: other sentences say so.

    >>> describe_options(f.Options(cut=8, third_place=True, pools=(("junior", "senior"), ("masters",))))
    'cut=8, third_place=true, pools=junior+senior,masters'
    """
    said: list[str] = []
    drafting = getattr(options, "draft", None) is not None
    for name, value in asdict(options).items():
        if drafting and name in FOR_PODS:
            continue
        if isinstance(value, dict):
            said += [f"{division} ({describe_options(own)})" for division, own in value.items()]
        elif value is not None:
            said.append(f"{name}={_describe_value(value)}")
    return join_messages(", ", said)


def _describe_value(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join("+".join(one) if isinstance(one, tuple) else str(one) for one in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def describe_blocked(fact: f.TablesBlocked) -> Message:
    number, tables = len(fact.tables), list_and(fact.tables)
    if fact.blocked:
        return count("Table {tables} stays empty.", "Tables {tables} stay empty.", number, tables=tables)
    return count(
        "Table {tables} can be used again.", "Tables {tables} can be used again.", number, tables=tables
    )


def describe_awarded_byes(byes: int) -> list[Message]:
    """Return a sentence about byes that a player won before the event; none for a player without any."""
    return (
        [count("The player has {n} awarded bye.", "The player has {n} awarded byes.", byes)] if byes else []
    )


def describe_entry(fact: f.Registered, name: str) -> Message:
    who = {"player": name, "id": fact.player}
    if fact.division and fact.entered > 1:
        return say(
            "{player} ({id}) enters in {division}, from round {round}.",
            **who,
            division=fact.division,
            round=fact.entered,
        )
    if fact.division:
        return say("{player} ({id}) enters in {division}.", **who, division=fact.division)
    if fact.entered > 1:
        return say("{player} ({id}) enters from round {round}.", **who, round=fact.entered)
    return say("{player} ({id}) enters.", **who)


def describe_lots(fact: f.LotsDrawn) -> Message:
    number = len(fact.numbers)
    match fact.kind:
        case "flights":
            return count("Flights are drawn for {n} player.", "Flights are drawn for {n} players.", number)
        case "pods":
            return count("Pods are drawn for {n} player.", "Pods are drawn for {n} players.", number)
    return count("Seats are drawn for {n} player.", "Seats are drawn for {n} players.", number)


def describe_draft(fact: f.DraftBegan) -> Message:
    pods = count("{n} pod", "{n} pods", len(set(fact.pods.values())))
    players = count("{n} player", "{n} players", len(fact.pods))
    said: dict[str, Field] = {"draft": fact.draft, "pods": pods, "players": players, "seed": fact.seed}
    if fact.rounds is None:
        return say("Draft {draft} begins: {players} in {pods}. The seed is {seed}.", **said)
    return count(
        "Draft {draft} begins, for {n} round: {players} in {pods}. The seed is {seed}.",
        "Draft {draft} begins, for {n} rounds: {players} in {pods}. The seed is {seed}.",
        fact.rounds,
        **said,
    )


def describe_draft_clock(fact: f.DraftClockStarted) -> Message:
    if fact.activity == "drafting":
        return count("Drafting begins: {n} minute.", "Drafting begins: {n} minutes.", fact.minutes)
    return count("Deck building begins: {n} minute.", "Deck building begins: {n} minutes.", fact.minutes)


def describe_attempt(fact: f.Paired | f.LotsDrawn | f.DraftBegan) -> Message:
    """Return which attempt at a draw this is; empty for the first."""
    return say("This is attempt {attempt}.", attempt=fact.attempt) if fact.attempt > 1 else Message("")


def describe_asked(fact: f.Asked, name: str) -> Message:
    asked: dict[str, Field] = {"question": fact.question, "player": name}
    if fact.about == "result" and fact.round is not None:
        return say(
            "Question {question}: {player} asks about the result of round {round}.", **asked, round=fact.round
        )
    if fact.about == "drop":
        return say("Question {question}: {player} asks to drop.", **asked)
    return say("Question {question}: {player} asks about points.", **asked)


def describe_stage(fact: f.StageBegan, languages: Languages) -> Message:
    begins = count(
        "The {stage} begins with {n} player.",
        "The {stage} begins with {n} players.",
        fact.players,
        stage=make_label(fact.stage, languages),
    )
    left_out = count("{n} player is left out.", "{n} players are left out.", fact.left_out)
    return join_messages(" ", [begins, left_out]) if fact.left_out else begins


def describe_pairing(fact: f.Paired) -> Message:
    byes = sum(len(table.players) == 1 for table in fact.tables)
    tables = count("{n} table", "{n} tables", len(fact.tables) - byes)
    if byes:
        tables = join_messages(", ", [tables, count("{n} bye", "{n} byes", byes)])
    paired = say("Round {round} is paired: {tables}.", round=fact.round, tables=tables)
    allowed = describe_allowance(fact.allowed)
    seed = say("The seed is {seed}.", seed=fact.seed)
    return join_messages(" ", [paired, describe_attempt(fact), allowed, seed])


def describe_allowance(allowed: Allowance | None) -> Message:
    """Return what the organiser allowed in a round against the rules, and why; empty where nothing was."""
    if allowed is None:
        return Message("")
    reason = allowed.reason
    match allowed.what:
        case ("second-bye",):
            return say("The organiser allowed a second bye. Reason: {reason}.", reason=reason)
        case ("rematch",):
            return say("The organiser allowed rematches. Reason: {reason}.", reason=reason)
        case ("sits-out",):
            return say("The organiser let a player sit out. Reason: {reason}.", reason=reason)
    return say("The organiser allowed a second bye and rematches. Reason: {reason}.", reason=reason)


def describe_extension(fact: f.Extended) -> Message:
    if fact.table is None:
        return count(
            "All tables of round {round} get {n} more minute.",
            "All tables of round {round} get {n} more minutes.",
            fact.minutes,
            round=fact.round,
        )
    return count(
        "Table {table} gets {n} more minute in round {round}.",
        "Table {table} gets {n} more minutes in round {round}.",
        fact.minutes,
        table=fact.table,
        round=fact.round,
    )
