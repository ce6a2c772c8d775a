"""Link the numbers of rules in sentences to what the rules say."""

import re

from markupsafe import Markup

from topcut.rulebook.rule_texts import NUMBER, find_rule_text
from topcut.text.messages import to_markup


def link_rules(text: str) -> Markup:
    """Return a sentence for a page with each number of a rule as a link to the rule.

    >>> link_rules("no rematch (DC-5)")
    Markup('no rematch (<a class="rule" href="/rules/DC-5">DC-5</a>)')
    """
    return Markup(NUMBER.sub(_link, to_markup(text)))


def _link(found: re.Match[str]) -> str:
    number = found[0]
    return f'<a class="rule" href="/rules/{number}">{number}</a>' if find_rule_text(number) else number
