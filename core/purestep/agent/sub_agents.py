"""Agents that a definition names: each compiled with its own definition, and the tool by which the model calls it.

A definition holds the whole definitions of its agents, so that a log verifies from its own first line. For the same
reason no agent can name itself: the names end where the nesting does.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol, TypeVar

from msgspec.structs import replace

from ..bounds import MAX_AGENT_DEPTH, MAX_SUB_AGENT_WORDS
from ..checks import check_tool_names
from ..errors import PurestepError
from ..json_text import decode_json, encode_sorted
from ..schema import pointer_token
from ..values import AgentDefinition, Annotations, ToolSpec, labels_of

_PARAMETERS: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "question": {
            "type": "string",
            "minLength": 1,
            "description": "what it is to find out or do, with all that it has to know: it sees nothing else",
        }
    },
    "required": ["question"],
    "additionalProperties": False,
}


class _Compiled(Protocol):
    """What is asked of a compiled agent here."""

    @property
    def definition(self) -> AgentDefinition: ...
    @property
    def source(self) -> bytes: ...
    @property
    def depth(self) -> int: ...
    @property
    def may_act(self) -> bool: ...
    @property
    def host_tools(self) -> Mapping[str, Any]: ...


Agent = TypeVar("Agent", bound=_Compiled)


def with_agents(
    definition: AgentDefinition, canonical: bytes, compiled: Callable[[dict[str, Any]], Agent]
) -> tuple[AgentDefinition, bytes, dict[str, Agent]]:
    """Return a definition with a tool for each of its agents, its canonical bytes with theirs, and them by name.

    compiled: compiles a definition. Error codes: `duplicate_tool`, `invalid_agent`, `too_deep`, and those of the
    agents' definitions, with their place.
    """
    known, judges = {tool.name for tool in definition.tools}, check_tool_names(definition)
    agents: dict[str, Agent] = {}
    for name, entry in sorted(definition.agents.items()):
        path = f"/agents{pointer_token(name)}"
        if name in known:
            raise PurestepError("duplicate_tool", f'a tool and an agent are named "{name}"; rename one', path)
        if name in judges:
            raise PurestepError("invalid_agent", f'"{name}" is an agent; a check is made by a tool', "/checks")
        agents[name] = _compiled(entry.agent, f"{path}/agent", compiled)
    source = decode_json(canonical)
    nested = {name: {**entry, "agent": decode_json(agents[name].source)} for name, entry in source["agents"].items()}
    tools = [agent_tool(name, definition.agents[name].description, agent) for name, agent in agents.items()]
    named = encode_sorted({**source, "agents": nested})
    return replace(definition, tools=(*definition.tools, *tools)), named if named != canonical else canonical, agents


def _compiled(source: Mapping[str, Any], path: str, compiled: Callable[[dict[str, Any]], Agent]) -> Agent:
    try:
        agent = compiled(dict(source))
    except PurestepError as error:
        raise PurestepError(error.code, error.message, f"{path}{error.path}", error.detail) from None
    if agent.depth >= MAX_AGENT_DEPTH:
        raise PurestepError(
            "too_deep",
            f"expected agents at most {MAX_AGENT_DEPTH} levels below the first; this one has {agent.depth} below it: "
            "name its agents further up",
            f"{path}/agents",
        )
    return agent


def agent_tool(name: str, description: str, agent: _Compiled) -> ToolSpec:
    """Return the tool by which a model calls an agent: it acts where that may, and its answers have all its labels."""
    said = description or agent.definition.instructions[:MAX_SUB_AGENT_WORDS] or f"Ask the agent {name}."
    labels = {label for tool in agent.host_tools.values() for label in labels_of(tool.spec)}
    return ToolSpec(
        name=name,
        description=said,
        parameters=_PARAMETERS,
        annotations=None if agent.may_act else Annotations(readOnlyHint=True),
        labels=tuple(sorted(labels)),
    )
