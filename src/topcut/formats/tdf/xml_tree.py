r"""Parse XML into a tree that can be written again: all of it is kept, nothing outside it is looked up.

    >>> document = parse_xml(b'<a x="1"><!-- why --><n:b xmlns:n="urn:n">2</n:b></a>')
    >>> document.root[1].tag
    'n:b'
    >>> encode_xml(document).decode()
    '<?xml version="1.0" encoding="UTF-8"?>\n<a x="1"><!-- why --><n:b xmlns:n="urn:n">2</n:b></a>\n'

Names stay as they are spelt, with their prefixes. What comes out is equal as canonical XML to what came in.
A document type is refused, and with it every entity and every reference to another file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn
from xml.etree.ElementTree import Comment, Element, ProcessingInstruction, TreeBuilder
from xml.parsers.expat import ErrorString, ExpatError, ParserCreate, XMLParserType

from topcut.errors import BadInput

LARGEST = 16 * 2**20
"""Bytes: some seventy thousand tables."""
MOST_ELEMENTS = 500_000
DEEPEST = 64


@dataclass
class XmlDocument:
    """A tree, and the comments and instructions that stand outside its root."""

    root: Element
    before: list[Element[Any]] = field(default_factory=list)
    after: list[Element[Any]] = field(default_factory=list)


def parse_xml(raw: bytes) -> XmlDocument:
    """Return the tree in `raw`; refuse with line and column where it is none."""
    if len(raw) > LARGEST:
        raise BadInput(f"too large for this kind of file: expected at most {LARGEST // 2**20} MiB")
    parser = ParserCreate()
    parser.buffer_text = True
    reader = _Reader(parser)
    try:
        parser.Parse(raw, True)
    except ExpatError as error:
        place = f"line {error.lineno}, column {error.offset + 1}"
        raise BadInput(f"not valid XML: {ErrorString(error.code)}", place=place) from None
    except (LookupError, ValueError):  # encodings that Python does not have, or that take several bytes
        raise BadInput(
            "not valid XML: an unknown encoding: expected UTF-8", place=_find_place(parser)
        ) from None
    return XmlDocument(reader.builder.close(), reader.before, reader.after)


class _Reader:
    """What the parser tells, as a tree."""

    def __init__(self, parser: XMLParserType) -> None:
        self.builder = TreeBuilder(insert_comments=True, insert_pis=True)
        self.before: list[Element[Any]] = []
        self.after: list[Element[Any]] = []
        self._parser = parser
        self._depth = 0
        self._elements = 0
        self._counted = 0
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self.builder.data
        parser.CommentHandler = self._comment
        parser.ProcessingInstructionHandler = self._instruction

    def _doctype(self, *_: object) -> NoReturn:
        raise BadInput(
            "a document type (DOCTYPE) is not read here: expected none", place=_find_place(self._parser)
        )

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._elements += 1
        if self._depth > DEEPEST:
            raise BadInput(
                f"expected at most {DEEPEST} elements inside each other", place=_find_place(self._parser)
            )
        self._count()
        self.builder.start(name, attributes)

    def _count(self) -> None:
        """Count elements, comments and instructions: each takes its room."""
        self._counted += 1
        if self._counted > MOST_ELEMENTS:
            raise BadInput(f"expected at most {MOST_ELEMENTS:,} elements", place=_find_place(self._parser))

    def _end(self, name: str) -> None:
        self._depth -= 1
        self.builder.end(name)

    def _comment(self, text: str) -> None:
        self._count()
        if self._depth:
            self.builder.comment(text)
        else:
            self._outside(Comment(text))

    def _instruction(self, target: str, text: str) -> None:
        self._count()
        if self._depth:
            self.builder.pi(target, text or None)
        else:
            self._outside(ProcessingInstruction(target, text or None))

    def _outside(self, element: Element[Any]) -> None:
        (self.after if self._elements else self.before).append(element)


def _find_place(parser: XMLParserType) -> str:
    return f"line {parser.CurrentLineNumber}, column {parser.CurrentColumnNumber + 1}"


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
