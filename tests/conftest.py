"""How far do the tests search? Not far and always alike; in ``./run soak`` far and never alike.

In ``./run mutate`` less far, since they run once for each mutant.
"""

import os

from hypothesis import Phase, settings

settings.register_profile("ci", max_examples=50, deadline=None, derandomize=True)
settings.register_profile("soak", max_examples=5_000, deadline=None, print_blob=True)
settings.register_profile(
    "mutate",
    max_examples=10,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],  # that it fails is enough; nobody reads the example
)
settings.load_profile(
    next((name for name in ("soak", "mutate") if os.environ.get(f"TOPCUT_{name.upper()}")), "ci")
)
