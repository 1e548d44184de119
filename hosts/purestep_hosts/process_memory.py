"""Keeps other programs of the same user from reading the keys that this process was started with.

The kernel shows the environment of a process in /proc/PID/environ, also to the commands that its tools run. On Linux
the process is made one that only root may look into, and the secrets are erased where the kernel reads them: Python
has its own copy.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Any, Final

from purestep_hosts.mask import secrets_of

_DUMPABLE: Final = 4


def protect_secrets() -> None:
    """Make this process undumpable and erase the secrets of its first environment; does nothing elsewhere."""
    if sys.platform != "linux":
        return
    with suppress(ImportError, OSError, AttributeError):
        import ctypes

        library: Any = ctypes.CDLL(None)
        library.prctl(_DUMPABLE, 0, 0, 0, 0)
        library.getenv.restype = ctypes.c_void_p
        secrets = secrets_of(os.environ, [name for name in os.environ if name.endswith("_KEY")])
        for name, value in os.environ.items():
            place = library.getenv(os.fsencode(name)) if value.strip() in secrets else None
            if place:
                ctypes.memset(place, ord("x"), len(os.fsencode(value)))
