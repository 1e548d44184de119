"""The software that derives a run, by its version and the digests of its sources."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Annotated, Final

import msgspec

import purestep

Digest = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]

_PACKAGES: Final = {"core": "purestep", "policies": "purestep_policies", "formats": "purestep_formats"}


class Software(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The core's version, and the digests of the sources of the core, its built-in policies and its formats."""

    version: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    core: Digest
    policies: Digest
    formats: Digest


@cache
def installed_software() -> Software:
    """Return what is installed here."""
    digests = {name: _digest(files(package)) for name, package in _PACKAGES.items()}
    return Software(version=purestep.decode_json(purestep.core_info().encode())["version"], **digests)


def is_newer(version: str, than: str) -> bool:
    """Whether a version has a higher number than another; one without numbers counts as newer."""
    try:
        return _numbers(version) > _numbers(than)
    except ValueError:
        return version != than


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


def _digest(package: Traversable) -> str:
    """Return the hash of a package's sources: of a line with path and hash for each, by their paths."""
    found = sorted(_sources(package, ""))
    return hashlib.sha256("".join(f"{path} {digest}\n" for path, digest in found).encode()).hexdigest()


def _sources(folder: Traversable, path: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for each in folder.iterdir():
        if each.is_dir():
            found += _sources(each, f"{path}{each.name}/")
        elif each.name.endswith(".py"):
            found.append((f"{path}{each.name}", hashlib.sha256(each.read_bytes()).hexdigest()))
    return found
