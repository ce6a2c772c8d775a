"""Make what `test_upgrade.py` opens: `./run` once, then `.venv/bin/python -m tests.upgrade.make_fixtures`.

Run it in a checkout of the version whose data shall open from then on, best of one that was released, with
this folder copied into it and `introspection.py` mended if need be. Then copy the folder `before` from
there into the checkout of today, and commit it. It takes half a minute, and poppler's `pdftoppm`, which
draws a slip so that its code can be read. Everything is made at a prompt and by HTTP, as people and
programs make it. One thing alone is changed by hand: what would run out does so in the year 2999.
"""

from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.printing.pdf_reader import codes
from tests.upgrade import example_events, introspection, recorded_answers
from tests.upgrade.running_program import API, Served, good, served, typed

BEFORE = Path(__file__).parent / "before"
PASSWORD = "correct horse battery"
LATE = 32_472_144_000_000_000
"""The beginning of 2999, in microseconds since 1970."""
LATE_TEXT = "2999-01-01T00:00:00Z"


def keep_for_long(database: Path) -> None:
    """Let links, sessions and receipts run out in the year 2999."""
    with closing(sqlite3.connect(database)) as file:
        rows = file.execute("SELECT space, key, value FROM kept WHERE until IS NOT NULL").fetchall()
        for space, key, value in rows:
            tells = json.loads(value) if space.startswith("link") else None
            kept = value if tells is None else json.dumps(tells | {"until": LATE_TEXT}).encode()
            change = "UPDATE kept SET value = ?, until = ? WHERE space = ? AND key = ?"
            file.execute(change, (kept, LATE, space, key))
        file.commit()
        file.execute("PRAGMA journal_mode = DELETE")
        file.execute("VACUUM")


def link(database: Path, name: str, *options: str) -> str:
    """Make a link or a token, and return its key."""
    where = ("--database", str(database), "--by", "Mara", "--days", "366", "--json")
    key: str = json.loads(typed("link", "new", name, *options, *where))["key"]
    return key


def session(server: Served, address: str, body: dict[str, str]) -> dict[str, str]:
    """Sign a browser in, and return its cookies."""
    browser = server.client()
    good(browser.post(address, json=body))
    return dict(browser.cookies)


def slip(database: Path, server: Served) -> str:
    """Return the path that the code on a slip of the running event opens, of a table that is not reported."""
    paper = Path(tempfile.mkdtemp()) / "slips.pdf"
    where = ("--database", str(database), "--event", example_events.RUNNING, "--address", server.address)
    typed("print", "slips", "--tables", "6", "-o", str(paper), *where)
    ((address, *_),) = codes(paper.read_bytes(), 0)
    return address.removeprefix(server.address)


def make(folder: Path) -> dict[str, Any]:
    """Fill a database, and return the secrets with which it is opened."""
    database = folder / "topcut.db"
    on = ("--database", str(database))
    typed("account", "add", "corner-shop", "Corner shop", "--password-stdin", *on, stdin=PASSWORD + "\n")
    secrets: dict[str, Any] = {"account": {"login": "corner-shop", "password": PASSWORD}}
    with served(database, "--by", "Mara") as server:
        token = link(database, "Season", "--role", "organiser", "--all-events", "--token")
        shop = link(database, "Till", "--role", "organiser", "--account", "corner-shop", "--token")
        secrets |= {"token": token, "shop_token": shop}
        organiser = server.program(token)
        secrets |= example_events.tell(server, database, organiser, server.program(shop))
        at = ("--event", example_events.RUNNING)
        secrets["judge"] = link(database, "Judge 3", "--role", "judge", *at)
        secrets["exact"] = link(database, "Clock", "--right", "hall", "--right", "time", *at, "--token")
        secrets["organiser"] = link(database, "Mara's phone", "--role", "organiser", "--all-events")
        used = server.link.partition("#")[2]
        secrets["used_link"] = used
        secrets["cookies"] = {
            "organiser": session(server, "/enter", {"key": used}),
            "judge": session(server, "/enter", {"key": secrets["judge"]}),
            "account": session(server, "/sign-in", secrets["account"]),
        }
        secrets["slip"] = slip(database, server)
        wanted = {"url": "http://127.0.0.1:9/topcut", "since": 0}
        secrets["tag"] = organiser.client.get(f"{API}/events/{example_events.RUNNING}").headers["etag"]
        secrets["webhook"] = good(organiser.send(f"/events/{example_events.RUNNING}/webhooks", wanted)).json()
    with served(database, "--by", "Mara") as server:
        secrets["unused_link"] = server.link.partition("#")[2]
    keep_for_long(database)
    return secrets


def record(folder: Path, secrets: dict[str, Any]) -> None:
    """Write down what the version before says of its database."""
    database = folder / "topcut.db"
    on = ("--database", str(database))
    answers: dict[str, Any] = {}
    undone: dict[str, list[int]] = {}
    tags: set[str] = set()
    with served(database, "--no-link") as server:
        program = server.program(secrets["token"])
        for event in example_events.EVENTS:
            answers |= recorded_answers.asked(program, list(recorded_answers.questions(program, event)))
            facts = recorded_answers.log(program, event)
            undone[event] = recorded_answers.undone(facts)
            tags |= {fact["fact"]["fact"] for fact in facts}
        answers |= recorded_answers.asked(program, ["", "/rules", "/problems", "/links"])
        api = program.ask("/openapi.json")
        browser = server.client(secrets["cookies"]["organiser"])
        pages = recorded_answers.pages(
            introspection.addresses(database), (example_events.RUNNING, example_events.FINISHED), secrets
        )
        write(folder / "pages.txt", {f"{path} {browser.get(path).status_code}" for path in pages})
    told = {
        f"{' '.join(command)} --event {event}": recorded_answers.told(*command, "--event", event, *on)
        for event in example_events.EVENTS
        for command in recorded_answers.COMMANDS
    }
    for file, after in example_events.STANDINGS.items():
        found = recorded_answers.told("standings", str(folder.parent / file), "--after", str(after))
        assert found["standings"], file
        told[f"standings {file}"] = found
    assert tags == introspection.fact_tags(), f"the story lacks {introspection.fact_tags() - tags}"
    dump(folder / "answers.json", answers)
    dump(folder / "undone.json", undone)
    dump(folder / "told.json", told)
    write(folder / "facts.txt", tags)
    write(folder / "commands.txt", recorded_answers.command_tags(api))
    write(folder / "api.txt", recorded_answers.described(api))
    write(folder / "addresses.txt", introspection.addresses(database))
    write(folder / "prompt.txt", introspection.prompt_lines())


def take_out(folder: Path) -> None:
    """Write the files that the version before has made of its events."""
    on = ("--database", str(folder / "topcut.db"), "--by", "Mara")
    for file, (event, *options) in example_events.FILES.items():
        typed("export", "--event", event, "-o", str(folder / file), *options, *on)


def write(path: Path, lines: set[str]) -> None:
    """Write lines in their order."""
    path.write_text("".join(f"{line}\n" for line in sorted(lines)), encoding="utf-8")


def dump(path: Path, data: dict[str, Any]) -> None:
    """Write data with one key a line, so that a change can be read."""
    lines = (f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in data.items())
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def main() -> None:
    """Make everything in a new folder, and put it in the place of what was there."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        secrets = make(folder)
        dump(folder / "secrets.json", secrets)
        take_out(folder)
        copy = folder / "copy"
        copy.mkdir()
        shutil.copy(folder / "topcut.db", copy)
        record(copy, secrets)
        for file in copy.glob("topcut.db*"):
            file.unlink()
        shutil.rmtree(BEFORE, ignore_errors=True)
        BEFORE.mkdir()
        database = (folder / "topcut.db").read_bytes()
        (BEFORE / "topcut.db.gz").write_bytes(gzip.compress(database, mtime=0))
        (folder / "topcut.db").unlink()
        for file in [*folder.glob("*.*"), *copy.glob("*.*")]:
            shutil.copyfile(file, BEFORE / file.name)


if __name__ == "__main__":
    main()
