"""Connect to a PostgreSQL server, bring its tables up to date, and explain its errors.

The only module that imports the driver.
"""

from collections.abc import Sequence
from typing import Any

import asyncpg  # type: ignore[import-untyped]

from topcut.store import hide_credentials
from topcut.store.interface import ServerUnreachable, StoreError, newer_schema_error
from topcut.store.schema import POSTGRES

Connection = Any
"""A connection of the driver, which has no types."""
FAILURES = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""Everything that may go wrong on the way to a server and in it; a time-out is an OSError."""

_CONNECTIONS = 8
_CONNECT_WITHIN = 5.0
_ANSWER_WITHIN = 30.0
"""Seconds until the server counts as lost."""
_MIGRATION = int.from_bytes(b"Tcut", "big")
"""The lock that makes one of two programs wait while the other migrates."""
# Not `to_regclass`, which may remember that there was none before we waited for another program.
_HAS_TABLES = "SELECT 1 FROM pg_class WHERE relname = 'topcut_schema' AND pg_table_is_visible(oid)"

_GONE = (
    OSError,
    asyncpg.PostgresConnectionError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
    asyncpg.IdleSessionTimeoutError,
    asyncpg.TooManyConnectionsError,
    asyncpg.SerializationError,
    asyncpg.DeadlockDetectedError,
    asyncpg.InternalClientError,  # "another operation is in progress", if it broke between two messages
)
_MEANINGS: tuple[tuple[type[Exception], str, str], ...] = (
    (asyncpg.ReadOnlySQLTransactionError, "is read-only", "allow writing, or give the primary server"),
    (asyncpg.DiskFullError, "the server's disk is full", "make room and try again"),
    (
        asyncpg.InvalidAuthorizationSpecificationError,
        "the server refuses the login",
        "check user and password",
    ),
    (asyncpg.InvalidCatalogNameError, "there is no such database on the server", "make it with createdb"),
    (asyncpg.InsufficientPrivilegeError, "the user may not do this", "give the user rights to the database"),
    (asyncpg.ClientConfigurationError, "the address cannot be read", "give postgresql://user@host/database"),
)


class PostgresServer:
    """One database of one server, to which connections are made.

    `steps` are those of `schema`; `patience` is how many seconds a lost server may take to come back.
    """

    def __init__(self, url: str, steps: Sequence[str] = POSTGRES, patience: float = 8.0) -> None:
        self.name = hide_credentials(url)
        self.patience = patience
        self._url = url
        self._steps = steps
        self._settings: dict[str, Any] = {
            "timeout": _CONNECT_WITHIN,
            "command_timeout": _ANSWER_WITHIN,
            "server_settings": {
                "application_name": "topcut",
                "default_transaction_isolation": "read committed",
                "synchronous_commit": "on",
            },
        }

    async def connect(self) -> Connection:
        return await asyncpg.connect(self._url, **self._settings)

    async def make_pool(self) -> Any:
        """Return a pool of connections to the database, once its tables are up to date."""
        try:
            connection = await self.connect()
            try:
                await self._prepare(connection)
            finally:
                connection.terminate()
            return await asyncpg.create_pool(
                self._url, min_size=0, max_size=_CONNECTIONS, reset=_reset_nothing, **self._settings
            )
        except (*FAILURES, ValueError) as error:
            raise self.explain(error) from None  # the driver's own words may have the password

    def explain(self, error: Exception) -> StoreError:
        """Return an error of the driver or of the server in words for people."""
        for kind, problem, remedy in _MEANINGS:
            if isinstance(error, kind):
                return StoreError(self.name, problem, remedy)
        if is_lost(error):
            reason = str(error) or "it took too long"
            remedy = "start it, and look whether the last change was kept"
            return ServerUnreachable(self.name, f"the server does not answer ({reason})", remedy)
        if isinstance(error, asyncpg.PostgresError):
            return StoreError(self.name, f"the server refuses: {error}", "report this, please")
        return StoreError(self.name, "the address cannot be used", "give postgresql://user@host/database")

    async def _prepare(self, connection: Connection) -> None:
        if await self._read_schema(connection) == len(self._steps):
            return
        async with connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock($1)", _MIGRATION)
            schema = await self._read_schema(connection)
            if schema == 0:
                await connection.execute("CREATE TABLE topcut_schema (version integer NOT NULL)")
                await connection.execute("INSERT INTO topcut_schema VALUES (0)")
            for step in self._steps[schema:]:
                await connection.execute(step)
            await connection.execute("UPDATE topcut_schema SET version = $1", len(self._steps))

    async def _read_schema(self, connection: Connection) -> int:
        """Return the number of the database's schema, if it is not too new; 0 without any tables."""
        if await connection.fetchval(_HAS_TABLES) is None:
            return 0
        schema = int(await connection.fetchval("SELECT version FROM topcut_schema"))
        if schema > len(self._steps):
            raise newer_schema_error(self.name, schema, len(self._steps))
        return schema


async def _reset_nothing(connection: Connection) -> None:
    """Do nothing before a connection is used again: we leave no traces in a session."""


def is_lost(error: Exception) -> bool:
    """Return whether another attempt may succeed: the connection broke, or the server is not ready.

    The driver gives the kind that says "connection is closed" to wrong arguments too, with ValueError.
    """
    wrong = isinstance(error, (ValueError, asyncpg.ClientConfigurationError))
    return isinstance(error, _GONE) or (isinstance(error, asyncpg.InterfaceError) and not wrong)


def is_duplicate(error: Exception, table: str) -> bool:
    """Return whether a row was refused because this table has one with the same key."""
    return isinstance(error, asyncpg.UniqueViolationError) and error.table_name == table
