"""Translate the templates of pages: `{% trans %}` and `_()` take their texts from the catalogues.

Jinja writes fields as `%(name)s`; the catalogues, and messages in code, write them as `{name}`.
"""

import re
from functools import lru_cache

import jinja2

from topcut.text.catalogues import find_translation
from topcut.text.locales import runs_from_right
from topcut.text.messages import ENGLISH, count, language_in_use, say, to_markup

_FIELD = re.compile(r"%\((\w+)\)s|(%%)|([{}])")
_BRACED = re.compile(r"\{(\w+)\}|(\{\{)|(\}\})|(%)")


def add_translations(environment: jinja2.Environment) -> None:
    """Make the texts of templates those of the language in use."""
    environment.add_extension("jinja2.ext.i18n")
    environment.policies["ext.i18n.trimmed"] = True
    environment.install_gettext_callables(  # type: ignore[attr-defined]
        _translate, _translate_count, newstyle=True, pgettext=_translate_in_context
    )
    environment.globals |= {
        "say": say,
        "count": count,
        "language": language_in_use,
        "direction": lambda: "rtl" if runs_from_right(language_in_use()) else "ltr",
    }
    environment.filters["bidi"] = to_markup


def to_braces(text: str) -> str:
    """Return a text of a template as the catalogues have it.

    >>> to_braces("%(n)s of 100%% {x}")
    '{n} of 100% {{x}}'
    """
    return _FIELD.sub(lambda at: f"{{{at[1]}}}" if at[1] else "%" if at[2] else at[3] * 2, text)


def from_braces(text: str) -> str:
    """Return a text of a catalogue as templates have it.

    >>> from_braces("{n} of 100% {{x}}")
    '%(n)s of 100%% {x}'
    """
    return _BRACED.sub(lambda at: f"%({at[1]})s" if at[1] else "%%" if at[4] else at[0][0], text)


def _translate(text: str) -> str:
    language = language_in_use()
    return text if language == ENGLISH else _find(language, text)


def _translate_count(one: str, several: str, n: int) -> str:
    language = language_in_use()
    if language == ENGLISH:
        return one if n == 1 else several
    return from_braces(find_translation(language, to_braces(one), to_braces(several), "", n))


def _translate_in_context(context: str, text: str) -> str:
    language = language_in_use()
    return text if language == ENGLISH else _find(language, text, context)


@lru_cache(maxsize=20_000)
def _find(language: str, text: str, context: str = "") -> str:
    return from_braces(find_translation(language, to_braces(text), context=context))


def forget_translations() -> None:
    """Look up every text again: the catalogues are others."""
    _find.cache_clear()
