"""Audit recorded rounds, Swiss or not: whether each is one that its stage allows."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

import msgspec

from topcut.errors import BadInput, Impossible
from topcut.history import Round
from topcut.history.parts import Part
from topcut.pairing.audit import check_round
from topcut.pairing.model import RoundPairing, sum_costs
from topcut.pairing.verdicts import RoundProblem, RoundVerdict
from topcut.rulebook.layout import BracketStage
from topcut.rulebook.options import Options
from topcut.stages.brackets.bracket import read_rank_seeds
from topcut.stages.progress import Progress, choose_lot_seed
from topcut.stages.stage_types import pair_next_round
from topcut.text.messages import Message, count, join_messages, list_and, list_first, say, to_message

LOTS, FEW_LOTS = 128, 10
"""Lots that are tried for a round without a seed; where so few of them change nothing, no lot decides."""
LISTED = 4
"""Tables that a sentence names before "and n more"."""


def audit_rounds(progress: Progress) -> list[RoundVerdict]:
    """Return a verdict on each round, up to the first wrong one of a bracket."""
    progress = _settle_format(progress)
    found: list[RoundVerdict] = []
    for r in range(len(progress.rounds)):
        found.append(_audit_round(progress, r, progress))
        if r >= progress.history.rounds and not found[-1].legal and not _goes_on(progress, r):
            return found  # what follows from it cannot be judged
    if progress.eliminating:
        _ = progress.brackets  # results that cannot be are an error of the file
    return found


def _goes_on(progress: Progress, r: int) -> bool:
    """Return whether the rounds after a wrong one of a bracket can be judged: after another first round."""
    if r > progress.history.rounds or not progress.rounds[r].in_bracket:
        return False
    try:
        return bool(progress.brackets)
    except (BadInput, Impossible):
        return False


def audit_last_round(progress: Progress) -> RoundVerdict:
    """Return a verdict on the last round alone, whether or not its results are there."""
    progress = _settle_format(progress)
    r = len(progress.rounds) - 1
    return _audit_round(progress, r, progress.before_round(r, progress.given))


def _audit_round(progress: Progress, r: int, then: Progress) -> RoundVerdict:
    """Return a verdict on a round (from 0), with the parts that there were `then`."""
    if r >= progress.history.rounds or not progress.scored_type.draws_rounds:
        return _audit_fixed_round(progress, r)
    counting = then.select_history(then.parts, r, after=True)
    verdict = check_round(
        counting, progress.book, progress.options, progress.rounds, r, _list_lots(progress, r)
    )
    return _audit_cut(progress, verdict)


def _list_lots(progress: Progress, r: int) -> list[str]:
    """Return the seeds of the standings before a round (from 0) that can have decided in its draw."""
    by_lot = progress.book.standings.ends_in == "lot"
    stages = (at for part in progress.parts for at in part.swiss)
    if not by_lot or not r or not (progress.book.tables or any(at.drafts for at in stages)):
        return []
    return list(dict.fromkeys([choose_lot_seed([], progress.rounds[:r]), *progress.given]))


def _settle_format(progress: Progress) -> Progress:
    """Return an event with elimination rounds as one that has them, whatever its options leave open.

    What the options do say stands: a number of rounds, a cut. So does what the book says: how many advance,
    and how many rounds each of several parts plays.
    """
    first = progress.first_bracket_round
    options = progress.options
    if first is None or any(part.bracket is None and part.round_robin for part in progress.parts):
        return progress
    played = progress.history.rounds
    settled: dict[str, object] = {}
    if options.format is None:
        wanted = "swiss+elimination" if played else "elimination"
        if wanted in progress.book.plan.formats:
            settled["format"] = wanted
    alone = played and len(progress.parts) == 1
    if alone and options.rounds is None and not _has_own(options, "rounds"):
        settled["rounds"] = played
    if alone and options.cut is None and not _has_own(options, "cut") and _is_cut_open(progress):
        settled["cut"] = len({player_id for table in first.tables for player_id in table.players})
    return replace(progress, options=msgspec.structs.replace(options, **settled)) if settled else progress


def _is_cut_open(progress: Progress) -> bool:
    """Return whether the book leaves the cut to the organiser: every bracket takes "the cut"."""
    stages = [stage for stage in progress.book.stages if isinstance(stage, BracketStage)]
    return all(stage.enter is None or stage.enter.top == "cut" for stage in stages)


def _has_own(options: Options, name: str) -> bool:
    """Return whether any division has this option for itself."""
    return any(getattr(own, name) is not None for own in (options.by_division or {}).values())


def _list_before(progress: Progress, r: int) -> Iterator[Progress]:
    """Yield the event before a round (from 0), with the lots its cut can have had.

    They are the event's or the round's; where the round has no seed, lots can have fallen in any way.
    """
    recorded = progress.rounds[r].seed
    if r:
        yield progress.before_round(r, progress.given)
    yield progress.before_round(r, [recorded, *progress.given])
    for lot in range(LOTS if recorded is None else 0):
        yield progress.before_round(r, [f"check {lot}"])


def _audit_fixed_round(progress: Progress, r: int) -> RoundVerdict:
    """Return a verdict on a round in which nothing is left to choose: of a bracket or a round robin."""
    recorded = progress.rounds[r]
    problems: list[RoundProblem] = []
    brackets = [
        part.bracket for whole in progress.parts for part in whole.bracket_parts or [whole] if part.bracket
    ]
    rule = brackets[0].rule("kind") if brackets else ""
    if early := _find_early_bracket(progress, r):
        problems = [early]
    elif not _is_any_draw(progress, r):
        tried: list[list[RoundProblem]] = []
        drawn: set[frozenset[frozenset[int]]] = set()
        for before in _list_before(progress, r):
            try:
                expected = pair_next_round(before, recorded.seed or before.seed)
                tried.append(_compare_tables(progress, r, expected, rule))
                drawn.add(frozenset(frozenset(table.players) for table in expected.tables))
            except Impossible as impossible:
                tried.append([RoundProblem(impossible.rule, [], to_message(impossible.problem))])
            except BadInput as wrong:
                tried.append([RoundProblem(rule, [], to_message(wrong.problem))])
            if not tried[-1] or (len(tried) == FEW_LOTS and len(drawn) <= 1):
                break
        problems = min(tried, key=lambda found: sum(1 + len(problem.players) for problem in found))
    legal, nothing = not problems, sum_costs([])
    replayed = None if recorded.seed is None else legal
    return RoundVerdict(r + 1, legal, legal, replayed, nothing, nothing, problems)


def _find_early_bracket(progress: Progress, r: int) -> RoundProblem | None:
    """Return what is wrong if elimination begins with this round although Swiss rounds are still planned."""
    planned = max((part.rounds or 0 for part in progress.parts), default=0)
    if progress.rounds[r] is not progress.first_bracket_round or r >= planned:
        return None
    text = count(
        "the elimination rounds begin after {played} of {n} planned round",
        "the elimination rounds begin after {played} of {n} planned rounds",
        planned,
        played=r,
    )
    return RoundProblem(progress.book.plan.rule("tables"), [], text)


def _is_any_draw(progress: Progress, r: int) -> bool:
    """Return whether a first round of a bracket can be any, because its rank seeds were drawn at random.

    Without the seed of the draw only its form says whether it can be one.
    """
    recorded = progress.rounds[r]
    if r or not recorded.in_bracket or recorded.seed is not None or progress.given:
        return False
    here = {player.id for player in progress.history.players if player.dropped != 0}
    drawn = all(player.seed is None for player in progress.history.players)
    read = read_rank_seeds(recorded, here) if drawn else None
    return read is not None and set(read) == here


def _compare_tables(progress: Progress, r: int, expected: RoundPairing, rule: str) -> list[RoundProblem]:
    """Return one problem for each set of players who do not meet as they should."""
    players = progress.history.players
    should = {frozenset(players[i].id for i in t.players) for t in expected.tables if t.players[1:]}
    alone = {players[t.players[0]].id for t in expected.tables if not t.players[1:]}
    recorded = progress.rounds[r]
    have = {frozenset(table.players) for table in recorded.tables if len(table.players) > 1}
    given = {player_id for t in recorded.tables if t.loss for player_id in t.players}
    wrong = have - should
    missing = {table for table in should - have if not table & given}
    found = []
    for group in _join_tables([*wrong, *missing]):
        played = _order_tables(progress, recorded, [table for table in wrong if table <= group])
        due = _order_tables(progress, recorded, [table for table in missing if table <= group])
        text = _explain_tables(progress, played, due, sorted(group & alone))
        named = dict.fromkeys(player_id for table in (*played, *due) for player_id in table)
        found.append(RoundProblem(rule, list(named), text))
    return found


def _join_tables(tables: Iterable[frozenset[str]]) -> list[frozenset[str]]:
    """Join tables that share players: each set of players that changed opponents among themselves."""
    groups: list[frozenset[str]] = []
    for table in sorted(tables, key=sorted):
        touching = [group for group in groups if group & table]
        groups = [group for group in groups if not group & table]
        groups.append(table.union(*touching))
    return groups


def _order_tables(progress: Progress, recorded: Round, tables: Collection[frozenset[str]]) -> list[list[str]]:
    """Return tables in their recorded order, others behind them, with players in the order of the file."""
    seats = [table.players for table in recorded.tables]
    index = progress.history.index
    known = [list(players) for players in seats if frozenset(players) in tables]
    others = [sorted(table, key=index.__getitem__) for table in tables if table not in map(frozenset, seats)]
    return known + sorted(others, key=lambda table: [index[p] for p in table])


def _explain_tables(
    progress: Progress, played: Sequence[Sequence[str]], due: Sequence[Sequence[str]], byes: Sequence[str]
) -> Message:
    """Say which tables were played and which should have been."""
    instead = [_name_table(progress, table) for table in due]
    instead += [say("{player} with a bye", player=progress.history.name_of(player)) for player in byes]
    tables = list_first([_name_table(progress, table) for table in played], LISTED)
    if not played:
        return say("these players should meet: {tables}", tables=list_first(instead, LISTED))
    if not instead:
        return say("these players should not meet: {tables}", tables=tables)
    return say(
        "these players meet: {tables}; expected: {expected}",
        tables=tables,
        expected=list_first(instead, LISTED),
    )


def _name_table(progress: Progress, table: Sequence[str]) -> Message:
    one, *others = map(progress.history.name_of, table)
    if len(others) != 1:
        return list_and([one, *others])
    return say("{player} against {opponent}", player=one, opponent=others[0])


def _audit_cut(progress: Progress, verdict: RoundVerdict) -> RoundVerdict:
    """Return the verdict on a Swiss round, with problems if the cut before it was not the book's."""
    r = verdict.round - 1
    problems: list[RoundProblem] = []
    for part in progress.parts:
        for k, at in enumerate(part.swiss):
            if k and at.first == r and at.stage.enter is not None:
                tried: list[RoundProblem] = []
                for before in islice(_list_before(progress, r), FEW_LOTS):
                    found = _compare_cut(progress, part, k, before)
                    if found is None:
                        break
                    tried.append(found)
                else:
                    problems.append(tried[0])
    if not problems:
        return verdict
    named = {player_id for problem in problems for player_id in problem.players}
    illegal = [problem for problem in verdict.problems if problem.severity == "illegal"]
    others = [problem for problem in illegal if not problem.players or not named.issuperset(problem.players)]
    return replace(verdict, legal=False, optimal=False, problems=[*others, *problems])


def _compare_cut(progress: Progress, part: Part, stage: int, before: Progress) -> RoundProblem | None:
    """Return who plays in a stage but did not make the cut before it, and who made it and was left out."""
    enter = part.swiss[stage].stage.enter
    assert enter is not None
    own = [p for p in before.parts if p.members and set(p.members) <= set(part.members)]
    if len(own) != 1 or stage >= len(own[0].swiss):  # divisions were laid out otherwise then
        return None
    history, rounds = before.history, before.history.rounds
    here = (history.dropped > rounds) & (history.disqualified > rounds)
    right = {i for i in before.decide_entry(own[0], stage).on if here[i]}
    seated = [player_id for table in progress.rounds[rounds].tables for player_id in table.players]
    seen = {progress.history.index[player_id] for player_id in seated} & set(part.members)
    inside, outside = sorted(seen - right), sorted(right - seen)
    if not inside and not outside:
        return None
    names = [history.players[i].shown_name for i in inside]
    left_out = [history.players[i].shown_name for i in outside]
    missed = count(
        "{players} plays on, but missed the cut",
        "{players} play on, but missed the cut",
        len(names),
        players=list_first(names, LISTED),
    )
    made = count(
        "{players} made the cut, but was left out",
        "{players} made the cut, but were left out",
        len(left_out),
        players=list_first(left_out, LISTED),
    )
    text = join_messages("; ", [missed if names else "", made if left_out else ""])
    return RoundProblem(enter.rule("top"), [history.players[i].id for i in (*inside, *outside)], text)
