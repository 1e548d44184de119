"""Files of tools that a user brings: the list of an MCP server, tools as OpenAI takes them, or an agent definition."""

import json
from pathlib import Path
from typing import Any

import msgspec

import purestep
from tools.tuning.form import definition


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """A request in words, and the arguments that it means."""

    say: str
    args: dict[str, Any]


class ToolFileError(Exception):
    """A file cannot be read as tools; `message` says what was expected, what came and what to do."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class OwnTools(msgspec.Struct, frozen=True, kw_only=True):
    """The specs of a user's tools, and the examples that the file gives, by the tool's name."""

    specs: tuple[dict[str, Any], ...]
    examples: dict[str, tuple[Example, ...]] = {}


def read_tools(path: Path) -> OwnTools:
    """Read the tools of a file; raises ToolFileError.

    Each has a name, and may have a description, a schema (`inputSchema`, `parameters`, `input_schema`) and `examples`:
    a list of `{"say": words, "args": {..}}`.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ToolFileError(
            f"{path}: expected JSON with tools ({error}); write one as docs/small-model.md says"
        ) from None
    found = value.get("tools") if isinstance(value, dict) else value
    if not isinstance(found, list) or not found:
        raise ToolFileError(f'{path}: expected a list of tools, or an object with "tools"; got {str(value)[:60]}')
    tools = [_spec(path, number, each) for number, each in enumerate(found)]
    specs = tuple(spec for spec, _ in tools)
    for spec in specs:  # each by itself: all of them need not have room in one prompt
        try:
            purestep.Agent.load(definition([spec]))
        except purestep.PurestepError as error:
            raise ToolFileError(f"{path}: the tool {spec['name']} cannot be offered: {error.message}") from None
    return OwnTools(specs=specs, examples={spec["name"]: examples for spec, examples in tools if examples})


def _spec(path: Path, number: int, given: Any) -> tuple[dict[str, Any], tuple[Example, ...]]:
    tool = given.get("function", given) if isinstance(given, dict) else None
    if not isinstance(tool, dict) or not isinstance(tool.get("name"), str):
        raise ToolFileError(f'{path}: tool {number} has no "name"; got {str(given)[:60]}')
    schemas = (tool.get(key) for key in ("inputSchema", "parameters", "input_schema"))
    schema = next((each for each in schemas if isinstance(each, dict)), {"type": "object", "properties": {}})
    description = tool.get("description") or ""
    try:
        examples = msgspec.convert(tool.get("examples") or [], tuple[Example, ...])
    except msgspec.ValidationError as error:
        raise ToolFileError(
            f'{path}: examples of {tool["name"]}: {error}; each is {{"say": .., "args": {{..}}}}'
        ) from None
    return {"name": tool["name"], "description": description, "parameters": schema}, examples
