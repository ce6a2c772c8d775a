"""Show what the numbered rules say: one, or all of them by their documents."""

from itertools import groupby

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from topcut.rulebook.rule_texts import find_rule_text, list_rule_texts
from topcut.web.responses import AnyRequest, render, respond


@get("/rules", right="hall")
async def rules(request: AnyRequest) -> Response[bytes]:
    """Show every rule that has a number."""
    texts = list_rule_texts().values()
    documents = [(title, list(group)) for title, group in groupby(texts, lambda rule: rule.document)]
    return respond(request, render("rules.html", documents=documents))


@get("/rules/{number:str}", right="hall")
async def rule(request: AnyRequest, number: FromPath[str]) -> Response[bytes]:
    """Show one rule."""
    found = find_rule_text(number)
    if found is None:
        raise NotFoundException(f"there is no rule {number[:20]}")
    return respond(request, render("rule.html", rule=found))
