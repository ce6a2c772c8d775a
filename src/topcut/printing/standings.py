"""Build standings with every tiebreak, the line of the cut, and who has left."""

from collections.abc import Sequence
from operator import itemgetter

from topcut.errors import BadInput
from topcut.history.divisions import choose_division_mode
from topcut.printing.page import PrintOptions, SheetPage
from topcut.printing.printed_event import PrintedEvent
from topcut.printing.rows import PLAIN, WALL, Row, RowSection, RuleLine, SheetColumn, build_rows_page
from topcut.stages.leaderboard import Leaderboard, find_cut_row
from topcut.standings.document import StandingRow, format_record


def build_standings(event: PrintedEvent, choice: PrintOptions) -> SheetPage:
    """Build the standings after a round; divisions that play apart each on a page of their own."""
    after = event.after(choice.after)
    board = event.board(after)
    if not board.scored:
        played = "elimination rounds give none; print the bracket" if after else "no round is played yet"
        raise BadInput(f"there are no standings: {played}")
    rows = board.rows
    apart = choose_division_mode(event.players, event.book, event.options.division_mode) == "separate"
    groups = _groups(rows, choice.division, apart)
    inside = [
        kind for kind in ("division", "flight") if kind in rows[0] and not (apart and kind == "division")
    ]
    columns = [
        SheetColumn("", 10, "right"),
        SheetColumn("player", 1, weight="semibold"),
        *(SheetColumn(kind, 22) for kind in inside),
        SheetColumn(event.points_word, 12, "right", "bold"),
        SheetColumn("record", 17),
        *(SheetColumn(tiebreak.short, 17, "right") for tiebreak in board.tiebreaks),
    ]
    sections = [
        RowSection(name, _rows(board, members, inside, "division_rank" if name else "rank", len(groups) == 1))
        for name, members in groups
    ]
    title = f"Standings after round {board.scored}"
    lines = ["Everything is exact; decimals are rounded only here."] if board.tiebreaks else []
    return build_rows_page(event, choice, title, columns, sections, [WALL, PLAIN], lines)


def _groups(
    rows: list[StandingRow], division: str | None, apart: bool
) -> list[tuple[str, list[StandingRow]]]:
    """Return the rows of each section: one for everybody, or one for each division."""
    names = {row.get("division") for row in rows}
    known = sorted(name for name in names if name)
    if division is not None and division not in known:
        expected = f"expected {' or '.join(known)}" if known else "nobody has one here"
        raise BadInput(f'nobody plays in the division "{division}": {expected}')
    if division is None and not apart:
        return [("", rows)]
    wanted = [division] if division is not None else [*known, *([None] if None in names else [])]
    rank = itemgetter("division_rank")
    return [
        (name or "no division", sorted((r for r in rows if r["division"] == name), key=rank))
        for name in wanted
    ]


def _rows(
    board: Leaderboard, standing: list[StandingRow], inside: Sequence[str], rank: str, whole: bool
) -> list[Row]:
    found: list[Row] = []
    line = find_cut_row(standing, board.cut.inside) if board.cut else None
    for at, row in enumerate(standing):
        left = "".join(f" ({why})" for why in ("dropped", "disqualified") if row.get(why))
        found.append(
            [
                str(row[rank]),
                f"{row['name']}{left}",
                *(f"{row[kind] or '–'} #{row[f'{kind}_rank']}" for kind in inside),
                str(row["points"]),
                format_record(row["record"]),
                *(row["tiebreaks"][tiebreak.at]["shown"] for tiebreak in board.tiebreaks),
            ]
        )
        if board.cut and at == line and at + 1 < len(standing):
            found.append(RuleLine(board.cut.says if whole else "the cut"))
    return found
