"""A client of the API: looks at events, gives commands, follows.

    with Client("http://127.0.0.1:8080", token) as desk:
        cup = desk.event("autumn-cup")
        for table in cup.round(3).tables:
            ...
        cup.give(Report(table=14, result=Result(games=(2, 1, 0))))

What is lost on the way is sent again: every request that changes something has a key of its own, so that the
desk does it once. Whatever the desk refuses is a `Refused` with the type of the problem.
"""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import quote

import httpx
import msgspec

from topcut.client import shapes as s
from topcut.errors import TopcutError
from topcut.event.commands import AnyCommand

T = TypeVar("T")
AGAIN = (429, 502, 503, 504)
"""Answers after which the same request may be sent again."""
LONGEST_PAUSE = 10.0


class Refused(TopcutError):
    """The desk refuses: the type of the problem, the status, and its data."""

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        self.status = status
        self.type = str(problem.get("type", "about:blank"))
        self.problem = dict(problem)
        super().__init__(str(problem.get("detail") or problem.get("title") or f"status {status}"))

    @property
    def kind(self) -> str:
        """The name of the problem, such as `already-reported`."""
        return self.type.rpartition("/")[2]


class Unreachable(TopcutError):
    """The desk does not answer, however often it is asked."""


class Client:
    """A desk somewhere else."""

    def __init__(
        self, address: str, token: str = "", *, tries: int = 8, timeout: float = 20.0, pause: float = 0.2
    ) -> None:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        self._http = httpx.Client(base_url=address, headers=headers, timeout=timeout, trust_env=False)
        self._tries = tries
        self._pause = pause

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the connections back."""
        self._http.close()

    def service(self) -> s.Service:
        """The version of the desk, and what this token may do."""
        return self.get("", s.Service)

    def rules(self) -> list[s.Ruleset]:
        """The rulesets that an event can have."""
        return self.get("/rules", s.Rulesets).items

    def events(self) -> Iterator[s.Listed]:
        """All events, the one in which something happened last first; each once.

        An event in which something happens meanwhile moves to the front, past whoever reads on. So the front
        is looked at again, until it is as it was.
        """
        seen: dict[str, int] = {}
        pages = 0
        while pages != 1:
            pages, cursor = 0, ""
            while pages == 0 or cursor:
                page = self.get("/events", s.Events, cursor=cursor)
                pages += 1
                known = [one for one in page.items if seen.get(one.id) == one.version]
                new = [one for one in page.items if one.id not in seen]
                seen |= {one.id: one.version for one in page.items}
                yield from new
                cursor = "" if known else page.next or ""

    def event(self, id: str) -> RemoteEvent:
        """An event by its id; nothing is asked yet."""
        return RemoteEvent(self, id)

    def make(self, name: str, rules: str, **chosen: Any) -> RemoteEvent:
        """A new event; `chosen`: what else a new event takes, such as `rounds=5`."""
        made = self.post("/events", {"name": name, "rules": rules, **chosen}, s.Made)
        return RemoteEvent(self, made.id)

    def get(self, path: str, kind: type[T], seen: int = 0, **asked: Any) -> T:
        """What stands at a path of the API; not older than a version that was seen."""
        answer = self._send("GET", path, params=asked, headers={"topcut-version": str(seen)})
        return msgspec.json.decode(answer.content, type=kind)

    def post(self, path: str, body: Any, kind: type[T], **headers: str) -> T:
        """Send something to a path of the API; commands and new events are done once, however often it takes
        until an answer comes."""
        given = {"idempotency-key": secrets.token_urlsafe(16), "content-type": "application/json"}
        answer = self._send("POST", path, content=msgspec.json.encode(body), headers=given | headers)
        return msgspec.json.decode(answer.content, type=kind)

    def delete(self, path: str) -> None:
        """Remove what stands at a path of the API."""
        self._send("DELETE", path)

    def stream(self, path: str, since: int) -> httpx.Response:
        """A stream that is open."""
        request = self._http.build_request(
            "GET", f"/api/v1{path}", params={"since": since}, timeout=httpx.Timeout(10, read=40)
        )
        answer = self._http.send(request, stream=True)
        if not answer.is_success:
            answer.read()
            raise refused(answer)
        return answer

    def _send(self, method: str, path: str, **what: Any) -> httpx.Response:
        """The answer to a request, which is sent again where nobody knows what became of it."""
        problem = ""
        for number in range(self._tries):
            if number:
                self.rest(number)
            try:
                answer = self._http.request(method, f"/api/v1{path}", **what)
            except httpx.TransportError as error:
                problem = f"{type(error).__name__}: {error}"
                continue
            if answer.is_success:
                return answer
            if method == "DELETE" and number and answer.status_code == 404:
                return answer  # it was removed, and nobody heard of it
            if answer.status_code not in AGAIN or number == self._tries - 1:
                raise refused(answer)
            wait = answer.headers.get("retry-after", "")
            if wait.isdecimal():
                time.sleep(min(float(wait), LONGEST_PAUSE))
        raise Unreachable(f"{self._http.base_url} does not answer ({problem})")

    def rest(self, number: int) -> None:
        """Wait before the next try, longer each time."""
        time.sleep(min(self._pause * 2**number, LONGEST_PAUSE) * random.uniform(0.5, 1.0))


def refused(answer: httpx.Response) -> Refused:
    try:
        problem = msgspec.json.decode(answer.content, type=dict[str, Any])
    except msgspec.MsgspecError:
        problem = {}
    return Refused(answer.status_code, problem)


class RemoteEvent:
    """An event of a desk somewhere else."""

    def __init__(self, client: Client, event_id: str) -> None:
        self.client = client
        self.id = event_id
        self.version = 0
        """The last version that was seen; what is asked for later is never older."""
        self._path = f"/events/{quote(event_id, safe='')}"

    def look(self) -> s.Event:
        """The event as it stands."""
        found = self._get("", s.Event)
        self.version = max(self.version, found.version)
        return found

    def players(self, q: str = "") -> Iterator[s.Player]:
        """The players in the order in which they entered; `q`: those with this in their names."""
        cursor: str | None = ""
        while cursor is not None:
            page = self._get("/players", s.Players, cursor=cursor, q=q)
            yield from page.items
            cursor = page.next

    def player(self, id: str) -> s.Player:
        return self._get(f"/players/{quote(id, safe='')}", s.Player)

    def rounds(self) -> list[s.RoundListed]:
        return self._get("/rounds", s.Rounds).items

    def round(self, number: int | None = None) -> s.Round:
        """A round with its tables; the last one if none is given."""
        number = self.look().round if number is None else number
        return self._get(f"/rounds/{number}", s.Round)

    def standings(self, after: int | None = None) -> s.Standings:
        """The standings after a round that is played; after the last one if none is given."""
        asked = {} if after is None else {"after": after}
        return self._get("/standings", s.Standings, **asked)

    def explained(self, player: str, after: int | None = None) -> s.Explained:
        """How each value of a player's standing comes about."""
        asked = {} if after is None else {"after": after}
        return self._get(f"/standings/{quote(player, safe='')}", s.Explained, **asked)

    def bracket(self) -> list[dict[str, Any]]:
        return self._get("/bracket", s.Brackets).brackets

    def draws(self) -> s.Draws:
        return self._get("/draws", s.Draws)

    def questions(self) -> list[s.Question]:
        """What players want the desk to look at."""
        return self._get("/questions", s.Questions).items

    def changes(self, since: int = 0) -> Iterator[s.Change]:
        """What changed for everybody after a position, the oldest first."""
        cursor: str | None = str(since)
        while cursor is not None:
            page = self._get("/changes", s.Changes, cursor=cursor)
            yield from page.items
            cursor = page.next

    def log(self, since: int = 0) -> Iterator[s.Fact]:
        """The facts after a position, the oldest first."""
        cursor: str | None = str(since)
        while cursor is not None:
            page = self._get("/log", s.Log, cursor=cursor)
            yield from page.items
            cursor = page.next

    def give(self, *commands: AnyCommand, expected: int | None = None) -> s.Done:
        """Give commands: all of them are done, or none. `expected`: only at this version of the event."""
        given = {"if-match": f'"{expected}"'} if expected is not None else {}
        done = self.client.post(f"{self._path}/commands", {"commands": commands}, s.Done, **given)
        self.version = max(self.version, done.version)
        return done

    def follow(self, since: int | None = None) -> Iterator[s.Message]:
        """What changes, as it changes, without end; a lost connection is taken up where it was.

        `since`: a version; without it, whatever comes from now on.
        """
        heard = self.look().version if since is None else since
        failures = 0
        while True:
            try:
                answer = self.client.stream(f"{self._path}/stream", heard)
                try:
                    for message in _messages(answer.iter_lines()):
                        failures = 0
                        heard = message.version
                        self.version = max(self.version, heard)
                        yield message
                finally:
                    answer.close()
            except httpx.TransportError:
                pass
            except Refused as problem:
                if problem.status not in AGAIN:
                    raise
            failures += 1
            self.client.rest(min(failures, 6))

    def _get(self, path: str, kind: type[T], **asked: Any) -> T:
        return self.client.get(f"{self._path}{path}", kind, self.version, **asked)


def _messages(lines: Iterator[str]) -> Iterator[s.Message]:
    """The changes in a stream; beats are passed over."""
    kind, data = "", ""
    for line in lines:
        name, _, value = line.partition(": ")
        if name == "event":
            kind = value
        elif name == "data":
            data = value
        elif not line:
            if kind == "change" and data:
                yield msgspec.json.decode(data, type=s.Message)
            kind, data = "", ""
