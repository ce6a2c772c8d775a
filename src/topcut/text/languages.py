"""Choose a language: the ones there are, and which of them a reader prefers."""

from collections.abc import Mapping

from topcut.text.catalogues import list_catalogues
from topcut.text.messages import ENGLISH


def list_languages() -> tuple[str, ...]:
    """Return the codes of the languages there are, English first."""
    return (ENGLISH, *(code for code in list_catalogues() if code != ENGLISH))


def find_language(wanted: str) -> str | None:
    """Return the language that fits a code such as `de`, `de-AT` or `de_DE.UTF-8`; None if there is none.

    >>> find_language("de_CH.UTF-8"), find_language("C"), find_language("tlh")
    ('de', 'en', None)
    """
    code = wanted.strip().partition(".")[0].partition("@")[0].replace("_", "-").casefold()
    if code in ("c", "posix"):
        return ENGLISH
    there = {language.replace("_", "-").casefold(): language for language in list_languages()}
    while code:
        if code in there:
            return there[code]
        code = code.rpartition("-")[0]
    return None


def negotiate_language(accepted: str, default: str = ENGLISH) -> str:
    """Return the language that fits a browser's `Accept-Language` best.

    >>> negotiate_language("tlh, de-AT;q=0.9, en;q=0.8"), negotiate_language("*"), negotiate_language("")
    ('de', 'en', 'en')
    """
    wishes = []
    for position, part in enumerate(accepted.split(",")[:20]):
        code, _, weight = part.partition(";")
        wishes.append((-_read_weight(weight), position, code.strip()))
    for minus, _, wanted in sorted(wishes):
        if minus < 0 and (found := find_language(wanted)):
            return found
    return default


def language_of_environment(environment: Mapping[str, str]) -> str:
    """Return the language that a terminal asks for, by the variables that decide it everywhere."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            return find_language(environment[name]) or ENGLISH
    return ENGLISH


def _read_weight(text: str) -> float:
    name, _, value = text.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0
