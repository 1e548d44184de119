"""The shapes that cross the boundary as one JSON Schema: `python -m tools.types.wire_schema`.

web/scripts/make_types.mjs makes the TypeScript types of it, so that these are the core's own.
"""

import inspect
import json
from typing import Any

import msgspec

from purestep.entry.standalone import Checked, StandaloneReading
from purestep.entry.standalone_stream import StreamOutput
from purestep.log.diff import LogDiff
from purestep.log.policy_differences import PolicyDiff
from purestep.log.redrive import Redriven
from purestep.log.replay import Replayed, Verified
from purestep.skills.nested_call import SkillStep
from purestep.values.completed import HostParts
from purestep.values.definition import AgentDefinition
from purestep.values.events import Event
from purestep.values.explanation import Explanation
from purestep.values.state import RunState
from purestep.values.wire import Decision, Inconclusive, Message, Observation
from purestep_formats import ReplyEnd
from purestep_formats.projections.projection import ProjectionInput, ProjectionOutput
from purestep_formats.replies.json_form import ReplyOutput

ROOTS: dict[str, Any] = {
    "Observation": Observation,
    "Decision": Decision,
    "Inconclusive": Inconclusive,
    "Message": Message,
    "Event": Event,
    "RunState": RunState,
    "AgentDefinition": AgentDefinition,
    "HostParts": HostParts,
    "StandaloneReading": StandaloneReading,
    "Checked": Checked,
    "Replayed": Replayed,
    "Verified": Verified,
    "Redriven": Redriven,
    "PolicyDiff": PolicyDiff,
    "LogDiff": LogDiff,
    "Explanation": Explanation,
    "StreamOutput": StreamOutput,
    "ProjectionInput": ProjectionInput,
    "ProjectionOutput": ProjectionOutput,
    "ReplyEnd": ReplyEnd,
    "ReplyOutput": ReplyOutput,
    "SkillStep": SkillStep,
}
"""What a caller names; everything these refer to comes with them."""


def wire_schema() -> dict[str, Any]:
    """Return a schema whose properties are the roots and whose definitions are all that they use."""
    schemas, components = msgspec.json.schema_components(ROOTS.values(), ref_template="#/$defs/{name}")
    definitions = {name: _plain(schema) for name, schema in components.items()}
    for name, schema in zip(ROOTS, schemas, strict=True):
        definitions.setdefault(name, _plain(schema))
    properties = {name: {"$ref": f"#/$defs/{name}"} for name in definitions}
    return {"type": "object", "title": "Wire", "properties": properties, "$defs": definitions}


def _plain(node: Any) -> Any:
    """Leave out what is no type, since bounds are the core's to check, and say tuples as the generator reads them."""
    if isinstance(node, list):
        return [_plain(item) for item in node]
    if not isinstance(node, dict):
        return node
    kept = {key: _plain(item) for key, item in node.items() if key not in _NO_TYPE}
    if "prefixItems" in kept:
        kept |= {"items": kept.pop("prefixItems"), **_sizes(node)}
    if kept.get("type") == "object":
        kept.setdefault("additionalProperties", "properties" not in kept)
    if isinstance(kept.get("description"), str):
        kept["description"] = inspect.cleandoc(kept["description"])
    return kept


def _sizes(node: dict[str, Any]) -> dict[str, Any]:
    size = len(node["prefixItems"])
    return {"minItems": node.get("minItems", size), "maxItems": size}


_BOUNDS = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern")
_NO_TYPE = ("discriminator", "default", *_BOUNDS)

if __name__ == "__main__":
    print(json.dumps(wire_schema(), indent=1))
