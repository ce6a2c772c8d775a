"""Paper: 250 slips with QR codes, the pairings of 2,000 players and their standings.

Beside it ReportLab prints the same rows as a table that breaks over pages, and the same slips on its canvas,
each text put in its place by hand, with QR codes of the same maker. Everything is counted from the event to
the bytes of the PDF, and what Typst remembers of a sheet is forgotten before the next.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from random import Random
from typing import Any

import segno

from bench.clock import best, report
from topcut.history.model import Player, Round, Table
from topcut.printing.page import PrintOptions
from topcut.printing.printed_event import PrintedEvent
from topcut.printing.registry import SHEET_BUILDERS, print_sheet
from topcut.printing.typesetting import free_memory
from topcut.rulebook import load
from topcut.rulebook.options import Options
from topcut.stages.progress import choose_lot_seed

RUNS = 5
FIRST = ["Ada", "Grace", "Alan", "Edsger", "Barbara", "Donald", "Leslie", "Frances", "Jean", "Kathleen"]
LAST = ["Lovelace", "Hopper", "Turing", "Dijkstra", "Liskov", "Knuth", "Lamport", "Allen", "Bartik", "Booth"]


def printed_event(players: int, rounds: int) -> PrintedEvent:
    """An event in which everybody meets somebody."""
    random = Random(players)
    people = tuple(
        Player(id=f"p{i}", name=f"{random.choice(FIRST)} {random.choice(LAST)}", member=str(10**6 + i))
        for i in range(players)
    )
    played = []
    for r in range(rounds):
        ids = random.sample([player.id for player in people], players)
        games = [random.choice([(2, 0, 0), (2, 1, 0), (1, 2, 0)]) for _ in range(players // 2)]
        played.append(
            Round(
                tables=tuple(
                    Table(
                        table=k + 1,
                        players=(ids[2 * k], ids[2 * k + 1]),
                        games=games[k] if r < rounds - 1 else None,
                    )
                    for k in range(players // 2)
                )
            )
        )
    seeds = tuple(choose_lot_seed([None], played[:after]) for after in range(rounds + 1))
    return PrintedEvent(
        "Autumn Cup", load("mtr"), Options(), people, tuple(played), seeds, "14 Nov 2026, 14:05"
    )


def ours(kind: str, event: PrintedEvent) -> bytes:
    free_memory()
    return print_sheet(kind, replace(event, boards={}), PrintOptions()).pdf


def table_by_reportlab(kind: str, event: PrintedEvent) -> bytes:
    """The rows of one of our sheets as ReportLab's table."""
    from reportlab.lib.colors import HexColor
    from reportlab.lib.pagesizes import A4
    from reportlab.platypus import SimpleDocTemplate, TableStyle
    from reportlab.platypus import Table as Grid

    data = SHEET_BUILDERS[kind](replace(event, boards={}), PrintOptions()).data
    rows: Sequence[Sequence[Any]] = [
        row[1:] for section in data["sections"] for row in section["rows"] if isinstance(row, list)
    ]
    heads = data["headings"]
    striped = TableStyle([("ROWBACKGROUNDS", (0, 1), (-1, -1), [None, HexColor("#eeeeee")])])
    file = BytesIO()
    document = SimpleDocTemplate(file, pagesize=A4, title="Pairings")
    document.build([Grid([heads, *rows], repeatRows=1, style=striped)])
    return file.getvalue()


def slips_by_reportlab(event: PrintedEvent) -> bytes:
    """The slips of one of our sheets, four a page."""
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.units import mm
    from reportlab.pdfgen.canvas import Canvas

    assert event.link is not None
    data = SHEET_BUILDERS["slips"](replace(event, boards={}, link=None), PrintOptions()).data
    file = BytesIO()
    canvas = Canvas(file, pagesize=A4)
    high = A4[1] / 4
    for page in data["pages"]:
        for slot, at in enumerate(page):
            if at is None:
                continue
            top = A4[1] - slot * high
            canvas.line(0, top - high, A4[0], top - high)
            canvas.setFont("Helvetica-Bold", 36)
            canvas.drawString(6 * mm, top - 18 * mm, at["table"])
            canvas.setFont("Helvetica", 9)
            for y, text in enumerate((data["event"], data["round"], data["time"])):
                canvas.drawString(38 * mm, top - (9 + 4 * y) * mm, text)
            matrix = segno.make(event.link(1, at["table"]), error="m", micro=False, mask=0).matrix
            dot = 23 * mm / len(matrix)
            path = canvas.beginPath()
            for y, row in enumerate(matrix):
                for run in re.finditer(b"\x01+", row):
                    left = A4[0] - 29 * mm + run.start() * dot
                    path.rect(left, top - 6 * mm - (y + 1) * dot, len(run[0]) * dot, dot)
            canvas.drawPath(path, stroke=0, fill=1)
            for k, who in enumerate(at["players"]):
                y = top - (40 + 15 * k) * mm
                canvas.setFont("Helvetica-Bold", 12)
                canvas.drawString(6 * mm, y, who["name"])
                canvas.setFont("Helvetica", 7)
                canvas.drawString(6 * mm, y - 5 * mm, who["says"])
                canvas.line(62 * mm, y - 6 * mm, A4[0] - 6 * mm, y - 6 * mm)
                for box, label in enumerate(("0", "1", "2", "")):
                    canvas.rect(A4[0] - (36 - 7 * box) * mm, y, 5.6 * mm, 5.6 * mm)
                    canvas.drawString(A4[0] - (34 - 7 * box) * mm, y + 2 * mm, label)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def compared(title: str, name: str, times: dict[str, float]) -> None:
    rows = [(f"topcut: {name}", times["ours"], "")]
    if "reportlab" in times:
        rows.append(
            ("reportlab: the same", times["reportlab"], f"{times['reportlab'] / times['ours']:.1f} ×")
        )
    report(title, rows)


def main() -> None:
    try:
        import reportlab.platypus  # noqa: F401

        peer = True
    except ImportError:
        peer = False
    slips = replace(
        printed_event(500, 2), link=lambda r, t: f"https://desk.example/e/autumn-cup/slip/{r}/{t}/{'0' * 30}"
    )
    hall = printed_event(2_000, 4)
    for name, kind, event in (
        ("250 slips with QR codes", "slips", slips),
        ("pairings A–Z of 2,000 players", "pairings", hall),
        ("standings of 2,000 players", "standings", hall),
    ):
        things: dict[str, Any] = {"ours": lambda kind=kind, event=event: ours(kind, event)}
        if peer and kind == "slips":
            things["reportlab"] = lambda event=event: slips_by_reportlab(event)
        elif peer:
            things["reportlab"] = lambda kind=kind, event=event: table_by_reportlab(kind, event)
        compared(f"{name}, from the event to the PDF", name, best(RUNS, **things))
