"""The desk as a service, as the API shows it: who you are, rulesets, links, webhooks, problems."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from topcut.client.shapes.base import Shape


class You(Shape, frozen=True, kw_only=True):
    """Whoever asks."""

    name: str
    role: str
    rights: list[str]
    event: str | None = None
    """The only event you reach; null: several."""


class Service(Shape, frozen=True, kw_only=True):
    topcut: str
    """The version of the program."""
    api: int
    """The version of the API."""
    you: You


class Ruleset(Shape, frozen=True, kw_only=True):
    id: str
    title: str
    edition: str
    status: str
    """`official`: as published; `house`: somebody's own; `reconstructed`: as another program does it."""


class Rulesets(Shape, frozen=True, kw_only=True):
    items: list[Ruleset]


class RulesetInFull(Ruleset, frozen=True, kw_only=True):
    """A ruleset with every parameter, and the section of the published rules it comes from."""

    parameters: list[dict[str, Any]]


class Link(Shape, frozen=True, kw_only=True):
    """A way in for somebody, or a token for a program."""

    id: str
    name: str
    role: str
    rights: list[str]
    event: str | None
    token: bool
    made: datetime
    by: str
    until: datetime | None


class Links(Shape, frozen=True, kw_only=True):
    items: list[Link]


class NewKey(Shape, frozen=True, kw_only=True):
    """A link or token that was made; the key is shown once."""

    link: Link
    key: str
    address: str | None
    """Where a browser comes in with it; null for a token."""


class Webhook(Shape, frozen=True, kw_only=True):
    """An address that is told every fact of an event."""

    id: str
    url: str
    made: datetime
    by: str
    position: int
    """The last fact that it has taken."""
    tries: int
    """How often the next facts were sent in vain."""
    failing_since: datetime | None
    last_error: str
    stopped: bool
    """Whether it was given up; a replay starts it again."""


class Webhooks(Shape, frozen=True, kw_only=True):
    items: list[Webhook]


class NewWebhook(Shape, frozen=True, kw_only=True):
    webhook: Webhook
    secret: str
    """What deliveries are signed with; it is shown once."""


class Delivered(Shape, frozen=True, kw_only=True):
    """What came of a delivery."""

    status: int | None
    """What the address answered; null if it did not."""
    problem: str
    """Empty: the delivery was taken."""


class Address(Shape, frozen=True, kw_only=True):
    address: str


class ProblemKind(Shape, frozen=True, kw_only=True):
    """A kind of problem, by its `type`."""

    type: str
    status: int
    title: str


class ProblemKinds(Shape, frozen=True, kw_only=True):
    items: list[ProblemKind]


class Problem(Shape, frozen=True, kw_only=True, omit_defaults=True):
    """What went wrong (RFC 9457); the data of some kinds stands beside these."""

    type: str
    """Stays the same for good; it is an address that says what it is."""
    title: str
    status: int
    detail: str = ""
