"""House books with stages of their own, and events by them."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from tests.stages.damaged_events import CUT, Plain, Story


def stage(kind: str, enter: str = "", event_format: str = "swiss+elimination", **values: str) -> str:
    lines = [f"{name} = {value}" for name, value in values.items()]
    if kind != "swiss":
        lines.append('placement = "rank seed"')
    head = [
        "[[stages]]",
        'source = "H-2"',
        f'name = "{kind}"',
        f'formats = ["{event_format}"]',
        f'kind = "{kind}"',
    ]
    return "\n".join([*head, *lines, *(["[stages.enter]", 'source = "H-3"', enter] if enter else []), "", ""])


def more(enter: str = "", **values: str) -> str:
    """Swiss rounds."""
    return stage("swiss", enter, **values)


def house(
    folder: Path, *stages: str, base: str = "mtr", formats: str = CUT, power_of_two: str = "false"
) -> str:
    """The path of a book with these stages."""
    head = f'id = "house"\nbase = "{base}"\ntitle = "House"\n[plan]\nsource = "H-1"\nformats = {formats}\n'
    text = f'{head}[cut]\nsource = "H-4"\npower_of_two = {power_of_two}\n' + "".join(stages)
    (folder / "house.toml").write_text(text, encoding="utf-8")
    return str(folder / "house.toml")


def begun(book: str, count: int, rounds: int = 0, seed: str | None = "lots", options: Any = None) -> Story:
    """An event by a book, after so many rounds, in which nothing out of the ordinary happens."""
    players = [{"id": f"p{i:02}"} for i in range(count)]
    plain = {"topcut": 1, "name": "Cup", "rules": book, "players": players, "rounds": []}
    plain |= {"options": options or {}} | ({} if seed is None else {"seed": seed})
    story = Story(plain, Random(count), quiet=True, careful=True)
    assert all(story.step() for _ in range(rounds))
    return story


def seated(plain: Plain, number: int) -> set[str]:
    """Who sits at a table of a round."""
    return {player_id for table in plain["rounds"][number - 1]["tables"] for player_id in table["players"]}
