"""`topcut cut`: who goes on to the next stage, and why."""

from __future__ import annotations

from collections.abc import Iterator

import click

from topcut.cli.asked import Asked, about_event
from topcut.cli.options import readings_option
from topcut.cli.output import json_option, print_json, table, visible, warn
from topcut.errors import Impossible
from topcut.exchange.files import naming
from topcut.history import check_reported
from topcut.rulebook.planning.words import percent
from topcut.stages.answer import cut_document
from topcut.stages.course import Course
from topcut.stages.final import shares, uneven
from topcut.standings.advance import Advancing


@click.command("cut")
@about_event
@click.option("--seed", metavar="TEXT", help="The seed of lots (default: the event's).")
@readings_option
@json_option
def command(asked: Asked, seed: str | None, readings: dict[str, str], as_json: bool) -> None:
    """Who goes on to the next stage of the event in FILE (- for standard input), and why.

    Without FILE: of the running event.
    """
    opened = asked.open()
    loaded = opened.built(readings)
    file = loaded.file
    with naming(opened.name):
        check_reported(file.players, [a_round for a_round in file.rounds if a_round.stage == "swiss"])
        course = Course(loaded.history, loaded.book, file.options, file.rounds, [seed, file.seed])
        cuts = _cuts(course)
    if as_json:
        answers = [
            {"stage": stage, **({"division": part} if part else {}), **cut_document(course, cut)}
            for stage, part, cut in cuts
        ]
        print_json({"after": course.history.rounds, "seed": course.seed, "cuts": answers})
    else:
        print(f"{visible(file.name)}: who goes on after round {course.history.rounds}")
        for stage, part, cut in cuts:
            where = f"{visible(part)}: " if part else ""
            print(f"\n{where}{stage}, {len(cut.on)} of {len(cut.verdicts)} players")
            for moved in cut.moved_up:
                print(visible(moved.says))
            print("\n".join(near_the_line(course, cut)))
        for share in shares(course) if not course.running else ():
            inside = f"{share.inside} of {share.players}"
            print(f"{share.division}: {inside} ({percent(share.share)})")
    if not course.running and (said := uneven(course, shares(course))):
        warn(said)


def _cuts(course: Course) -> list[tuple[str, str, Advancing]]:
    """(stage, part, who goes on) for every part that stands before a cut."""
    found = []
    for part in course.running:
        if cut := course.left_out(part):
            stage = part.stage_of(course.history.rounds)
            found.append((stage.stage.name if stage else "", part.name, cut))
    if not course.running:
        for bracket in course.brackets:
            if bracket.entered is not None:
                found.append((bracket.stage.name, bracket.part.name, bracket.entered))
    if not found:
        rule = course.book.plan.rule("formats")
        raise Impossible(f"no cut comes after round {course.history.rounds}", rule=rule)
    return found


def near_the_line(course: Course, cut: Advancing) -> Iterator[str]:
    """What it took to go on, and the reasons of those who were close to it."""
    yield f"to go on: {cut.line}"
    rows = []
    for verdict in cut.verdicts:
        if verdict.near:
            name = course.history.players[verdict.player].shown_name
            if verdict.on and course.history.last[verdict.player] <= course.history.rounds:
                name += " (has left)"
            rows.append(["in" if verdict.on else "out", name, verdict.why])
    if rows:
        yield table(["cut", "player near the line", "why"], rows, wrap=True)
