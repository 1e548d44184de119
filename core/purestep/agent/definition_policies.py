"""The policies that a definition names: their entries read, and the versions that it leaves out filled in."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from ..bounds import MAX_SAFE_INTEGER
from ..errors import PurestepError
from ..json_text import decode_json, encode_sorted
from ..policy import OPTION_POLICIES, policy_of
from ..values import AgentDefinition, ToolSpec, labels_said

REDACTION: Final = "redaction"
"""The policy that hides texts."""


def with_versions(definition: AgentDefinition, canonical: bytes) -> tuple[AgentDefinition, bytes]:
    """Return a definition and its canonical bytes in which every policy has its version, so that the digest names it.

    Error codes: `invalid_agent`, `unknown_policy`.
    """
    uses = policies_held(definition, definition.tools)
    if not uses:
        return definition, canonical
    completed = tuple([_with_version(use, f"/policies/{index}") for index, use in enumerate(uses)])
    if completed == definition.policies:
        return definition, canonical
    source = decode_json(canonical)
    return replace(definition, policies=completed), encode_sorted({**source, "policies": completed})


def policies_held(definition: AgentDefinition, tools: Iterable[ToolSpec]) -> tuple[dict[str, Any], ...]:
    """Return the entries of a definition's policies, with the default first where it does not name that itself.

    tools: those that there are. By default information flow is watched where one tool says that anybody may have
    written what it gives, or names labels, and one may act; a definition whose policies are empty has none. What MCP
    has by default is not said: most servers say nothing, and a person would be asked about nearly every act.
    """
    given = definition.policies
    if given is not None and (not given or any(use.get("use") == "flow" for use in given)):
        return given
    specs = tuple(tools)
    says_labels = any(labels_said(spec) for spec in specs)
    acts = any(spec.annotations is None or spec.annotations.readOnlyHint is not True for spec in specs)
    return ({"use": "flow"}, *(given or ())) if says_labels and acts else given or ()


def is_guard(name: Any) -> bool:
    """Whether a policy guards a conversation, whoever has it: by hooks, or by what it hides."""
    return name == REDACTION or not any(name == option.name for option in OPTION_POLICIES)


def place_of(definition: AgentDefinition, name: str) -> str:
    """Return where a definition names a policy."""
    uses = definition.policies or ()
    return f"/policies/{next((index for index, use in enumerate(uses) if use.get('use') == name), 0)}"


def _with_version(use: Mapping[str, Any], path: str) -> dict[str, Any]:
    name, version = use.get("use"), use.get("version")
    if not isinstance(name, str) or not name:
        raise PurestepError("invalid_agent", "expected the name of a policy", f"{path}/use")
    if version is not None and (type(version) is not int or not 0 < version <= MAX_SAFE_INTEGER):
        raise PurestepError("invalid_agent", "expected a version, an integer from 1", f"{path}/version")
    return {**use, "version": policy_of(name, version, path).version}
