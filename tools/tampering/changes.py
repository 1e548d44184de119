"""The changes of a log, as splices, and the lines at which one may be named."""

import random
from collections.abc import Iterator
from itertools import islice, pairwise
from typing import Final

import msgspec
from msgspec import Struct

KINDS: Final = ("byte", "dropped", "swapped", "repeated", "cut off")


class Change(Struct, frozen=True, array_like=True):
    """A change of a log: the bytes [begin, end) are others."""

    kind: str
    begin: int
    end: int
    put: bytes

    def made(self, log: bytes) -> bytes:
        """Return the changed log."""
        return log[: self.begin] + self.put + log[self.end :]


class Bounds(Struct, frozen=True):
    """Where a change may be named: at the first line that differs, up to the next derived line, or the last one."""

    first: int
    core: int
    """The last line at which `verify_log` may name it: the first derived line from `first` on."""
    chain: int
    """The same for who knows the chain alone: a derived line shows at the next one."""


def changes_of(log: bytes, seed: str) -> Iterator[Change]:
    """Return every change of a log; seed: chooses the other value of each byte."""
    chance = random.Random(seed)
    for at, byte in enumerate(log):
        other = (byte + chance.randrange(1, 256)) % 256
        yield Change("byte", at, at + 1, bytes([other]))
    starts = [0, *(at + 1 for at, byte in enumerate(log) if byte == _LINE_FEED)]
    lines = [log[begin:end] for begin, end in pairwise(starts)]
    for number, line in enumerate(lines):
        begin, end = starts[number], starts[number + 1]
        yield Change("dropped", begin, end, b"")
        yield Change("repeated", end, end, line)
        yield Change("cut off", begin, len(log), b"")
        if number + 1 < len(lines):
            yield Change("swapped", begin, starts[number + 2], lines[number + 1] + line)


def bounds_of(log: bytes, change: Change) -> Bounds:
    """Return where a change may be named; lines count from 1."""
    made = change.made(log)
    differs = change.begin + _same(log[change.begin :], made[change.begin :])
    before = made.count(b"\n", 0, differs)
    last = made.count(b"\n") + (not made.endswith(b"\n") and bool(made))
    starts_at = made.rfind(b"\n", 0, differs) + 1
    rest = enumerate(made[starts_at:].split(b"\n"), before + 1)
    derived = list(islice((number for number, line in rest if _is_derived(line)), 2))
    first = before + 1
    # Of what is missing at the end, the last line that is there may be named.
    ends = max(last, 1)
    return Bounds(
        first=min(first, ends),
        # Where none is there, a derived line may be missing after the last one.
        core=derived[0] if derived else max(ends + 1, first),
        chain=next((number for number in derived if number > first), max(ends, first)),
    )


def _same(one: bytes, other: bytes) -> int:
    """Return how many bytes at their beginning are the same."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _is_derived(line: bytes) -> bool:
    try:
        return _decode(line).prev is not msgspec.UNSET
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False


class _Derived(Struct):
    prev: str | msgspec.UnsetType = msgspec.UNSET


_decode: Final = msgspec.json.Decoder(_Derived).decode
_LINE_FEED: Final = 0x0A
