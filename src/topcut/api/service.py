"""Show what belongs to no event: your rights, rulesets, plans, problems and the OpenAPI document."""

from functools import cache
from typing import Annotated, Any

import msgspec
from litestar import Response, get
from litestar.params import FromQuery, QueryParameter

import topcut
from topcut.api.problems import kinds
from topcut.api.requests import ApiRequest, Id, fill
from topcut.app.page_cache import Page
from topcut.app.services import NotHere
from topcut.client import schemas as s
from topcut.rulebook import Book, list_ids, load
from topcut.rulebook.layout import Format
from topcut.rulebook.loader import list_parameters, read_book
from topcut.rulebook.planning.divisions import plan_divisions
from topcut.rulebook.planning.plan import Wishes, plan_event
from topcut.text.message_json import encode_in_english, to_plain
from topcut.text.messages import say

NUMBERS = "^[1-9][0-9]{0,6}(,[1-9][0-9]{0,6}){0,19}$"


@get("/", right="hall", identifies=True)
async def service(request: ApiRequest) -> s.Service:
    """Return the version of Topcut, and your rights."""
    who = request.who
    you = s.You(name=who.name, role=who.role, rights=sorted(who.rights), event=who.event)
    return s.Service(topcut=topcut.__version__, api=1, you=you)


@get("/rules", right="hall")
async def rulesets() -> s.Rulesets:
    """List the rulesets."""
    return _rulesets()


@cache
def _rulesets() -> s.Rulesets:
    books = (load(book_id) for book_id in list_ids())
    return s.Rulesets(items=[msgspec.convert(book, s.Ruleset, from_attributes=True) for book in books])


@get("/rules/{rules:str}", right="hall")
async def ruleset(rules: Id) -> s.RulesetInFull:
    """Return a ruleset with every parameter and the section of the rules that it comes from."""
    if rules not in list_ids():
        raise NotHere(say("There is no ruleset with this id."))
    book, parameters = _read_parameters(rules)
    return fill(s.RulesetInFull, book, parameters=to_plain(parameters))


@cache
def _read_parameters(rules: str) -> tuple[Book, Any]:
    return list_parameters(read_book(rules), {})


@get("/plan", right="hall", action="heavy", operation_id="plan")
async def show_plan(
    rules: FromQuery[str],
    players: Annotated[
        str, QueryParameter(pattern=NUMBERS, description="Such as 143, or 4,20,143 by division.")
    ],
    format: FromQuery[Format | None] = None,
    table: FromQuery[str | None] = None,
    flights: FromQuery[int | None] = None,
    cut: FromQuery[int | None] = None,
    one_less: FromQuery[bool] = False,
) -> dict[str, Any]:
    """Plan an event for a number of players, or for one number for each division, separated by commas."""
    book, numbers = load(rules), list(map(int, players.split(",")))
    wishes = Wishes(format=format, table=table, flights=flights, cut=cut, one_less=one_less)
    if len(numbers) == 1:
        answer: Any = plan_event(book, numbers[0], wishes)
    else:
        answer = plan_divisions(book, numbers, [wishes] * len(numbers))
    found: dict[str, Any] = to_plain(answer)
    return found


@get("/problems", right="hall")
async def problem_kinds() -> s.ProblemKinds:
    """List all types of problems."""
    return s.ProblemKinds(items=kinds())


@get("/problems/{name:str}", right="hall")
async def problem_kind(name: Id) -> s.ProblemKind:
    """Return one type of problem."""
    for kind in kinds():
        if kind.type.rpartition("/")[2] == name:
            return kind
    raise NotHere(say("There is no type of problem with this name."))


@get("/openapi.json", right="hall")
async def description(request: ApiRequest) -> Response[bytes]:
    """Return this description as OpenAPI 3.1."""

    def write() -> Page:
        found = msgspec.json.encode(request.services.describe_api(), enc_hook=encode_in_english)
        return Page(found, "application/json")

    return request.send_page(request.services.page_cache.get("openapi.json", 0, write))
