"""How do other programs use a desk? The documents of the API, and a small client."""

from topcut.client.client import Client, Refused, RemoteEvent, Unreachable

__all__ = ["Client", "Refused", "RemoteEvent", "Unreachable"]
