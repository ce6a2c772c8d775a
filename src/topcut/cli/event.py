"""`topcut event`: list running events, and change one as a whole."""

from datetime import UTC, datetime
from typing import Any, Literal

import click
import msgspec

from topcut.app.retention import purge_due
from topcut.cli.new import parse_options
from topcut.cli.output import print_json, print_line, print_table
from topcut.cli.round import PHASES, STEP_COMMANDS
from topcut.cli.running_event import (
    Target,
    execute,
    executes,
    print_executed,
    read_event,
    reason_option,
    run_command,
    run_in_store,
    takes_database,
    takes_event,
)
from topcut.event import commands as c
from topcut.event.correction_window import describe_deadline, describe_next_closing, find_next_closing
from topcut.event.describe.drafts import describe_draft
from topcut.event.describe.fact_sentences import describe_allowance, describe_options
from topcut.event.describe.plan_sentences import (
    describe_divisions,
    describe_flights,
    describe_plan_with_reasons,
)
from topcut.event.describe.results import describe_place
from topcut.event.describe.swiss_end import describe_made_cut, find_made_cuts
from topcut.event.draw import find_progress
from topcut.event.next_steps import ALLOWING, Step, find_next_steps, find_obstacle, name_step
from topcut.event.refusals import CannotPair
from topcut.event.state import Draft, RoundState, State
from topcut.stages.progress import Progress
from topcut.store.session import EventSummary
from topcut.text.messages import count, join_messages, list_and, list_or, say

FIELDS = {"flight": say("flight"), "pod": say("pod"), "seat": say("seat")}


@click.group("event")
def command() -> None:
    """List and show running events, change their options, finish them."""


@command.command("list")
@takes_database
def list_events(target: Target) -> None:
    """List the events in the database, the last used first."""
    documents: list[dict[str, Any]] = []
    rows = []
    for stored in run_in_store(target, lambda store: store.list_events()):
        about = msgspec.json.decode(stored.about, type=EventSummary)
        documents.append({"event": stored.event, "version": stored.version} | msgspec.to_builtins(about))
        rows.append([stored.event, about.name, about.rules, str(about.players), _describe_progress(about)])
    if target.as_json:
        print_json({"events": documents})
    elif rows:
        print_table([say("event"), say("name"), say("rules"), say("players"), say("state")], rows, right=[3])
    else:
        print_line(say("no events yet: `topcut new NAME --rules ID` creates one"))


def _describe_progress(about: EventSummary) -> str:
    """Return how far an event is; if it is finished, also until when its names are kept."""
    if not about.finished:
        if not about.round:
            return say("not begun")
        return say("round {number}: {phase}", number=about.round, phase=PHASES[about.phase])
    if about.purged:
        return say("finished, names deleted")
    if about.due is None:
        return say("finished")
    if about.due <= datetime.now(UTC):
        return say("finished, names to be deleted")
    return say("finished, names kept until {date}", date=f"{about.due:%Y-%m-%d}")


@command.command("show")
@takes_event
def show(target: Target) -> None:
    """Show how far an event is, and what comes next."""
    running = read_event(target)
    state = running.state
    a_round = state.round
    active = sum(1 for _ in state.active())
    options = msgspec.to_builtins(state.options)
    chosen = describe_options(state.options)
    announced = list(state.announced.says) if state.announced else None
    steps = find_next_steps(state)
    progress = find_progress(state)
    cuts = find_made_cuts(progress) if a_round is not None and a_round.phase == "ended" else []
    closing = find_next_closing(state, progress)
    divisions = describe_divisions(progress) if state.players else ""
    flights = describe_flights(progress) if state.players else ""
    if target.as_json:
        document = {
            "event": running.event,
            "name": state.name,
            "rules": state.book.id,
            "version": running.log.version,
            "players": len(state.players),
            "active": active,
            "round": a_round.number if a_round else None,
            "phase": a_round.phase if a_round else None,
            "missing": [t.table for t in a_round.missing] if a_round else [],
            "commitment": state.commitment,
            "announced": announced,
            "overrides": state.overrides,
            "allowed": [{"round": r.number, "allowed": r.allowed} for r in state.rounds if r.allowed],
            "finished": state.finished is not None,
            "options": options,
            "divisions": divisions or None,
            "flights": flights or None,
            "planned_rounds": progress.planned_rounds,
            "cut": [{"division": cut.division or None, "of": cut.of, "players": cut.players} for cut in cuts],
            "closing": describe_next_closing(closing) if closing else None,
            "draft": _build_draft(state.draft, state),
            "next": [STEP_COMMANDS[step] for step in steps],
        }
        print_json(document)
        return
    print_line(
        count(
            "{event} ({rules}): {n} player, {active} in the event",
            "{event} ({rules}): {n} players, {active} in the event",
            len(state.players),
            event=state.name,
            rules=state.book.title,
            active=active,
        )
    )
    if chosen:
        print_line(say("options: {options}", options=chosen))
    if not state.begun and state.players:
        for line in describe_plan_with_reasons(progress):
            print_line(line)
    elif divisions and not any(a_round.in_bracket for a_round in state.rounds):
        print_line(divisions)
    if flights and state.begun:
        print_line(say("flights: {flights}", flights=flights))
    for says in announced or ():
        print_line(say("announced: {text}", text=says))
    for override in state.overrides:
        where = describe_place(override.round, override.table, state.name_of)
        fields = {"place": where, "reason": override.reason, "by": override.by}
        print_line(say("corrected after the deadline: {place} ({reason}, {by})", **fields))
    for r in state.rounds:
        if r.allowed:
            print_line(
                say("round {number}: {allowed}", number=r.number, allowed=describe_allowance(r.allowed))
            )
    if state.draft is not None:
        print_line(describe_draft(state.draft, state))
    if a_round is not None:
        print_line(_describe_round(a_round, progress))
        if missing := len(a_round.missing):
            print_line(count("{n} table is not reported yet", "{n} tables are not reported yet", missing))
        if not state.finished and (until := describe_deadline(state, a_round.number)):
            print_line(say("results can be corrected until {moment}", moment=until))
    for cut in cuts:
        names = list_and(map(state.name_of, cut.players))
        print_line(
            say("{swiss_is_over} In the cut: {names}", swiss_is_over=describe_made_cut(cut), names=names)
        )
    if closing is not None:
        print_line(describe_next_closing(closing))
    print_line(say("all draws come from a secret with the SHA-256 {commitment}", commitment=state.commitment))
    obstacle = _find_obstacle_to_show(state, steps, progress)
    if obstacle is not None:
        print_line(join_messages(": ", filter(None, [obstacle.rule, obstacle.reason])))
        for way in obstacle.ways:
            step = name_step(way)
            typed = way.command if way.kind == "options" else STEP_COMMANDS[step] if step else ""
            if typed:
                print_line(say("`{command}`: {consequence}", command=typed, consequence=way.says))
    described = [SAID.get(step, f"`{STEP_COMMANDS[step]}`") for step in steps]
    print_line(say("next: {steps}", steps=list_or(described) if described else OVER))


def _find_obstacle_to_show(state: State, steps: list[Step], progress: Progress) -> CannotPair | None:
    """Return why no round can be paired now; None if one can be, or if none is planned any more."""
    if (
        not state.players
        or "check in" in steps
        or not {*steps} & {"add", "drop", "draw:seats", "finish", *ALLOWING.values()}
    ):
        return None
    obstacle = find_obstacle(state, progress)
    ways = obstacle is not None and (obstacle.overrides or obstacle.changes)
    return obstacle if obstacle and (progress.running or ways) else None


def _build_draft(draft: Draft | None, state: State) -> dict[str, Any] | None:
    """Return the draft that goes on, for programs."""
    if draft is None:
        return None
    players = [listed.player for listed in state.players.values()]
    return {
        "number": draft.number,
        "first": draft.first,
        "rounds": draft.rounds,
        "pods": {player.id: player.pod for player in players if player.pod is not None},
        "seats": {player.id: player.seat for player in players if player.seat is not None},
    }


def _describe_round(a_round: RoundState, progress: Progress) -> str:
    """Return the round and how far it is, with how many Swiss rounds are planned."""
    planned, phase = progress.planned_rounds, PHASES[a_round.phase]
    if planned is None or a_round.in_bracket or a_round.number > planned:
        return say("round {number}: {phase}", number=a_round.number, phase=phase)
    return say("round {number} of {planned}: {phase}", number=a_round.number, planned=planned, phase=phase)


SAID: dict[Step, str] = {"report": say("`topcut report TABLE RESULT`, then `topcut round end`")}
OVER = say("nothing, the event is over; `topcut export` exports its log")


@command.command("options")
@click.argument("options", nargs=-1, metavar="KEY=VALUE…", required=True)
@reason_option
@executes
def change(state: State, options: tuple[str, ...], reason: str) -> c.ChangeOptions:
    """Change options, such as rounds=5. `rounds=` goes back to what the rules say."""
    return c.ChangeOptions(options=parse_options(options, state.options), reason=reason)


@command.command("one-less")
@reason_option
@executes
def one_less(_: State, reason: str) -> c.OneRoundFewer:
    """Play one Swiss round fewer, where the rules allow that."""
    return c.OneRoundFewer(reason=reason)


@command.command("announce")
@click.option(
    "--prizes",
    default="",
    metavar="TEXT",
    help='How many players get prizes, or "none".',
)
@click.option("--detail", "details", multiple=True, metavar="TEXT", help="Anything else (repeatable).")
@executes
def announce(_: State, prizes: str, details: tuple[str, ...]) -> c.Announce:
    """Announce rounds, cut and prizes before the first round."""
    return c.Announce(prizes=prizes, details=details)


@command.command("draw")
@click.argument("kind", type=click.Choice(["flights", "pods", "seats"]))
@takes_event
def draw(target: Target, kind: Literal["flights", "pods", "seats"]) -> None:
    """Draw flights, pods or seats before the first round is paired."""
    done = execute(target, lambda _: c.DrawLots(kind=kind))
    field = {"flights": "flight", "pods": "pod", "seats": "seat"}[kind]
    drawn = {player_id: getattr(e.player, field) for player_id, e in done.state.players.items()}
    numbers = {player_id: number for player_id, number in drawn.items() if number is not None}
    print_executed(target, done, **{kind: numbers})
    if not target.as_json:
        rows = sorted((number, done.state.name_of(player_id)) for player_id, number in numbers.items())
        print_table([FIELDS[field], say("name")], ([str(number), name] for number, name in rows), right=[0])


@command.command("draft")
@click.option("--rounds", type=int, metavar="N", help="How many rounds it has (default: until you end it).")
@click.option("--end", is_flag=True, help="End the draft: the next round is paired among all players.")
@click.option(
    "--clock",
    type=click.Choice(["drafting", "building"]),
    help="Start the clock for drafting, or for building decks.",
)
@click.option("--minutes", type=int, metavar="N", help="Number of minutes (default: the same as last time).")
@click.option("--pause", is_flag=True, help="Pause the clock of the draft.")
@click.option("--resume", is_flag=True, help="Resume the clock of the draft.")
@takes_event
def draft(
    target: Target,
    rounds: int | None,
    end: bool,
    clock: Literal["drafting", "building"] | None,
    minutes: int | None,
    pause: bool,
    resume: bool,
) -> None:
    """Begin a draft with the next round, in pods by the standings; or end it, or start its clock.

    The pods stay the same until the draft ends. A draft in progress ends when you begin the next one.
    """
    chosen = [end, clock is not None, pause, resume]
    if sum(chosen) > 1 or (rounds is not None and any(chosen)) or (minutes is not None and clock is None):
        problem = say("expected only one of --rounds, --end, --clock (with --minutes), --pause and --resume")
        raise click.UsageError(problem)
    if end:
        run_command(target, lambda _: c.EndDraft())
    elif clock is not None:
        run_command(target, lambda _: c.StartDraftClock(activity=clock, minutes=minutes))
    elif pause or resume:
        run_command(target, lambda _: c.Pause() if pause else c.Resume())
    else:
        done = execute(target, lambda _: c.BeginDraft(rounds=rounds))
        players = [e.player for e in done.state.active()]
        pods = {player.id: player.pod for player in players if player.pod is not None}
        seats = {player.id: player.seat for player in players if player.seat is not None}
        print_executed(target, done, pods=pods, seats=seats)
        if not target.as_json:
            rows = sorted((player.pod or 0, player.seat or 0, player.shown_name) for player in players)
            lines = ([str(pod), str(seat), name] for pod, seat, name in rows)
            print_table([FIELDS["pod"], FIELDS["seat"], say("name")], lines, right=[0, 1])


@command.command("block")
@click.argument("tables", nargs=-1, type=int, required=True)
@click.option("--free", is_flag=True, help="Use these tables again.")
@executes
def block(_: State, tables: tuple[int, ...], free: bool) -> c.BlockTables:
    """Leave TABLES empty from the next pairing on."""
    return c.BlockTables(tables=tables, blocked=not free)


@command.command("finish")
@reason_option
@takes_event
def close(target: Target, reason: str) -> None:
    """Finish the event. This reveals the secret of its draws, so that everything can be checked."""
    run_command(target, lambda _: c.Finish(reason=reason))
    if not target.as_json:
        print_line(say("to check the event: `topcut export -o event.log`, `topcut check event.log`"))


@command.command("reopen")
@reason_option
@executes
def reopen(_: State, reason: str) -> c.Reopen:
    """Reopen a finished event; later draws come from a new secret."""
    return c.Reopen(reason=reason)


@command.command("purge")
@click.option(
    "--due", is_flag=True, help="Do it for all events in the database whose time for keeping names is over."
)
@takes_event
def purge(target: Target, due: bool) -> None:
    """Delete names that need not be kept any more. Membership numbers and birth years go with them."""
    if not due:
        run_command(target, lambda _: c.Purge())
        return
    if target.event is not None:
        raise click.UsageError(say("--due is for all events: leave out --event"))
    events = run_in_store(target, lambda store: purge_due(store, datetime.now(UTC)))
    if target.as_json:
        print_json({"purged": events})
        return
    for event in events:
        print_line(say("{event}: names and birth years deleted", event=event))
    if not events:
        print_line(say("no names have to be deleted"))
