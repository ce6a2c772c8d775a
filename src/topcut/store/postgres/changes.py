"""Make a change in PostgreSQL once, however often the connection breaks.

A change is one statement, so one transaction. Appends to an event queue up at its row: the first to change
it goes on, a later one finds another version and is refused. So positions have no gaps, and become visible
in their order.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from topcut.store.interface import Receipt, Repeated
from topcut.store.postgres.listener import CHANNEL
from topcut.store.postgres.server import FAILURES, Connection, is_duplicate

# A change begins with the row of the event, called `moved`, and ends with what is added to it. If a receipt
# is there already, the whole statement fails.
_CREATE = """
    WITH moved AS (
        INSERT INTO topcut_event (id, version, about) VALUES ($1, $6::bigint + cardinality($2::bytea[]), $5)
        ON CONFLICT (id) DO NOTHING
        RETURNING key, version
    )
"""
_APPEND = """
    WITH moved AS (
        UPDATE topcut_event
        SET version = version + cardinality($2::bytea[]),
            touched = nextval('topcut_touched'),
            about = coalesce($5, about)
        WHERE id = $1 AND version = $6
        RETURNING key, version
    )
"""
_ADD = """
    , added AS (
        INSERT INTO topcut_fact
        SELECT moved.key, moved.version - cardinality($2::bytea[]) + number, fact
        FROM moved, unnest($2::bytea[]) WITH ORDINALITY AS given (fact, number)
    ), kept AS (
        INSERT INTO topcut_private
        SELECT moved.key, name, value FROM moved, unnest($3::text[], $4::bytea[]) AS given (name, value)
        ON CONFLICT (event, key) DO UPDATE SET value = excluded.value
    )
"""
_RECEIPT = """
    , receipt AS (
        INSERT INTO topcut_kept
        SELECT given.* FROM moved, unnest($7::text[], $8::text[], $9::bytea[], $10::bigint[]) AS given
    )
"""
_NOTIFY = f"SELECT moved.version, pg_notify('{CHANNEL}', moved.key::text) FROM moved"
_FIND_EVENT = "SELECT key, version FROM topcut_event WHERE id = $1"
FACTS = "SELECT fact FROM topcut_fact WHERE event = $1 AND position > $2 ORDER BY position LIMIT $3"
_FRESH = "coalesce(until > $3::bigint, TRUE)"
_GET_VALUE = f"SELECT value FROM topcut_kept WHERE space = $1 AND key = $2 AND {_FRESH}"
DELETE_VALUE = "DELETE FROM topcut_kept WHERE space = $1 AND key = $2"
_TAKE = f"{DELETE_VALUE} RETURNING value, {_FRESH} AS fresh, txid_current() AS change"


async def find_event(connection: Connection, event: str) -> tuple[int, int] | None:
    """Return an event's internal key and its version, if it is there."""
    row = await connection.fetchrow(_FIND_EVENT, event)
    return None if row is None else (row["key"], row["version"])


async def read_facts(connection: Connection, key: int, after: int, limit: int | None) -> list[bytes]:
    return [row["fact"] for row in await connection.fetch(FACTS, key, after, limit)]


async def get_value(connection: Connection, space: str, key: str, now: int | None) -> bytes | None:
    """Return a value that has not expired; without `now` also one that has."""
    found: bytes | None = await connection.fetchval(_GET_VALUE, space, key, now)
    return found


class AppendFacts:
    """Appends to an event, or creates one, once.

    If the answer of the server is lost and the change is refused when it is tried again, the facts at its
    positions say whether it was made the first time.
    """

    def __init__(
        self,
        event: str,
        after: int | None,
        facts: Sequence[bytes],
        private: Mapping[str, bytes],
        about: bytes | None,
        receipts: Sequence[Receipt],
    ) -> None:
        """`after` is the version of the event; None: the event is new."""
        self._event = event
        self._after = after or 0
        self._facts = list(facts)
        self._receipts = {(receipt.space, receipt.key): receipt.value for receipt in receipts}
        beginning = _CREATE if after is None else _APPEND
        self._query = f"{beginning}{_ADD}{_RECEIPT if receipts else ''}{_NOTIFY}"
        entries = (list(private), list(private.values()))
        columns = zip(*(receipt.row for receipt in receipts), strict=True)
        self._given: tuple[Any, ...] = (event, self._facts, *entries, about, self._after, *map(list, columns))

    async def attempt(self, connection: Connection, again: bool) -> bool:
        """Return whether it is done: not if the event is at another version, or there already.

        Raise `Repeated` if a receipt is there that another change has put.
        """
        duplicate = False
        try:
            if await connection.fetchval(self._query, *self._given) is not None:
                return True
        except FAILURES as error:
            duplicate = is_duplicate(error, "topcut_kept")
            if not duplicate:
                raise
        found = {place: await get_value(connection, *place, None) for place in self._receipts}
        there = {place: value for place, value in found.items() if value is not None}
        if again and await self._was_made(connection, there):
            return True
        for value in there.values():
            raise Repeated(value)
        # A receipt that was in the way and is not there has expired and been deleted.
        return duplicate and await self.attempt(connection, again)

    async def _was_made(self, connection: Connection, there: dict[tuple[str, str], bytes]) -> bool:
        """Return whether these facts are there, or, if there are none, these receipts."""
        if any(self._receipts[place] != value for place, value in there.items()):
            return False
        if not self._facts:
            return bool(there)
        found = await find_event(connection, self._event)
        return found is not None and (
            await read_facts(connection, found[0], self._after, len(self._facts)) == self._facts
        )


class TakeValue:
    """Takes a value, once.

    The value is read before it is deleted, with the number of the transaction. If the answer is lost and the
    value is gone by the next attempt, the server says by that number whether we took it.
    """

    def __init__(self, space: str, key: str, now: int) -> None:
        self._wanted = (space, key, now)
        self._seen: Any = None

    async def attempt(self, connection: Connection, again: bool) -> bytes | None:
        """Return the value, once it is deleted; None if it has expired, or another took it."""
        async with connection.transaction():
            row = await connection.fetchrow(_TAKE, *self._wanted)
            before, self._seen = self._seen, row or self._seen
        if row is None and before is not None:
            # The deletion above has waited for the end of that transaction.
            status = await connection.fetchval("SELECT txid_status($1)", before["change"])
            row = before if status == "committed" else None
        return row["value"] if row is not None and row["fresh"] else None
