"""Read the scores of a table as people type them, with what decides who won.

    30* 12 8x                 scores in the order of the seats: * won, x was eliminated
    x 12 30                   the first player was eliminated; the score counts as 0 anyway (AL-8)
    24 10 23 none             nobody won, whatever the scores are (AL-9)
    20 20 10 w1 w2            players who won, by their seats
    20 20 10 count 3 2        the numbers that break a tie for the highest score (AL-10)
    20 20 10 count 3 3 count 5 7
    20 20 10 count Ada 3 Bo 2 the same numbers by name
    20 20 10 count 3 3 count 5 5 g2    still tied, and the win is given to the second player

The counts are kept with the result and never enter a score (AL-11).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from topcut.event.facts import Result
from topcut.event.refusals import BadResult, TieToBreak
from topcut.history.model import Table
from topcut.history.ties import find_leaders, find_still_tied
from topcut.rulebook.model import MatchRules
from topcut.text.messages import list_and, list_or, say

NOBODY = "none"
"""Behind scores: nobody won, whatever they are (AL-9)."""
COUNT, GIVE = "count", "give"
_SCORE = re.compile(r"(-?\d{1,10})([*x]?)")
_OUT = ("x", "out")
_NUMBER = re.compile(r"\d{1,10}")
_SEAT = re.compile(r"([wg])(\d)")
_SPLIT = re.compile(r"[\s,;]+")
Counted = list[tuple[str, int]]
"""Numbers of a count; each with a name, or with an empty one in the order of the seats."""


@dataclass
class _Typed:
    """Hold the words of a line by what they are about."""

    scores: list[tuple[int, str]]
    winners: list[str] = field(default_factory=list)
    nobody: bool = False
    counts: list[Counted] = field(default_factory=list)
    given: str | None = None


def read_typed_scores(
    words: Sequence[str], table: Table, names: Mapping[str, str], match: MatchRules
) -> Result | None:
    """Return the result that these words mean; None if they do not begin with a score.

    `names`: how the players of the table are called.
    """
    parts = [word for word in _SPLIT.split(" ".join(words).strip()) if word]
    typed = _Reader(parts, table, names).read()
    if typed is None:
        return None
    players = table.players
    if len(typed.scores) != len(players):
        problem = say(
            "expected {players} scores, not {number}", players=len(players), number=len(typed.scores)
        )
        raise _refuse(table, problem)
    seats = list(zip(players, typed.scores, strict=True))
    winners = [player_id for player_id, (_, sign) in seats if sign == "*" or player_id in typed.winners]
    eliminated = tuple(player_id for player_id, (_, sign) in seats if sign == "x")
    decided = typed.nobody or bool(winners)
    if typed.nobody and winners:
        problem = say('A star marks who won, and "none" says that nobody won. Enter only one of them.')
        raise _refuse(table, problem)
    if typed.nobody and (typed.counts or typed.given):
        problem = say('Counts break a tie, and "none" says that nobody won. Enter only one of them.')
        raise _refuse(table, problem)
    left = {player_id: score for player_id, (score, _) in seats if player_id not in eliminated}
    counts = _TieReader(table, names, match, left).read_counts(typed.counts)
    if not decided:
        winners = _find_winners(table, names, match, left, counts, typed.given)
    return Result(
        scores=tuple(score for score, _ in typed.scores),
        winners=tuple(winners),
        eliminated=eliminated or None,
        tie_counts=tuple(counts) or None,
        win_given_to=typed.given,
    )


def _find_winners(
    table: Table,
    names: Mapping[str, str],
    match: MatchRules,
    left: Mapping[str, int],
    counts: Sequence[Mapping[str, int]],
    given: str | None,
) -> list[str]:
    """Return who won where nobody is marked; ask for the next count if players are tied (AL-7, AL-10)."""
    leaders = find_leaders(left, match)
    tied = find_still_tied(leaders, counts)
    if given is not None and len(tied) > 1:
        if given not in tied:
            problem = say(
                "{player} is not one of the players still tied. Enter {players}.",
                player=names[given],
                players=list_or(names[one] for one in tied),
            )
            raise _refuse(table, problem)
        return [given]
    if len(tied) < 2 or (match.tie_counts and len(counts) == len(match.tie_counts)):
        return tied
    what = match.tie_counts[len(counts)] if match.tie_counts else ""
    raise TieToBreak(
        table.table or "", _name_seats(table, tied, names), max(left.values()), len(counts) + 1, what
    )


def find_tied_winners(result: Result) -> list[str]:
    """Return the players of whom each wins since all counts left them tied, if nobody has the win alone."""
    winners = result.winners or ()
    return list(winners) if result.tie_counts and result.win_given_to is None and len(winners) > 1 else []


def _name_seats(table: Table, players: Sequence[str], names: Mapping[str, str]) -> dict[int, str]:
    return {1 + table.players.index(player_id): names[player_id] for player_id in players}


def _refuse(table: Table, problem: str) -> BadResult:
    return BadResult(say("Table {table}: {problem}", table=table.table or "", problem=problem))


class _Reader:
    """Reads the words of a line one after the other."""

    def __init__(self, words: Sequence[str], table: Table, names: Mapping[str, str]) -> None:
        self.words = list(words)
        self.table = table
        self.names = names

    def read(self) -> _Typed | None:
        scores = []
        while self.words and (score := _read_score(self.words[0])):
            scores.append(score)
            del self.words[0]
        if not scores:
            return None
        typed = _Typed(scores)
        while self.words:
            word = self.words.pop(0)
            plain = word.casefold()
            if plain == NOBODY:
                typed.nobody = True
            elif plain == COUNT:
                typed.counts.append(self._read_count())
            elif plain == GIVE:
                typed.given = self._find(" ".join(self._take()))
            elif found := _SEAT.fullmatch(plain):
                player = self._find(found[2])
                if found[1] == "g":
                    typed.given = player
                else:
                    typed.winners.append(player)
            else:
                problem = say(
                    '"{text}" does not belong to the scores.'
                    " After the scores, enter none, w1, count 3 2 or g1.",
                    text=word[:30],
                )
                raise _refuse(self.table, problem)
        return typed

    def _take(self) -> list[str]:
        """Return the words up to the next one with a meaning of its own."""
        taken = []
        while self.words and not _is_sign(self.words[0]):
            taken.append(self.words.pop(0))
        return taken

    def _read_count(self) -> Counted:
        found: Counted = []
        name: list[str] = []
        for word in self._take():
            if not _NUMBER.fullmatch(word):
                name.append(word)
                continue
            found.append((self._find(" ".join(name)) if name else "", int(word)))
            name = []
        if name:
            problem = say('expected a number after "{name}"', name=" ".join(name)[:60])
            raise _refuse(self.table, problem)
        return found

    def _find(self, text: str) -> str:
        """Return the player at this table with a seat, or with a name or its beginning."""
        players, wanted = self.table.players, text.casefold()
        if wanted.isdecimal() and len(wanted) == 1 and 1 <= int(wanted) <= len(players):
            return players[int(wanted) - 1]
        called = {player_id: self.names[player_id].casefold() for player_id in players}
        same = [player_id for player_id in players if wanted in (called[player_id], player_id.casefold())]
        found = same or [one for one in players if wanted and called[one].startswith(wanted)]
        if len(found) == 1:
            return found[0]
        problem = say(
            '"{text}" does not fit exactly one player at this table. Enter {players}.',
            text=text[:60],
            players=list_or(self.names[player_id] for player_id in players),
        )
        raise _refuse(self.table, problem)


def _is_sign(word: str) -> bool:
    plain = word.casefold()
    return plain in (NOBODY, COUNT, GIVE) or _SEAT.fullmatch(plain) is not None


def _read_score(word: str) -> tuple[int, str] | None:
    """Return a score and its sign; a player who was eliminated needs no number."""
    plain = word.casefold()
    if plain in _OUT:
        return 0, "x"
    found = _SCORE.fullmatch(plain)
    return (int(found[1]), found[2]) if found else None


class _TieReader:
    """Puts typed counts to the players for whom they were taken, step by step."""

    def __init__(
        self, table: Table, names: Mapping[str, str], match: MatchRules, left: Mapping[str, int]
    ) -> None:
        self.table = table
        self.names = names
        self.match = match
        self.top = max(left.values(), default=0)
        self.level = [player_id for player_id, score in left.items() if score == self.top]
        self.leaders = find_leaders(left, match)

    def read_counts(self, typed: Sequence[Counted]) -> list[dict[str, int]]:
        """Return the counts; refuse what the rules do not call for, and ask for what is missing."""
        if not typed:
            return []
        self._require_tie()
        counts: list[dict[str, int]] = []
        for group in typed:
            if any(name for name, _ in group):
                self._put_by_name(group, counts)
            else:
                self._put_in_order(group, counts)
        self._require_whole(counts)
        return counts

    def _require_tie(self) -> None:
        if len(self.leaders) > 1:
            return
        if len(self.level) > 1:
            problem = say(
                "{players} are tied with {score}, below the target of {target}: nobody won, and nothing is"
                " counted.",
                players=self._name(self.level),
                score=self.top,
                target=self.match.target or 0,
            )
        else:
            problem = say("No players are tied for the highest score, so nothing is counted.")
        raise _refuse(self.table, problem)

    def _put_in_order(self, group: Counted, counts: list[dict[str, int]]) -> None:
        tied = self._require_open(counts)
        if len(group) > len(tied):
            problem = say(
                "expected {expected} numbers in this count, for {players}, not {given}",
                expected=len(tied),
                players=self._name(tied),
                given=len(group),
            )
            raise _refuse(self.table, problem)
        if len(group) < len(tied):
            raise self._ask(tied, len(counts) + 1, begun=True)
        counts.append({player_id: count for player_id, (_, count) in zip(tied, group, strict=True)})

    def _put_by_name(self, group: Counted, counts: list[dict[str, int]]) -> None:
        """Put each number into the first count that has none of this player yet."""
        for player_id, number in group:
            if not player_id:
                problem = say("Enter a name with every number of this count, or no names at all.")
                raise _refuse(self.table, problem)
            at = next((i for i, count in enumerate(counts) if player_id not in count), len(counts))
            tied = self._require_open(counts[:at])
            if player_id not in tied:
                problem = say(
                    "{player} is not tied for the highest score. Count only for {players}.",
                    player=self.names[player_id],
                    players=self._name(tied),
                )
                raise _refuse(self.table, problem)
            if at == len(counts):
                counts.append({})
            counts[at][player_id] = number

    def _require_open(self, counts: Sequence[Mapping[str, int]]) -> list[str]:
        """Return who is tied after these counts; refuse if nothing is left to count."""
        self._require_whole(counts)
        tied = find_still_tied(self.leaders, counts)
        if len(tied) == 1:
            problem = say(
                "{player} alone had the most in the count before: expected no further count",
                player=self._name(tied),
            )
            raise _refuse(self.table, problem)
        if len(counts) == len(self.match.tie_counts):
            problem = say(
                "{players} are tied in all counts. Nothing else is counted, and each of them wins."
                " If the other players give the win to one of them, add g and the seat, such as {example}.",
                players=self._name(tied),
                example=f"g{1 + self.table.players.index(tied[0])}",
            )
            raise _refuse(self.table, problem)
        return tied

    def _require_whole(self, counts: Sequence[Mapping[str, int]]) -> None:
        """Ask for the numbers that a count lacks."""
        for at, count in enumerate(counts):
            tied = find_still_tied(self.leaders, counts[:at])
            if missing := [player_id for player_id in tied if player_id not in count]:
                raise self._ask(tied, at + 1, begun=True, missing=missing)

    def _ask(self, tied: list[str], step: int, begun: bool, missing: Sequence[str] = ()) -> TieToBreak:
        names = _name_seats(self.table, tied, self.names)
        lacking = [self.names[player_id] for player_id in missing]
        number, what = self.table.table or "", self.match.tie_counts[step - 1]
        return TieToBreak(number, names, self.top, step, what, begun=begun, missing=lacking)

    def _name(self, players: Sequence[str]) -> str:
        return list_and(self.names[player_id] for player_id in players)
