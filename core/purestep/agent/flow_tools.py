"""What the rules on the flow into arguments need to know of each tool of a definition."""

from collections.abc import Mapping
from typing import Any

from ..bounds import MAX_SCHEMA_NODES
from ..errors import PurestepError
from ..flow import MODEL, OPEN, USER, FlowRules, FlowTool
from ..values import AgentDefinition, ToolSpec
from .tools import CompiledTool


def flow_rules(definition: AgentDefinition, tools: Mapping[str, CompiledTool]) -> FlowRules:
    """Give the rules of a definition, read; raises `invalid_agent` with the path of what does not fit its tools."""
    for index, spec in enumerate(definition.tools):
        for number, label in enumerate(spec.labels):
            if label in (MODEL, USER):
                raise PurestepError(
                    "invalid_agent",
                    f"expected a label; {label} says where text came from; choose another name",
                    f"/tools/{index}/labels/{number}",
                )
    return FlowRules(definition.flow, {name: _flow_tool(tool) for name, tool in tools.items()})


def _flow_tool(tool: CompiledTool) -> FlowTool:
    given = tool.spec.parameters.get("properties")
    properties = given if isinstance(given, dict) else {}
    return FlowTool(
        labels=labels_of(tool.spec),
        destroys=tool.destroys,
        arguments=tuple(properties),
        names=_member_names(tool.spec.parameters),
        defaults=tool.defaults,
    )


def labels_of(spec: ToolSpec) -> tuple[str, ...]:
    """Give the labels of a tool's results: those that it names, and `open` where anybody may have written them."""
    is_open = spec.annotations is not None and spec.annotations.openWorldHint is True
    return tuple(sorted({*spec.labels, OPEN} if is_open else set(spec.labels)))


def _member_names(schema: Any) -> frozenset[str]:
    """Give the names that a schema has for members of objects, at any depth."""
    names: set[str] = set()
    pending, looked = [schema], 0
    while pending and looked < MAX_SCHEMA_NODES:
        looked += 1
        node = pending.pop()
        if isinstance(node, list):
            pending += node
        elif isinstance(node, dict):
            properties = node.get("properties")
            names.update(properties if isinstance(properties, dict) else ())
            pending += node.values()
    return frozenset(names)
