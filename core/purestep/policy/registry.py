"""The policies that this process has, by name and version."""

from importlib import import_module
from typing import Any, Final

from msgspec import Struct

from ..bounds import MAX_POLICY_NAME_CHARS, MAX_SAFE_INTEGER
from ..errors import PurestepError
from .options import OPTION_POLICIES
from .protocol import Policy

BUILT_IN: Final[dict[str, str]] = {
    "confidence": "purestep_policies.confidence",
    "flow": "purestep_policies.flow",
}
"""Name to module of the policies that come along; a module is imported when a definition names its policy."""

_REGISTERED: dict[tuple[str, int], Policy] = {}
_LATEST: dict[str, int] = {}
"""The version that a definition means which names none."""


class NamedPolicy(Struct, frozen=True):
    """A policy with the name and the version under which it was registered."""

    name: str
    version: int
    make: Policy
    options: type[Struct] | None
    state: type[Struct] | None


def register_policy(policy: Policy) -> None:
    """Have definitions find a policy by its name and version.

    policy: see `Policy`. A definition that names no version means the one registered last. Raises `ValueError` for
    what is no policy, and for another policy with a name and version that are taken: logs name them.
    """
    name, version = getattr(policy, "name", None), getattr(policy, "version", None)
    if not isinstance(name, str) or not 0 < len(name) <= MAX_POLICY_NAME_CHARS:
        raise ValueError(f"expected a policy with a name of 1 to {MAX_POLICY_NAME_CHARS} characters; got {name!r}")
    if type(version) is not int or not 0 < version <= MAX_SAFE_INTEGER:
        raise ValueError(f"expected a policy with a version, an integer from 1; got {version!r}")
    for member in ("Options", "State"):
        given = getattr(policy, member, None)
        if given is not None and not (isinstance(given, type) and issubclass(given, Struct)):
            raise ValueError(f"expected {member} to be a msgspec.Struct type; got {given!r}")
    if _REGISTERED.get((name, version), policy) is not policy:
        raise ValueError(f"version {version} of the policy {name} is registered already; give this one another version")
    _REGISTERED[name, version] = policy
    _LATEST[name] = version


def policy_of(name: str, version: int | None, path: str) -> NamedPolicy:
    """Return the policy of that name and version, or the latest; raises `unknown_policy` where there is none."""
    if name in BUILT_IN and name not in _LATEST:
        register_policy(import_module(BUILT_IN[name]).POLICY)
    wanted = _LATEST.get(name) if version is None else version
    policy = None if wanted is None else _REGISTERED.get((name, wanted))
    if policy is None or wanted is None:
        raise _unknown(name, version, path)
    members: Any = policy
    return NamedPolicy(
        name=name,
        version=wanted,
        make=policy,
        options=getattr(members, "Options", None),
        state=getattr(members, "State", None),
    )


for _option in OPTION_POLICIES:
    register_policy(_option)


def _unknown(name: str, version: int | None, path: str) -> PurestepError:
    known = sorted(number for registered, number in _REGISTERED if registered == name)
    if known:
        has = f"it has version {', '.join(map(str, known))}"
    else:
        has = f"it has {', '.join(sorted({*BUILT_IN, *_LATEST})) or 'none'}"
    numbered = f' "{name[:80]}"' if version is None else f' "{name[:80]}" in version {version}'
    return PurestepError(
        "unknown_policy",
        f"this process has no policy{numbered}: {has}; register it with register_policy before the definition or the "
        "log is read",
        path,
        {"name": name, "version": version},
    )
