"""List the formats in which an event is read and written.

    read_content(raw)                          # the event in a file: its bytes show the format, not its name
    list_losses("tdf", exported, options)      # what would be lost, before anything is
    write_event("tdf", exported, options)      # the bytes

A new format is an entry in `READERS` or `FORMATS`, a name in `FormatName`, and its own folder, whose code
is loaded when it is used.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast, get_args

from topcut.errors import BadInput
from topcut.formats import event_file, log_file
from topcut.formats.event_file import Event, EventFile
from topcut.formats.paths import is_workbook, is_xml, refuse_foreign
from topcut.history.player_fields import has_private_fields
from topcut.rulebook import Book
from topcut.text.messages import Message, say

if TYPE_CHECKING:
    from topcut.event.decide.context import Context
    from topcut.event.state import State

FormatName = Literal["event", "log", "tdf", "players", "pairings", "standings", "results"]
TargetName = FormatName | Literal["site"]
ListName = Literal["players", "pairings", "standings", "results"]
WEB = say("pages for the web")


@dataclass(frozen=True)
class FileContent:
    """What a file says of an event."""

    kind: FormatName
    file: EventFile
    book: Book | None = None
    """The ruleset, where the file brings it along."""
    notes: tuple[str, ...] = ()
    """What was decided when it was read, a sentence each."""
    unsaid: tuple[str, ...] = ()
    """What the file says and an event file cannot, a sentence each."""
    original: str | None = None
    """Its text, where it says more than that and can be written back."""
    forgotten: bool = False
    """Whether the original was deleted since it named a player whose data were deleted."""
    legal: Mapping[str, str] = field(default_factory=dict)
    """Names that players sign in with, where others are shown: id to name."""
    finished: bool | None = None
    """Whether the event is over, where the file knows it."""
    log: log_file.LogFile | None = None
    """What happened, fact by fact, where the file knows it."""
    state: "State | None" = None
    """The state after all facts, where there is a log."""

    def build_event(self, readings: dict[str, str] | None = None, folder: Path | None = None) -> Event:
        """Check what the file says and return the event; `folder`: where its own rulebooks are looked for."""
        book = None if readings else self.book
        return event_file.build_event(
            self.file, readings, folder, book, "published" if self.state is None else "known"
        )


@dataclass(frozen=True)
class ListHints:
    """What the scorekeeper says of a list that does not say it itself."""

    rules: str | None = None
    name: str | None = None
    columns: str | None = None
    """What its columns mean, where the guess is wrong."""
    folder: Path | None = None
    """Where one's own rulebooks are looked for."""


_NO_RULES: dict[ListName, Message] = {
    "players": say("this is a list of players, which doesn't name its rules: choose a ruleset"),
    "pairings": say("this is a list of pairings, which doesn't name its rules: choose a ruleset"),
    "standings": say("this is a list of standings, which doesn't name its rules: choose a ruleset"),
    "results": say("this is a list of results, which doesn't name its rules: choose a ruleset"),
}


class NeedsRules(BadInput):
    """A list does not say by which rules it is played."""

    def __init__(self, kind: ListName) -> None:
        self.kind = kind
        super().__init__(_NO_RULES[kind], place="rules")


def _may_be_list(raw: bytes, hints: ListHints) -> bool:
    """Return whether this may be a list, in any encoding: a workbook, or several lines and no JSON object."""
    if hints.rules is not None or is_workbook(raw):
        return True
    start = raw[:1024].translate(None, b"\0\xff\xfe\xef\xbb\xbf").strip()
    return start[:1] not in (b"", b"{") and (b"\n" in start or b"\r" in start)


READERS: tuple[tuple[Callable[[bytes, ListHints], bool], str], ...] = (
    (lambda raw, _: log_file.is_log(raw), "topcut.formats.state_snapshot:read_content"),
    (lambda raw, _: is_xml(raw), "topcut.formats.tdf.tom:read_content"),
    (_may_be_list, "topcut.formats.csv.reader:read_content"),
)
"""Whether bytes may be of a format, and the function that reads them; it returns None if they are not."""


def read_content(raw: bytes, hints: ListHints | None = None) -> FileContent:
    """Return what a file says of an event; what no other format is must be an event file."""
    refuse_foreign(raw)
    hints = hints or ListHints()
    for may_be, reader in READERS:
        if may_be(raw, hints) and (content := resolve_name(reader)(raw, hints)) is not None:
            return cast(FileContent, content)
    return FileContent("event", event_file.decode_event_file(raw))


@dataclass(frozen=True)
class ExportOptions:
    """How an event is to be written."""

    context: "Context"
    """Who writes it, when, and with what chance: a log begins with that."""
    private: bool = True
    """With membership numbers, birth years and labels, which are not for everybody."""
    round: int | None = None
    """Which round, for pairings and standings; the last one, or the last whole one, if none is given."""


class ExportedEvent(NamedTuple):
    """An event that can be written in another format, and the file that it came from."""

    content: FileContent
    event: Event


def build_export(
    content: FileContent, readings: dict[str, str] | None = None, folder: Path | None = None
) -> ExportedEvent:
    """Return an event that can be written in another format."""
    return ExportedEvent(content, content.build_event(readings, folder))


class Format(NamedTuple):
    description: str
    suffix: str
    media: str
    source: str
    """What a log calls the file that an event was taken over from."""
    write: Callable[[ExportedEvent, ExportOptions], bytes]
    list_losses: Callable[[ExportedEvent, ExportOptions], list[str]]

    @property
    def is_list(self) -> bool:
        return self.suffix == ".csv"


def list_losses(name: FormatName, exported: ExportedEvent, options: ExportOptions) -> list[str]:
    """Return what would be lost in a format, a sentence each."""
    _check_possible(name, options)
    return FORMATS[name].list_losses(exported, options)


def list_web_losses(exported: ExportedEvent) -> list[str]:
    """Return what would be lost on pages for the web, which hold an event file for everybody."""
    losses = _list_event_losses(exported)
    if any(map(has_private_fields, exported.event.file.players)):
        losses.append(
            say("Membership numbers, birth years and “don't pair with” labels, which only staff may see.")
        )
    return losses


def write_event(name: FormatName, exported: ExportedEvent, options: ExportOptions) -> bytes:
    """Return the event in a format."""
    _check_possible(name, options)
    if not options.private:
        from topcut.formats.public_copy import make_public

        exported = ExportedEvent(exported.content, make_public(exported.event))
    return FORMATS[name].write(exported, options)


def _check_possible(name: FormatName, options: ExportOptions) -> None:
    if name == "tdf" and not options.private:
        raise BadInput(
            say("a .tdf has membership numbers as ids, so it can't be public: choose another format")
        )


def _list_event_losses(exported: ExportedEvent, _: ExportOptions | None = None) -> list[str]:
    if exported.content.kind != "log":
        return [*exported.content.notes, *exported.content.unsaid]
    return [
        say("Who did what and when, and what was corrected, undone or changed by hand."),
        say("The secret of the random draws, and with it the proof that nobody chose them."),
    ]


def _later(function: str, *arguments: str) -> Callable[[ExportedEvent, ExportOptions], Any]:
    """Return a call of a function whose module is loaded when it is needed."""
    return lambda exported, options: resolve_name(function)(*arguments, exported, options)


_LISTS: dict[ListName, Message] = {
    "players": say("players for spreadsheets (CSV)"),
    "pairings": say("pairings for spreadsheets (CSV)"),
    "standings": say("standings for spreadsheets (CSV)"),
    "results": say("results for spreadsheets (CSV)"),
}


def _list_format(name: ListName) -> Format:
    return Format(
        _LISTS[name],
        ".csv",
        "text/csv; charset=utf-8",
        f"list of {name}",
        _later("topcut.formats.csv.writer:write_list", name),
        _later("topcut.formats.csv.writer:list_losses", name),
    )


FORMATS: dict[FormatName, Format] = {
    "log": Format(
        say("the whole log"),
        ".log",
        "application/x-ndjson",
        "log",
        _later("topcut.formats.takeover:write_log"),
        _later("topcut.formats.takeover:list_log_losses"),
    ),
    "event": Format(
        say("an event file"),
        ".json",
        "application/json",
        "event file",
        lambda exported, _: event_file.encode_event_file(exported.event.file),
        _list_event_losses,
    ),
    "tdf": Format(
        say("a .tdf"),
        ".tdf",
        "application/xml",
        ".tdf",
        _later("topcut.formats.tdf.tom:write_event"),
        _later("topcut.formats.tdf.tom:list_losses"),
    ),
    **{name: _list_format(name) for name in get_args(ListName)},
}
