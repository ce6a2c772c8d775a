"""`topcut schema`: print the JSON Schema of event files."""

import sys

import click

from topcut.formats.event_schema import encode_schema


@click.command("schema")
def command() -> None:
    """The JSON Schema of event files, for editors and for programs that write them."""
    sys.stdout.buffer.write(encode_schema())
