"""Draws the README's picture: what the commands print, as a terminal in SVG.

    .venv/bin/python tools/picture.py

Run it again whenever the output changes; the picture is what the program prints, never edited.
"""

from __future__ import annotations

import os
import subprocess
import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "src" / "topcut" / "examples"
COMMANDS = (
    "topcut standings league-night.json",
    'topcut standings league-night.json --explain "Goro Tanaka" | tail -n 19',
)
LETTER, LINE, MARGIN = 8.43, 19, 24
STYLE = (
    "text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre;"
    "fill:#d7dde8}.typed{fill:#8fd6a8;font-weight:600}"
)


def main() -> None:
    lines: list[tuple[str, str]] = []
    for command in COMMANDS:
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        done = subprocess.run(
            command, shell=True, cwd=EXAMPLES, check=True, capture_output=True, encoding="utf-8",
            env={**os.environ, "PATH": path, "PYTHONUTF8": "1"},
        )  # fmt: skip
        lines += [
            ("typed", f"$ {command}"),
            *(("shown", line) for line in done.stdout.rstrip().splitlines()),
            ("", ""),
        ]
    lines.pop()
    width = round(max(len(text) for _, text in lines) * LETTER) + 2 * MARGIN
    height = len(lines) * LINE + 2 * MARGIN
    rows = [
        f'<text class="{kind}" x="{MARGIN}" y="{MARGIN + LINE * (i + 0.75):g}">{escape(text)}</text>'
        for i, (kind, text) in enumerate(lines)
        if text
    ]
    picture = ROOT / "docs" / "pictures" / "standings.svg"
    picture.parent.mkdir(parents=True, exist_ok=True)
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    picture.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="Standings in a terminal">\n'
        f"<style>{STYLE}</style>\n"
        f'<rect width="{width}" height="{height}" rx="10" fill="#161b26"/>\n'
        + "\n".join(rows)
        + "\n</svg>\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
