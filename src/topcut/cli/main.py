"""The program `topcut`: finds the command, and turns errors into one line and an exit code.

Commands are imported only when they are called, so that starting up stays quick.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Any

import click

import topcut
from topcut.errors import TopcutError

COMMANDS = {
    "demo": "an example event, explained",
    "plan": "rounds, cut, flights and tables for a number of players",
    "rules": "the rulesets, and what each of them says",
    "standings": "who is ahead, and why",
}
"""Each is the function `command` in the module of the same name beside this one."""


class Commands(click.Group):
    """A group that knows its commands by name and loads the one that is called."""

    def list_commands(self, _context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"topcut.cli.{name}").command
        return command

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(topcut.__version__, prog_name="topcut")
def app() -> None:
    """Topcut, a tournament desk: who plays whom, who is ahead, and why."""


def main(arguments: list[str] | None = None) -> None:
    """Run one command and leave with its exit code: 0 done, 2 bad input, 3 refused by the rules."""
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run one command; its exit code. Errors are one line on standard error, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a letter shows a mark instead
    try:
        result: Any = app.main(args=arguments, prog_name="topcut", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except TopcutError as error:
        return _fail(str(error), error.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return 0
    except click.ClickException as error:
        help_path = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "topcut"
        return _fail(f"{error.format_message()} (see: {help_path} --help)", 2)
    except (KeyboardInterrupt, click.Abort):
        return _fail("interrupted", 130)
    except BrokenPipeError:
        # The reader went away (`| head`); keep the interpreter from complaining when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _fail(problem: str, code: int) -> int:
    one_line = "".join(c if c.isprintable() else " " for c in problem)
    print("topcut:", " ".join(one_line.split()), file=sys.stderr)
    return code
