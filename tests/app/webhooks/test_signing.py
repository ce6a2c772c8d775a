"""A signature holds for one body, one secret and a short while."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topcut.client.webhook_signature import SIGNATURE, TIMESTAMP, headers, verified

NOW = 1_900_000_000.0
BODY = b'{"event":"cup","facts":[]}'
SENT = headers("secret", "cup/1-1", BODY, NOW)


def test_what_was_sent_just_now() -> None:
    assert verified("secret", SENT, BODY, NOW)
    assert verified("secret", {name.upper(): value for name, value in SENT.items()}, BODY, NOW)
    assert verified("secret", {**SENT, "x": "y"}, BODY, NOW)


@pytest.mark.parametrize(("seconds", "good"), [(300, True), (-300, True), (301, False), (-301, False)])
def test_the_while_is_five_minutes(seconds: float, good: bool) -> None:
    assert verified("secret", SENT, BODY, NOW + seconds) is good


def test_the_while_can_be_another() -> None:
    assert not verified("secret", SENT, BODY, NOW + 2, tolerance=1)
    assert verified("secret", SENT, BODY, NOW + 3_000, tolerance=3_600)


def test_of_several_signatures_one_is_enough() -> None:
    other = headers("newer", "cup/1-1", BODY, NOW)
    both = {**SENT, SIGNATURE: f"{other[SIGNATURE]}, {SENT[SIGNATURE]}"}
    assert verified("secret", both, BODY, NOW)
    assert verified("newer", both, BODY, NOW)
    assert not verified("third", both, BODY, NOW)


@pytest.mark.parametrize(
    "changed",
    [
        {TIMESTAMP: "1900000001"},
        {TIMESTAMP: ""},
        {TIMESTAMP: "now"},
        {TIMESTAMP: "-1"},
        {TIMESTAMP: "1_900_000_000"},
        {TIMESTAMP: "١٩٠٠٠٠٠٠٠٠"},
        {TIMESTAMP: "9" * 5_000},
        {SIGNATURE: ""},
        {SIGNATURE: "v1="},
        {SIGNATURE: "ü"},
        {SIGNATURE: SENT[SIGNATURE].replace("v1", "v0")},
        {SIGNATURE: SENT[SIGNATURE][:-1]},
    ],
)
def test_other_headers(changed: dict[str, str]) -> None:
    assert not verified("secret", {**SENT, **changed}, BODY, NOW)


@pytest.mark.parametrize("missing", [TIMESTAMP, SIGNATURE])
def test_missing_headers(missing: str) -> None:
    left = {name: value for name, value in SENT.items() if name != missing}
    assert not verified("secret", left, BODY, NOW)


@given(st.binary(), st.binary(), st.text(), st.text())
def test_only_the_same_body_and_secret(body: bytes, other: bytes, secret: str, another: str) -> None:
    sent = headers(secret, "cup/1-1", body, NOW)
    assert verified(secret, sent, body, NOW)
    assert verified(secret, sent, other, NOW) is (other == body)
    # Secrets of ours never end in zeros, which HMAC does not see.
    if secret.rstrip("\0") != another.rstrip("\0") and max(len(secret), len(another)) <= 16:
        assert not verified(another, sent, body, NOW)


@given(st.text(), st.text(), st.floats(0, 4e9))
def test_any_headers_are_answered(timestamp: str, signature: str, now: float) -> None:
    assert not verified("secret", {TIMESTAMP: timestamp, SIGNATURE: signature}, BODY, now)
