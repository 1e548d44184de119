"""The tools of a command beside the built-in ones, and which of the agents of its file each of them is for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from purestep_hosts.agent_file import tool_names
from purestep_hosts.agent_tree import AgentPart

if TYPE_CHECKING:
    from purestep_hosts.tools.tool import Tool


class OwnTools(msgspec.Struct, frozen=True, kw_only=True):
    """Functions of files and tools of MCP servers.

    `brought`: the names of those that a definition of the agent file brings, by the path of its agent.
    """

    tools: tuple[Tool, ...] = ()
    brought: Mapping[tuple[str, ...], tuple[str, ...]] = {}

    def specs(self) -> list[dict[str, Any]]:
        """Return the specs of all of them."""
        return [tool.spec() for tool in self.tools]

    def specs_for(self, part: AgentPart, first: AgentPart) -> list[dict[str, Any]]:
        """Return the specs of those that a definition is offered beside what it names.

        Those of the command line are the first agent's, unless one below it names them.
        """
        names = {*self.brought.get(part.path, ())}
        if part is first:
            others = {*self._brought_below(), *_named_below(first)}
            names |= {tool.name for tool in self.tools if tool.name not in others}
        return [tool.spec() for tool in self.tools if tool.name in names]

    def _brought_below(self) -> Iterator[str]:
        for path, names in self.brought.items():
            yield from names if path else ()


def _named_below(first: AgentPart) -> Iterator[str]:
    for each in first.parts():
        yield from tool_names(each.definition) if each is not first else ()
