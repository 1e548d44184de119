"""The bounds of a service, each with its reason."""

from __future__ import annotations

from typing import Final

import msgspec

KEEP_ALIVE_S: Final = 15.0
"""How often a stream without events gets a comment: proxies close what is silent for 30 to 60 seconds."""

MAX_LISTED: Final = 100
"""Runs in one answer: each one's log is read."""

MAX_THREAD_CHARS: Final = 200
"""Of a client's own id of a chat; those of AG-UI and the AI SDK have 16 to 36."""


MAX_KEY_CHARS: Final = 255
"""Of an Idempotency-Key: a UUID has 36, and other services take as many."""


class ServiceLimits(msgspec.Struct, frozen=True, kw_only=True):
    """What one service allows its clients."""

    max_body_bytes: int = 4 * 1024 * 1024
    """As at the edge: a chat that the AI SDK sends whole with each message."""

    body_s: float = 30.0
    """How long a client may take to send its request: 4 MiB in that time is a slow phone's connection."""

    exchange_s: float = 600.0
    """How long one exchange may last: twenty turns of half a minute each."""

    max_live: int = 64
    """Exchanges at once; each holds a model's reply and a log in memory."""
