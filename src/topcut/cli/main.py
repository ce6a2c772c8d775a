"""Run the program `topcut`: find the command, and turn errors into one line and an exit code.

A command is imported only when it is called, so that every command starts quickly.
"""

import os
import sys
from importlib import import_module
from io import TextIOWrapper

import click

import topcut
from topcut.cli.click_texts import rephrase_click, translate_help
from topcut.cli.output import join_lines
from topcut.errors import TopcutError
from topcut.text.catalogues import CatalogueError
from topcut.text.languages import find_language, language_of_environment, list_languages
from topcut.text.messages import ENGLISH, language_in_use, list_or, render, say, use_language, using_language
from topcut.text.os_errors import describe_os_error

BROWSER = {
    "serve": say("run the desk and the public pages for browsers"),
    "demo": say("the same with example events, to try it out"),
    "link": say("sign-in links for staff, and tokens for programs"),
    "account": say("accounts, for a host of several organisers"),
}
FILES = {
    "bracket": say("show the elimination bracket and the final places"),
    "check": say("check that rounds were legal and optimal; verify logs"),
    "convert": say("convert between formats: event file, log, .tdf, CSV"),
    "cut": say("show who advances to the next stage, and why"),
    "pair": say("pair the next round of a file, and say why"),
    "plan": say("plan rounds, cut, flights and tables for a number of players"),
    "print": say("make PDFs: pairings, slips, standings, score cards and more"),
    "rules": say("list the rulesets, or show one of them"),
    "schema": say("print the JSON Schema of event files"),
    "site": say("make web pages of an event, with the same as JSON"),
    "standings": say("show the standings, and explain them"),
}
RUNNING = {
    "new": say("create an event"),
    "event": say("list or show events, change options, finish an event"),
    "add": say("add players, on time or late"),
    "player": say("check in, edit, disqualify or reinstate players"),
    "drop": say("drop a player"),
    "round": say("pair, show, publish, start and end a round"),
    "report": say("report the result of a table"),
    "correct": say("correct a result"),
    "undo": say("undo steps"),
    "redo": say("redo steps that were undone"),
    "log": say("show everything that happened"),
    "export": say("export an event to a file"),
    "import": say("import an event from a file"),
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
LANGUAGE = "--language"


rephrase_click()


class CommandGroup(click.Group):
    """A group that knows its commands by name and imports the one that is called."""

    def list_commands(self, _context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = import_module(f"topcut.cli.{HOMES.get(name, name)}")
        command: click.Command = getattr(module, f"{name}_command" if name in HOMES else "command")
        return command if language_in_use() == ENGLISH else translate_help(command)

    def format_help(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        click.Group.format_help(translate_help(self), context, formatter)

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        sections = {
            say("In a browser"): BROWSER,
            say("Running an event"): RUNNING,
            say("Standings, brackets, files and rules"): FILES,
        }
        for title, commands in sections.items():
            with formatter.section(render(title)):
                formatter.write_dl([(name, render(does)) for name, does in commands.items()])


def choose_language(_context: click.Context, _option: click.Parameter, given: str | None) -> None:
    """Use the language of `--language` from now on."""
    if given:
        found = find_language(given)
        if found is None:
            known = list_or(list_languages())
            raise click.BadParameter(say('expected {known}, not "{code}"', known=known, code=given))
        use_language(found)


@click.group(
    cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(topcut.__version__, prog_name="topcut")
@click.option(
    LANGUAGE,
    metavar="CODE",
    is_eager=True,
    expose_value=False,
    callback=choose_language,
    help="The language of all texts, such as de (default: the terminal's, from LANG).",
)
def app() -> None:
    """Pair rounds, compute standings and run the top cut of a tournament, and explain every decision."""


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
    except click.NoSuchOption as error:
        return _fail(_explain_unknown_option(error), 2)
    except click.ClickException as error:
        help_path = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "topcut"
        problem = error.format_message()
        return _fail(say("{problem} (see: {command} --help)", problem=problem, command=help_path), 2)
    except (KeyboardInterrupt, click.Abort) as error:
        return _fail(error.args[0] if error.args else say("interrupted"), 130)
    except OSError as error:
        # Standard output is gone or full; keep the interpreter from complaining when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        reader_left = isinstance(error, BrokenPipeError)  # as in `| head`
        return (
            0
            if reader_left
            else _fail(say("cannot write the answer: {reason}", reason=describe_os_error(error)), 2)
        )


def _explain_unknown_option(error: click.NoSuchOption) -> str:
    command = error.ctx.command_path if error.ctx else "topcut"
    name = error.option_name
    if name == LANGUAGE:
        rest = command.removeprefix("topcut ")
        return say("{name} goes before the command: topcut {name} CODE {command}", name=name, command=rest)
    begins = name[: len("--x")]  # in short names the dashes alone make others look similar
    similar = [other for other in error.possibilities or () if other.startswith(begins)]
    problem = click.NoSuchOption(name, possibilities=similar, ctx=error.ctx).format_message()
    return say("{problem} (see: {command} --help)", problem=problem, command=command)


def invoke(arguments: list[str]) -> None:
    """Run one command, and raise its errors."""
    for argument in arguments:
        if any("\ud800" <= letter <= "\udfff" for letter in argument) and not os.path.exists(argument):
            raise click.UsageError(say("expected arguments in UTF-8"))
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
