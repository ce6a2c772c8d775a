"""The API itself: who you are, which rulesets there are, what they plan, and how it describes itself."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery, QueryParameter

import topcut
from topcut.client import shapes as s
from topcut.desk.api.problems import kinds
from topcut.desk.guard import who_of
from topcut.desk.house import House
from topcut.desk.pages import AnyRequest, Page, respond
from topcut.rulebook import ids, load
from topcut.rulebook.load import read
from topcut.rulebook.parameters import parameters
from topcut.rulebook.planning import Wishes, plan, plan_divisions
from topcut.rulebook.section import Format

NUMBERS = "^[1-9][0-9]{0,6}(,[1-9][0-9]{0,6}){0,19}$"


@get("/", right="hall", looks=True)
async def service(request: AnyRequest) -> s.Service:
    """The version, and what you may do."""
    who = who_of(request)
    you = s.You(name=who.name, role=who.role, rights=sorted(who.rights), event=who.event)
    return s.Service(topcut=topcut.__version__, api=1, you=you)


@get("/rules", right="hall")
async def rulesets() -> s.Rulesets:
    """The rulesets."""
    return _rulesets()


@cache
def _rulesets() -> s.Rulesets:
    books = [load(book_id) for book_id in ids()]
    return s.Rulesets(
        items=[s.Ruleset(id=b.id, title=b.title, edition=b.edition, status=b.status) for b in books]
    )


@get("/rules/{rules:str}", right="hall", raises=[NotFoundException])
async def ruleset(rules: FromPath[str]) -> s.RulesetInFull:
    """A ruleset with every parameter, and the section it comes from."""
    if rules not in ids():
        raise NotFoundException("there is no such ruleset")
    return _in_full(rules)


@cache
def _in_full(rules: str) -> s.RulesetInFull:
    book, found = parameters(read(rules), {})
    return s.RulesetInFull(
        id=book.id,
        title=book.title,
        edition=book.edition,
        status=book.status,
        parameters=msgspec.to_builtins(found, str_keys=True),
    )


@get("/plan", right="hall", action="heavy", operation_id="plan")
async def planned(
    rules: FromQuery[str],
    players: Annotated[str, QueryParameter(pattern=NUMBERS, description="Such as 143 or 4,20,143.")],
    format: FromQuery[Format | None] = None,
    table: FromQuery[str | None] = None,
    flights: FromQuery[int | None] = None,
    cut: FromQuery[int | None] = None,
    one_less: FromQuery[bool] = False,
) -> dict[str, Any]:
    """What the rules plan for so many players; several numbers, parted by commas, are divisions."""
    book, numbers = load(rules), list(map(int, players.split(",")))
    wishes = Wishes(format=format, table=table, flights=flights, cut=cut, one_less=one_less)
    if len(numbers) == 1:
        answer: Any = plan(book, numbers[0], wishes)
    else:
        answer = plan_divisions(book, numbers, [wishes] * len(numbers))
    found: dict[str, Any] = msgspec.to_builtins(answer, str_keys=True)
    return found


@get("/problems", right="hall")
async def problem_kinds() -> s.ProblemKinds:
    """Everything that can go wrong, by its type."""
    return s.ProblemKinds(items=kinds())


@get("/problems/{name:str}", right="hall", raises=[NotFoundException])
async def problem_kind(name: FromPath[str]) -> s.ProblemKind:
    """One type of problem."""
    for kind in kinds():
        if kind.type.rpartition("/")[2] == name:
            return kind
    raise NotFoundException("there is no such problem")


@get("/openapi.json", right="hall")
async def description(request: AnyRequest, house: NamedDependency[House]) -> Response[bytes]:
    """This description, as OpenAPI 3.1."""

    def written() -> Page:
        return Page(msgspec.json.encode(house.describe()), "application/json")

    return respond(request, house.shelf.kept("openapi.json", 0, written))


@get("/docs", right="hall")
async def reference(request: AnyRequest, house: NamedDependency[House]) -> Response[bytes]:
    """This description, to be read."""

    def written() -> Page:
        return house.templates.page("api.html", api=house.describe())

    return respond(request, house.shelf.kept("api.html", 0, written))


ROUTES = [service, rulesets, ruleset, planned, problem_kinds, problem_kind, description, reference]
