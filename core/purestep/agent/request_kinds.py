"""What kind a request is, before the model is asked: by numbers and schemas alone, never by its words."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from ..checks import inner_tool_names
from ..skills import SKILLS
from ..values import (
    ARGUMENTS_FORMS,
    AgentDefinition,
    ArgumentsForm,
    Content,
    DataText,
    OneTool,
    RequestKind,
    ToolChoice,
    length_bin,
    parts_of,
    text_of,
    tools_bin,
)
from .skill_tools import skill_entries

_ALTERNATIVES: Final = ("anyOf", "oneOf", "allOf")
_OF_OBJECTS: Final = ("properties", "patternProperties")
_DEFINITIONS: Final = "#/$defs/"


def forms_of(definition: AgentDefinition) -> dict[str, ArgumentsForm]:
    """Return the form of the arguments of each tool and built-in skill that a model is offered, by name."""
    judges = inner_tool_names(definition)
    schemas = {tool.name: tool.parameters for tool in definition.tools if tool.name not in judges}
    built_in = [SKILLS[entry.name] for entry in skill_entries(definition) if entry.name in SKILLS]
    schemas |= {skill.name: skill.parameters for skill in built_in}
    return {name: _form_of_parameters(schema) for name, schema in sorted(schemas.items())}


def request_kind(
    forms: Mapping[str, ArgumentsForm], choice: ToolChoice, content: Content, data: Sequence[DataText] = ()
) -> RequestKind:
    """Return the kind of a request. forms: of the tools that there are; choice: which of them may be called."""
    if choice == "none":
        forms = {}
    elif isinstance(choice, OneTool) and choice.tool in forms:
        forms = {choice.tool: forms[choice.tool]}
    return RequestKind(
        tools=tools_bin(len(forms)),
        arguments=_hardest(forms.values()),
        attachments=bool(parts_of(content)),
        length=length_bin(len(text_of(content)) + sum([len(each.text) for each in data])),
    )


def _hardest(forms: Iterable[ArgumentsForm]) -> ArgumentsForm:
    return max(forms, key=ARGUMENTS_FORMS.index, default="none")


def _form_of_parameters(schema: Mapping[str, Any]) -> ArgumentsForm:
    """Return the hardest form among all the values that a tool's arguments hold, each definition looked at once."""
    definitions = schema.get("$defs")
    unseen = dict(definitions) if isinstance(definitions, dict) else {}
    properties = schema.get("properties")
    waiting = list(properties.values()) if isinstance(properties, dict) else []
    waiting += _parts(schema, unseen)
    forms = list[ArgumentsForm]()
    while waiting:
        value = waiting.pop()
        forms.append(_form_of_value(value) if isinstance(value, dict) else "flat")
        waiting += _parts(value, unseen) if isinstance(value, dict) else ()
    return _hardest(forms)


def _form_of_value(schema: Mapping[str, Any]) -> ArgumentsForm:
    types = schema.get("type")
    named = types if isinstance(types, list) else [types]
    if "object" in named or any(keyword in schema for keyword in _OF_OBJECTS):
        return "nested"
    if "array" in named or "prefixItems" in schema:
        return "list"
    return "enum" if "enum" in schema else "flat"


def _parts(schema: Mapping[str, Any], unseen: dict[str, Any]) -> list[Any]:
    """Return the schemas that stand in another one's place or hold its items; a definition is taken out of `unseen`."""
    found = [schema["items"]] if "items" in schema else []
    for keyword in _ALTERNATIVES:
        given = schema.get(keyword)
        found += given if isinstance(given, list) else []
    reference = schema.get("$ref")
    if isinstance(reference, str):
        found += [unseen.pop(name)] if (name := reference.removeprefix(_DEFINITIONS)) in unseen else []
    return found
