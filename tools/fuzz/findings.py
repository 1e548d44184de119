"""Findings: inputs that break a property, deduplicated by place, minimised and stored as files."""

import functools
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from .expected import Broken
from .targets import Target

SLOW_TIMES: Final = 20
"""Times the processor time of `_yardstick` that no input of a few thousand characters may take: a second or so."""

MINIMISING_SECONDS: Final = 20.0


class BrokenProperty(msgspec.Struct, frozen=True, kw_only=True):
    """An input that breaks a property: the target, the kind that deduplicates it, the message, and the input."""

    target: str
    kind: str
    message: str
    data: bytes


def found_by(target: Target, data: bytes) -> BrokenProperty | None:
    """Return what an input breaks, or None; a slow one is measured again before it is called so."""
    began = time.process_time()
    kind = broken_by(target, data)
    if kind is not None:
        return BrokenProperty(target=target.name, kind=kind[0], message=kind[1], data=data)
    if target.name == "linear" or time.process_time() - began < SLOW_TIMES * _yardstick():
        return None
    seconds = min(_seconds(target, data) for _ in range(3))
    if seconds < SLOW_TIMES * _yardstick():
        return None
    return BrokenProperty(target=target.name, kind="slow", message=f"{seconds:.1f} s for {len(data)} bytes", data=data)


def broken_by(target: Target, data: bytes) -> tuple[str, str] | None:
    """Return the kind and message of a broken property; None if all hold."""
    try:
        target.check(data)
    except Broken as error:
        return str(error).partition(":")[0], str(error)
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{type(error).__name__} in {Path(frame.filename).name} {frame.name}"
        return place, f"{place}: {error}"
    return None


@functools.cache
def _yardstick() -> float:
    """Return the processor seconds of a million turns of a bare loop, which tells how fast this machine is."""
    return min(_loop_seconds() for _ in range(3))


def _loop_seconds() -> float:
    began = time.process_time()
    total = 0
    for number in range(1_000_000):
        total += number
    return time.process_time() - began


def _seconds(target: Target, data: bytes) -> float:
    began = time.process_time()
    target.check(data)
    return time.process_time() - began


def minimised(target: Target, finding: BrokenProperty, seconds: float = MINIMISING_SECONDS) -> BrokenProperty:
    """Return the finding with as few bytes as a bounded search finds that break the same property."""
    if finding.kind == "slow" or finding.target == "linear":
        return finding
    until = time.monotonic() + seconds
    smaller: list[BrokenProperty] = [finding]

    def breaks(data: bytes) -> bool:
        kind = broken_by(target, data)
        if kind is None or kind[0] != finding.kind:
            return False
        smaller.append(BrokenProperty(target=target.name, kind=kind[0], message=kind[1], data=data))
        return True

    _drop_parts(finding.data, breaks, until)
    return smaller[-1]


def _drop_parts(data: bytes, breaks: Callable[[bytes], bool], until: float) -> None:
    size = max(1, len(data) // 2)
    while size and time.monotonic() < until:
        at, dropped = 0, False
        while at < len(data) and time.monotonic() < until:
            smaller = data[:at] + data[at + size :]
            if breaks(smaller):
                data, dropped = smaller, True
            else:
                at += size
        if not dropped:
            size //= 2


def kept(finding: BrokenProperty, folder: Path) -> Path:
    """Write the finding's input, by which it can be checked again, and what was said of it."""
    number = len(list(folder.glob(f"{finding.target}-*.bin")))
    path = folder / f"{finding.target}-{number}.bin"
    path.write_bytes(finding.data)
    path.with_suffix(".txt").write_text(f"{finding.kind}\n{finding.message}\n", "utf-8", "backslashreplace")
    return path
