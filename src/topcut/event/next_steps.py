"""Find what can be done next; where no round can be paired, why, and the ways out.

Nothing here knows the secret of the draws: that no pairing is left depends on what was played alone, and so
does all that is said of the ways out.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import msgspec

from topcut.errors import BadInput, Impossible, TopcutError
from topcut.event.draw import can_draft, find_progress, prepare_unseated
from topcut.event.refusals import CannotPair, WayOut, describe_way, end_sentence
from topcut.event.state import State
from topcut.history.model import Allowance, Override, Table
from topcut.history.parts import Part
from topcut.pairing.overrides import count_sitting_out, describe_forced
from topcut.pairing.round_draw import RoundDraw
from topcut.rulebook.layout import cite_reading
from topcut.rulebook.options import ForDivision, check_options
from topcut.stages.progress import Progress
from topcut.stages.stage_types import pair_next_round
from topcut.text.messages import Message, count, join_messages, list_and, list_first, say

SHOWN = 8
"""Players that a way out names, at most."""


Step = Literal[
    "pair",
    "publish",
    "start",
    "report",
    "end",
    "finish",
    "add",
    "drop",
    "check in",
    "draw:seats",
    "begin draft",
    "end draft",
    "allow:second-bye",
    "allow:rematch",
    "allow:second-bye+rematch",
    "allow:sits-out",
]
ALLOWING: dict[tuple[Override, ...], Step] = {
    ("second-bye",): "allow:second-bye",
    ("rematch",): "allow:rematch",
    ("second-bye", "rematch"): "allow:second-bye+rematch",
    ("sits-out",): "allow:sits-out",
}
"""The step that pairs the next round with what an organiser allows in it."""


def find_next_steps(state: State) -> list[Step]:
    """Return the steps that are possible now, the most likely first; none once the event is finished."""
    if state.finished:
        return []
    a_round = state.round
    if a_round is None:
        return _find_first_steps(state)
    match a_round.phase:
        case "draft":
            return ["publish"]
        case "published":
            return ["start"]
        case "started":
            return ["report"] if a_round.missing else ["end"]
    progress = find_progress(state)
    obstacle = find_obstacle(state, progress)
    drafting = list_draft_steps(state, progress, obstacle)
    return ["pair", *drafting] if obstacle is None else [*_name_steps(obstacle), *drafting]


def list_draft_steps(state: State, progress: Progress, obstacle: CannotPair | None) -> list[Step]:
    """Return the steps in or out of a draft that are possible now; an obstacle leaves only its end."""
    between = state.players and (state.round is None or state.round.phase == "ended")
    found = _find_draft_steps(state, progress) if between and not state.finished else []
    return [step for step in found if obstacle is None or step == "end draft"]


def _find_draft_steps(state: State, progress: Progress) -> list[Step]:
    """Return the steps in or out of a draft before the next round."""
    if not progress.draws_next or not can_draft(state.book, progress.parts):
        return []
    if state.drafting is not None:
        return ["end draft"]
    return ["begin draft", "end draft"] if state.options.mode == "draft" and state.begun else ["begin draft"]


def name_step(way: WayOut) -> Step | None:
    """Return the step that takes a way out; None where nothing is to be done."""
    names: dict[str, Step] = {
        "finish": "finish",
        "add": "add",
        "drop": "drop",
        "draw": "draw:seats",
        "publish": "publish",
    }
    return ALLOWING[way.allow] if way.kind == "allow" else names.get(way.kind)


def _name_steps(obstacle: CannotPair) -> list[Step]:
    return [step for way in obstacle.ways if (step := name_step(way)) is not None]


def _find_first_steps(state: State) -> list[Step]:
    """Return the steps that are possible before the first round is paired."""
    players = list(state.active())
    if _has_too_many(state):
        return ["drop"]
    if any(e.here for e in players) and not all(e.here or e.player.has_awarded_bye(1) for e in players):
        return ["check in", "add"]
    if not players:
        return ["add"]
    progress = find_progress(state)
    obstacle = find_obstacle(state, progress)
    if obstacle is not None:
        return _name_steps(obstacle)
    return ["pair", "add", *_find_draft_steps(state, progress)]


def find_obstacle(state: State, progress: Progress | None = None) -> CannotPair | None:
    """Return why the next round (or the upcoming one, again) cannot be paired; None if it can be."""
    number = state.upcoming.number if state.upcoming else len(state.rounds) + 1
    progress = find_progress(state, number) if progress is None else progress
    try:
        check_next_round(progress, list_kept(state))
    except (Impossible, BadInput) as error:
        return explain_obstacle(state, error, progress)
    return None


def list_kept(state: State) -> list[Table]:
    """Return the tables that stay if the upcoming round is paired again."""
    return state.upcoming.fixed if state.upcoming else []


def check_next_round(progress: Progress, kept: Sequence[Table] = ()) -> None:
    """Raise an error if another round is not planned, or cannot be paired beside tables that stay."""
    if progress.draws_next:
        prepare_unseated(progress, kept).check_possible()
        for part in progress.running:
            progress.decide_next_cut(part)
    else:
        pair_next_round(progress, "")  # a bracket or a round robin: it follows from what was played


def explain_obstacle(state: State, error: TopcutError, progress: Progress | None = None) -> CannotPair:
    """Return a refusal of a pairing with the ways out."""
    if isinstance(error, CannotPair):
        return error
    number = state.upcoming.number if state.upcoming else len(state.rounds) + 1
    progress = find_progress(state, number) if progress is None else progress
    problem = error.problem if isinstance(error, Impossible | BadInput) else error.message
    rule = error.rule if isinstance(error, Impossible) else ""
    if waiting := _list_without_seat(state):
        problem = count(
            "{players} has no draft seat.",
            "{players} have no draft seat.",
            len(waiting),
            players=list_and(waiting),
        )
    if state.book.status == "house" and not any(map(str.isdigit, rule)):  # a house's words are no number
        rule = ""
    ways = _find_overrides(progress, list_kept(state))
    ways += _find_changes(state, progress)
    ways += _find_steps(state)
    return CannotPair(problem, rule, number, tuple(ways))


def _find_steps(state: State) -> list[WayOut]:
    """Return what can be done without the round."""
    upcoming = state.upcoming
    if upcoming is not None:
        return [WayOut("keep", says=say("Keep the pairings of round {number}.", number=upcoming.number))]
    if state.rounds:
        number = len(state.rounds)
        scored = state.rounds[-1].is_scored
        final = (
            say(
                "Finish the event now. The standings after round {number} become the final standings.",
                number=number,
            )
            if scored
            else say(
                "Finish the event now. The places after round {number} become the final places.",
                number=number,
            )
        )
        return [WayOut("finish", says=final)]
    if _has_too_many(state):
        return [WayOut("drop", says=say("Remove players until the chart has a seat for each."))]
    if _list_without_seat(state):
        return [WayOut("draw", says=say("Draw the draft seats again, for all players."))]
    return [WayOut("add", says=say("Add players."))]


def _find_changes(state: State, progress: Progress) -> list[WayOut]:
    """Return how other options let the event go on: without flights, or with one round more."""
    refused = [part for part in progress.running if part.flights_refused]
    if refused:
        return [find_way_without_flights(state, refused[0])]
    if state.upcoming or not state.rounds or progress.running or progress.bracket_follows:
        return []
    if progress.eliminating or "rounds" not in state.book.options:
        return []
    played = len(state.rounds)
    options = msgspec.structs.replace(state.options, rounds=played + 1)
    try:
        check_options(options, played, state.book)
        longer = find_progress(msgspec.structs.replace(state, options=options))
        if not longer.running:  # divisions have rounds of their own
            return []
        check_next_round(longer)
    except (Impossible, BadInput):
        return []
    change = f"rounds={played + 1}" + _ask_for_reason(state)
    return [WayOut("options", says=say("Play round {number} too.", number=played + 1), change=change)]


def find_way_without_flights(state: State, part: Part) -> WayOut:
    """Return how to clear the option that wants flights which the rules do not allow."""
    division = part.flights_chosen_for
    if division is None:
        says = say("Play without flights.")
        return WayOut("options", says=says, change="flights=")
    own = dict(state.options.by_division or {})
    own[division] = msgspec.structs.replace(own[division], flights=None)
    left = {name: one for name, one in own.items() if one != ForDivision()}
    change = f"'by_division={msgspec.json.encode(left).decode()}'" if left else "by_division="
    says = say("{division} plays without flights of its own.", division=division)
    return WayOut("options", says=says, change=change + _ask_for_reason(state), on_page=False)


def _ask_for_reason(state: State) -> str:
    """Return what a change of the plan needs besides, once it is announced."""
    return "" if state.announced is None else f' --reason "{say("the plan has changed")}"'


def check_flights(state: State, progress: Progress) -> None:
    """Refuse flights that the rules do not allow, before they are announced."""
    for part in progress.running:
        if (refused := part.flights_refused) is not None:
            way = describe_way(find_way_without_flights(state, part))
            raise Impossible(join_messages(" ", [end_sentence(refused.problem), way]), rule=refused.rule)


def _has_too_many(state: State) -> bool:
    """Return whether more players are here than the chart of the rules has seats."""
    chart = state.book.pairing.chart if state.book.pairing else None
    return chart is not None and sum(1 for _ in state.active()) > chart.seats


def _list_without_seat(state: State) -> list[str]:
    """Return who came after the seats of a chart were drawn, while there is a seat for each."""
    players = [listed.player for listed in state.active()]
    by_chart = state.book.pairing is not None and state.book.pairing.chart is not None
    if not by_chart or state.rounds or _has_too_many(state) or all(player.seat is None for player in players):
        return []
    return [player.shown_name for player in players if player.seat is None]


def _find_overrides(progress: Progress, kept: Sequence[Table]) -> list[WayOut]:
    """Return what an organiser can allow so that the round can be paired, nothing more than is needed."""
    found: list[WayOut] = []
    if not progress.draws_next:
        return found
    two = progress.book.tables is None
    for what in ALLOWING:
        if ("sits-out" in what) == two:
            continue
        if any(set(way.allow) <= set(what) for way in found):
            continue
        allowed = Allowance(what=what)
        trial = replace(progress, allowed=allowed)
        try:
            check_next_round(trial, kept)
            says, players = _describe_override(prepare_unseated(trial, kept), what)
        except (Impossible, BadInput):
            continue
        found.append(WayOut("allow", says=says, allow=what, players=players))
    return found


def _describe_override(draw: RoundDraw, what: Sequence[Override]) -> tuple[Message, tuple[str, ...]]:
    """Return what an override comes to, whatever lots decide, and who can be chosen to sit out."""
    if "sits-out" in what:
        return _describe_sitting_out(draw)
    says: list[Message] = []
    for pool in draw.lay_out_pools("").pools:
        for one in describe_forced(draw.history, draw.build_field(pool), draw.book):
            says.append(join_messages(": ", [pool.title, one]) if pool.title else one)
    return join_messages(" ", says), ()


def _describe_sitting_out(draw: RoundDraw) -> tuple[Message, tuple[str, ...]]:
    """Return who sits out and what that is worth; the first group that is large enough holds the lots."""
    says: list[Message] = []
    players: list[str] = []
    tables = draw.book.tables
    assert tables is not None
    for pool in draw.lay_out_pools("").pools:
        number = count_sitting_out(draw.book, len(pool.players))
        if not number:
            continue
        first = draw.rank_sitting_out(pool)[0]
        names = [draw.history.players[i].shown_name for i in first]
        players += sorted(draw.history.players[i].id for i in pool.players)
        score = cite_reading(tables.sits_out or say("the score of a bye"), tables, "sits_out")
        if number == 1 and len(first) == 1:
            who = say("{player} sits out this round and gets {score}.", player=names[0], score=score)
        elif number == 1:
            who = say(
                "Topcut draws one of {players} to sit out this round. This player gets {score}.",
                players=list_first(names, SHOWN) if names[SHOWN:] else list_and(names),
                score=score,
            )
        else:
            who = say(
                "{number} players sit out this round. Each of them gets {score}.", number=number, score=score
            )
        says += [who, say("You can choose another player.")]
    return join_messages(" ", says), tuple(players)
