"""Another agent among the tools: the core runs it below its caller's run, and the host gives it a model and tools."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from purestep_hosts.agents.agent import Agent


class AgentTool:
    """An agent as another one calls it, under a name of its own."""

    def __init__(
        self,
        agent: Agent[Any, Any],
        name: str | None = None,
        description: str | None = None,
        *,
        hand_off: bool = False,
    ) -> None:
        """Take the agent; raises ValueError where neither `name` nor its definition says what it is called.

        hand_off: it takes the conversation over, instead of answering its caller.
        """
        self.agent, self.hand_off = agent, hand_off
        self.name = name or agent.definition.definition.name
        self.description = description or ""
        if not self.name:
            raise ValueError("an agent among the tools has no name; give it one: Agent(name=...) or as_tool(name=...)")

    def member(self) -> dict[str, Any]:
        """Return its entry in the `agents` of its caller's definition."""
        described: dict[str, Any] = {"description": self.description} if self.description else {}
        if self.hand_off:
            described["hand_off"] = True
        return {"agent": msgspec.json.decode(self.agent.definition.source), **described}


def agents_by_name(agents: Sequence[Agent[Any, Any] | AgentTool]) -> dict[str, AgentTool]:
    """Return agents by the names under which they are called; raises ValueError for two of one name."""
    found: dict[str, AgentTool] = {}
    for each in agents:
        one = each if isinstance(each, AgentTool) else AgentTool(each)
        if one.name in found:
            raise ValueError(f"two agents are named {one.name!r}; give one another name: as_tool(name=...)")
        found[one.name] = one
    return found
