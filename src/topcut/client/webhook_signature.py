"""Sign deliveries of webhooks, and verify them.

This module imports only the standard library, so that receivers can copy it.
"""

import hmac
from collections.abc import Mapping

DELIVERY, TIMESTAMP, SIGNATURE = "Topcut-Delivery", "Topcut-Timestamp", "Topcut-Signature"
TOLERANCE = 300
"""Seconds by which two clocks may differ; an older delivery may be a copy that an attacker sent again."""


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """Return the signature of a body at a time, which takes the secret to compute.

    >>> signature("key", "1700000000", b"{}")[:12]
    'v1=9d713ed40'
    """
    signed = b"%b.%b" % (timestamp.encode(), body)
    return f"v1={hmac.new(secret.encode(), signed, 'sha256').hexdigest()}"


def headers(secret: str, delivery: str, body: bytes, now: float) -> dict[str, str]:
    """Return the headers of a body that is sent now, in seconds since 1970."""
    timestamp = str(int(now))
    return {DELIVERY: delivery, TIMESTAMP: timestamp, SIGNATURE: signature(secret, timestamp, body)}


def verified(
    secret: str, headers: Mapping[str, str], body: bytes, now: float, tolerance: float = TOLERANCE
) -> bool:
    """Return whether a body with these headers was signed with the secret, at most `tolerance` seconds ago.

    `now` is in seconds since 1970, as `time.time()` gives it. Capital letters in names of headers do not
    matter. Of several signatures with commas between them one is enough: so a secret can be changed.

    >>> sent = headers("key", "cup/1-1", b"{}", now=1_700_000_000)
    >>> verified("key", sent, b"{}", now=1_700_000_010), verified("key", sent, b"{ }", now=1_700_000_010)
    (True, False)
    """
    given = {name.lower(): value for name, value in headers.items()}
    timestamp = given.get(TIMESTAMP.lower(), "")
    if not (timestamp.isascii() and timestamp.isdecimal() and len(timestamp) <= 12):
        return False
    expected = signature(secret, timestamp, body).encode()
    signatures = given.get(SIGNATURE.lower(), "").split(",")
    # Compare all of them, each in constant time, so that timing tells nothing about the secret.
    same = [hmac.compare_digest(expected, one.strip().encode()) for one in signatures]
    return any(same) and abs(now - int(timestamp)) <= tolerance
