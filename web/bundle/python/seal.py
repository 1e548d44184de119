"""Runs in Pyodide while the snapshot is made: cleans the heap of what no call of the core will read."""

import functools
import gc
import linecache
import re
import sys
from types import FunctionType, ModuleType

import purestep_calls

from purestep.agent import agent as compiled
from purestep.steps import OWN_STATES

_SMALL = 512  # what Python's own allocator hands out; anything longer is malloc's
_PER_SIZE = 1 << 20  # bytes: more than is free of any one size
_ALL = 6 << 20  # bytes: more than is free in pools that have no size yet

# Modules that look into other code, or that the start alone needs: no function of the core calls what is in them.
_NEVER_CALLED = (
    "_opcode_metadata",
    "_sitebuiltins",
    "ast",
    "codeop",
    "dis",
    "inspect",
    "msgspec.toml",
    "msgspec.yaml",
    "opcode",
    "site",
    "token",
    "tokenize",
)


def drop_modules() -> None:
    """Empty the modules that are never called, and take them out of all others."""
    dropped = [sys.modules.pop(name) for name in _NEVER_CALLED]
    for module in list(sys.modules.values()):
        if isinstance(module, ModuleType):
            for name in [name for name, value in vars(module).items() if any(value is each for each in dropped)]:
                delattr(module, name)
    for module in dropped:
        vars(module).clear()


def drop_annotations() -> None:
    """Drop what makes the annotations of functions, a quarter of all code; those of classes msgspec may yet read."""
    for held in gc.get_objects():
        if isinstance(held, FunctionType):
            held.__annotate__ = None


def forget() -> None:
    """Clear every cache, and collect the garbage."""
    compiled._BY_DIGEST.clear()
    compiled._BY_SOURCE.clear()
    compiled.BARE_AGENT._offers.clear()
    OWN_STATES.forget()
    linecache.clearcache()
    re.purge()
    for held in gc.get_objects():
        if isinstance(held, functools._lru_cache_wrapper):
            held.cache_clear()
    sys._clear_internal_caches()
    purestep_calls.reset()
    for _ in range(3):
        gc.collect()


def blank() -> None:
    """Overwrite freed blocks of Python's allocator, so that the snapshot is small and holds no data of the warm-up.

    Zeros are allocated until every free block of each size must have been handed out; malloc's memory is the caller's.
    """
    header = sys.getsizeof(b"")
    # The longest last: where a whole pool is free, one header is left for 512 bytes and not for 24.
    for block in range(header + 7 & ~7, _SMALL + 8, 8):
        count = (_ALL if block == _SMALL else _PER_SIZE) // block
        held = [bytes(block - header) for _ in range(count)]
        del held


def freeze() -> None:
    """Exclude all current objects from garbage collection, since they stay alive."""
    gc.collect()
    gc.freeze()
