"""The policies that a definition names: their entries read, and the versions that it leaves out filled in."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from ..bounds import MAX_SAFE_INTEGER
from ..errors import PurestepError
from ..json_text import decode_json, encode_sorted
from ..policy import policy_of
from ..values import AgentDefinition


def with_versions(definition: AgentDefinition, canonical: bytes) -> tuple[AgentDefinition, bytes]:
    """Return a definition and its canonical bytes in which every policy has its version, so that the digest names it.

    Error codes: `invalid_agent`, `unknown_policy`.
    """
    uses = definition.policies
    if not uses:
        return definition, canonical
    completed = tuple([_with_version(use, f"/policies/{index}") for index, use in enumerate(uses)])
    if completed == uses:
        return definition, canonical
    source = decode_json(canonical)
    return replace(definition, policies=completed), encode_sorted({**source, "policies": completed})


def _with_version(use: Mapping[str, Any], path: str) -> dict[str, Any]:
    name, version = use.get("use"), use.get("version")
    if not isinstance(name, str) or not name:
        raise PurestepError("invalid_agent", "expected the name of a policy", f"{path}/use")
    if version is not None and (type(version) is not int or not 0 < version <= MAX_SAFE_INTEGER):
        raise PurestepError("invalid_agent", "expected a version, an integer from 1", f"{path}/version")
    return {**use, "version": policy_of(name, version, path).version}
