"""`topcut schema`: what may an event file look like?"""

from __future__ import annotations

import sys

import click

from topcut.exchange.event_schema import encoded


@click.command("schema")
def command() -> None:
    """The JSON Schema of event files, for editors and for programs that write them."""
    sys.stdout.buffer.write(encoded())
