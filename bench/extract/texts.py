"""The texts: data/texts.json, half to tune on and half for the end."""

from pathlib import Path
from typing import Any, Literal

import msgspec

Half = Literal["tune", "final"]
GROUPS = ("locations", "organizations", "people")
_FILE = Path(__file__).resolve().parent / "data" / "texts.json"


class MarkedText(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A text and the values that stand in it; the writings of one value that count alike are parted by a bar."""

    id: str
    text: str
    email: tuple[str, ...] = ()
    url: tuple[str, ...] = ()
    date: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    organizations: tuple[str, ...] = ()
    locations: tuple[str, ...] = ()

    def expected(self, target: str) -> list[tuple[str, frozenset[str]]]:
        """Give the values of a target: the group each belongs to, and its writings."""
        groups = GROUPS if target == "entity" else ("people",) if target == "name" else (target,)
        return [(group, frozenset(value.split("|"))) for group in groups for value in getattr(self, group)]


class _Texts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    title: str
    tune: tuple[MarkedText, ...]
    final: tuple[MarkedText, ...]


def marked_texts(half: Half) -> tuple[MarkedText, ...]:
    """Give the texts of a half."""
    found = msgspec.json.decode(_FILE.read_bytes(), type=_Texts)
    return found.tune if half == "tune" else found.final


def values_of(target: str, data: dict[str, Any]) -> list[tuple[str, str]]:
    """Give the values of an output, each with its group."""
    if target == "entity":
        return [(group, value) for group in GROUPS for value in data[target][group]]
    group = "people" if target == "name" else target
    return [(group, value) for value in data[target]]
