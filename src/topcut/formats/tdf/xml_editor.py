"""Change a tree so that it looks as if the program that wrote the file had done it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element

_IMPOSSIBLE = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


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
    """Makes changes in one tree; `changed` once it has made any."""

    def __init__(self, root: Element) -> None:
        self.changed = False
        self._parents = {child: parent for parent in root.iter() for child in parent}
        lines = re.fullmatch(r"[ \t\r]*(\n)([ \t]*)[ \t\r\n]*", root.text or "")
        self._line, self._unit = (lines[1], lines[2]) if lines else ("", "")

    def set_attribute(self, element: Element, name: str, value: str) -> None:
        """Set an attribute."""
        if element.get(name) != value:
            element.set(name, replace_impossible(value))
            self.changed = True

    def set_text(self, parent: Element, tag: str, text: str, after: Sequence[str] = ()) -> None:
        """Set the text of a child, which is made where it is missing, behind those named in `after`."""
        child = parent.find(tag)
        if child is None:
            self.insert(parent, make_element(tag, text), after)
        elif (child.text or "").strip() != text:
            child.text = replace_impossible(text)
            self.changed = True

    def insert(self, parent: Element, child: Element, after: Sequence[str] | None = None) -> None:
        """Insert a child: at the end; behind those named in `after`, which is the front if there are none."""
        index = len(parent)
        if after is not None:
            index = max((i for i, one in enumerate(parent, start=1) if one.tag in after), default=0)
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
