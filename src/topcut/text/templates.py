"""Translate the templates of pages: `{% trans %}` and `_()` take their texts from the catalogues.

Jinja writes fields as `%(name)s`; the catalogues, and messages in code, write them as `{name}`.
"""

import re
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
from topcut.text.messages import count, language_in_use, say, to_markup, unescape_braces

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
        self.newstyle_gettext = True  # plurals are looked up when they are shown, with their fields
        self.globals |= {
            "ngettext": _translate_count,
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
        parts: list[nodes.Expr] = []
        template = find_translation(self.environment.language, to_braces(singular), context=context or "")
        for text, field, _, _ in Formatter().parse(template):
            parts += [nodes.TemplateData(text)] if text else []
            parts += [variables[field]] if field is not None else []
        return nodes.Output(parts)


class _TranslatedCalls(NodeTransformer):
    """`_("text")` and `pgettext("context", "text")` as constants in the language of the templates."""

    def __init__(self, language: str) -> None:
        self.language = language

    def visit_Call(self, node: nodes.Call) -> nodes.Node:
        self.generic_visit(node)
        match node:
            case nodes.Call(node=nodes.Name(name="_"), args=[nodes.Const(value=text)]):
                context = ""
            case nodes.Call(
                node=nodes.Name(name="pgettext"), args=[nodes.Const(value=context), nodes.Const(value=text)]
            ):
                pass
            case _:
                return node
        shown = unescape_braces(find_translation(self.language, to_braces(text), context=context))
        return nodes.MarkSafe(nodes.Const(shown), lineno=node.lineno)


def to_braces(text: str) -> str:
    """Return a text of a template as the catalogues have it.

    >>> to_braces("%(n)s of 100%% {x}")
    '{n} of 100% {{x}}'
    """
    return _FIELD.sub(lambda at: f"{{{at[1]}}}" if at[1] else "%" if at[2] else at[3] * 2, text)


def _translate_count(one: str, several: str, n: int, /, **fields: object) -> Markup:
    """Return a text with a number in the language in use, with its fields, which are escaped."""
    template = find_translation(language_in_use(), to_braces(one), to_braces(several), "", n)
    return Markup(template.format_map({name: escape(value) for name, value in fields.items()}))


def forget_translations() -> None:
    """Compile every template again: the catalogues are others."""
    for templates in _environments:
        assert templates.cache is not None
        templates.cache.clear()
