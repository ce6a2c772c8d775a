"""What a page points at, and what it says."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from html.parser import HTMLParser

POINTING = {"href", "src", "action", "data", "poster", "srcset"}


class Reader(HTMLParser):
    """The addresses in a page, the ids in it, and its text."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.said: list[str] = []
        self.feed(page.decode())
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attributes:
            if name in POINTING:
                self.addresses.append(value or "")
            if name == "id":
                self.ids.append(value or "")

    def handle_data(self, data: str) -> None:
        self.said.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.said).split())


def pages_of(files: dict[str, bytes]) -> dict[str, Reader]:
    return {path: Reader(content) for path, content in files.items() if path.endswith(".html")}


def broken(files: dict[str, bytes]) -> Iterator[str]:
    """Addresses that lead to no file of the site, or to no place in it."""
    pages = pages_of(files)
    for path, page in pages.items():
        for address in page.addresses:
            target, _, fragment = address.partition("#")
            found = posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) if target else path
            if found not in files or (fragment and fragment not in pages[found].ids):
                yield f"{path}: {address}"
