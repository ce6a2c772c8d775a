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
from topcut.text.messages import count, join_messages, list_or, percent, render, say
from topcut.text.os_errors import describe_os_error

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
    return label(slot.who) if isinstance(slot.who, str) else render(slot.text_without_player)


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
    "--size",
    type=click.IntRange(min=2),
    metavar="N",
    help="Players in the cut (default: as the event has it).",
)
@click.option("--third-place", is_flag=True, default=None, help="Include a match for third place.")
@click.option("--division", metavar="D", help="Only the bracket of this division.")
@click.option("--seed", metavar="TEXT", help="The seed of random draws (default: the event's).")
@click.option("--svg", "picture", metavar="FILE", help="Also draw the bracket into this file (SVG).")
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
    """Show the bracket of the event in FILE (- for standard input), and the places decided so far.

    Without FILE: of the running event. Before the bracket begins, Topcut shows it as it would be after the
    last complete round.
    """
    event = source.event
    file = event.file
    with name_file_in_errors(source.name):
        eliminating = any(a_round.in_bracket for a_round in file.rounds)
        rounds = file.rounds if eliminating else file.rounds[: source.played_rounds]
        check_reported(file.players, [a_round for a_round in rounds if a_round.is_scored])
        if not file.players:
            raise Impossible(say("there are no players yet: add players first"), rule="")
        options = _set_size(event, size)
        history = event.history.after(min(len(rounds), event.history.rounds))
        seeds = [seed, source.find_lot_seed(len(rounds))]
        progress = Progress(history, event.book, options, rounds, seeds, third_place)
        robins = build_schedules(progress)
        brackets = [] if robins else _choose_brackets(progress, event, division)
    if robins:
        if picture is not None:
            raise BadInput(say("a round robin has no bracket to draw"), place="--svg")
        _print_round_robins(event, robins, as_json)
        return
    if picture is not None:
        _write_drawings(event, brackets, Path(picture))
    if as_json:
        documents = [bracket_document(progress, bracket) for bracket in brackets]
        for document in documents:
            document["warnings"] = [*event.warnings, *document["warnings"]]
        print_json(merge_documents(documents))
    else:
        for bracket in brackets:
            print(*_lines(event, progress, bracket), sep="\n")
    for warning in dict.fromkeys(said for bracket in brackets for said in list_warnings(progress, bracket)):
        warn(warning)
    if size is not None and progress.eliminating and any(len(b.play.players) != size for b in brackets):
        warn(say("--size has no effect: the bracket is played with another number of players."))
    if progress.running:
        played, planned = progress.history.rounds, progress.running[0].rounds
        if planned is None:
            warn(
                say(
                    "Swiss rounds are not over. This is the bracket as it would be after round {round}.",
                    round=played,
                )
            )
        else:
            warn(
                say(
                    "Swiss rounds are not over."
                    " This is the bracket as it would be after round {round} of {rounds}.",
                    round=played,
                    rounds=planned,
                )
            )


def _print_round_robins(event: Event, robins: list[Document], as_json: bool) -> None:
    """Print all rounds of round robins, each table with its winner in front."""
    if as_json:
        print_json(merge_documents(robins))
        return
    names = {player.id: player.shown_name for player in event.history.players}
    for robin in robins:
        title = _title(event, robin.get("division", ""), say("round robin"), robin["size"])
        print_line(say("{title} ({rules})", title=title, rules=event.book.title))
        print()
        rounds = [
            join_messages("; ", [_describe_table(table, names) for table in tables])
            for tables in robin["rounds"]
        ]
        rows = [[str(number), tables] for number, tables in enumerate(rounds, start=1)]
        print_table([say("round"), say("tables")], rows, right=[0], wrap=True)
        if robin["places"]:
            rows = [[str(row["place"]), row["name"], row["why"]] for row in robin["places"]]
            print()
            print_table([say("place"), say("player"), say("why")], rows, right=[0], wrap=True)


def _describe_table(row: Document, names: dict[str, str]) -> str:
    """Return one table of a round robin in words."""
    if row.get("bye"):
        return say("{player}: bye", player=names[row["players"][0]])
    first, second = (names[player_id] for player_id in row["players"])
    if row["winner"] is not None:
        winner, loser = (first, second) if row["winner"] == row["players"][0] else (second, first)
        return say("{winner} beat {loser}", winner=winner, loser=loser)
    if row.get("draw"):
        return say("{first} drew with {second}", first=first, second=second)
    if row.get("double_loss"):
        return say("{first} and {second} both lost", first=first, second=second)
    return join_messages(" - ", [first, second])


def _set_size(event: Event, size: int | None) -> Options:
    options = event.file.options
    if size is None:
        return options
    if "swiss+elimination" not in event.book.plan.formats:
        rule = event.book.plan.rule("formats")
        raise Impossible(say("{rules} has no elimination rounds after Swiss", rules=event.book.id), rule=rule)
    if options.format not in (None, "swiss", "swiss+elimination"):
        problem = say(
            "has no effect in the format {format}: all players are in the bracket", format=options.format
        )
        raise BadInput(problem, place="--size")
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
        raise Impossible(say("no elimination rounds are planned; --size N sets a cut"), rule=rule)
    if division is None:
        return progress.brackets
    members = [
        {division_of(progress.history.players[i], event.book) for i in bracket.part.members}
        for bracket in progress.brackets
    ]
    found = [bracket for bracket, names in zip(progress.brackets, members, strict=True) if division in names]
    if not found:
        known = sorted({name for names in members for name in names if name})
        if not known:
            raise BadInput(say("no player of this event has a division"), place="--division")
        problem = say('expected {divisions}, not "{division}"', divisions=list_or(known), division=division)
        raise BadInput(problem, place="--division")
    return found


def _title_of(event: Event, bracket: Bracket) -> str:
    return _title(event, bracket.part.name, bracket.stage.name, len(bracket.play.players))


def _title(event: Event, division: str, stage: str, players: int) -> str:
    """Return the heading of a bracket or a round robin."""
    name = (
        say("{event}, {division}", event=event.file.name, division=division) if division else event.file.name
    )
    return count(
        "{event}: {stage}, {n} player", "{event}: {stage}, {n} players", players, event=name, stage=stage
    )


def _label_players(event: Event, bracket: Bracket) -> dict[str, tuple[str, str]]:
    """Return the rank seed and the name of each player in a bracket."""
    names = {player.id: make_printable(player.shown_name) for player in event.history.players}
    return {player_id: (str(at), names[player_id]) for player_id, at in bracket.play.rank_seeds.items()}


def _lines(event: Event, progress: Progress, bracket: Bracket) -> Iterator[str]:
    labels = _label_players(event, bracket)
    columns = max(COLUMNS, get_terminal_size().columns) if sys.stdout.isatty() else COLUMNS
    title = _title_of(event, bracket)
    yield make_printable(say("{title} ({rules})", title=title, rules=event.book.title))
    for tree in lay_out_trees(bracket.play):
        yield ""
        if tree.title:
            yield make_printable(say("{heading}:", heading=tree.title))
        yield from draw_lines(tree, lambda player_id: " ".join(labels[player_id]), columns, measure_width)
    places = find_final_places(progress, bracket)
    if places:
        yield ""
        headings, rows = (
            [say("place"), say("player"), say("why")],
            [[str(p.place), p.name, p.why] for p in places],
        )
        if any(place.division for place in places):
            headings.insert(2, say("division"))
            for row, place in zip(rows, places, strict=True):
                row.insert(2, f"{place.division or '-'} #{place.division_place or '?'}")
        yield format_table(headings, rows, right=[0], wrap=True)
    if bracket.entered and not progress.eliminating:
        yield ""
        yield from describe_cut_line(progress, bracket.entered)
    yield ""
    yield make_printable(
        say("seed {seed}", seed=bracket.seed)
        if bracket.seed
        else say("no seed: random draws use an empty one")
    )


def _write_drawings(event: Event, brackets: list[Bracket], path: Path) -> None:
    """Write the drawings, each into a file of its own if there are several."""
    if not path.name:
        raise BadInput(say("expected the name of a file"), place="--svg")
    for bracket in brackets:
        label = _label_players(event, bracket).__getitem__
        drawing = draw_svg(
            lay_out_trees(bracket.play), label, make_printable(_title_of(event, bracket)), measure_width
        )
        where = path
        if len(brackets) > 1:
            division = re.sub(r"\W+", "-", bracket.part.name)
            where = path.parent / f"{path.stem}-{division}{path.suffix}"
        try:
            where.write_text(drawing, encoding="utf-8")
        except OSError as error:
            problem = say("cannot write this file: {reason}", reason=describe_os_error(error))
            raise BadInput(problem, place="--svg", file=str(where)) from None


@click.command("cut")
@click.option("--seed", metavar="TEXT", help="The seed of random draws (default: the event's).")
@takes_event_or_file
@json_option
def cut_command(source: EventSource, seed: str | None, as_json: bool) -> None:
    """Show who advances to the next stage of the event in FILE (- for standard input), and why.

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
        print_line(
            say("{event}: who advances after round {round}", event=file.name, round=progress.history.rounds)
        )
        for stage, part, cut in cuts:
            print()
            print_line(join_messages(": ", [part, _title_cut(stage, cut)]))
            for moved in cut.moved_up:
                print_line(moved.says)
            print(*describe_cut_line(progress, cut), sep="\n")
        for share in count_division_shares(progress) if not progress.running else ():
            inside = say("{number} of {players}", number=share.inside, players=share.players)
            shown = percent(share.share)
            print_line(say("{part}: {inside} ({share})", part=share.division, inside=inside, share=shown))
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
        raise Impossible(say("no cut comes after round {round}", round=progress.history.rounds), rule=rule)
    return found


def _title_cut(stage: str, cut: CutDecision) -> str:
    players = len(cut.verdicts)
    return count(
        "{stage}, {on} of {n} player", "{stage}, {on} of {n} players", players, stage=stage, on=len(cut.on)
    )


def describe_cut_line(progress: Progress, cut: CutDecision) -> Iterator[str]:
    """Yield what it took to advance, and the reasons of the players who were close to it."""
    yield make_printable(say("to advance: {requirement}", requirement=cut.requirement))
    rows = []
    for verdict in cut.verdicts:
        if verdict.near:
            name = progress.history.players[verdict.player].shown_name
            if verdict.on and progress.history.last[verdict.player] <= progress.history.rounds:
                name = say("{player} (has left)", player=name)
            rows.append([say("in") if verdict.on else say("out"), name, verdict.why])
    if rows:
        yield format_table([say("cut"), say("player near the line"), say("why")], rows, wrap=True)
