"""The members of a definition as keyword arguments of `Agent`, and what others call them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final, TypedDict

from purestep import ToolChoice

if TYPE_CHECKING:
    from purestep_hosts.agents.tool_ranking import RankTools  # whose tools come from here


class DefinitionMembers(TypedDict, total=False):
    """Members of the agent definition beside its instructions and tools; see docs/agent-definition.md."""

    name: str
    dialect: str
    tools_offered: int
    tools_ranked_by: str | RankTools
    skills: Sequence[str | Mapping[str, Any]]
    models: Sequence[Mapping[str, Any]]
    limits: Mapping[str, Any]
    approval: Mapping[str, Any]
    tool_choice: ToolChoice | Mapping[str, Any]
    answer_schema: Mapping[str, Any] | bool | None
    checks: Sequence[str | Mapping[str, Any]]
    sampling: Mapping[str, Any]
    policies: Sequence[Mapping[str, Any]] | None


_PARTS: Final = (
    *("model", "output_type", "deps_type", "output_retries", "tools", "instructions", "base_url", "api_key"),
    *("approve", "mask", "clock"),
)
_SAMPLING: Final = "sampling={{{name!r}: ...}}"
_OTHER_NAMES: Final = {
    "system_prompt": "instructions",
    "system": "instructions",
    "prompt": "instructions",
    "system_message": "instructions",
    "model_settings": "sampling",
    "model_kwargs": "sampling",
    "generation_config": "sampling",
    "result_type": "output_type",
    "response_model": "output_type",
    "response_format": "output_type",
    "output_schema": "answer_schema",
    "retries": "limits={'max_corrections': ...}",
    "max_turns": "limits={'max_turns': ...}",
    "max_steps": "limits={'max_turns': ...}",
    "max_iterations": "limits={'max_turns': ...}",
    "functions": "tools",
    "toolsets": "tools",
    "llm": "model",
    "guardrails": "checks",
    "input_guardrails": "checks",
    "output_guardrails": "checks",
    "deps": "run(..., deps=...), and deps_type=...",
    "context": "run(..., deps=...), and deps_type=...",
    "handoffs": "them into tools, each with a name",
    "sub_agents": "them into tools, each with a name",
    "mcp_servers": "tools=servers.tools, of purestep_hosts.mcp.McpServers",
    "session": "run(..., session=...)",
    "timeout": "limits={'deadline_ms': ...}",
    "stream": "agent.stream(query)",
    **{
        name: _SAMPLING.format(name=name)
        for name in ("temperature", "top_p", "top_k", "max_tokens", "seed", "stop", "frequency_penalty")
    },
}
"""What other libraries call a part of an agent, and what it is here."""


def name_hint(name: str, known: Sequence[str], what: str) -> str:
    """Return which name was probably meant, as the end of a sentence; all of them where none is near."""
    spelled = {each.replace("_", ""): each for each in known}  # readOnly and readonly are near read_only
    near = get_close_matches(name.replace("_", "").lower(), list(spelled), 1)
    return f"write {spelled[near[0]]}" if near else f"its {what} are {', '.join(known)}"


def check_names(given: Mapping[str, Any]) -> None:
    """Raise TypeError for an argument that `Agent` does not have; it says which one was probably meant."""
    known = (*_PARTS, *DefinitionMembers.__annotations__)
    for name in given:
        if name == "$schema" or name in known:
            continue
        other = _OTHER_NAMES.get(name)
        hint = f"write {other}" if other else name_hint(name, known, "arguments")
        raise TypeError(f"Agent has no argument {name}; {hint}")


def check_text(given: Any, name: str) -> None:
    """Raise TypeError for what is no text: the core would write bytes or a date as one that nobody meant."""
    if not isinstance(given, str):
        raise TypeError(f"{name} is {type(given).__name__}; expected a text")
