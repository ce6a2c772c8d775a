"""Say how long tests wait for what is sure to come, however busy the machine is."""

PATIENCE = 600.0
"""Seconds for a process, an answer or an event; only what never comes takes them all."""
PAGE_PATIENCE = 120_000
"""Milliseconds for something to appear on a page, which is where a page that is wrong fails."""
