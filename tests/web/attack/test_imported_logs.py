"""Logs that somebody has made up, with a chain that is whole: they are refused, or harm nobody else."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from tests.web.app_in_process import World, played
from topcut.event import facts as f
from topcut.event.log_chain import NOTHING, digest, write_lines
from topcut.event.private_data import Person
from topcut.formats import log_file
from topcut.history.model import Table
from topcut.rulebook import load
from topcut.rulebook.loader import freeze_book

SCRIPT = '"><script>alert(1)</script>'
THEN = datetime(2026, 1, 1, tzinfo=UTC)


def seal_person(person: Person) -> tuple[str, bytes]:
    """The key of a person, and the entry outside the log."""
    body = msgspec.json.encode(person)
    return digest(body), body


def forged(
    facts: Sequence[f.AnyFact],
    people: Sequence[Person] = (),
    at: datetime = THEN,
    by: str = "Mara",
    event: str = "x",
) -> str:
    """A log of these facts, as a file."""
    written: list[bytes] = []
    for fact in facts:
        previous = digest(written[-1]) if written else NOTHING
        written += write_lines([fact], after=len(written), previous=previous, at=at, by=by, via="desk")
    return log_file.encode_log(event, written, dict(map(seal_person, people))).decode()


def created(name: str = "X", kept: int = 3, **match: Any) -> f.Created:
    book = deepcopy(freeze_book(load("pokemon-2017")))
    book["match"] |= match
    return f.Created(name=name, book=book, commitment="0" * 64, kept_months=kept)


def entered(*people: Person, ids: Sequence[str] = ("p1", "p2")) -> list[f.AnyFact]:
    return [
        f.Registered(player=player_id, person=seal_person(one)[0])
        for player_id, one in zip(ids, people, strict=False)
    ]


ADA, BO = Person(name="Ada", salt="1"), Person(name="Bo", salt="2")
TWO = [created(), *entered(ADA, BO)]
PAIRED = f.Paired(round=1, seed="x", attempt=1, tables=(Table(players=("p1", "p2"), table=1),))
UP = [*TWO, PAIRED, f.Published(round=1)]


LONG = Person(name="x\n" * 3000, salt="1")


def of(person: Person) -> str:
    return forged([created(), *entered(person)], [person])


STRANGE = {
    "a thousand million games": forged([created(best_of=10**9 + 1), *entered(ADA, BO)]),
    "a round for ever": forged([*UP, f.Started(round=1, minutes=10**15)]),
    "a round before all times": forged([*UP, f.Started(round=1, minutes=-(10**15))]),
    "more time than there is": forged([*UP, f.Started(round=1), f.Extended(round=1, minutes=10**400)]),
    "kept for ever": forged([created(kept=10**12)]),
    "the last year": forged(TWO, at=datetime(9999, 12, 31, 23, tzinfo=UTC)),
    "the first year": forged(TWO, at=datetime(1, 1, 1, tzinfo=UTC)),
    "a table that is nowhere": forged([*TWO, f.TableFixed(player="p1", table=10**30)]),
    "a name of the event without end": forged([created("x" * 3000)]),
    "a name of the event in lines": forged([created("a\r\nSet-Cookie: x=1")]),
    "a name without end": of(Person(name="x" * 300, salt="1")),
    "a name in lines": of(Person(name="a\ndata: b", salt="1")),
    "a name that turns around": of(Person(name="a\u202eb", salt="1")),
    "a display name in lines": of(Person(name="a", display="a\nb", salt="1")),
    "a number without end": of(Person(name="a", member="x" * 3000, salt="1")),
    "somebody from the future": of(Person(name="a", born=10**400, salt="1")),
    "somebody without end": forged(TWO, by="x" * 3000),
    "somebody in lines": forged(TWO, by="a\r\nb"),
    "an id with a way out": forged([created(), *entered(ADA, ids=["../../x"])]),
    "an id with a script": forged([created(), *entered(ADA, ids=[SCRIPT])]),
    "an id with a question": forged([created(), *entered(ADA, ids=["p1?x=1"])]),
    "a reason without end": forged([*TWO, f.Reopened(reason="x" * 3000)]),
    "somebody who passes for a file": forged(
        [created(), *entered(LONG), f.TakenOver(source="x", original=seal_person(LONG)[0])], [LONG]
    ),
    "not a log": "{}",
    "half a log": forged(TWO).rpartition('"person"')[0],
    "nothing": "",
    "a log of nothing": '{"topcut_log":1,"event":"x","facts":0,"private":0}\n',
    "more than there is": '{"topcut_log":1,"event":"x","facts":99999999999999999999,"private":-1}\n',
}


@pytest.mark.parametrize("what", STRANGE)
def test_a_log_that_no_desk_can_have_written_is_refused(world: World, what: str) -> None:
    async def story() -> None:
        before = await world.store.list_events()
        who = await world.token("organiser", owner="shop")
        for path in ("/api/v1/imports", "/new/file"):
            refused = await who.post(path, {"text": STRANGE[what]})
            assert refused.status == 422, refused.text
        assert await world.store.list_events() == before

    world.run(story())


def test_a_log_that_makes_sense_is_taken_in_as_ones_own_and_shows_as_text(world: World) -> None:
    async def story() -> None:
        people = [Person(name=SCRIPT, member=SCRIPT, salt="1"), Person(name="Bo", display=SCRIPT, salt="2")]
        facts = [created(SCRIPT), *entered(*people), PAIRED, f.Published(round=1), f.Started(round=1)]
        who = await world.token("organiser", owner="shop")
        made = await who.post("/api/v1/imports", {"text": forged(facts, people, by=SCRIPT)})
        assert made.status == 201
        event = made.json["id"]
        assert await world.access.owner(event) == "shop"
        for page in ("", "/pairings", "/screen", "/changes", "/player/p1"):
            assert "<script>alert" not in (await world.public.get(f"/e/{event}{page}")).text
        for page in ("", "/players", "/players/p2", "/log", "/event", "/print"):
            answer = await who.get(f"/desk/{event}{page}")
            assert answer.status == 200, page
            assert "<script>alert" not in answer.text, page

    world.run(story())


def test_a_log_with_the_id_of_an_event_that_is_there_becomes_another_event(world: World) -> None:
    async def story() -> None:
        live = await world.event("cup", owner="rival")
        await played(live)
        before = live.session.log.lines
        who = await world.token("organiser", owner="shop")
        made = await who.post("/api/v1/imports", {"text": forged(TWO, [ADA, BO], event="cup")})
        assert made.json["id"] == "cup-2"
        assert live.session.log.lines == before
        assert await world.access.owner("cup") == "rival"
        assert (await who.get("/desk/cup")).status == 403
        for name in ("../cup", "cup/../cup", "CUP", "cup\0", "\n", "", "%2e%2e", "a" * 5000):
            made = await who.post("/api/v1/imports", {"text": forged(TWO, [ADA, BO], event=name)})
            assert made.status in (201, 422)
            if made.status == 201:
                assert made.json["id"].replace("-", "").isalnum()
                assert len(made.json["id"]) < 80
                assert made.json["address"].startswith("http://hall.test/e/")

    world.run(story())
