"""Where is a server reached, and how does the organiser get a link to it?"""

from __future__ import annotations

import os
import re
import shlex
import socket
import subprocess

from topcut.cli.options import USUAL_DATABASE
from topcut.errors import BadInput
from topcut.store import on_server

PORT = 8080
HERE = ("127.0.0.1", "::1", "localhost")
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Hosts that mean every address of this machine, and one of those by which it reaches itself."""
ADDRESS = re.compile(r"https?://([\w.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")
"""Where a server is reached: the pages have their own paths behind it."""


def address_given(address: str | None) -> str:
    """The address in --address, to which pages are added; empty where none is given.

    >>> address_given("https://play.example/")
    'https://play.example'
    """
    if address is None:
        return ""
    base = address.removesuffix("/")
    if not ADDRESS.fullmatch(base):
        raise BadInput(
            f"expected http:// or https:// and a name, such as https://play.example, not {address!r}",
            place="--address",
        )
    return base


def new_link_command(database: str) -> str:
    """Return the command that makes a new sign-in link for the organiser.

    >>> new_link_command("topcut.db")
    'topcut link new NAME --role organiser --all-events'
    >>> new_link_command("postgresql://topcut:secret@db/topcut")
    'topcut link new NAME --role organiser --all-events --database URL'
    """
    command = "topcut link new NAME --role organiser --all-events"
    if database == USUAL_DATABASE:
        return command
    quoted = subprocess.list2cmdline([database]) if os.name == "nt" else shlex.quote(database)
    return f"{command} --database {'URL' if on_server(database) else quoted}"


def named(host: str) -> str:
    """A host as addresses spell it."""
    return f"[{host}]" if ":" in host else host


def outward(host: str) -> str:
    """This machine's address in the hall's network; nothing is sent to find it."""
    if host not in EVERYWHERE:
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
