"""`topcut schema`: print the JSON Schema of event files."""

import sys
from pathlib import Path

import click

import topcut

SCHEMA = Path(topcut.__file__).parent / "formats" / "event-file.schema.json"
"""Written by tools/event_schema.py."""


@click.command("schema")
def command() -> None:
    """Print the JSON Schema of event files, for editors and for programs that write them."""
    sys.stdout.buffer.write(SCHEMA.read_bytes())
