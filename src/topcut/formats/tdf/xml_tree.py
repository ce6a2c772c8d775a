r"""Parse XML into a tree, change it and write it again: all of it is kept, nothing outside is looked up.

    >>> document = parse_xml(b'<a x="1"><!-- why --><n:b xmlns:n="urn:n">2</n:b></a>')
    >>> document.root[1].tag
    'n:b'
    >>> encode_xml(document).decode()
    '<?xml version="1.0" encoding="UTF-8"?>\n<a x="1"><!-- why --><n:b xmlns:n="urn:n">2</n:b></a>\n'

Names stay as they are spelt, with their prefixes. What comes out is equal as canonical XML to what came in.
A document type is refused, and with it every entity and every reference to another file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn
from xml.etree.ElementTree import Comment, Element, ProcessingInstruction, TreeBuilder
from xml.parsers.expat import ErrorString, ExpatError, ParserCreate, XMLParserType

from topcut.errors import BadInput
from topcut.text.messages import Message, number, say

LARGEST = 16 * 2**20
"""Bytes: some seventy thousand tables."""
MOST_ELEMENTS = 500_000
DEEPEST = 64
NO_DOCTYPE = say("a document type (DOCTYPE) isn't allowed here: expected none")
_IMPOSSIBLE = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass
class XmlDocument:
    """A tree, and the comments and instructions that stand outside its root."""

    root: Element
    before: list[Element[Any]] = field(default_factory=list)
    after: list[Element[Any]] = field(default_factory=list)


def parse_xml(raw: bytes) -> XmlDocument:
    """Return the tree in `raw`; refuse with line and column where it is none."""
    if len(raw) > LARGEST:
        most = LARGEST // 2**20
        raise BadInput(say("too large for this kind of file: expected at most {most} MiB", most=most))
    parser = ParserCreate()
    parser.buffer_text = True
    reader = _Reader(parser)
    try:
        parser.Parse(raw, True)
    except ExpatError as error:
        problem = say("not valid XML: {problem}", problem=ErrorString(error.code))
        raise BadInput(problem, place=_name_place(error.lineno, error.offset)) from None
    except (LookupError, ValueError):  # encodings that Python does not have, or that take several bytes
        reader.refuse(say("not valid XML: unknown encoding (expected UTF-8)"))
    return XmlDocument(reader.builder.close(), reader.before, reader.after)


class _Reader:
    """Makes a tree of what the parser tells."""

    def __init__(self, parser: XMLParserType) -> None:
        self.builder = TreeBuilder(insert_comments=True, insert_pis=True)
        self.before: list[Element[Any]] = []
        self.after: list[Element[Any]] = []
        self._outside = self.before
        self._parser = parser
        self._depth = 0
        self._counted = 0
        parser.StartDoctypeDeclHandler = lambda *_: self.refuse(NO_DOCTYPE)
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self.builder.data
        parser.CommentHandler = self._comment
        parser.ProcessingInstructionHandler = self._instruction

    def refuse(self, problem: str) -> NoReturn:
        place = _name_place(self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber)
        raise BadInput(problem, place=place) from None

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._outside = self.after
        if self._depth > DEEPEST:
            self.refuse(say("expected at most {most} elements inside each other", most=DEEPEST))
        self._count()
        self.builder.start(name, attributes)

    def _count(self) -> None:
        """Count elements, comments and instructions: each takes its room."""
        self._counted += 1
        if self._counted > MOST_ELEMENTS:
            self.refuse(say("expected at most {most} elements", most=number(MOST_ELEMENTS)))

    def _end(self, name: str) -> None:
        self._depth -= 1
        self.builder.end(name)

    def _comment(self, text: str) -> None:
        self._count()
        if self._depth:
            self.builder.comment(text)
        else:
            self._outside.append(Comment(text))

    def _instruction(self, target: str, text: str) -> None:
        self._count()
        if self._depth:
            self.builder.pi(target, text or None)
        else:
            self._outside.append(ProcessingInstruction(target, text or None))


def _name_place(line: int, column: int) -> Message:
    """Return a place in a file; `column` counts from 0."""
    return say("line {line}, column {column}", line=line, column=column + 1)


def encode_xml(document: XmlDocument) -> bytes:
    """Return the bytes of a tree, in UTF-8."""
    pieces = ['<?xml version="1.0" encoding="UTF-8"?>\n']
    for element in (*document.before, document.root, *document.after):
        pieces += _encode_element(element)
        pieces.append("\n")
    return "".join(pieces).encode()


def _encode_element(element: Element[Any]) -> Iterator[str]:
    tag = element.tag
    if tag is Comment:
        yield f"<!--{element.text or ''}-->"
        return
    if tag is ProcessingInstruction:
        yield f"<?{element.text}?>"
        return
    yield f"<{tag}"
    for name, value in element.attrib.items():
        yield f' {name}="{_escape(value, quoted=True)}"'
    if not len(element) and not element.text:
        # With attributes it is complete, without it is a value that is empty: so files have it.
        yield "/>" if element.attrib else f"></{tag}>"
        return
    yield ">"
    yield _escape(element.text or "")
    for child in element:
        yield from _encode_element(child)
        yield _escape(child.tail or "")
    yield f"</{tag}>"


def _escape(text: str, quoted: bool = False) -> str:
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")
    if quoted:
        text = text.replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;")
    return text


def replace_impossible(text: str) -> str:
    """Return the text with a mark in the place of every character that XML cannot hold."""
    return _IMPOSSIBLE.sub("\ufffd", text)


def make_element(tag: str, content: str | Sequence[Element] = "", **attributes: str) -> Element:
    """Return a new element, with text or with other elements in it."""
    element = Element(tag, {name: replace_impossible(value) for name, value in attributes.items()})
    if isinstance(content, str):
        element.text = replace_impossible(content)
    else:
        element.extend(content)
    return element


class XmlEditor:
    """Changes a tree so that it looks as if the program that wrote the file had done it.

    `order`: the children of an element by its name, in their order. `changed` once anything is.
    """

    def __init__(self, root: Element, order: Mapping[str, Sequence[str]]) -> None:
        self.changed = False
        self._order = order
        self._parents = {child: parent for parent in root.iter() for child in parent}
        lines = re.fullmatch(r"[ \t\r]*(\n)([ \t]*)[ \t\r\n]*", root.text or "")
        self._line, self._unit = (lines[1], lines[2]) if lines else ("", "")

    def set_attribute(self, element: Element, name: str, value: str) -> None:
        if element.get(name) != value:
            element.set(name, replace_impossible(value))
            self.changed = True

    def child(self, parent: Element, tag: str) -> Element:
        """Return a child, which is made where it is missing."""
        found = parent.find(tag)
        if found is None:
            found = make_element(tag)
            self.insert(parent, found)
        return found

    def set_text(self, parent: Element, tag: str, text: str) -> None:
        """Set the text of a child, which is made where it is missing."""
        child = self.child(parent, tag)
        if (child.text or "").strip() != text:
            child.text = replace_impossible(text)
            self.changed = True

    def insert(self, parent: Element, child: Element) -> None:
        """Insert a child: where the order has it, behind those that come before it; else at the end."""
        index, order = len(parent), self._order.get(parent.tag, ())
        if child.tag in order:
            ahead = order[: order.index(child.tag)]
            index = max((i for i, one in enumerate(parent, start=1) if one.tag in ahead), default=0)
        depth = self._depth(parent)
        inside, outside = self._line + self._unit * (depth + 1), self._line + self._unit * depth
        last = index == len(parent)
        if not len(parent):
            parent.text = (parent.text or "").rstrip() + inside
        elif last:
            parent[-1].tail = (parent[-1].tail or "").rstrip() + inside
        child.tail = outside if last else inside
        parent.insert(index, child)
        self._parents[child] = parent
        self._indent(child, depth + 1)
        self.changed = True

    def remove(self, *children: Element) -> None:
        """Take elements out, with the lines they stood on; text behind them stays."""
        gone: dict[Element, set[Element]] = {}
        for child in children:
            gone.setdefault(self._parents.pop(child), set()).add(child)
            self.changed = True
        for parent, these in gone.items():
            kept: list[Element] = []
            for at, child in enumerate(parent, start=1):
                if child not in these:
                    kept.append(child)
                    continue
                before, behind = (kept[-1].tail if kept else parent.text) or "", child.tail or ""
                text = before.rstrip() + behind if at == len(parent) else before + behind.lstrip()
                if kept:
                    kept[-1].tail = text
                else:
                    parent.text = text
            parent[:] = kept

    def _depth(self, element: Element) -> int:
        depth = 0
        while (parent := self._parents.get(element)) is not None:
            element, depth = parent, depth + 1
        return depth

    def _indent(self, element: Element, depth: int) -> None:
        """Break lines inside a new element."""
        for at, child in enumerate(element):
            self._parents[child] = element
            if at == 0:
                element.text = self._line + self._unit * (depth + 1)
            child.tail = self._line + self._unit * (depth if at + 1 == len(element) else depth + 1)
            self._indent(child, depth + 1)
