"""`topcut cut`: print who goes on to the next stage, and why."""

from collections.abc import Iterator

import click

from topcut.cli.event_source import EventSource, takes_event_or_file
from topcut.cli.options import readings_option
from topcut.cli.output import format_table, json_option, make_printable, print_json, print_line, warn
from topcut.errors import Impossible
from topcut.formats.paths import name_file_in_errors
from topcut.history import check_reported
from topcut.stages.document import cut_document
from topcut.stages.final_places import count_division_shares, warn_of_uneven_shares
from topcut.stages.progress import Progress
from topcut.standings.advance import CutDecision
from topcut.text.phrases import percent


@click.command("cut")
@takes_event_or_file
@click.option("--seed", metavar="TEXT", help="The seed of lots (default: the event's).")
@readings_option
@json_option
def command(source: EventSource, seed: str | None, readings: dict[str, str], as_json: bool) -> None:
    """Who goes on to the next stage of the event in FILE (- for standard input), and why.

    Without FILE: of the running event.
    """
    loaded = source.load()
    event = loaded.build(readings)
    file = event.file
    with name_file_in_errors(loaded.name):
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
        if cut := progress.left_out(part):
            stage = part.stage_of(progress.history.rounds)
            found.append((stage.stage.name if stage else "", part.name, cut))
    if not progress.running:
        for bracket in progress.brackets:
            if bracket.entered is not None:
                found.append((bracket.stage.name, bracket.part.name, bracket.entered))
    if not found:
        rule = progress.book.plan.rule("formats")
        raise Impossible(f"no cut comes after round {progress.history.rounds}", rule=rule)
    return found


def describe_cut_line(progress: Progress, cut: CutDecision) -> Iterator[str]:
    """Yield what it took to go on, and the reasons of the players who were close to it."""
    yield f"to go on: {cut.line}"
    rows = []
    for verdict in cut.verdicts:
        if verdict.near:
            name = progress.history.players[verdict.player].shown_name
            if verdict.on and progress.history.last[verdict.player] <= progress.history.rounds:
                name += " (has left)"
            rows.append(["in" if verdict.on else "out", name, verdict.why])
    if rows:
        yield format_table(["cut", "player near the line", "why"], rows, wrap=True)
