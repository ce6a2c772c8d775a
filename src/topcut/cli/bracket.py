"""`topcut bracket` and `topcut cut`: print brackets and final places, and who goes on to them."""

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import get_terminal_size

import click
import msgspec

from topcut.cli.event_source import EventSource, takes_event_or_file
from topcut.cli.output import (
    format_table,
    json_option,
    make_printable,
    measure_width,
    print_json,
    print_line,
    print_table,
    warn,
)
from topcut.errors import BadInput, Impossible
from topcut.formats.event_file import Event
from topcut.formats.paths import name_file_in_errors
from topcut.history import check_reported
from topcut.history.divisions import division_of
from topcut.rulebook.options import Options
from topcut.stages.brackets.bracket import Bracket
from topcut.stages.brackets.layout import Join, Slot, Tree, lay_out_trees
from topcut.stages.brackets.svg import draw_svg
from topcut.stages.document import (
    Document,
    bracket_document,
    build_schedules,
    cut_document,
    list_warnings,
    merge_documents,
)
from topcut.stages.final_places import count_division_shares, find_final_places, warn_of_uneven_shares
from topcut.stages.progress import Progress
from topcut.standings.advance import CutDecision
from topcut.text.messages import list_or, percent

LIGHT, HEAVY = "─", "━"
NUMBER, NARROW, WIDE = 4, 9, 28
"""Columns of a terminal for little more than a rank seed, for a short name, and for a long one."""


Measure = Callable[[str], int]
"""The columns of a terminal that a text fills."""


def draw_lines(tree: Tree, label: Callable[[str], str], width: int, measure: Measure = len) -> list[str]:
    """Draw one tree of a bracket, at most `width` columns wide; `label` names a player."""
    first = [len(_cells(_text(slot, label), width, measure)) for slot in tree.slots if not slot.begin]
    rooms = _column_widths(max(first), tree.columns, width)
    starts = [sum(rooms[:column]) + 3 * column for column in range(tree.columns)]
    page = [[" "] * (starts[-1] + rooms[-1] + 1) for _ in range(tree.rows)]
    for slot in tree.slots:
        start, end = starts[slot.begin], starts[slot.column] + rooms[slot.column]
        cells = _cells(_text(slot, label), end - start, measure)
        after = start + len(cells)
        page[slot.row][start:after] = cells
        if slot.feeds:
            page[slot.row][after + 1 : end + 1] = (HEAVY if slot.won else LIGHT) * (end - after)
    for join in tree.joins:
        _join(page, join, starts[join.column] - 2)
    return ["".join(line).rstrip() for line in page]


def _column_widths(longest: int, columns: int, width: int) -> list[int]:
    """Return how wide each column is: the first one, with names in full, before the others."""
    free = width - 3 * (columns - 1)
    even = max(NUMBER, free // columns)
    first = max(even, min(longest, free - NARROW * (columns - 1), WIDE))
    return [first, *[max(NUMBER, (free - first) // max(1, columns - 1))] * (columns - 1)]


def _text(slot: Slot, label: Callable[[str], str]) -> str:
    return label(slot.who) if isinstance(slot.who, str) else slot.text_without_player


def _cells(text: str, room: int, measure: Measure) -> list[str]:
    """Return the text in columns, cut where it is too long; an empty column follows a wide letter."""
    cells: list[str] = []
    for letter in text:
        size = measure(letter)
        if size == 0 and cells:
            cells[-1] += letter
        else:
            cells += [letter, ""][: max(size, 1)]
    if len(cells) <= room:
        return cells
    cells = cells[: room - 1]
    if measure("".join(cells)) > len(cells):  # half a wide letter
        cells[-1] = " "
    return [*cells, "…"]


def _join(page: list[list[str]], join: Join, at: int) -> None:
    """Draw the corner pieces to the right of a table's two seats."""
    page[join.top][at] = "┓" if join.upper_won else "┐"
    page[join.bottom][at] = "┛" if join.lower_won else "┘"
    for row in range(join.top + 1, join.bottom):
        heavy = (join.upper_won and row < join.to) or (join.lower_won and row > join.to)
        page[row][at] = "┃" if heavy else "│"
    heavy = join.upper_won or join.lower_won
    page[join.to][at] = "┣" if heavy else "├"
    page[join.to][at + 1] = HEAVY if heavy else LIGHT


COLUMNS = 100
"""Columns of a bracket outside a terminal, and the fewest in one."""


@click.command("bracket")
@click.option(
    "--size", type=click.IntRange(min=2), metavar="N", help="Players in the cut (default: the event's)."
)
@click.option("--third-place", is_flag=True, default=None, help="With a table for third place.")
@click.option("--division", metavar="D", help="Only the bracket of this division.")
@click.option("--seed", metavar="TEXT", help="The seed of lots (default: the event's).")
@click.option("--svg", "picture", metavar="FILE", help="Also draw it into this file.")
@takes_event_or_file
@json_option
def command(
    source: EventSource,
    size: int | None,
    third_place: bool | None,
    division: str | None,
    seed: str | None,
    picture: str | None,
    as_json: bool,
) -> None:
    """The bracket of the event in FILE (- for standard input), and the places it has decided.

    Without FILE: of the running event; before the bracket begins, as it would be after the last whole round.
    """
    event = source.event
    file = event.file
    with name_file_in_errors(source.name):
        eliminating = any(a_round.in_bracket for a_round in file.rounds)
        rounds = file.rounds if eliminating else file.rounds[: source.played_rounds]
        check_reported(file.players, [a_round for a_round in rounds if a_round.is_scored])
        if not file.players:
            raise Impossible("there are no players yet: add them, then ask again", rule="")
        options = _set_size(event, size)
        history = event.history.after(min(len(rounds), event.history.rounds))
        seeds = [seed, source.find_lot_seed(len(rounds))]
        progress = Progress(history, event.book, options, rounds, seeds, third_place)
        robins = build_schedules(progress)
        brackets = [] if robins else _choose_brackets(progress, event, division)
    if robins:
        if picture is not None:
            raise BadInput("a round robin has no bracket to draw", place="--svg")
        _print_round_robins(event, robins, as_json)
        return
    if picture is not None:
        _write_drawings(event, brackets, Path(picture))
    if as_json:
        print_json(merge_documents([bracket_document(progress, bracket) for bracket in brackets]))
    else:
        print("\n".join(line for bracket in brackets for line in _lines(event, progress, bracket)))
    for warning in dict.fromkeys(said for bracket in brackets for said in list_warnings(progress, bracket)):
        warn(warning)
    if size is not None and progress.eliminating and any(len(b.play.players) != size for b in brackets):
        warn("the bracket was played with another number of players: --size is too late")
    if progress.running:
        played, planned = progress.history.rounds, progress.running[0].rounds
        of = f" of {planned}" if planned is not None else ""
        warn(f"Swiss rounds go on: this is the bracket as it would be now, after round {played}{of}")


def _print_round_robins(event: Event, robins: list[Document], as_json: bool) -> None:
    """Print all rounds of round robins, each table with its winner in front."""
    if as_json:
        print_json(merge_documents(robins))
        return
    names = {player.id: player.shown_name for player in event.history.players}
    for robin in robins:
        where = f", {robin['division']}" if "division" in robin else ""
        title = f"{event.file.name}{where}: round robin, {robin['size']} players"
        print(f"{make_printable(title)} ({event.book.title})\n")
        rounds = ["; ".join(_describe_table(table, names) for table in tables) for tables in robin["rounds"]]
        rows = [[str(number), tables] for number, tables in enumerate(rounds, start=1)]
        print_table(["round", "tables"], rows, right=[0], wrap=True)
        if robin["places"]:
            rows = [[str(row["place"]), row["name"], row["why"]] for row in robin["places"]]
            print()
            print_table(["place", "player", "why"], rows, right=[0], wrap=True)


def _describe_table(row: Document, names: dict[str, str]) -> str:
    """Return one table of a round robin in words."""
    if row.get("bye"):
        return f"{names[row['players'][0]]} bye"
    first, second = row["players"]
    if row["winner"] is not None:
        return f"{names[row['winner']]} beat {names[second if row['winner'] == first else first]}"
    word = "drew with" if row.get("draw") else "lost, as did" if row.get("double_loss") else "-"
    return f"{names[first]} {word} {names[second]}"


def _set_size(event: Event, size: int | None) -> Options:
    options = event.file.options
    if size is None:
        return options
    if "swiss+elimination" not in event.book.plan.formats:
        rule = event.book.plan.rule("formats")
        raise Impossible(f"{event.book.id} has no elimination rounds after Swiss", rule=rule)
    if options.format not in (None, "swiss", "swiss+elimination"):
        raise BadInput(f"has no use in the format {options.format}: everybody plays", place="--size")
    own = {
        name: msgspec.structs.replace(part, cut=None) for name, part in (options.by_division or {}).items()
    }
    return msgspec.structs.replace(options, cut=size, format="swiss+elimination", by_division=own or None)


def _choose_brackets(progress: Progress, event: Event, division: str | None) -> list[Bracket]:
    """Return the brackets to print, one of them if a division is named."""
    if not progress.brackets:
        if progress.parts and progress.parts[0].refused is not None:
            raise progress.parts[0].refused
        rule = event.book.plan.rule("formats")
        raise Impossible("no elimination rounds are planned here (a cut can be given with --size)", rule=rule)
    if division is None:
        return progress.brackets
    members = [
        {division_of(progress.history.players[i], event.book) for i in bracket.part.members}
        for bracket in progress.brackets
    ]
    found = [bracket for bracket, names in zip(progress.brackets, members, strict=True) if division in names]
    if not found:
        known = sorted({name for names in members for name in names if name})
        expected = f"expected {list_or(known)}" if known else "nobody has one here"
        raise BadInput(f'no bracket has the division "{division}": {expected}', place="--division")
    return found


def _title(event: Event, bracket: Bracket) -> str:
    where = f", {bracket.part.name}" if bracket.part.name else ""
    players = len(bracket.play.players)
    return make_printable(f"{event.file.name}{where}: {bracket.stage.name}, {players} players")


def _label_players(event: Event, bracket: Bracket) -> dict[str, tuple[str, str]]:
    """Return the rank seed and the name of each player in a bracket."""
    names = {player.id: make_printable(player.shown_name) for player in event.history.players}
    return {player_id: (str(at), names[player_id]) for at, player_id in enumerate(bracket.play.players, 1)}


def _lines(event: Event, progress: Progress, bracket: Bracket) -> Iterator[str]:
    labels = _label_players(event, bracket)
    columns = max(COLUMNS, get_terminal_size().columns) if sys.stdout.isatty() else COLUMNS
    yield f"{_title(event, bracket)} ({event.book.title})"
    for tree in lay_out_trees(bracket.play):
        yield ""
        if tree.title:
            yield f"{tree.title}:"
        yield from draw_lines(tree, lambda player_id: " ".join(labels[player_id]), columns, measure_width)
    places = find_final_places(progress, bracket)
    if places:
        yield ""
        headings, rows = ["place", "player", "why"], [[str(p.place), p.name, p.why] for p in places]
        if any(place.division for place in places):
            headings.insert(2, "division")
            for row, place in zip(rows, places, strict=True):
                row.insert(2, f"{place.division or '-'} #{place.division_place or '?'}")
        yield format_table(headings, rows, right=[0], wrap=True)
    if bracket.entered and not progress.eliminating:
        yield ""
        yield from describe_cut_line(progress, bracket.entered)
    yield ""
    seed = make_printable(bracket.seed)
    yield f"seed {seed}" if seed else "no seed: lots are drawn from the empty text"


def _write_drawings(event: Event, brackets: list[Bracket], path: Path) -> None:
    """Write the drawings, each into a file of its own if there are several."""
    if not path.name:
        raise BadInput("expected the name of a file", place="--svg")
    for bracket in brackets:
        label = _label_players(event, bracket).__getitem__
        drawing = draw_svg(lay_out_trees(bracket.play), label, _title(event, bracket), measure_width)
        where = path
        if len(brackets) > 1:
            division = re.sub(r"\W+", "-", bracket.part.name)
            where = path.parent / f"{path.stem}-{division}{path.suffix}"
        try:
            where.write_text(drawing, encoding="utf-8")
        except OSError as error:
            problem = f"cannot write this file: {error.strerror}"
            raise BadInput(problem, place="--svg", file=str(where)) from None


@click.command("cut")
@click.option("--seed", metavar="TEXT", help="The seed of lots (default: the event's).")
@takes_event_or_file
@json_option
def cut_command(source: EventSource, seed: str | None, as_json: bool) -> None:
    """Who goes on to the next stage of the event in FILE (- for standard input), and why.

    Without FILE: of the running event.
    """
    event = source.event
    file = event.file
    with name_file_in_errors(source.name):
        check_reported(file.players, [a_round for a_round in file.rounds if a_round.is_scored])
        progress = Progress(event.history, event.book, file.options, file.rounds, [seed, file.seed])
        cuts = _find_cuts(progress)
    if as_json:
        documents = [
            {"stage": stage, **({"division": part} if part else {}), **cut_document(progress, cut)}
            for stage, part, cut in cuts
        ]
        print_json({"after": progress.history.rounds, "seed": progress.seed, "cuts": documents})
    else:
        print(f"{make_printable(file.name)}: who goes on after round {progress.history.rounds}")
        for stage, part, cut in cuts:
            where = f"{make_printable(part)}: " if part else ""
            print(f"\n{where}{stage}, {len(cut.on)} of {len(cut.verdicts)} players")
            for moved in cut.moved_up:
                print_line(moved.says)
            print("\n".join(describe_cut_line(progress, cut)))
        for share in count_division_shares(progress) if not progress.running else ():
            inside = f"{share.inside} of {share.players}"
            print(f"{share.division}: {inside} ({percent(share.share)})")
    if not progress.running and (said := warn_of_uneven_shares(progress)):
        warn(said)


def _find_cuts(progress: Progress) -> list[tuple[str, str, CutDecision]]:
    """Return stage, part and verdict for every part that is before a cut."""
    found = []
    for part in progress.running:
        if cut := progress.decide_next_cut(part):
            stage = part.stage_of(progress.history.rounds)
            found.append((stage.stage.name if stage else "", part.name, cut))
    for bracket in () if progress.running else progress.brackets:
        if bracket.entered is not None:
            found.append((bracket.stage.name, bracket.part.name, bracket.entered))
    if not found:
        rule = progress.book.plan.rule("formats")
        raise Impossible(f"no cut comes after round {progress.history.rounds}", rule=rule)
    return found


def describe_cut_line(progress: Progress, cut: CutDecision) -> Iterator[str]:
    """Yield what it took to go on, and the reasons of the players who were close to it."""
    yield f"to go on: {cut.requirement}"
    rows = []
    for verdict in cut.verdicts:
        if verdict.near:
            name = progress.history.players[verdict.player].shown_name
            if verdict.on and progress.history.last[verdict.player] <= progress.history.rounds:
                name += " (has left)"
            rows.append(["in" if verdict.on else "out", name, verdict.why])
    if rows:
        yield format_table(["cut", "player near the line", "why"], rows, wrap=True)
