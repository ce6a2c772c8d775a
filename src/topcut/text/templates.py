"""Translate the templates of pages: `{% trans %}` and `_()` take their texts from the catalogues.

Jinja writes fields as `%(name)s`; the catalogues, and messages in code, write them as `{name}`.
"""

import re
from functools import lru_cache
from pathlib import Path
from string import Formatter
from typing import Any
from weakref import WeakSet

import jinja2
from jinja2 import nodes
from jinja2.ext import InternationalizationExtension
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape

from topcut.text.catalogues import find_translation
from topcut.text.locales import runs_from_right
from topcut.text.messages import ENGLISH, count, language_in_use, say, to_markup, unescape_braces

_FIELD = re.compile(r"%\((\w+)\)s|(%%)|([{}])")


_environments: WeakSet["Templates"] = WeakSet()


class Templates(jinja2.Environment):
    """The templates of a folder in one language: their texts are translated when they are compiled."""

    def __init__(self, folder: Path, language: str) -> None:
        super().__init__(
            loader=jinja2.FileSystemLoader(folder),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
            extensions=[_TranslatedBlocks],
        )
        _environments.add(self)
        self.language = language
        self.policies["ext.i18n.trimmed"] = True
        self.newstyle_gettext = True  # fields are given to these functions:
        self.globals |= {
            "_": _translate,
            "gettext": _translate,
            "ngettext": _translate_count,
            "pgettext": _translate_in_context,
            "say": say,
            "count": count,
            "language": language_in_use,
            "direction": lambda: "rtl" if runs_from_right(language_in_use()) else "ltr",
        }
        self.filters["bidi"] = to_markup

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        template = super()._parse(source, name, filename)
        _TranslatedCalls(self.language).visit(template)
        template.set_environment(self)
        return template


class _TranslatedBlocks(InternationalizationExtension):
    """`{% trans %}` as its parts in the language of the templates, if it has no plural."""

    environment: Templates

    def _make_node(
        self, singular: str, plural: Any, context: Any, variables: Any, *rest: Any
    ) -> nodes.Output:
        if plural is not None:
            return super()._make_node(singular, plural, context, variables, *rest)
        _, template = _find(self.environment.language, singular, context or "")
        parts: list[nodes.Expr] = []
        for text, field, _, _ in Formatter().parse(template):
            parts += [nodes.TemplateData(text)] if text else []
            parts += [variables[field]] if field is not None else []
        return nodes.Output(parts)


class _TranslatedCalls(NodeTransformer):
    """`_("text")` as a constant in the language of the templates."""

    def __init__(self, language: str) -> None:
        self.language = language

    def visit_Call(self, node: nodes.Call) -> nodes.Node:
        self.generic_visit(node)
        match node:
            case nodes.Call(node=nodes.Name(name="_"), args=[nodes.Const(value=str(text))], kwargs=[]):
                return nodes.MarkSafe(nodes.Const(str(_find(self.language, text)[0])), lineno=node.lineno)
        return node


def to_braces(text: str) -> str:
    """Return a text of a template as the catalogues have it.

    >>> to_braces("%(n)s of 100%% {x}")
    '{n} of 100% {{x}}'
    """
    return _FIELD.sub(lambda at: f"{{{at[1]}}}" if at[1] else "%" if at[2] else at[3] * 2, text)


def _translate(text: str, /, **fields: object) -> Markup:
    return _fill(*_find(language_in_use(), text), fields)


def _translate_count(one: str, several: str, n: int, /, **fields: object) -> Markup:
    text = several if n != 1 else one
    if (language := language_in_use()) != ENGLISH:
        template = find_translation(language, to_braces(one), to_braces(several), "", n)
        return _fill(Markup(unescape_braces(template)), template, fields)
    return _fill(*_find(ENGLISH, text), fields)


def _translate_in_context(context: str, text: str, /, **fields: object) -> Markup:
    return _fill(*_find(language_in_use(), text, context), fields)


def _fill(whole: Markup, template: str, fields: dict[str, object]) -> Markup:
    """Return a text with its fields, which are escaped; `whole`: the text if it has none."""
    if not fields:
        return whole
    return Markup(template.format_map({name: escape(value) for name, value in fields.items()}))


@lru_cache(maxsize=20_000)
def _find(language: str, text: str, context: str = "") -> tuple[Markup, str]:
    template = to_braces(text)
    if language != ENGLISH:
        template = find_translation(language, template, context=context)
    return Markup(unescape_braces(template)), template


def forget_translations() -> None:
    """Look up every text again, and compile every template: the catalogues are others."""
    _find.cache_clear()
    for templates in _environments:
        assert templates.cache is not None
        templates.cache.clear()
