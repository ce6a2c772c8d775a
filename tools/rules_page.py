"""Write the texts of the numbered rules into docs/rules.md; their places in Topcut stay as they are there.

.venv/bin/python -m tools.rules_page
"""

import re
from pathlib import Path

from topcut.rulebook.rule_texts import find_rule_text

PAGE = Path(__file__).parents[1] / "docs" / "rules.md"
_ROW = re.compile(r"\| ([A-Z]{2,3}-[AR]?\d+) \| (.*) \| (.*) \| (.*) \|")


def write_texts(page: str) -> str:
    """Return the page with the texts as the rules have them."""
    return "\n".join(_write_row(line) for line in page.split("\n"))


def _write_row(line: str) -> str:
    found = _ROW.fullmatch(line)
    rule = find_rule_text(found[1]) if found else None
    if found is None or rule is None:
        return line
    first, second = (rule.question, rule.says) if rule.question else (rule.says, rule.source)
    return f"| {rule.number} | {first} | {second} | {found[4]} |"


if __name__ == "__main__":
    PAGE.write_text(write_texts(PAGE.read_text("utf-8")), "utf-8")
