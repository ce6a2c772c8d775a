"""`topcut bracket`: the elimination bracket, who sits where, and the final places."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import get_terminal_size

import click
import msgspec

from topcut.cli.asked import Asked, about_event
from topcut.cli.cut import near_the_line
from topcut.cli.options import readings_option
from topcut.cli.output import json_option, print_json, table, visible, warn, width
from topcut.errors import BadInput, Impossible
from topcut.exchange.event_file import Event
from topcut.exchange.files import naming
from topcut.history import check_reported
from topcut.history.divisions import division_of
from topcut.rulebook.options import Options
from topcut.rulebook.planning.words import either
from topcut.stages.answer import Document, bracket_document, schedule_document, together, warnings
from topcut.stages.bracket import Bracket
from topcut.stages.course import Course
from topcut.stages.final import final_places
from topcut.stages.layout import trees
from topcut.stages.picture import svg
from topcut.stages.text import drawn

COLUMNS = 100
"""Columns of a bracket where nobody looks at a screen, and the fewest on one."""


@click.command("bracket")
@about_event
@click.option(
    "--size", type=click.IntRange(min=2), metavar="N", help="Players in the cut (default: the event's)."
)
@click.option("--third-place", is_flag=True, default=None, help="With a table for third place.")
@click.option("--division", metavar="D", help="Only the bracket of this division.")
@click.option("--seed", metavar="TEXT", help="The seed of lots (default: the event's).")
@click.option("--svg", "picture", metavar="FILE", help="Also draw it into this file.")
@readings_option
@json_option
def command(
    asked: Asked,
    size: int | None,
    third_place: bool | None,
    division: str | None,
    seed: str | None,
    picture: str | None,
    readings: dict[str, str],
    as_json: bool,
) -> None:
    """The bracket of the event in FILE (- for standard input), and the places it has decided.

    Without FILE: of the running event; before the bracket begins, as it would be after the last whole round.
    """
    opened = asked.open()
    loaded = opened.built(readings)
    file = loaded.file
    with naming(opened.name):
        eliminating = any(a_round.stage == "elimination" for a_round in file.rounds)
        rounds = file.rounds if eliminating else file.rounds[: opened.whole]
        check_reported(file.players, [a_round for a_round in rounds if a_round.stage == "swiss"])
        if not file.players:
            raise Impossible("there are no players yet: add them, then ask again", rule="")
        options = _with_size(loaded, size)
        history = loaded.history.after(min(len(rounds), loaded.history.rounds))
        seeds = [seed, opened.lots(len(rounds))]
        course = Course(history, loaded.book, options, rounds, seeds, third_place)
        circles = [schedule_document(course, part) for part in course.parts if part.round_robin]
        brackets = [] if circles else _chosen(course, loaded, division)
    if circles:
        if picture is not None:
            raise BadInput("a round robin has no bracket to draw", place="--svg")
        _print_circles(loaded, circles, as_json)
        return
    if picture is not None:
        _draw(loaded, brackets, Path(picture))
    if as_json:
        print_json(together([bracket_document(course, bracket) for bracket in brackets]))
    else:
        print("\n".join(line for bracket in brackets for line in _lines(loaded, course, bracket)))
    for warning in dict.fromkeys(said for bracket in brackets for said in warnings(course, bracket)):
        warn(warning)
    if size is not None and course.eliminating and any(len(b.play.players) != size for b in brackets):
        warn("the bracket was played with another number of players: --size is too late")
    if course.running:
        played, planned = course.history.rounds, course.running[0].rounds
        of = f" of {planned}" if planned is not None else ""
        warn(f"Swiss rounds go on: this is the bracket as it would be now, after round {played}{of}")


def _print_circles(event: Event, circles: list[Document], as_json: bool) -> None:
    """Round robins: all rounds, each table with its winner in front."""
    if as_json:
        print_json(together(circles))
        return
    names = {player.id: player.shown_name for player in event.history.players}
    for circle in circles:
        where = f", {circle['division']}" if "division" in circle else ""
        title = f"{event.file.name}{where}: round robin, {circle['size']} players"
        print(f"{visible(title)} ({event.book.title})\n")
        rows = []
        for number, tables in enumerate(circle["rounds"], start=1):
            said = ["; ".join(_meeting(table, names) for table in tables)]
            rows.append([str(number), *said])
        print(table(["round", "tables"], rows, right=[0], wrap=True))
        if circle["places"]:
            rows = [[str(row["place"]), row["name"], row["why"]] for row in circle["places"]]
            print()
            print(table(["place", "player", "why"], rows, right=[0], wrap=True))


def _meeting(row: Document, names: dict[str, str]) -> str:
    """One table of a round robin in words."""
    if row.get("bye"):
        return f"{names[row['players'][0]]} bye"
    winner, both = row["winner"], [names[player_id] for player_id in row["players"]]
    if winner is not None:
        loser = next(player_id for player_id in row["players"] if player_id != winner)
        return f"{names[winner]} beat {names[loser]}"
    word = "drew with" if row.get("draw") else "lost, as did" if row.get("double_loss") else "-"
    return f"{both[0]} {word} {both[1]}"


def _with_size(event: Event, size: int | None) -> Options:
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


def _chosen(course: Course, event: Event, division: str | None) -> list[Bracket]:
    """The brackets to show, one of them if a division is named."""
    if not course.brackets:
        part = course.parts[0] if course.parts else None
        if part is not None and part.refused is not None:
            raise part.refused
        rule = event.book.plan.rule("formats")
        raise Impossible("no elimination rounds are planned here (a cut can be given with --size)", rule=rule)
    if division is None:
        return course.brackets
    members = [
        {division_of(course.history.players[i], event.book) for i in bracket.part.members}
        for bracket in course.brackets
    ]
    found = [bracket for bracket, names in zip(course.brackets, members, strict=True) if division in names]
    if not found:
        known = sorted({name for names in members for name in names if name})
        expected = f"expected {either(known)}" if known else "nobody has one here"
        raise BadInput(f'no bracket has the division "{division}": {expected}', place="--division")
    return found


def _title(event: Event, bracket: Bracket) -> str:
    where = f", {bracket.part.name}" if bracket.part.name else ""
    return f"{event.file.name}{where}: {bracket.stage.name}, {len(bracket.play.players)} players"


def _lines(event: Event, course: Course, bracket: Bracket) -> Iterator[str]:
    names = {player.id: visible(player.shown_name) for player in event.history.players}
    seeds = {player_id: at for at, player_id in enumerate(bracket.play.players, start=1)}
    columns = max(COLUMNS, get_terminal_size().columns) if sys.stdout.isatty() else COLUMNS
    yield f"{visible(_title(event, bracket))} ({event.book.title})"
    for tree in trees(bracket.play):
        yield ""
        if tree.title:
            yield f"{tree.title}:"
        yield from drawn(tree, lambda player_id: f"{seeds[player_id]} {names[player_id]}", columns, width)
    places = final_places(course, bracket)
    if places:
        yield ""
        divided = any(place.division for place in places)
        headings = ["place", "player", *(["division"] if divided else []), "why"]
        rows = []
        for place in places:
            inside = f"{place.division or '-'} #{place.division_place or '?'}"
            rows.append([str(place.place), place.name, *([inside] if divided else []), place.why])
        yield table(headings, rows, right=[0], wrap=True)
    if bracket.entered and not course.eliminating:
        yield ""
        yield from near_the_line(course, bracket.entered)
    yield ""
    yield f"seed {visible(bracket.seed)}" if bracket.seed else "no seed: lots are drawn from the empty text"


def _draw(event: Event, brackets: list[Bracket], path: Path) -> None:
    """Write the drawings, each into a file of its own if there are several."""
    if not path.name:
        raise BadInput("expected the name of a file", place="--svg")
    names = {player.id: visible(player.shown_name) for player in event.history.players}
    for bracket in brackets:
        seeds = {player_id: str(at) for at, player_id in enumerate(bracket.play.players, start=1)}
        label = {player_id: (seed, names[player_id]) for player_id, seed in seeds.items()}.__getitem__
        drawing = svg(trees(bracket.play), label, visible(_title(event, bracket)), width)
        where = path
        if len(brackets) > 1:
            division = re.sub(r"\W+", "-", bracket.part.name)
            where = path.parent / f"{path.stem}-{division}{path.suffix}"
        try:
            where.write_text(drawing, encoding="utf-8")
        except OSError as error:
            problem = f"cannot write this file: {error.strerror}"
            raise BadInput(problem, place="--svg", file=str(where)) from None
