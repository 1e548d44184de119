"""Targets whose bytes make the choices of an attack: streams in pieces, damaged and quoted calls, any letters.

The attacks are those of `tools.breaking`; here bytes choose in place of a seed, so that a fuzzer can change one choice
and leave the others, and a file reproduces a finding.
"""

from collections.abc import Callable
from random import Random
from typing import Final

from tools.breaking.attacks import ALL

from .expected import expect

_BY_NAME: Final = {attack.name: attack for attack in ALL}
NAMES: Final = ("splits-of-forms", "call-pieces", "damaged-siblings", "brackets-in-strings", "quoted-calls", "letters")
"""The attacks that are targets too."""

_CHARS: Final = 4
_CHOICES: Final = 200


class Choices(Random):
    """Choices made of bytes; past their end each is the first one."""

    def __init__(self, data: bytes) -> None:
        super().__init__(0)
        self._data, self._at = data, 0

    def getrandbits(self, k: int, /) -> int:
        """Return so many bits of the bytes."""
        size = (k + 7) // 8
        taken = self._data[self._at : self._at + size]
        self._at += size
        return int.from_bytes(taken.ljust(size, b"\0"), "big") >> (8 * size - k)

    def random(self) -> float:
        """Return a number from 0 up to 1."""
        return self.getrandbits(32) / 2**32


def check_of(name: str) -> Callable[[bytes], None]:
    """Return the check of an attack's promise for the choices that bytes make."""
    attack = _BY_NAME[name]

    def check(data: bytes) -> None:
        broken = attack.trial(Choices(data))
        expect(broken is None, attack.promise.replace(":", ","), broken)

    return check


def seeds() -> list[bytes]:
    """Return bytes whose choices differ from the first one on."""
    return [Random(number).randbytes(_CHOICES) for number in range(8)]


def mutate(data: bytes, random: Random, _seeds: list[bytes]) -> bytes:
    """Change some of the choices, or make all of them anew."""
    if random.randrange(2):
        return random.randbytes(_CHOICES)
    changed = bytearray(data.ljust(_CHOICES, b"\0"))
    for _ in range(random.randint(1, _CHARS)):
        changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed)
