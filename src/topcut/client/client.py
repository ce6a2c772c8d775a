"""Call the API of a desk from Python: read events, give commands, follow changes.

    with Client("http://127.0.0.1:8080", token) as desk:
        cup = desk.event("autumn-cup")
        for table in cup.round(3).tables:
            ...
        cup.give(Report(table=14, result=Result(games=(2, 1, 0))))

A request without an answer is sent again. Each request that changes something has its own key, so the desk
executes it only once. A request that the desk refuses raises `Refused` with the type of the problem.
"""

import random
import secrets
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any, Self, TypeVar
from urllib.parse import quote

import httpx
import msgspec

from topcut.client import schemas as s
from topcut.errors import TopcutError
from topcut.event.commands import AnyCommand
from topcut.text.messages import say

T = TypeVar("T")
Page = TypeVar("Page", s.Players, s.Changes, s.Log)
RETRY = (429, 502, 503, 504)
"""Status codes after which the same request is sent again."""
LONGEST_PAUSE = 10.0
"""Seconds between two tries, at most."""


class Refused(TopcutError):
    """The desk refuses a request: the type of the problem, the status, and its data."""

    def __init__(self, answer: httpx.Response) -> None:
        try:
            problem = msgspec.json.decode(answer.content, type=dict[str, Any])
        except msgspec.MsgspecError:
            problem = {}
        self.status = answer.status_code
        self.type = str(problem.get("type", "about:blank"))
        self.problem = problem
        status = say("The server answered with status {status}.", status=self.status)
        super().__init__(str(problem.get("detail") or problem.get("title") or "") or status)

    @property
    def kind(self) -> str:
        """The name of the problem, such as `already-reported`."""
        return self.type.rpartition("/")[2]


class Unreachable(TopcutError):
    """The desk does not answer, however often the client tries."""


class Client:
    """A connection to a desk; `language`: of the texts in its answers, such as `de`."""

    def __init__(
        self,
        address: str,
        token: str = "",
        *,
        language: str = "en",
        tries: int = 8,
        timeout: float = 20.0,
        pause: float = 0.2,
    ) -> None:
        headers = {"accept-language": language} | ({"authorization": f"Bearer {token}"} if token else {})
        self._http = httpx.Client(base_url=address, headers=headers, timeout=timeout, trust_env=False)
        self._tries = tries
        self._pause = pause

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def service(self) -> s.Service:
        """Return the version of the desk, and the rights of this token."""
        return self.get("", s.Service)

    def rules(self) -> list[s.Ruleset]:
        """Return the rulesets that an event can have."""
        return self.get("/rules", s.Rulesets).items

    def events(self) -> Iterator[s.Listed]:
        """Yield all events once, the one that changed last first.

        An event that changes meanwhile moves to the front, where it would be missed. So the first page is
        read again until it has nothing new.
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

    def event(self, id: str) -> "RemoteEvent":
        """Return an event by its id, without a request."""
        return RemoteEvent(self, id)

    def make(self, name: str, rules: str, **chosen: Any) -> "RemoteEvent":
        """Create an event; `chosen`: other values of a new event, such as `rounds=5`."""
        made = self.post("/events", {"name": name, "rules": rules, **chosen}, s.Made)
        return RemoteEvent(self, made.id)

    def get(self, path: str, kind: type[T], seen: int = 0, **asked: Any) -> T:
        """Read a path of the API, not older than the version `seen`."""
        answer = self._send("GET", path, params=asked, headers={"topcut-version": str(seen)})
        return msgspec.json.decode(answer.content, type=kind)

    def post(self, path: str, body: Any, kind: type[T], **headers: str) -> T:
        """Send a body to a path of the API; the desk executes it once, however often it is sent."""
        given = {"idempotency-key": secrets.token_urlsafe(16), "content-type": "application/json"}
        answer = self._send("POST", path, content=msgspec.json.encode(body), headers=given | headers)
        return msgspec.json.decode(answer.content, type=kind)

    def delete(self, path: str) -> None:
        """Delete a path of the API."""
        self._send("DELETE", path)

    def stream(self, path: str, since: int) -> httpx.Response:
        request = self._http.build_request(
            "GET", f"/api/v1{path}", params={"since": since}, timeout=httpx.Timeout(10, read=40)
        )
        answer = self._http.send(request, stream=True)
        if not answer.is_success:
            answer.read()
            raise Refused(answer)
        return answer

    def _send(self, method: str, path: str, **what: Any) -> httpx.Response:
        """Send a request until it is answered."""
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
                return answer  # an earlier try removed it, and its answer was lost
            if answer.status_code not in RETRY or number == self._tries - 1:
                raise Refused(answer)
            wait = answer.headers.get("retry-after", "")
            if wait.isdecimal():
                time.sleep(min(float(wait), LONGEST_PAUSE))
        address = str(self._http.base_url)
        raise Unreachable(say("{address} doesn't answer ({problem})", address=address, problem=problem))

    def rest(self, number: int) -> None:
        """Wait before the next try, longer each time."""
        time.sleep(min(self._pause * 2**number, LONGEST_PAUSE) * random.uniform(0.5, 1.0))


class RemoteEvent:
    """An event at a desk."""

    def __init__(self, client: Client, event_id: str) -> None:
        self.client = client
        self.id = event_id
        self.version = 0
        """The newest version that this program has seen; later answers are never older."""
        self._path = f"/events/{quote(event_id, safe='')}"

    def look(self) -> s.Event:
        """Return the event as it is now."""
        found = self._get("", s.Event)
        self.version = max(self.version, found.version)
        return found

    def players(self, q: str = "") -> Iterator[s.Player]:
        """Yield the players in the order in which they entered; `q`: part of a name to look for."""
        for page in self._get_pages("/players", s.Players, "", q=q):
            yield from page.items

    def player(self, id: str) -> s.Player:
        return self._get(f"/players/{quote(id, safe='')}", s.Player)

    def rounds(self) -> list[s.RoundListed]:
        return self._get("/rounds", s.Rounds).items

    def round(self, number: int | None = None) -> s.Round:
        """Return a round with its tables; by default the last one."""
        number = self.look().round if number is None else number
        return self._get(f"/rounds/{number}", s.Round)

    def standings(self, after: int | None = None) -> s.Standings:
        """Return the standings after a finished round; by default the last one."""
        return self._get("/standings", s.Standings, after=after)

    def explained(self, player: str, after: int | None = None) -> s.Explained:
        """Return how each value of a player's standing is computed."""
        return self._get(f"/standings/{quote(player, safe='')}", s.Explained, after=after)

    def bracket(self) -> list[dict[str, Any]]:
        return self._get("/bracket", s.Brackets).brackets

    def draws(self) -> s.Draws:
        return self._get("/draws", s.Draws)

    def questions(self) -> list[s.Question]:
        """Return the open questions of players to the desk."""
        return self._get("/questions", s.Questions).items

    def changes(self, since: int = 0) -> Iterator[s.Change]:
        """Yield the public changes after a position, the oldest first."""
        for page in self._get_pages("/changes", s.Changes, str(since)):
            yield from page.items

    def log(self, since: int = 0) -> Iterator[s.Fact]:
        """Yield the facts after a position, the oldest first."""
        for page in self._get_pages("/log", s.Log, str(since)):
            yield from page.items

    def give(self, *commands: AnyCommand, expected: int | None = None) -> s.Done:
        """Execute commands: all of them, or none. `expected`: only at this version of the event."""
        given = {"if-match": f'"{expected}"'} if expected is not None else {}
        done = self.client.post(f"{self._path}/commands", {"commands": commands}, s.Done, **given)
        self.version = max(self.version, done.version)
        return done

    def follow(self, since: int | None = None) -> Iterator[s.Message]:
        """Yield changes without end as they happen, reconnecting where the stream was lost.

        `since`: the version to start after; by default the current one.
        """
        heard = self.look().version if since is None else since
        failures = 0
        while True:
            try:
                with closing(self.client.stream(f"{self._path}/stream", heard)) as answer:
                    for message in _read_messages(answer.iter_lines()):
                        failures = 0
                        heard = message.version
                        self.version = max(self.version, heard)
                        yield message
            except httpx.TransportError:
                pass
            except Refused as problem:
                if problem.status not in RETRY:
                    raise
            failures += 1
            self.client.rest(min(failures, 6))

    def _get(self, path: str, kind: type[T], **asked: Any) -> T:
        given = {name: value for name, value in asked.items() if value is not None}
        return self.client.get(f"{self._path}{path}", kind, self.version, **given)

    def _get_pages(self, path: str, kind: type[Page], cursor: str | None, **asked: Any) -> Iterator[Page]:
        while cursor is not None:
            page = self._get(path, kind, cursor=cursor, **asked)
            yield page
            cursor = page.next


def _read_messages(lines: Iterator[str]) -> Iterator[s.Message]:
    """Yield the changes of a stream, without the heartbeats."""
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
