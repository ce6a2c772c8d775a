"""Run the program `topcut`: find the command, and turn errors into one line and an exit code.

A command is imported only when it is called, so that every command starts quickly.
"""

import os
import sys
from importlib import import_module
from io import TextIOWrapper

import click

import topcut
from topcut.cli.output import join_lines
from topcut.errors import TopcutError
from topcut.text.catalogues import CatalogueError
from topcut.text.languages import find_language, language_of_environment, list_languages
from topcut.text.messages import ENGLISH, language_in_use, list_or, render, say, use_language, using_language

BROWSER = {
    "serve": say("the desk and the hall in a browser"),
    "demo": say("the same, with example events to try it on"),
    "link": say("links for staff and tokens for programs"),
    "account": say("organisers who sign in, for a host of several"),
}
FILES = {
    "bracket": say("the elimination bracket and the final places"),
    "check": say("is every round legal, was it optimal, does it replay? Logs too"),
    "convert": say("from one format into another: event files, logs, .tdf, CSV"),
    "cut": say("who goes on to the next stage, and why"),
    "pair": say("the next round, and why"),
    "plan": say("rounds, cut, flights and tables for a number of players"),
    "print": say("pairings, slips, standings, cards and the rest, as PDF"),
    "rules": say("the rulesets, and what each of them says"),
    "schema": say("the JSON Schema of event files"),
    "site": say("pages for the web, and the same as JSON"),
    "standings": say("who is ahead, and why"),
}
RUNNING = {
    "new": say("make an event to run"),
    "event": say("list, show, options, announcement, finish"),
    "add": say("players enter, on time or late"),
    "player": say("check in, edit, disqualify, bring back, fixed tables"),
    "drop": say("a player leaves"),
    "round": say("pair, look, publish, start, end"),
    "report": say("the result of a table"),
    "correct": say("a result was wrong"),
    "undo": say("take steps back, any of them"),
    "redo": say("what was taken back counts again"),
    "log": say("everything that happened, in sentences"),
    "export": say("one event as one file"),
    "import": say("take such a file in again"),
}
COMMANDS = BROWSER | FILES | RUNNING
"""Each is the function `command` in the module of the same name beside this one, or as `HOMES` says."""
HOMES = {
    "account": "link",
    "correct": "report",
    "cut": "bracket",
    "demo": "serve",
    "drop": "player",
    "export": "convert",
    "import": "new",
    "redo": "log",
    "undo": "log",
}
"""The module of a command that shares one; there it is the function `NAME_command`."""


class CommandGroup(click.Group):
    """A group that knows its commands by name and imports the one that is called."""

    def list_commands(self, _context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = import_module(f"topcut.cli.{HOMES.get(name, name)}")
        command: click.Command = getattr(module, f"{name}_command" if name in HOMES else "command")
        if language_in_use() != ENGLISH:
            translate_help(command)
        return command

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        sections = {
            say("In a browser"): BROWSER,
            say("Running an event"): RUNNING,
            say("Questions about an event, in a file or running"): FILES,
        }
        for title, commands in sections.items():
            with formatter.section(render(title)):
                formatter.write_dl([(name, render(does)) for name, does in commands.items()])


def translate_help(command: click.Command) -> None:
    """Put the help of a command, and of those within it, into the language in use."""
    from inspect import cleandoc

    from topcut.text.catalogues import find_translation

    language = language_in_use()
    if command.help:
        command.help = find_translation(language, cleandoc(command.help))
    if command.short_help:
        command.short_help = find_translation(language, command.short_help)
    for parameter in command.params:
        if isinstance(parameter, click.Option) and parameter.help:
            parameter.help = find_translation(language, parameter.help)
    for inner in getattr(command, "commands", {}).values():
        translate_help(inner)


def choose_language(_context: click.Context, _option: click.Parameter, given: str | None) -> None:
    """Use the language of `--language` from now on."""
    if given:
        found = find_language(given)
        if found is None:
            known = list_or(list_languages())
            raise click.BadParameter(render(say("there is no such language: expected {known}", known=known)))
        use_language(found)


@click.group(
    cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(topcut.__version__, prog_name="topcut")
@click.option(
    "--language",
    metavar="CODE",
    is_eager=True,
    expose_value=False,
    callback=choose_language,
    help="The language of all texts, such as de (default: the one of the terminal, LANG).",
)
def app() -> None:
    """Topcut, a tournament desk: who plays whom, who is ahead, and why."""


def main(arguments: list[str] | None = None) -> None:
    """Run one command and exit with its code: 0 done, 2 bad input, 3 refused by the rules."""
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code; errors are one line on standard error, never a traceback."""
    _prepare_streams()
    with using_language(language_of_environment(os.environ)):
        return _run(arguments)


def _run(arguments: list[str] | None) -> int:
    try:
        invoke(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
        return 0
    except TopcutError as error:
        return _fail(error.message, error.exit_code)
    except CatalogueError as error:
        return _fail(str(error), 2)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return 0
    except click.ClickException as error:
        help_path = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "topcut"
        return _fail(f"{error.format_message()} (see: {help_path} --help)", 2)
    except (KeyboardInterrupt, click.Abort) as error:
        return _fail(str(error) or "interrupted", 130)
    except OSError as error:
        # Standard output is gone or full; keep the interpreter from complaining when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        reader_left = isinstance(error, BrokenPipeError)  # as in `| head`
        return 0 if reader_left else _fail(f"cannot write the answer: {error.strerror}", 2)


def invoke(arguments: list[str]) -> None:
    """Run one command, and raise its errors."""
    for argument in arguments:
        if any("\ud800" <= letter <= "\udfff" for letter in argument) and not os.path.exists(argument):
            raise click.UsageError("an argument is not text in UTF-8")
    with app.make_context("topcut", list(arguments)) as context:
        app.invoke(context)


def _prepare_streams() -> None:
    """Open streams that were closed before we began, and replace letters that a terminal lacks.

    Pipes and files get UTF-8, as with --json, unless the variable PYTHONIOENCODING says otherwise.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            chosen = stream.isatty() or "PYTHONIOENCODING" in os.environ
            stream.reconfigure(encoding=stream.encoding if chosen else "utf-8", errors="replace")


def _fail(problem: str, code: int) -> int:
    print("topcut:", join_lines(problem), file=sys.stderr)
    return code
