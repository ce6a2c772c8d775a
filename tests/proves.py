"""Say which numbered rules a test proves.

@proves("DS-12", "DS-A2")
def test_after_one_draw_a_fair_lot_gives_the_places() -> None: ...

`python -m tools.rules_page` reads these marks, and lists the tests of each rule in docs/rules.md.
"""

import pytest


def proves(*numbers: str) -> pytest.MarkDecorator:
    """Mark a test as proof of rules, ambiguities or worked examples."""
    return pytest.mark.proves(*numbers)
