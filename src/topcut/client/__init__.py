"""How do other programs speak to a desk? The shapes of the API, and a small client for them."""

from topcut.client.client import Client, Refused, RemoteEvent, Unreachable

__all__ = ["Client", "Refused", "RemoteEvent", "Unreachable"]
