"""Show the help of commands, and what click itself says, in the language in use."""

from copy import copy
from inspect import cleandoc

import click
from click import core, decorators, exceptions, formatting, parser, types

from topcut.text.catalogues import find_translation
from topcut.text.messages import language_in_use, say, say_as

TEXTS = {
    # Help
    "Usage:": say("Usage:"),
    "Options": say_as("of a command", "Options"),
    "Commands": say("Commands"),
    "Show this message and exit.": say("Show this help and exit."),
    "Show the version and exit.": say("Show the version and exit."),
    "default: {default}": say("default: {default}"),
    "required": say("required"),
    # Errors
    "Invalid value: {message}": say("Invalid value: {message}"),
    "Invalid value for {param_hint}: {message}": say("Invalid value for {param_hint}: {message}"),
    "Missing argument": say("Missing argument"),
    "Missing option": say("Missing option"),
    "Missing command.": say("Missing command."),
    "No such option {name!r}.": say("There is no option {name}."),
    "No such command {name!r}.": say("There is no command {name}."),
    "Did you mean {possibility}?": say("Did you mean {possibility}?"),
    "(Did you mean one of: {possibilities}?)": say("Did you mean one of {possibilities}?"),
    "Got unexpected extra argument ({args})": say("Unexpected argument: {args}"),
    "Got unexpected extra arguments ({args})": say("Unexpected arguments: {args}"),
    "Option {name!r} requires an argument.": say("The option {name} needs a value."),
    "Option {name!r} does not take a value.": say("The option {name} takes no value."),
    "Choose from:\n\t{choices}": say("Expected one of {choices}."),
    "{value!r} is not one of {choices}.": say('expected one of {choices}, not "{value}"'),
    "{value!r} is not a valid {number_type}.": say('expected a whole number, not "{value}"'),
    "{value} is not in the range {range}.": say("expected a number in the range {range}, not {value}"),
}
"""What click says, with the words that are shown instead; click fills in the fields."""
METAVARS = {
    "[OPTIONS]": say("[OPTIONS]"),
    "COMMAND [ARGS]...": say("COMMAND [ARGS]..."),
    "[COMMAND] [ARGS]...": say("[COMMAND] [ARGS]..."),
}
"""What the line of usage has for options and further commands."""


def rephrase_click() -> None:
    """Let click say what `TEXTS` has, in the language in use; it takes its own texts from `gettext`."""
    for module in (core, decorators, exceptions, formatting, parser, types):
        vars(module).update(_=_rephrase, ngettext=_rephrase_number)


def _rephrase(text: str) -> str:
    said = TEXTS.get(text)
    return text if said is None else said.render()


def _rephrase_number(one: str, several: str, number: int) -> str:
    return _rephrase(one if number == 1 else several)


def translate_help(command: click.Command) -> click.Command:
    """Return a command, with those within it, whose help is in the language in use."""
    translated = copy(command)
    translated.help = _translate(command.help)
    translated.short_help = _translate(command.short_help)
    translated.params = [_translate_parameter(parameter) for parameter in command.params]
    translated.options_metavar = command.options_metavar and _translate_metavar(command.options_metavar)
    translated._help_option = None  # click makes it once, in the language of then
    if isinstance(translated, click.Group):
        translated.subcommand_metavar = _translate_metavar(translated.subcommand_metavar)
        translated.commands = {name: translate_help(inner) for name, inner in translated.commands.items()}
    return translated


def _translate_metavar(text: str) -> str:
    return METAVARS[text].render() if text in METAVARS else text


def _translate_parameter(parameter: click.Parameter) -> click.Parameter:
    if not isinstance(parameter, click.Option):
        return parameter
    translated = copy(parameter)
    translated.help = _translate(parameter.help)
    return translated


def _translate(text: str | None) -> str | None:
    return text and find_translation(language_in_use(), cleandoc(text))
