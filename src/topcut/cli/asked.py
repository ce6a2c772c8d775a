"""Which event is a question about? The one in FILE, or, where no file is given, the one that runs.

What a running event takes, its database and its log, is loaded only when it is asked about.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from topcut.cli.options import database_option, event_option
from topcut.errors import BadInput
from topcut.exchange import log_file
from topcut.exchange.event_file import Event
from topcut.exchange.files import file_bytes, folder_of, naming, shown_path
from topcut.exchange.foreign import is_database
from topcut.exchange.log_file import LogFile
from topcut.exchange.opened import Content, NeedsRules, Said, content

if TYPE_CHECKING:
    from topcut.cli.running import Target

Function = Callable[..., Any]


@dataclass(frozen=True)
class Opened:
    """An event to answer questions about."""

    content: Content
    name: str
    """What a mistake in it names: a file, or a database."""
    folder: Path
    """Where books of one's own are looked for."""
    running: bool

    def built(self, readings: dict[str, str]) -> Event:
        """What follows from it, once it is found possible."""
        with naming(self.name):
            return self.content.built(readings, self.folder)

    @property
    def whole(self) -> int:
        """After which round it stands: a file as it is, a running event after the last whole round, as at
        the desk."""
        state = self.content.state
        if not self.running or state is None:
            return len(self.content.file.rounds)
        from topcut.desk.live import played

        return played(state)

    def lots(self, after: int) -> str | None:
        """The seed of lots outside rounds, as it was after so many rounds; None where nothing says one."""
        state = self.content.state
        if state is None:
            return self.content.file.seed
        from topcut.event.draw import lots_seed

        return lots_seed(state.rounds[:after])


@dataclass(frozen=True)
class Asked:
    """Where to look for an event: in a file, or in a database."""

    file: str | None
    database: str
    event: str | None
    chosen: bool
    """Whether an option asks for a running event."""

    @property
    def running(self) -> bool:
        return self.file is None

    @property
    def folder(self) -> Path:
        """Where books of one's own are looked for."""
        return Path.cwd() if self.file is None else folder_of(self.file)

    @property
    def target(self) -> Target:
        """The running event."""
        from topcut.cli.running import Target, login

        return Target(self.database, self.event, login(), as_json=False)

    @cached_property
    def raw(self) -> bytes:
        """What stands in the file; standard input is read once."""
        assert self.file is not None
        raw = file_bytes(self.file)
        if is_database(raw):
            instead = "give it with --database, and no FILE"
            raise BadInput(f"this is a database: {instead}", file=shown_path(self.file))
        return raw

    def open(self, said: Said | None = None) -> Opened:
        """The event, whatever it is written in; `said`: what a list (CSV) does not say itself."""
        if self.file is None:
            return self._look()
        with naming(self.file):
            try:
                found = content(self.raw, said)
            except NeedsRules as needs:
                if said is not None:
                    raise
                instead = "`topcut convert --rules` makes an event file of it"
                raise BadInput(f"{needs.problem}: {instead}") from None
        return Opened(found, shown_path(self.file), self.folder, running=False)

    def _look(self) -> Opened:
        from topcut.cli.running import look
        from topcut.event.applying import Misfit
        from topcut.event.log import BrokenChain
        from topcut.exchange.from_state import content

        try:
            running = look(self.target)
        except (BrokenChain, Misfit) as broken:
            problem = f"{broken}; `topcut check` says what else is wrong"
            raise BadInput(problem, file=self.target.shown) from None
        log = LogFile(running.event, running.journal.lines, running.journal.private)
        return Opened(content(log, running.state), self.target.shown, self.folder, running=True)

    def log(self) -> LogFile | None:
        """The log, its chain whole or not; None where the file is none."""
        if self.file is None:
            from topcut.cli.running import logged

            return logged(self.target)
        with naming(self.file):
            return log_file.read(self.raw) if log_file.is_log(self.raw) else None


def about_event(command: Function) -> Function:
    """FILE and the options that choose a running event without it; they come to the command as `asked`."""

    @click.argument("file", required=False, metavar="[FILE]")
    @running_options
    @wraps(command)
    def with_asked(file: str | None, database: str, event: str | None, **options: Any) -> Any:
        return command(asked=asked(file, database, event), **options)

    return with_asked


def running_options(command: Function) -> Function:
    """The options that choose a running event where no file is given."""
    return database_option(event_option(command))


def asked(file: str | None, database: str, event: str | None) -> Asked:
    """Where to look; a file and a running event at once are refused."""
    context = click.get_current_context()
    sources = [context.get_parameter_source(name) for name in ("database", "event")]
    chosen = ParameterSource.COMMANDLINE in sources
    if chosen and file is not None:
        running = "--database and --event are for a running event"
        raise click.UsageError(f"{shown_path(file)} is a file, and {running}: give one or the other")
    return Asked(file, database, event, chosen)
