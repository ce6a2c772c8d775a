"""Find the player or the result that people type: an id or a name, and a few signs."""

import re
from collections.abc import Callable, Mapping, Sequence

import msgspec

from topcut.errors import explain_decode_error
from topcut.event.facts import Result
from topcut.event.refusals import BadResult, UnknownPlayer
from topcut.event.state import State
from topcut.history.model import Table
from topcut.rulebook.model import Book
from topcut.text.messages import Message, say

_GAMES = re.compile(r"(\d{1,2})-(\d{1,2})(?:-(\d{1,2}))?")
_SCORE = re.compile(r"(-?\d{1,10})([*x]?)")
_WORDS = dict.fromkeys(("draw", "d", "tie"), Result(winner="draw"))
_WORDS |= dict.fromkeys(("id", "intentional"), Result(winner="draw", intentional=True))
_WORDS |= dict.fromkeys(("double-loss", "both-lose"), Result(winner="double_loss"))
NOBODY = "none"
"""Behind scores: nobody won, whatever they are (AL-9)."""


def find_player(state: State, text: str, legal: bool = True) -> str:
    """Return the id of the player whom staff mean: by id, either name, or a unique beginning of one.

    `legal`: whether they may know the names that are not shown.
    """
    listed = state.players.items()
    return find_by_name({id_: (e.player.name, *([e.legal] if legal else [])) for id_, e in listed}, text)


def find_by_name(names: Mapping[str, Sequence[str]], text: str) -> str:
    """Return the id of the only player with a name, trying the closest match first.

    `names`: id to the names that count, the one that is shown first.

    >>> find_by_name({"p1": ["Bruno Keller"], "p2": ["Bru Neumann"], "p3": ["Ada Bruns"]}, "keller")
    'p1'
    """
    if text in names:
        return text
    wanted = " ".join(text.casefold().split())
    if not wanted:
        raise UnknownPlayer(text)
    ways: tuple[Callable[[str], bool], ...] = (
        text.__eq__,
        lambda name: name.casefold() == wanted,
        lambda name: name.casefold().startswith(wanted),
        lambda name: wanted in name.casefold().split(),
        lambda name: wanted in name.casefold(),
    )
    tries = ([player_id for player_id, called in names.items() if any(map(fits, called))] for fits in ways)
    found = next(filter(None, tries), [])
    if len(found) == 1:
        return found[0]
    like = []  # each with all names that count: "Zed (Ada Okafor) (p1)"
    for player_id in found:
        shown, *others = dict.fromkeys(names[player_id])
        like.append(" ".join([shown or player_id, *(f"({name})" for name in (*others, player_id))]))
    raise UnknownPlayer(text, like)


def read_result(words: tuple[str, ...], table: Table, state: State, legal: bool = True) -> Result:
    """Return a result as it is typed: `2-1`, `1-1-1`, `draw`, `id`, a winner, or the scores `30* 12 8x`.

    Games count for the first player of the table first. A star marks who won, an x who was eliminated;
    `none` behind the scores says that nobody won.
    """
    text = " ".join(words).strip()
    if len(table.players) == 1:
        if text.casefold() not in ("bye", "loss"):
            name = state.name_of(table.players[0])
            raise BadResult(
                say('{name} has no opponent. Enter bye or loss, not "{text}".', name=name, text=text)
            )
        return Result(bye=text.casefold() == "bye", loss=text.casefold() == "loss")
    if text.startswith("{"):
        try:
            return msgspec.json.decode(text, type=Result)
        except msgspec.ValidationError as error:
            raise _refuse_result(table, explain_decode_error(str(error))) from None
        except msgspec.DecodeError:
            raise _refuse_result(table, say("expected a result as JSON")) from None
    word = text.casefold()
    if word in _WORDS:
        return _WORDS[word]
    kind = state.book.match.results
    parts = re.split(r"[\s,]+", word)
    nobody = parts[-1] == NOBODY
    scores = parts[:-1] if nobody else parts
    if kind == "scores" and scores and all(_SCORE.fullmatch(part) for part in scores):
        return _read_scores(scores, table, state.book, nobody)
    if games := _GAMES.fullmatch(text):
        return _read_games(games, table, kind)
    try:
        winner = find_player(state, text, legal)
    except UnknownPlayer:
        expected = _describe_expected(kind, len(table.players))
        problem = say('"{text}" is not a result. Enter {expected}.', text=text, expected=expected)
        if nobody and kind == "scores":
            problem = say(
                '"{text}" is not a result. Enter a score for each player first, such as 24 10 23 none.',
                text=text,
            )
        elif nobody:
            problem = say(
                '"{text}" is not a result. The word none is only for games with scores. Enter {expected}.',
                text=text,
                expected=expected,
            )
        raise _refuse_result(table, problem) from None
    if winner not in table.players:
        problem = say("{name} does not sit at this table.", name=state.name_of(winner))
        raise _refuse_result(table, problem)
    return Result(winner=winner)


def _refuse_result(table: Table, problem: str) -> BadResult:
    return BadResult(say("Table {table}: {problem}", table=table.table or "", problem=problem))


def _describe_expected(kind: str, players: int) -> Message:
    if kind == "scores":
        return say("scores such as 30* 12 8x (24 10 23 none if nobody won), the winner's name, or draw")
    if players > 2:
        return say("the winner's name, draw or double-loss")
    if kind == "games":
        return say("2-1, draw, double-loss or the winner's name")
    return say("1-0, draw, double-loss or the winner's name")


def _read_games(games: re.Match[str], table: Table, kind: str) -> Result:
    first, second, drawn = int(games[1]), int(games[2]), int(games[3] or 0)
    if kind == "games":
        return Result(games=(first, second, drawn))
    if kind == "winner" and len(table.players) == 2 and not drawn:
        return Result(winner="draw" if first == second else table.players[0 if first > second else 1])
    expected = _describe_expected(kind, len(table.players))
    problem = say('"{text}" is not a result. Enter {expected}.', text=games[0], expected=expected)
    raise _refuse_result(table, problem)


def _read_scores(parts: list[str], table: Table, book: Book, nobody: bool) -> Result:
    read = [match for part in parts if (match := _SCORE.fullmatch(part))]
    if len(read) != len(table.players):
        problem = say("expected {players} scores, not {number}", players=len(table.players), number=len(read))
        raise _refuse_result(table, problem)
    scores = [int(match[1]) for match in read]
    seats = list(zip(table.players, read, strict=True))
    winners = [player_id for player_id, match in seats if match[2] == "*"]
    eliminated = tuple(player_id for player_id, match in seats if match[2] == "x")
    if winners and nobody:
        problem = say("A star says who won, and none says that nobody won. Enter only one of them.")
        raise _refuse_result(table, problem)
    if not winners and not nobody:
        winners = _find_top(scores, table, eliminated, book)
    return Result(scores=tuple(scores), winners=tuple(winners), eliminated=eliminated or None)


def _find_top(scores: list[int], table: Table, eliminated: tuple[str, ...], book: Book) -> list[str]:
    """Return who won where nobody is marked: the player with the most, if that is enough (AL-7)."""
    seats = zip(table.players, scores, strict=True)
    left = {player_id: score for player_id, score in seats if player_id not in eliminated}
    top = max(left.values(), default=0)
    target = book.match.target
    if not left or (target is not None and top < target):
        return []
    best = [player_id for player_id, score in left.items() if score == top]
    if len(best) > 1:
        problem = say(
            "Several players have {score}. Mark who won with a star, or add none if nobody won.", score=top
        )
        raise _refuse_result(table, problem)
    return best
