"""Find what a numbered rule such as PK-42 says, in our words, and where its document says it."""

import re
import tomllib
from functools import cache
from pathlib import Path

from msgspec import Struct

from topcut.text.messages import Message, Sentence

TEXTS = Path(__file__).with_name("rule_texts.toml")
NUMBER = re.compile(r"\b[A-Z]{2,3}-[AR]?\d{1,3}\b")
"""What looks like the number of a rule (PK-42), of a printed table (PK-R3) or of an ambiguity (PK-A3)."""


class RuleText(Struct, frozen=True, kw_only=True):
    """A rule of a published document; of an ambiguity, the question and the reading that Topcut takes."""

    number: str
    document: Message
    says: Message
    """The rule, or the reading taken."""
    question: Message | None = None
    source: Message | None = None
    """Where in the document."""


@cache
def list_rule_texts() -> dict[str, RuleText]:
    """Return every rule that has a number, by its number, in the order of the documents."""
    found = {}
    for document, rules in tomllib.loads(TEXTS.read_text("utf-8")).items():
        title = _translatable(rules.pop("document"))
        for number, texts in rules.items():
            found[number] = RuleText(
                number=number,
                document=title,
                says=_translatable(texts.get("says") or texts["reading"]),
                question=_translatable(texts["question"]) if "question" in texts else None,
                source=_translatable(texts["source"]) if "source" in texts else None,
            )
        assert all(number.startswith(f"{document}-") for number in rules), document
    return found


def find_rule_text(number: str) -> RuleText | None:
    """Return the rule of a number; None if there is none.

    >>> str(find_rule_text("DS-16").says)
    'A win is worth 3 points, a draw 1, a loss 0.'
    """
    return list_rule_texts().get(number)


def _translatable(text: str) -> Message:
    """Return a text of the file as a message; tools/messages.py puts it into the catalogues."""
    return Sentence(text.replace("{", "{{").replace("}", "}}"), {})


@cache
def list_rule_prefixes() -> tuple[str, ...]:
    """Return what the numbers of rules begin with: `PK` for PK-42."""
    return tuple(sorted({number.partition("-")[0] for number in list_rule_texts()}))
