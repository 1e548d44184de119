"""The JSON Schema of agent definitions, for editors: `python -m tools.types.definition_schema` writes it again.

It is made of the structs that read a definition, with the names of checks and policies, which these take as any text.
"""

import inspect
import json
from pathlib import Path
from typing import Any, Final

import msgspec

from purestep.checks import ANSWER_CHECKS, OUTPUT_CHECKS
from purestep.policy.options import OPTION_POLICIES
from purestep.policy.registry import BUILT_IN
from purestep.values import AgentDefinition

_ROOT: Final = Path(__file__).resolve().parents[2]
FILES: Final = (_ROOT / "core" / "purestep" / "agent.schema.json", _ROOT / "web" / "agent.schema.json")
"""Where it stands: in the package of Python, and in that of JavaScript."""

_OTHER_SHAPES: Final = ("inputSchema", "input_schema", "function", "agent")
"""Members by which a tool is one of MCP, Anthropic or OpenAI, or an agent, whose other members are not checked here."""


def definition_schema() -> dict[str, Any]:
    """Return the schema, as JSON Schema 2020-12."""
    (_,), components = msgspec.json.schema_components((AgentDefinition,), ref_template="#/$defs/{name}")
    shapes: dict[str, Any] = {name: _described(shape) for name, shape in sorted(components.items())}
    root = shapes.pop("AgentDefinition")
    tools = root["properties"]["tools"]
    others = [{"type": "object", "required": [member]} for member in _OTHER_SHAPES]
    tools["items"] = {"anyOf": [tools["items"], *others]}
    agents = root["properties"]["agents"]
    agents["additionalProperties"] = {"anyOf": [agents["additionalProperties"], {"$ref": "#"}]}
    root["properties"]["checks"]["items"] = _named(ANSWER_CHECKS)
    shapes["ToolSpec"]["properties"]["checks"]["items"] = _named(OUTPUT_CHECKS)
    root["properties"]["policies"] = {"type": "array", "items": _policy(), "default": None}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Agent definition",
        **root,
        "properties": {"$schema": {"type": "string"}, **root["properties"]},
        "$defs": shapes,
    }


def _described(node: Any) -> Any:
    """Return a schema with its descriptions as one text each, and without titles, which are names of types."""
    if isinstance(node, list):
        return [_described(item) for item in node]
    if not isinstance(node, dict):
        return node
    kept = {name: _described(item) for name, item in node.items() if name != "title" or not isinstance(item, str)}
    if isinstance(kept.get("description"), str):
        kept["description"] = " ".join(inspect.cleandoc(kept["description"]).split())
    return kept


def _named(names: Any) -> dict[str, Any]:
    return {"anyOf": [{"enum": list(names)}, {"$ref": "#/$defs/Check"}]}


def _policy() -> dict[str, Any]:
    names = [*BUILT_IN, *[each.name for each in OPTION_POLICIES]]
    use = {"type": "string", "minLength": 1, "examples": names}
    return {
        "type": "object",
        "properties": {"use": use, "version": {"type": "integer", "minimum": 1}},
        "required": ["use"],
    }


def schema_text() -> str:
    """Return the text of the files."""
    return json.dumps(definition_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for file in FILES:
        file.write_text(schema_text(), encoding="utf-8")
