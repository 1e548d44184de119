"""Agents that a definition names: each compiled with its own definition, and the tool by which the model calls it.

A definition holds the whole definitions of its agents, so that a log verifies from its own first line. For the same
reason no agent can name itself: the names end where the nesting does.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeVar

from msgspec.structs import replace

from ..bounds import MAX_AGENT_DEPTH, MAX_SUB_AGENT_WORDS
from ..checks import inner_tool_names
from ..errors import PurestepError
from ..json_text import decode_json, encode_sorted
from ..schema import pointer_token
from ..values import AgentDefinition, Annotations, SubAgent, ToolSpec, labels_of
from .definition_policies import is_guard, policies_held

_BUDGETS: Final = (
    "max_turns",
    "max_tool_calls",
    "max_input_tokens",
    "max_output_tokens",
    "deadline_ms",
    "max_cost",
)
"""The limits that hold on when a conversation is handed over: what a model chooses does not raise them."""

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
    def carries(self) -> bool: ...
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
    known, judges = {tool.name for tool in definition.tools}, inner_tool_names(definition)
    agents: dict[str, Agent] = {}
    for name, entry in sorted(definition.agents.items()):
        path = f"/agents{pointer_token(name)}"
        if name in known:
            raise PurestepError("duplicate_tool", f'a tool and an agent are named "{name}"; rename one', path)
        if name in judges:
            raise PurestepError("invalid_agent", f'"{name}" is an agent; a tool checks or ranks', "/checks")
        agents[name] = _compiled(entry.agent, f"{path}/agent", compiled)
    source = decode_json(canonical)
    handed = [name for name, entry in sorted(definition.agents.items()) if entry.hand_off]
    if handed:
        definition = replace(definition, policies=_policies_of_all(definition, [agents[name] for name in handed]))
        source |= {} if definition.policies is None else {"policies": definition.policies}
    for name in handed:
        path = f"/agents{pointer_token(name)}/agent"
        agents[name] = _compiled(held_to(definition, definition.agents[name].agent), path, compiled)
        _check_hand_off(definition, name, agents[name])
    nested = {name: {**entry, "agent": decode_json(agents[name].source)} for name, entry in source["agents"].items()}
    tools = [agent_tool(name, definition.agents[name], agent) for name, agent in agents.items()]
    named = encode_sorted({**source, "agents": nested})
    return replace(definition, tools=(*definition.tools, *tools)), named if named != canonical else canonical, agents


def _compiled(source: Mapping[str, Any], path: str, compiled: Callable[[dict[str, Any]], Agent]) -> Agent:
    try:
        agent = compiled(dict(source))
    except PurestepError as error:
        raise error.below(path) from None
    if agent.depth >= MAX_AGENT_DEPTH:
        raise PurestepError(
            "too_deep",
            f"expected agents at most {MAX_AGENT_DEPTH} levels below the first; this one has {agent.depth} below it: "
            "name its agents further up",
            f"{path}/agents",
        )
    return agent


def _policies_of_all(definition: AgentDefinition, handed: Sequence[_Compiled]) -> tuple[dict[str, Any], ...] | None:
    """Return a definition's policies, those by default as all tools of a conversation have them, whoever has it."""
    specs = [*definition.tools, *[tool.spec for agent in handed for tool in agent.host_tools.values()]]
    return policies_held(definition, specs) or definition.policies


def held_to(definition: AgentDefinition, source: dict[str, Any]) -> dict[str, Any]:
    """Return the source of a definition that may take over from another, with what of that one holds on.

    Budgets that are not lower there: what a model chooses does not raise them. Policies that guard the conversation and
    that it does not name; one whose policies are empty has none.
    """
    limits, policies = source.get("limits") or {}, source.get("policies")
    if not isinstance(limits, dict) or not isinstance(policies, list | None):
        return source  # which its reading refuses
    held = {name: most for name in _BUDGETS if (most := getattr(definition.limits, name)) is not None}
    lower = {name: most for name, most in held.items() if not _is_lower(limits.get(name), most)}
    named = [each.get("use") for each in policies or () if isinstance(each, dict)]
    guards = [use for use in definition.policies or () if is_guard(use["use"]) and use["use"] not in named]
    if lower:
        source = {**source, "limits": {**limits, **lower}}
    if guards and policies != []:
        source = {**source, "policies": [*guards, *(policies or ())]}
    return source


def _is_lower(own: Any, most: int) -> bool:
    return own is not None and (not isinstance(own, int | float) or own <= most)


def _check_hand_off(definition: AgentDefinition, name: str, agent: _Compiled) -> None:
    """Refuse an agent that could not take a conversation over as it stands; raises `invalid_agent`."""
    path = f"/agents{pointer_token(name)}"
    if definition.approval.tools.get(name) == "ask":
        raise PurestepError(
            "invalid_agent",
            f'expected no approval for "{name}": a hand-off changes nothing, so nobody is asked; ask about its tools',
            f"/approval/tools{pointer_token(name)}",
        )
    if agent.carries:
        raise PurestepError(
            "invalid_agent",
            f'"{name}" has a model that is carried, which begins with a user message: leave carry out, or call it for '
            "an answer, without hand_off",
            f"{path}/agent",
        )


def agent_tool(name: str, entry: SubAgent, agent: _Compiled) -> ToolSpec:
    """Return the tool by which a model calls an agent: it acts where that may, and its answers have all its labels.

    One that hands over takes nothing, and gives words of the core alone.
    """
    about = agent.definition.instructions[:MAX_SUB_AGENT_WORDS]
    if entry.hand_off:
        return ToolSpec(
            name=name,
            description=entry.description or f"Hand this conversation over to {name}.{about and f' {about}'}",
            parameters={"type": "object", "properties": {}, "additionalProperties": False},
            annotations=Annotations(readOnlyHint=True),
        )
    said = entry.description or about or f"Ask the agent {name}."
    labels = {label for tool in agent.host_tools.values() for label in labels_of(tool.spec)}
    return ToolSpec(
        name=name,
        description=said,
        parameters=_PARAMETERS,
        annotations=None if agent.may_act else Annotations(readOnlyHint=True),
        labels=tuple(sorted(labels)),
    )
