"""Standings: every tiebreak, the line of the cut, and who has left."""

from __future__ import annotations

from collections.abc import Sequence

from topcut.errors import BadInput
from topcut.history.divisions import division_mode
from topcut.paper.choice import Choice
from topcut.paper.occasion import Occasion
from topcut.paper.page import Page, about, named
from topcut.paper.rows import PLAIN, WALL, Column, Line, Row, Section, listing
from topcut.stages.board import Board, last_inside
from topcut.standings.answer import Row as Standing
from topcut.standings.answer import record_words

LEFT = ("dropped", "disqualified")


def standings(occasion: Occasion, choice: Choice) -> Page:
    """The standings after a round; divisions that play apart each on a page of their own."""
    after = occasion.after(choice.after)
    board = occasion.board(after)
    if not board.scored:
        played = "elimination rounds give none; print the bracket" if after else "no round is played yet"
        raise BadInput(f"there are no standings: {played}")
    rows = board.rows
    apart = division_mode(occasion.players, occasion.book, occasion.options.division_mode) == "separate"
    groups = _groups(rows, choice.division, apart)
    inside = [
        kind for kind in ("division", "flight") if kind in rows[0] and not (apart and kind == "division")
    ]
    columns = [
        Column("", 10, "right"),
        Column("player", 1, weight="semibold"),
        *(Column(kind, 22) for kind in inside),
        Column(occasion.points_word, 12, "right", "bold"),
        Column("record", 17),
        *(Column(tiebreak.short, 17, "right") for tiebreak in board.tiebreaks),
    ]
    sections = [
        Section(name, _rows(board, members, inside, "division_rank" if name else "rank", len(groups) == 1))
        for name, members in groups
    ]
    data = listing(columns, sections, choice.paper, [WALL, PLAIN])
    title = f"Standings after round {board.scored}"
    lines = ["Everything is exact; decimals are rounded only here."] if board.tiebreaks else []
    return Page("rows", about(occasion, choice, title, lines) | data, named(occasion))


def _groups(rows: list[Standing], division: str | None, apart: bool) -> list[tuple[str, list[Standing]]]:
    """The rows of each section: one for everybody, or one for each division."""
    names = list(dict.fromkeys(row.get("division") for row in rows))
    known = sorted(name for name in names if name)
    if division is not None and division not in known:
        expected = f"expected {' or '.join(known)}" if known else "nobody has one here"
        raise BadInput(f'nobody plays in the division "{division}": {expected}')
    if division is None and not apart:
        return [("", rows)]
    wanted = [division] if division is not None else [*known, *([None] if None in names else [])]
    return [
        (name or "no division", sorted((r for r in rows if r["division"] == name), key=_rank_inside))
        for name in wanted
    ]


def _rank_inside(row: Standing) -> int:
    return int(row["division_rank"])


def _rows(board: Board, standing: list[Standing], inside: Sequence[str], rank: str, whole: bool) -> list[Row]:
    found: list[Row] = []
    line = last_inside(standing, board.cut.inside) if board.cut else None
    for at, row in enumerate(standing):
        left = "".join(f" ({why})" for why in LEFT if row.get(why))
        shown = [tiebreak["shown"] for tiebreak in row["tiebreaks"]]
        found.append(
            [
                str(row[rank]),
                f"{row['name']}{left}",
                *(f"{row[kind] or '–'} #{row[f'{kind}_rank']}" for kind in inside),
                str(row["points"]),
                record_words(row["record"]),
                *(shown[tiebreak.at] for tiebreak in board.tiebreaks),
            ]
        )
        if board.cut and at == line and at + 1 < len(standing):
            found.append(Line(board.cut.says if whole else "the cut"))
    return found
