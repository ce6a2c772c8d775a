"""Load the event that a question is about: the one in FILE, or without a file the running one.

The modules of running events, with database and log, are imported only for those: a question about a file
starts twice as fast without them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource
from click.exceptions import Exit

from topcut.cli.options import database_option, event_option, readings_option
from topcut.cli.output import warn
from topcut.errors import BadInput
from topcut.formats import log_file
from topcut.formats.event_file import Event
from topcut.formats.log_file import LogFile
from topcut.formats.paths import containing_folder, display_path, is_database, name_file_in_errors, read_bytes
from topcut.formats.registry import FileContent, ListHints, NeedsRules, read_content
from topcut.text.messages import join_messages, say

if TYPE_CHECKING:
    from topcut.cli.running_event import Target

Function = Callable[..., Any]


@dataclass(frozen=True)
class EventSource:
    """An event to answer questions about: in a file, or running in a database."""

    file: str | None
    database: str
    event_id: str | None
    explicit: bool
    """Whether an option names a running event."""
    readings: dict[str, str]
    hints: ListHints | None = None
    """What a list (CSV) does not say itself."""

    @property
    def running(self) -> bool:
        return self.file is None

    @property
    def folder(self) -> Path:
        """Where books of one's own are looked for."""
        return Path.cwd() if self.file is None else containing_folder(self.file)

    @property
    def target(self) -> "Target":
        """The running event."""
        from topcut.cli.running_event import Target, get_login

        return Target(self.database, self.event_id, get_login(), as_json=False)

    @property
    def name(self) -> str:
        """The file or database that an error names."""
        return self.target.shown if self.file is None else display_path(self.file)

    @cached_property
    def raw(self) -> bytes:
        """The bytes of the file; standard input is read once."""
        assert self.file is not None
        raw = read_bytes(self.file)
        if is_database(raw):
            problem = say("this is a database: use --database instead of FILE")
            raise BadInput(problem, file=display_path(self.file))
        return raw

    @cached_property
    def content(self) -> FileContent:
        """What is said of the event, whichever format the file has."""
        if self.file is None:
            return self._read_running()
        with name_file_in_errors(self.file):
            try:
                return read_content(self.raw, self.hints)
            except NeedsRules as needs:
                if self.hints is not None:
                    raise
                made = say("`topcut convert --rules` makes an event file of it")
                raise BadInput(join_messages("; ", [needs.problem, made])) from None

    def _read_running(self) -> FileContent:
        from topcut.cli.running_event import read_event
        from topcut.event.apply.context import UnfitFact
        from topcut.event.log_chain import BrokenChain
        from topcut.formats.state_snapshot import snapshot_content

        try:
            running = read_event(self.target)
        except (BrokenChain, UnfitFact) as broken:
            more = say("`topcut check` shows everything that is wrong")
            raise BadInput(join_messages("; ", [broken.message, more]), file=self.name) from None
        log = LogFile(running.event, running.log.lines, running.log.private)
        return snapshot_content(log, running.state)

    @cached_property
    def event(self) -> Event:
        """The event with its book and history, once it is found possible."""
        content = self.content
        with name_file_in_errors(self.name):
            return content.build_event(self.readings, self.folder)

    def warn(self) -> None:
        """Print what the event says and nobody could enter here; nothing if the event was not asked for."""
        for warning in self.event.warnings if "event" in self.__dict__ else ():
            warn(warning)

    @property
    def played_rounds(self) -> int:
        """All rounds of a file; of a running event those whose tables are all reported, as at the desk."""
        state = self.content.state
        if not self.running or state is None:
            return len(self.content.file.rounds)
        from topcut.app.views.visibility import count_played_rounds

        return count_played_rounds(state)

    def find_lot_seed(self, after: int) -> str | None:
        """Return the seed of lots outside rounds, as it was after a round; None where there is none."""
        state = self.content.state
        if state is None:
            return self.content.file.seed
        from topcut.event.draw import find_lots_seed

        return find_lots_seed(state.rounds[:after])

    def read_log(self) -> LogFile | None:
        """Return the log, whether its chain is whole or broken; None where the file is no log."""
        if self.file is None:
            from topcut.cli.running_event import read_log

            return read_log(self.target)
        with name_file_in_errors(self.file):
            return log_file.decode_log(self.raw) if log_file.is_log(self.raw) else None


def takes_event_or_file(command: Function) -> Function:
    """Add FILE, the options that choose a running event without it, and readings; pass them as `source`."""

    @click.argument("file", required=False, metavar="[FILE]")
    @database_option
    @event_option
    @readings_option
    @wraps(command)
    def with_source(
        file: str | None, database: str, event: str | None, readings: dict[str, str], **options: Any
    ) -> Any:
        source = make_event_source(file, database, event, readings)
        try:
            answer = command(source=source, **options)
        except Exit:  # with an answer: a refusal is one line alone
            source.warn()
            raise
        source.warn()
        return answer

    return with_source


def make_event_source(
    file: str | None,
    database: str,
    event: str | None,
    readings: dict[str, str],
    hints: ListHints | None = None,
) -> EventSource:
    """Return where to look; refuse a file together with options for a running event."""
    context = click.get_current_context()
    sources = [context.get_parameter_source(name) for name in ("database", "event")]
    explicit = ParameterSource.COMMANDLINE in sources
    if explicit and file is not None:
        problem = say(
            "--database and --event are for a running event: leave them out, or the file {file}",
            file=display_path(file),
        )
        raise click.UsageError(problem)
    return EventSource(file, database, event, explicit, readings, hints)
