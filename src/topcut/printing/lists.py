"""Build what is printed in rows: pairings, standings, lists to sign in on, seats before the first round."""

from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter

from topcut.errors import BadInput
from topcut.history.divisions import choose_division_mode, division_of
from topcut.history.model import Player, Round, Table
from topcut.printing.page import PrintOptions, SheetPage, name_round
from topcut.printing.printed_event import PrintedEvent
from topcut.printing.rows import (
    PLAIN,
    SMALL,
    TWO,
    WALL,
    Cell,
    Row,
    RowSection,
    RowStyle,
    RuleLine,
    SheetColumn,
    build_rows_page,
)
from topcut.stages.leaderboard import Leaderboard, find_cut_row
from topcut.standings.document import StandingRow, format_record
from topcut.text.messages import Message, count, language_in_use, list_or, say
from topcut.text.names import name_key

KINDS = {
    "division": say("division"),
    "flight": say("flight"),
    "pod": say("pod"),
    "seat": say("seat"),
    "table": say("table"),
}
ROOMY = RowStyle(1, 11, 8.5)
"""Room for a pen."""


def build_pairings(event: PrintedEvent, choice: PrintOptions) -> SheetPage:
    """Build the pairings of a round, from A to Z or by table."""
    number, a_round = event.round(choice.round)
    tables = choice.select_tables(event, number, a_round)
    pairings = _Pairings(event, number, a_round, two=all(len(table.players) <= 2 for table in tables))
    if choice.by == "table":
        columns, rows = pairings.table_columns(), [pairings.table_row(table) for table in tables]
        styles, order = [WALL, PLAIN], say("by table")
    else:
        named = [pair for table in tables for pair in pairings.player_rows(table)]
        columns, rows = pairings.player_columns(), [row for _, row in sorted(named, key=lambda n: n[0])]
        styles = [WALL, TWO, SMALL, PLAIN] if pairings.two else [WALL, PLAIN]
        order = say("A–Z")
    title = say("{round}: pairings {order}", round=name_round(number, a_round), order=order)
    return build_rows_page(event, choice, title, columns, [RowSection("", rows)], styles, choice.only, number)


class _Pairings:
    """The rows of a round, with records where there are any; `two`: no table has more than two players."""

    def __init__(self, event: PrintedEvent, number: int, a_round: Round, two: bool) -> None:
        self.event, self.number, self.two = event, number, two
        self.names = event.names
        self.byes = {player.id: player.byes for player in event.players if a_round.is_scored}
        self.scores = event.scores(number, a_round)
        self.new = any(event.is_new(number, table) for table in a_round.tables)
        first = SheetColumn(say("table"), 11, "right", "bold")
        self.columns = [first, *([SheetColumn("", 9)] if self.new else [])]

    def _locate(self, table: Table, alone: str) -> list[Cell]:
        """Return the cells for the number of a table, and whether it is new."""
        where = alone if table.table is None else str(table.table)
        return [where, *([say("new") if self.event.is_new(self.number, table) else ""] if self.new else [])]

    def player_columns(self) -> list[SheetColumn]:
        own, other = (0.53, 0.47) if self.two else (0.3, 0.7)
        against = SheetColumn(say("opponent") if self.two else say("opponents"), other)
        record = [SheetColumn(self.event.points_word, 10, "right"), _record_column(14)]
        player = SheetColumn(say("player"), own, weight="semibold")
        return [*self.columns, player, against, *(record if self.scores else [])]

    def player_rows(self, table: Table) -> list[tuple[tuple[str, str], list[Cell]]]:
        """Return the rows of the players at a table, each with the key by which it is sorted."""
        awarded = self._is_awarded(table)
        where = self._locate(table, "–" if awarded else _name_single(table) or "–")
        found = []
        for player_id in table.players:
            name = self.names[player_id]
            against = [self.names[other] for other in table.players if other != player_id]
            shown: Cell = against[0] if len(against) == 1 else against
            shown = say("bye (awarded)") if awarded else shown
            points = self.scores.get(player_id)
            record = [str(points[0]), points[1]] if points else []
            found.append((name_key(name), [*where, name, shown, *record]))
        return found

    def table_columns(self) -> list[SheetColumn]:
        points = [SheetColumn(self.event.points_word, 11, "right")] if self.scores else []
        one = [SheetColumn(say("player"), 0.5), *points, SheetColumn("", 5)]
        players = [*one, *one] if self.two else [SheetColumn(say("players"), 1)]
        return [*self.columns, *players, SheetColumn(say("result"), 20)]

    def _is_awarded(self, table: Table) -> bool:
        """Return whether a table is a bye that its player won before the event began."""
        return table.bye and self.number <= self.byes.get(table.players[0], 0)

    def table_row(self, table: Table) -> list[Cell]:
        said = say("bye (awarded)") if self._is_awarded(table) else _name_single(table)
        cells = self._locate(table, "–")
        if not self.two:
            return [*cells, [self.names[player_id] for player_id in table.players], said]
        for player_id in table.players:
            cells += [self.names[player_id], *([str(self.scores[player_id][0])] if self.scores else []), ""]
        empty = [""] * (2 + bool(self.scores)) if len(table.players) == 1 else []
        return [*cells, *empty, said]


def _record_column(width: float) -> SheetColumn:
    """Return the column of records, which has room for a bye in each language."""
    return SheetColumn(say("record"), width + 9 * language_in_use().count("+"))


def _name_single(table: Table) -> str:
    """Return why a player has no opponent; nothing for a table of several."""
    if table.loss:
        return say("loss")
    return say("bye") if len(table.players) == 1 else ""


def build_standings(event: PrintedEvent, choice: PrintOptions) -> SheetPage:
    """Build the standings after a round; divisions that play apart each on a page of their own."""
    after = event.after(choice.after)
    board = event.board(after)
    if not board.scored:
        if after:
            raise BadInput(say("elimination rounds give no standings: print the bracket instead"))
        raise BadInput(say("there are no standings before the first round is played"))
    apart = choose_division_mode(event.players, event.book, event.options.division_mode) == "separate"
    groups = _group_standings(board.rows, choice.division, apart)
    kinds = ("flight",) if apart else ("division", "flight")
    inside = [kind for kind in kinds if kind in board.rows[0]]
    columns = [
        SheetColumn("", 10, "right"),
        SheetColumn(say("player"), 1, weight="semibold"),
        *(SheetColumn(KINDS[kind], 22) for kind in inside),
        SheetColumn(event.points_word, 12, "right", "bold"),
        _record_column(17),
        *(SheetColumn(tiebreak.short, 17, "right") for tiebreak in board.tiebreaks),
    ]
    sections = []
    for name, members in groups:
        rank = "division_rank" if name else "rank"
        rows = _list_standings(board, members, inside, rank, len(groups) == 1)
        sections.append(RowSection(name, rows))
    title = say("Standings after round {number}", number=board.scored)
    lines = [say("Topcut ranks by exact values; only this paper rounds them.")] if board.tiebreaks else []
    return build_rows_page(event, choice, title, columns, sections, [WALL, PLAIN], lines)


def _group_standings(
    rows: list[StandingRow], division: str | None, apart: bool
) -> list[tuple[str, list[StandingRow]]]:
    """Return the rows of each section: one for everybody, or one for each division."""
    names = {row.get("division") for row in rows}
    known = sorted(name for name in names if name)
    if division is not None and division not in known:
        if not known:
            problem = say('there is no division "{division}": no player has a division', division=division)
        else:
            problem = say(
                'there is no division "{division}": expected {known}', division=division, known=list_or(known)
            )
        raise BadInput(problem)
    if division is None and not apart:
        return [("", rows)]
    wanted = [division] if division is not None else [*known, *([None] if None in names else [])]
    rank = itemgetter("division_rank")
    return [
        (name or say("no division"), sorted((r for r in rows if r["division"] == name), key=rank))
        for name in wanted
    ]


def _list_standings(
    board: Leaderboard, standing: list[StandingRow], inside: Sequence[str], rank: str, whole: bool
) -> list[Row]:
    found: list[Row] = []
    line = find_cut_row(standing, board.cut.inside) if board.cut else None
    for at, row in enumerate(standing):
        found.append(
            [
                str(row[rank]),
                _name_standing(row),
                *(f"{row[kind] or '–'} #{row[f'{kind}_rank']}" for kind in inside),
                str(row["points"]),
                format_record(row["record"]),
                *(row["tiebreaks"][tiebreak.at]["shown"] for tiebreak in board.tiebreaks),
            ]
        )
        if board.cut and at == line and at + 1 < len(standing):
            found.append(RuleLine(board.cut.says if whole else say("the cut")))
    return found


def _name_standing(row: StandingRow) -> str:
    """Return the name of a player, with why they left if they did."""
    if row.get("disqualified"):
        return f"{row['name']} ({say('disqualified')})"  # the name once, the word in all languages
    return f"{row['name']} ({say('dropped')})" if row.get("dropped") else row["name"]


def build_sign_in(event: PrintedEvent, choice: PrintOptions) -> SheetPage:
    """Build the list of expected players for the desk: a box and a line to sign on, no birth years."""
    names = {**event.names, **event.legal}
    players = sorted(_list_present(event), key=lambda player: name_key(names[player.id]))
    about = {
        say("number"): (26, {player.id: player.member or "" for player in players}),
        say("division"): (22, {player.id: division_of(player, event.book) or "" for player in players}),
    }
    about = {heading: column for heading, column in about.items() if any(column[1].values())}
    columns = [
        SheetColumn(say("here"), 12),
        SheetColumn(say("player"), 0.5, weight="semibold"),
        *(SheetColumn(heading, width) for heading, (width, _) in about.items()),
        SheetColumn(say("signature"), 0.5),
    ]
    rows: list[Row] = []
    for player in players:
        shown = f" ({player.shown_name})" if player.id in event.legal else ""
        cells = [of[player.id] for _, of in about.values()]
        rows.append(["☐", names[player.id] + shown, *cells, ""])
    title = count("Sign-in: {n} player", "Sign-in: {n} players", len(players))
    page = build_rows_page(event, choice, title, columns, [RowSection("", rows)], [ROOMY], ruled=True)
    legal = [
        (say("the other name of {name}", name=event.names.get(player_id, player_id)), name)
        for player_id, name in event.legal.items()
    ]
    return replace(page, names=[*page.names, *legal])


def build_seats(event: PrintedEvent, choice: PrintOptions) -> SheetPage:
    """Build the list of tables, pods or seats before the first round."""
    players = _list_present(event)
    wheres = list_seats(event)
    if not wheres:
        raise BadInput(
            say("no player has a seat yet: draw seats, pods or flights, or assign player-meeting seats")
        )
    columns = [
        *(SheetColumn(KINDS[what], 11, "right", "bold") for what, _ in wheres),
        SheetColumn(say("player"), 1),
    ]
    rows: list[Row] = [
        [*(where.get(player.id, "–") for _, where in wheres), player.shown_name] for player in players
    ]
    styles = [WALL, TWO, SMALL, PLAIN]
    return build_rows_page(event, choice, say("Seats A–Z"), columns, [RowSection("", rows)], styles)


def build_pods(event: PrintedEvent, choice: PrintOptions) -> SheetPage:
    """Build the list of pods, each with its players by their seats; by table: a sheet for each pod."""
    players = [player for player in _list_present(event) if player.pod is not None]
    if not players:
        raise BadInput(say("no player has a pod: begin a draft first"))
    columns = [SheetColumn(KINDS["seat"], 11, "right", "bold"), SheetColumn(say("player"), 1)]
    sheets: list[tuple[Message, list[Row]]] = []
    for pod in sorted({player.pod for player in players if player.pod is not None}):
        inside = [player for player in players if player.pod == pod]
        inside.sort(key=lambda player: (player.seat is None, player.seat or 0))
        rows: list[Row] = [[str(player.seat or "–"), player.shown_name] for player in inside]
        sheets.append((say("Pod {number}", number=pod), rows))
    if choice.by == "table":
        sections = [RowSection(name, rows) for name, rows in sheets]
    else:
        sections = [RowSection("", [row for name, rows in sheets for row in (RuleLine(name), *rows)])]
    draft = event.options.draft
    title = say("Draft {draft}: pods", draft=draft.number) if draft else say("Pods")
    return build_rows_page(event, choice, title, columns, sections, [WALL, PLAIN])


def list_seats(event: PrintedEvent) -> list[tuple[str, dict[str, str]]]:
    """Return the kinds of places that are known, each with the place of each player."""
    found = [("table", {player_id: str(table) for player_id, table in event.seated.items()})]
    for what in ("flight", "pod", "seat"):
        places = {player.id: getattr(player, what) for player in event.players}
        found.append((what, {key: str(place) for key, place in places.items() if place is not None}))
    return [(what, where) for what, where in found if where]


def _list_present(event: PrintedEvent) -> list[Player]:
    """Return the players who have not left, from A to Z."""
    here = [p for p in event.players if p.dropped is None and p.cut is None and p.disqualified is None]
    if not here:
        raise BadInput(say("the event has no players yet"))
    return sorted(here, key=lambda player: name_key(player.shown_name))
