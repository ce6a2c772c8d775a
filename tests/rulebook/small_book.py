"""A small complete book, and how a test brings its own."""

from pathlib import Path

HOUSE = """
id = "house"
title = "House rules"
edition = "first"
status = "house"
document = "the note on the door"
options = ["rounds", "cut"]

[match]
source = "line 1 (HR-1)"
table_sizes = [2]
results = "games"
best_of = 3
intentional_draws = true
byes = true

[measures.points]
source = "line 2"
kind = "outcomes"
value = "sum"
win = { reading = "HR-A1" }
draw = "1/2"
loss = 0
bye = 1

[[chain]]
source = "line 2"
by = "value"
key = "points"
label = "Points"
short = "Points"
measure = "points"
shown = { form = "whole" }

[[chain]]
source = "line 3"
by = "value"
key = "strength"
label = "Opponents' points"
short = "Opp."
measure = "points"
of = "opponents"
floor = "1/3"
shown = { form = "decimal" }

[standings]
source = "line 3"
ends_in = "shared"
disqualified = "removed"

[plan]
source = "line 4 (HR-4)"
formats = ["swiss", "swiss+elimination"]
default_table = "short"
minimum_players = 4

[plan.tables.short]
source = "line 4 (HR-4)"
rows = [
  { to = 8, rounds = 3 },
  { rounds = 4, cut = 4 },
]

[[stages]]
source = "line 4 (HR-4)"
name = "Swiss"
formats = ["swiss", "swiss+elimination"]
kind = "swiss"
rounds = "table"

[[stages]]
source = "line 5"
name = "final"
formats = ["swiss+elimination"]
kind = "elimination"
placement = "shared"
[stages.enter]
source = "line 5"
top = "cut"

[cut]
source = "line 5"
power_of_two = true

[readings.HR-A1]
asks = "What is a win worth?"
chosen = "a"
because = "the note says so"
[readings.HR-A1.options]
a = { value = 1, says = "one point" }
b = { value = 3, says = "three points" }
""".lstrip()


def written(folder: Path, text: str, name: str = "house.toml") -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return name
