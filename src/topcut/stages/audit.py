"""Audit recorded rounds, Swiss or not: whether each is one that its stage allows."""

from dataclasses import replace

from topcut.errors import BadInput, Impossible
from topcut.history.parts import Part
from topcut.pairing.audit import RoundProblem, RoundVerdict, check_round
from topcut.pairing.model import RoundPairing, sum_costs
from topcut.stages.progress import Progress, choose_lot_seed
from topcut.stages.stage_types import pair_next_round
from topcut.text.messages import join_messages, say, to_message


def audit_rounds(progress: Progress) -> list[RoundVerdict]:
    """Return a verdict on each round, up to the first wrong one of a bracket."""
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


def _list_before(progress: Progress, r: int) -> list[Progress]:
    """Return the event before a round (from 0), with the lots its cut can have had: its or the round's."""
    own = progress.before_round(r, [progress.rounds[r].seed, *progress.given])
    return [progress.before_round(r, progress.given), own] if r else [own]


def _audit_fixed_round(progress: Progress, r: int) -> RoundVerdict:
    """Return a verdict on a round in which nothing is left to choose: of a bracket or a round robin."""
    recorded = progress.rounds[r]
    problems: list[RoundProblem] = []
    brackets = [
        part.bracket for whole in progress.parts for part in whole.bracket_parts or [whole] if part.bracket
    ]
    rule = brackets[0].rule("kind") if brackets else ""
    for before in _list_before(progress, r):
        try:
            expected = pair_next_round(before, recorded.seed or before.seed)
            problems = _compare_tables(progress, r, expected, rule)
        except Impossible as impossible:
            problems = [RoundProblem(impossible.rule, [], to_message(impossible.problem))]
        except BadInput as wrong:
            problems = [RoundProblem(rule, [], to_message(wrong.problem))]
        if not problems:
            break
    legal, nothing = not problems, sum_costs([])
    replayed = None if recorded.seed is None else legal
    return RoundVerdict(r + 1, legal, legal, replayed, nothing, nothing, problems)


def _compare_tables(progress: Progress, r: int, expected: RoundPairing, rule: str) -> list[RoundProblem]:
    """Return the tables that a recorded round should not have, and the ones it lacks."""
    players = progress.history.players
    should = {frozenset(players[i].id for i in t.players): t.why for t in expected.tables if t.players[1:]}
    have = {frozenset(table.players) for table in progress.rounds[r].tables if len(table.players) > 1}
    given = {player_id for t in progress.rounds[r].tables if t.loss for player_id in t.players}
    wrong = sorted(sorted(table) for table in have - set(should))
    found = [RoundProblem(rule, table, say("this table does not belong to the round")) for table in wrong]
    for table, why in should.items():
        if table not in have and not table & given:
            text = say("a table is missing ({table})", table=join_messages("; ", why))
            found.append(RoundProblem(rule, sorted(table), text))
    return found


def _audit_cut(progress: Progress, verdict: RoundVerdict) -> RoundVerdict:
    """Return the verdict on a Swiss round, with problems if the cut before it was not the book's."""
    r = verdict.round - 1
    problems: list[RoundProblem] = []
    for part in progress.parts:
        for k, at in enumerate(part.swiss):
            if k and at.first == r and at.stage.enter is not None:
                tried = [_compare_cut(progress, part, k, before) for before in _list_before(progress, r)]
                problems += [] if [] in tried else tried[0]
    found = replace(verdict, legal=False, optimal=False, problems=[*verdict.problems, *problems])
    return found if problems else verdict


def _compare_cut(progress: Progress, part: Part, stage: int, before: Progress) -> list[RoundProblem]:
    """Return who plays in a stage but did not make the cut before it, and who made it and was left out."""
    enter = part.swiss[stage].stage.enter
    assert enter is not None
    own = [p for p in before.parts if p.members and set(p.members) <= set(part.members)]
    if len(own) != 1 or stage >= len(own[0].swiss):  # divisions were laid out otherwise then
        return []
    history, rounds = before.history, before.history.rounds
    here = (history.dropped > rounds) & (history.disqualified > rounds)
    right = {i for i in before.decide_entry(own[0], stage).on if here[i]}
    seated = [player_id for table in progress.rounds[rounds].tables for player_id in table.players]
    seen = {progress.history.index[player_id] for player_id in seated} & set(part.members)
    found = []
    for wrong, text in (
        (seen - right, say("plays on, but missed the cut")),
        (right - seen, say("made the cut, but was left out")),
    ):
        if wrong:
            players = sorted(progress.history.players[i].id for i in wrong)
            found.append(RoundProblem(enter.rule("top"), players, text))
    return found
