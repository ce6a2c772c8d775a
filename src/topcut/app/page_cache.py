"""Keep finished pages until they change, and answer requests with them."""

import gzip
import re
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from functools import cached_property
from hashlib import sha256
from urllib.parse import quote

VARY = "accept-encoding, accept-language, cookie"
"""The headers on which pages depend."""


class Page:
    """Hold the bytes of an answer; they are compressed once for all readers."""

    def __init__(self, body: bytes, kind: str = "text/html") -> None:
        self.body = body
        self.kind = kind
        self.etag = f'"{sha256(body).hexdigest()[:20]}"'

    @cached_property
    def compressed(self) -> bytes:
        return gzip.compress(self.body, 6, mtime=0)

    def answer(self, asked: Mapping[str, str], keep: str) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers and body for the headers of a request; 304 where the reader has the page."""
        headers = {"cache-control": keep, "etag": self.etag, "vary": VARY}
        if asked.get("if-none-match") == self.etag:
            return 304, headers, b""
        if len(self.body) > 500 and "gzip" in asked.get("accept-encoding", ""):
            return 200, headers | {"content-encoding": "gzip"}, self.compressed
        return 200, headers, self.body


def name_file(name: str, how: str = "attachment") -> dict[str, str]:
    """Return the header that names a sent file; `how`: to save it, or to show it (`inline`)."""
    plain = re.fullmatch(r"[A-Za-z0-9._-]+", name)
    named = f'filename="{name}"' if plain else f"filename*=UTF-8''{quote(name, safe='')}"
    return {"content-disposition": f"{how}; {named}"}


class PageCache:
    """Keep at most `room` pages of together `most` bytes; the page that was used longest ago goes first."""

    def __init__(self, room: int = 512, most: int = 64_000_000) -> None:
        self.room = room
        self.most = most
        self.size = 0
        self._pages: OrderedDict[Hashable, tuple[Hashable, Page]] = OrderedDict()

    def get(self, name: Hashable, mark: Hashable, make: Callable[[], Page]) -> Page:
        """Return the page of this name if it was made at this mark; make it otherwise."""
        known = self._pages.get(name)
        if known is not None and known[0] == mark:
            self._pages.move_to_end(name)
            return known[1]
        page = make()
        if known := self._pages.pop(name, None):
            self.size -= len(known[1].body)
        self._pages[name] = (mark, page)
        self.size += len(page.body)
        while len(self._pages) > self.room or (self.size > self.most and len(self._pages) > 1):
            _, (_, oldest) = self._pages.popitem(last=False)
            self.size -= len(oldest.body)
        return page

    def __len__(self) -> int:
        return len(self._pages)
