"""Define the tables of each database as a list of steps; a schema's number is the number of its steps.

A step that was released never changes: later changes are new steps at the end. A read-only file stays at the
schema it has, so code that reads a later table must expect that it is missing.
"""

# WITHOUT ROWID stores rows in the primary key, so the facts of an event are side by side on the disk.
# AUTOINCREMENT never reuses the key of a removed event, whose followers would read the new one's facts.
SQLITE = (
    """
    CREATE TABLE event (
        key INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        version INTEGER NOT NULL,
        touched INTEGER NOT NULL,
        about BLOB NOT NULL
    ) STRICT;
    CREATE INDEX event_touched ON event (touched);
    CREATE TABLE fact (
        event INTEGER NOT NULL REFERENCES event ON DELETE CASCADE,
        position INTEGER NOT NULL,
        fact BLOB NOT NULL,
        PRIMARY KEY (event, position)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE private (
        event INTEGER NOT NULL REFERENCES event ON DELETE CASCADE,
        key TEXT NOT NULL,
        value BLOB NOT NULL,
        PRIMARY KEY (event, key)
    ) STRICT, WITHOUT ROWID;
    """,
    """
    CREATE TABLE kept (
        space TEXT NOT NULL,
        key TEXT NOT NULL,
        value BLOB NOT NULL,
        until INTEGER,
        PRIMARY KEY (space, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX kept_until ON kept (until);
    """,
)

POSTGRES = (
    """
    CREATE SEQUENCE topcut_touched;
    CREATE TABLE topcut_event (
        key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        id text NOT NULL UNIQUE,
        version bigint NOT NULL,
        touched bigint NOT NULL DEFAULT nextval('topcut_touched'),
        about bytea NOT NULL
    );
    CREATE INDEX topcut_event_touched ON topcut_event (touched);
    CREATE TABLE topcut_fact (
        event bigint NOT NULL REFERENCES topcut_event ON DELETE CASCADE,
        position bigint NOT NULL,
        fact bytea NOT NULL,
        PRIMARY KEY (event, position)
    );
    CREATE TABLE topcut_private (
        event bigint NOT NULL REFERENCES topcut_event ON DELETE CASCADE,
        key text NOT NULL,
        value bytea NOT NULL,
        PRIMARY KEY (event, key)
    );
    """,
    """
    CREATE TABLE topcut_kept (
        space text NOT NULL,
        key text NOT NULL,
        value bytea NOT NULL,
        until bigint,
        PRIMARY KEY (space, key)
    );
    CREATE INDEX topcut_kept_until ON topcut_kept (until);
    """,
)
