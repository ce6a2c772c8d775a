"""How far do the tests search? Not far and always alike; in ``./run soak`` far and never alike."""

import os

from hypothesis import settings

settings.register_profile("ci", max_examples=50, deadline=None, derandomize=True)
settings.register_profile("soak", max_examples=5_000, deadline=None, print_blob=True)
settings.load_profile("soak" if os.environ.get("TOPCUT_SOAK") == "1" else "ci")
