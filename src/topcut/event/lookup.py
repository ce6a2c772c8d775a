"""Find the player or the result that people type: an id or a name, and a few signs."""

import re
from collections.abc import Callable, Mapping, Sequence

import msgspec

from topcut.errors import explain_decode_error
from topcut.event.facts import Result
from topcut.event.refusals import BadResult, UnknownPlayer
from topcut.event.state import State
from topcut.event.typed_scores import NOBODY, read_typed_scores
from topcut.history.model import Table
from topcut.text.messages import Message, say

_GAMES = re.compile(r"(\d{1,2})-(\d{1,2})(?:-(\d{1,2}))?")
_WORDS = dict.fromkeys(("draw", "d", "tie"), Result(winner="draw"))
_WORDS |= dict.fromkeys(("id", "intentional"), Result(winner="draw", intentional=True))
_WORDS |= dict.fromkeys(("double-loss", "both-lose"), Result(winner="double_loss"))


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

    Games count for the first player of the table first. `typed_scores` describes scores and what may follow.
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
    kind = state.book.match.results
    if kind == "scores" and word in _WORDS and _WORDS[word].winner == "draw":
        problem = say(
            'A table here has scores and no draw. If nobody won, enter the scores and "none",'
            " such as 24 10 23 none."
        )
        raise _refuse_result(table, problem)
    if word in _WORDS:
        return _WORDS[word]
    if kind == "scores":
        names = {player_id: state.name_of(player_id) for player_id in table.players}
        if (scored := read_typed_scores(words, table, names, state.book.match)) is not None:
            return scored
    if games := _GAMES.fullmatch(text):
        return _read_games(games, table, kind)
    try:
        winner = find_player(state, text, legal)
    except UnknownPlayer:
        expected = _describe_expected(kind, len(table.players))
        problem = say('"{text}" is not a result. Enter {expected}.', text=text, expected=expected)
        nobody = word.endswith(NOBODY)
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
