"""Read the descriptions of a shape's fields: the docstring below each of them in the source."""

import ast
import inspect
from collections.abc import Iterable, Iterator
from functools import cache
from types import ModuleType
from typing import Any

import msgspec.inspect as kinds
from msgspec import Struct

Notes = dict[str, str]
"""The description of each field of a class."""


@cache
def _written(module: ModuleType) -> dict[str, Notes]:
    """Return the docstrings below fields, for each class of a module."""
    found: dict[str, Notes] = {}
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.ClassDef):
            notes = found.setdefault(node.name, {})
            for field, below in zip(node.body, node.body[1:], strict=False):
                match field, below:
                    case (
                        ast.AnnAssign(target=ast.Name(id=name)),
                        ast.Expr(value=ast.Constant(value=str(says))),
                    ):
                        notes[name] = " ".join(says.split())
    return found


def notes_of(shape: type[Struct]) -> Notes:
    """Return the description of each field of a shape, inherited fields included."""
    found: Notes = {}
    for part in reversed(shape.__mro__):
        module = inspect.getmodule(part)
        if module is not None and issubclass(part, Struct) and part is not Struct:
            found |= _written(module).get(part.__name__, {})
    return found


def shapes_in(types: Iterable[Any]) -> set[type[Struct]]:
    """Return all shapes that occur in types, and in the fields of these shapes."""
    found: set[type[Struct]] = set()
    open_ = list(kinds.multi_type_info(types))
    while open_:
        kind = open_.pop()
        if isinstance(kind, kinds.StructType):
            if kind.cls in found:
                continue
            found.add(kind.cls)
        open_ += _inside(kind)
    return found


def _inside(kind: kinds.Type) -> Iterator[kinds.Type]:
    match kind:
        case kinds.StructType(fields=fields):
            yield from (field.type for field in fields)
        case kinds.UnionType(types=types) | kinds.TupleType(item_types=types):
            yield from types
        case kinds.ListType(item_type=item) | kinds.VarTupleType(item_type=item):
            yield item
        case kinds.DictType(value_type=value):
            yield value
        case kinds.Metadata(type=inner):
            yield inner
