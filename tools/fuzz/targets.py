"""Targets: functions that take hostile bytes, and the properties that must hold for any input.

A target's input is bytes alone, so that a file reproduces a finding and any fuzzer can make one. For text of models
the first three bytes choose dialect, tools and split, and the rest is the text.
"""

from collections.abc import Callable
from random import Random
from typing import Final

from msgspec import Struct

from . import attack_targets, json_targets, text_targets
from .mutations import changed_value, mutated
from .seeds import MARKS, ODD, SCHEMAS, VALUES, as_bytes, outputs
from .text_targets import HEADER, UNIT, decoded, encoded


class Target(Struct, frozen=True, kw_only=True):
    """A property under fuzzing: what to begin with, how to change it, and the check, which raises what is broken."""

    name: str
    seeds: Callable[[], list[bytes]]
    mutate: Callable[[bytes, Random, list[bytes]], bytes]
    check: Callable[[bytes], None]
    weight: int = 2
    """The share of the time that it is given."""


_OUTPUTS: Final = tuple(outputs())


def _text_seeds() -> list[bytes]:
    return [bytes((number % 251, number % 2, number % 7)) + encoded(text) for number, text in enumerate(_OUTPUTS)]


def _linear_seeds() -> list[bytes]:
    return [
        bytes(HEADER) + encoded(lead + UNIT + unit) for lead in ("", "<tool_call>") for unit in ("<tool_call>", "{")
    ]


def _mutate_text(data: bytes, random: Random, seeds: list[bytes]) -> bytes:
    others = [decoded(random.choice(seeds)[HEADER:]) for _ in range(3)]
    text = mutated(decoded(data[HEADER:]), random, others)
    header = data[:HEADER] if len(data) >= HEADER and random.randint(0, 1) else random.randbytes(HEADER)
    return header + encoded(text)


def _mutate_json(data: bytes, random: Random, seeds: list[bytes]) -> bytes:
    """Change the value that the bytes hold, or the bytes themselves when they hold none, and sometimes else too."""
    value = json_targets.loaded(data)
    if value is None or random.random() < 0.2:  # noqa: PLR2004 (a fifth: most changes should still be JSON)
        return encoded(mutated(decoded(data), random, [decoded(random.choice(seeds))]))
    return as_bytes(changed_value(value, random, [*VALUES, *SCHEMAS]))


def _repeated(_data: bytes, random: Random, _seeds: list[bytes]) -> bytes:
    """Return what comes once and what is repeated: marks and pieces of outputs, few or none of each."""
    pieces = (*MARKS, *ODD, "x", "get_weather", "city")

    def some(fewest: int, most: int) -> str:
        return "".join(random.choice(pieces) for _ in range(random.randint(fewest, most)))

    seed = random.choice(_OUTPUTS)
    at, size = random.randint(0, len(seed)), random.randint(1, 60)
    lead = random.choice(("", some(1, 1), some(1, 3), seed[:at]))
    unit = random.choice((some(1, 1), some(1, 3), some(1, 3), seed[at : at + size] or "x"))
    return random.randbytes(HEADER) + encoded(lead + UNIT + unit)


def _mutate_number(_data: bytes, random: Random, _seeds: list[bytes]) -> bytes:
    return random.randbytes(8)


TARGETS: Final = (
    Target(name="reading", seeds=_text_seeds, mutate=_mutate_text, check=text_targets.reading, weight=4),
    Target(name="streaming", seeds=_text_seeds, mutate=_mutate_text, check=text_targets.streaming, weight=4),
    Target(name="written", seeds=lambda: [bytes(8)], mutate=_mutate_number, check=text_targets.written),
    Target(name="loose", seeds=_text_seeds, mutate=_mutate_text, check=text_targets.loose),
    Target(name="linear", seeds=_linear_seeds, mutate=_repeated, check=text_targets.linear),
    Target(name="run", seeds=_text_seeds, mutate=_mutate_text, check=json_targets.run, weight=4),
    Target(name="step", seeds=json_targets.step_seeds, mutate=_mutate_json, check=json_targets.step),
    Target(name="log", seeds=json_targets.log_seeds, mutate=_mutate_json, check=json_targets.log),
    Target(name="reply", seeds=json_targets.reply_seeds, mutate=_mutate_json, check=json_targets.reply),
    Target(name="schema", seeds=json_targets.schema_seeds, mutate=_mutate_json, check=json_targets.schema),
    Target(name="coercion", seeds=json_targets.schema_seeds, mutate=_mutate_json, check=json_targets.coercion),
    *(
        Target(name=name, seeds=attack_targets.seeds, mutate=attack_targets.mutate, check=attack_targets.check_of(name))
        for name in attack_targets.NAMES
    ),
)
