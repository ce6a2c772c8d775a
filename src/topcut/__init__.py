"""Topcut, a tournament desk for organised play: who plays whom, who is ahead, and why."""

__version__ = "0.1.0"
