"""Two invented languages, so that a test sees what is translated: one with accents, one that is mirrored."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tools.messages import lengthen, mirror
from topcut.text import catalogues, languages, templates
from topcut.text.catalogues import Catalogue

INVENTED = "en-XA"
MIRRORED = "ar-XB"
CHANGES = {INVENTED: lengthen, MIRRORED: mirror}


class _EveryText(dict[tuple[str, str], tuple[str, ...]]):
    """The translation of any text, made up when it is looked up."""

    def __init__(self, change: Callable[[str], str]) -> None:
        super().__init__()
        self.change = change

    def get(self, key: Any, default: Any = None) -> tuple[str, ...]:
        return (self.change(key[1]),)


def use_invented_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let both languages be there, with a translation of every text, in this process."""
    made = {language: Catalogue(texts=_EveryText(change)) for language, change in CHANGES.items()}
    there = catalogues.list_catalogues() | {language: Path(f"{language}.po") for language in CHANGES}
    load = catalogues.load_catalogue
    monkeypatch.setattr(catalogues, "load_catalogue", lambda language: made.get(language) or load(language))
    for module in (catalogues, languages):
        monkeypatch.setattr(module, "list_catalogues", lambda: there)
    templates.forget_translations()
