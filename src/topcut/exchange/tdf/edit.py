"""Changes to a tree that look as if the program that wrote the file had made them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element

_IMPOSSIBLE = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def possible(text: str) -> str:
    """The text with a mark in the place of every character that XML cannot hold."""
    return _IMPOSSIBLE.sub("\ufffd", text)


def made(tag: str, content: str | Sequence[Element] = "", **attributes: str) -> Element:
    """A new element, with text or with other elements in it."""
    element = Element(tag, {name: possible(value) for name, value in attributes.items()})
    if isinstance(content, str):
        element.text = possible(content)
    else:
        element.extend(content)
    return element


class Pen:
    """Makes changes in one tree; `used` once it has made any."""

    def __init__(self, root: Element) -> None:
        self.used = False
        self._parents = {child: parent for parent in root.iter() for child in parent}
        lines = re.fullmatch(r"[ \t\r]*(\n)([ \t]*)[ \t\r\n]*", root.text or "")
        self._line, self._unit = (lines[1], lines[2]) if lines else ("", "")

    def set(self, element: Element, name: str, value: str) -> None:
        """An attribute."""
        if element.get(name) != value:
            element.set(name, possible(value))
            self.used = True

    def say(self, parent: Element, tag: str, text: str, after: Sequence[str] = ()) -> None:
        """The text of a child, which is made where it is missing, behind those named in `after`."""
        child = parent.find(tag)
        if child is None:
            self.put(parent, made(tag, text), after)
        elif (child.text or "").strip() != text:
            child.text = possible(text)
            self.used = True

    def put(self, parent: Element, child: Element, after: Sequence[str] | None = None) -> None:
        """A new child: at the end; behind those named in `after`, which is the front if there are none."""
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
        self._laid_out(child, depth + 1)
        self.used = True

    def drop(self, *children: Element) -> None:
        """Take elements out, with the lines they stood on; text behind them stays."""
        gone: dict[Element, set[Element]] = {}
        for child in children:
            gone.setdefault(self._parents.pop(child), set()).add(child)
            self.used = True
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

    def _laid_out(self, element: Element, depth: int) -> None:
        """Line breaks inside a new element."""
        for at, child in enumerate(element):
            self._parents[child] = element
            if at == 0:
                element.text = self._line + self._unit * (depth + 1)
            child.tail = self._line + self._unit * (depth if at + 1 == len(element) else depth + 1)
            self._laid_out(child, depth + 1)
