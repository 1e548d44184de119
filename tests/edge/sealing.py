"""The keys that the services of these tests seal with, and seals that the native library makes with them."""

import time
from typing import Any, Final

from purestep_hosts.seals import SealKey, Seals

SEAL_KEYS: Final = [
    {"id": "this-year", "secret": "a-secret-of-the-edge-that-no-output-holds"},
    {"id": "last-year", "secret": "an-older-secret-that-no-output-holds-either"},
]
"""As in a configuration: the first seals."""

UNSIGNED: Final[dict[str, Any]] = {"unsigned": True}
"""For services of which no run comes back."""


def sealed(state: Any, messages: Any, user: str = "", **how: Any) -> dict[str, Any]:
    """Return what a client sends of a run, with the seal that a native host with the first key gives it."""
    keys = [SealKey(**key) for key in how.pop("keys", SEAL_KEYS)]
    now_ms, children = how.pop("now_ms", int(time.time() * 1000)), how.pop("children", {})
    seal = Seals(keys, **how).seal(state, messages, now_ms=now_ms, user=user, children=children)
    return {"state": state, "messages": messages, "seal": seal}
