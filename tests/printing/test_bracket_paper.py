"""Brackets on paper: every table and every name, large ones in parts; places; round robins."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from tests.printing.pdf_reader import pages, sheets
from tests.printing.printable_events import HARD
from topcut.errors import BadInput, Impossible
from topcut.formats.event_file import EventFile
from topcut.history import build_history
from topcut.pairing.model import build_pairing_document
from topcut.printing.page import Paper, PrintOptions
from topcut.printing.printed_event import PrintedEvent
from topcut.printing.registry import print_sheet
from topcut.rulebook import load
from topcut.rulebook.options import apply_options
from topcut.stages.final_places import find_final_places
from topcut.stages.progress import Progress
from topcut.stages.stage_types import pair_next_round
from topcut.text.message_json import decode_text


def started(
    players: int, rules: str = "pokemon-2017", hard: list[str] = HARD, **options: Any
) -> dict[str, Any]:
    names = [*hard, *(f"Player {i}" for i in range(players))][:players]
    people = [{"id": f"p{i}", "name": name, "seed": i} for i, name in enumerate(names, start=1)]
    return {"topcut": 1, "name": "Cup", "rules": rules, "options": options, "players": people, "rounds": []}


def printed_event_of(file: dict[str, Any]) -> PrintedEvent:
    event = msgspec.convert(file, EventFile, dec_hook=decode_text)
    book = apply_options(load(event.rules), event.options)
    seeds = (event.seed,) * (len(event.rounds) + 1)
    return PrintedEvent(
        name=event.name,
        book=book,
        options=event.options,
        players=event.players,
        rounds=event.rounds,
        seeds=seeds,
    )


def progress_of(event: PrintedEvent) -> Progress:
    history = build_history(event.players, event.rounds, event.book)
    return Progress(history, event.book, event.options, event.rounds, event.seeds[:1])


def played(file: dict[str, Any], rounds: int, random: Random) -> dict[str, Any]:
    """The same with so many rounds more, as far as there are any."""
    for _ in range(rounds):
        event = printed_event_of(file)
        try:
            answer = build_pairing_document(
                pair_next_round(progress := progress_of(event), "x"), progress.history
            )
        except Impossible:
            break
        for table in answer["tables"]:
            if len(table["players"]) == 2:
                table["winner"] = random.choice(table["players"])
        file = file | {"rounds": [*file["rounds"], {key: answer[key] for key in ("stage", "seed", "tables")}]}
    return file


@pytest.mark.parametrize(
    ("players", "event_format", "rounds"),
    [
        (8, "elimination", 0),
        (8, "elimination", 9),
        (11, "elimination", 2),
        (60, "elimination", 3),
        (100, "elimination", 9),
        (500, "elimination", 1),
        (12, "double-elimination", 4),
        (60, "double-elimination", 5),
    ],
)
@pytest.mark.parametrize("paper", ["a4", "us-letter"])
def test_every_table_and_everybody_is_in_the_drawing(
    players: int, event_format: str, rounds: int, paper: Paper
) -> None:
    event = printed_event_of(played(started(players, format=event_format), rounds, Random(players)))
    printed = print_sheet("bracket", event, PrintOptions(paper=paper))
    found = sheets(printed.pdf)
    words = {word.text for page in found for word in page.words}
    play = progress_of(event).brackets[0].play
    for node in play.graph.nodes:
        assert node in words or not _shown(play, node), node
    text = "".join(line for page in pages(printed.pdf) for line in page)
    for player in event.players:
        assert all(word in text for word in player.name.split()), player.name
    assert [page.faults() for page in found] == [[]] * len(found)


def _shown(play: Any, node: str) -> bool:
    """Whether a table is drawn: not if nobody plays it."""
    ended = play.ended(node)
    return bool(play.needed(node)) and (ended is None or ended.how in ("played", "no winner"))


def test_places_follow_the_drawing() -> None:
    event = printed_event_of(played(started(8, hard=[], format="elimination"), 9, Random(1)))
    progress = progress_of(event)
    rows = [
        f"{final.place} {final.name} {final.why}"
        for final in find_final_places(progress, progress.brackets[0])
    ]
    found = pages(print_sheet("bracket", event, PrintOptions()).pdf)[-1]
    assert len(rows) == 8
    assert found[found.index("Places") + 1 : -1] == rows


def test_a_bracket_before_the_cut_says_that_it_is_not_final() -> None:
    file = played(started(24, format="swiss+elimination", rounds=5, cut=8), 2, Random(2))
    text = " ".join(pages(print_sheet("bracket", printed_event_of(file), PrintOptions()).pdf)[0])
    assert "As it would be now; the Swiss rounds are not over." in text


def test_both_players_of_a_drawn_final_are_at_the_end() -> None:
    drawn = {"stage": "elimination", "tables": [{"players": ["p1", "p2"], "games": [1, 1, 0]}]}
    event = printed_event_of(started(2, rules="mtr", hard=[], format="elimination") | {"rounds": [drawn]})
    words = pages(print_sheet("bracket", event, PrintOptions()).pdf)[0]
    text = " ".join(words)
    assert (text.count("Player 0"), text.count("Player 1"), "no player" in text) == (2, 2, False)


def test_a_round_robin_is_a_list_of_its_rounds() -> None:
    event = printed_event_of(played(started(5, rules="mtr", format="round-robin"), 2, Random(3)))
    rows = [line for page in pages(print_sheet("bracket", event, PrintOptions()).pdf) for line in page]
    numbered = [line.split()[0] for line in rows if line.split()[0].isdigit()]
    assert numbered == [str(number) for number in range(1, 6) for _ in range(3)]
    assert sum("bye" in line for line in rows) == 5


def test_without_a_bracket_there_is_nothing_to_print() -> None:
    event = printed_event_of(started(8, rules="allegiance-2005"))
    with pytest.raises(BadInput, match="there is no bracket to print"):
        print_sheet("bracket", event, PrintOptions())
