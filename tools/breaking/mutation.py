"""Changes of JSON values and of bytes, each made from a random number generator."""

import copy
import random
from typing import Any, Final

ODD: Final[tuple[Any, ...]] = (
    None, True, False, 0, -1, 1, 5, 2**31, 2**53 - 1, 2**63, 10**40, 0.5, 1e308, "", " ", "x", "\x00", "\ud800",
    "é😀", "call_1", "0" * 64, "{", '{"tool":', "</think>", "9" * 400, [], [None], [{}], [[]], [5], ["tool"], {},
    {"": None}, {"type": 5}, {"properties": 5}, {"required": [{}]}, {"$ref": "#"}, {"tool": 5}, {"a": {"b": [{}]}},
)  # fmt: skip
"""Values that a member seldom has."""


def happens(chance: random.Random, percent: int) -> bool:
    """Whether something happens that does so in this many of a hundred trials."""
    return chance.randrange(100) < percent


Path = tuple[str | int, ...]


def places(value: Any) -> list[Path]:
    """Return the path of every part of a value, the value itself first."""
    found: list[Path] = [()]
    for path in found:
        part = at(value, path)
        keys: list[Any] = (
            list(part) if isinstance(part, dict) else list(range(len(part))) if isinstance(part, list) else []
        )
        found += [(*path, key) for key in keys]
    return found


def at(value: Any, path: Path) -> Any:
    """Return the part of a value at a path."""
    for key in path:
        value = value[key]
    return value


def changed(value: Any, chance: random.Random) -> Any:
    """Return a copy of a value with one of its parts replaced, left out, added, doubled or put somewhere else."""
    made = copy.deepcopy(value)
    found = places(made)[1:]
    if not found:
        return chance.choice(ODD)
    path = chance.choice(found)
    holder, key = at(made, path[:-1]), path[-1]
    act = chance.random()
    if act < 0.2:  # noqa: PLR2004 - shares of the kinds of change
        del holder[key]
    elif act < 0.4:  # noqa: PLR2004
        holder[key] = copy.deepcopy(at(value, chance.choice(found)))
    elif act < 0.5:  # noqa: PLR2004
        _add(holder, chance)
    else:
        holder[key] = near(holder[key], chance)
    return made


def _add(holder: Any, chance: random.Random) -> None:
    if isinstance(holder, list):
        holder.insert(chance.randint(0, len(holder)), copy.deepcopy(chance.choice([*holder, *ODD])))
    else:
        holder[chance.choice(["x", "", *holder])] = chance.choice(ODD)


def near(part: Any, chance: random.Random) -> Any:
    """Return another value: one of the same kind half of the time."""
    if happens(chance, 50):
        return copy.deepcopy(chance.choice(ODD))
    match part:
        case bool():
            return not part
        case int():
            return part + chance.choice([-2, -1, 1, 2, 10**6])
        case float():
            return -part
        case str() if part:
            index = chance.randrange(len(part))
            return part[:index] + chance.choice(["", "a", "0", "\n", part[index] * 2]) + part[index + 1 :]
        case list():
            return part[: chance.randint(0, len(part))] + part[: chance.randint(0, 1)]
        case _:
            return copy.deepcopy(chance.choice(ODD))


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Return bytes with a few of them flipped, dropped, doubled or new."""
    raw = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 5))):
        index = chance.randint(0, max(len(raw) - 1, 0))
        match chance.randrange(4):
            case 0 if raw:
                raw[index] ^= 1 << chance.randrange(8)
            case 1:
                del raw[index : index + chance.randint(1, 4)]
            case 2:
                raw[index:index] = chance.randbytes(chance.randint(1, 3))
            case _:
                raw[index:index] = raw[index : index + chance.randint(1, 8)]
    return bytes(raw)
