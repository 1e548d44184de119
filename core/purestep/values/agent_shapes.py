"""Agents that a definition names in other shapes, read as in ours: `agents: {name: {"agent": definition}}`.

An entry of `agents` may be the definition itself, and a tool may be an agent: `{"agent": name or definition, "as":
name, "description", "hand_off"}`. An agent that some tool is, is called by the names of those tools alone.
"""

from typing import Any, Final

from ..errors import PurestepError, closest

_ENTRY: Final = frozenset({"agent", "description", "hand_off"})
"""The members of an entry in our shape."""
_TOOL: Final = _ENTRY | {"as"}


def is_agent_tool(entry: Any) -> bool:
    """Whether an entry among the tools is an agent: it has `agent`, and no name of its own."""
    return isinstance(entry, dict) and "agent" in entry and "name" not in entry


def agents_in_own_shape(definition: dict[str, Any]) -> dict[str, Any]:
    """Return a decoded definition with its agents in our shape; what is none comes back as it is, to be refused.

    Raises `invalid_agent` for a tool that is an agent and names none, has other members, or has a taken name.
    """
    given, tools = definition.get("agents"), definition.get("tools")
    entries = {name: _entry(each) for name, each in given.items()} if isinstance(given, dict) else {}
    if not isinstance(tools, list) or not any(map(is_agent_tool, tools)):
        return {**definition, "agents": entries} if isinstance(given, dict) else definition
    if given is not None and not isinstance(given, dict):
        raise PurestepError("invalid_agent", "expected an object with agents by their names", "/agents")
    used: set[str] = set()
    called: dict[str, Any] = {}
    for index, tool in enumerate(tools):
        if is_agent_tool(tool):
            path = f"/tools/{index}"
            name, entry = _called(tool, entries, path, used)
            if name in called:
                raise PurestepError(
                    "invalid_agent", f'two agents are called "{name}"; give one another "as"', f"{path}/as"
                )
            called[name] = entry
    kept = {name: entry for name, entry in entries.items() if name not in used}
    taken = sorted(kept.keys() & called.keys())
    if taken:
        raise PurestepError("invalid_agent", f'two agents are called "{taken[0]}"; rename one', "/agents")
    rest = [tool for tool in tools if not is_agent_tool(tool)]
    return {**definition, "tools": rest, "agents": {**kept, **called}}


def _entry(entry: Any) -> Any:
    """Return an entry of `agents` in our shape: a definition has no member `agent`."""
    return {"agent": entry} if isinstance(entry, str) or (isinstance(entry, dict) and "agent" not in entry) else entry


def _called(tool: dict[str, Any], entries: dict[str, Any], path: str, used: set[str]) -> tuple[str, dict[str, Any]]:
    """Return the name by which a tool calls an agent, and its entry."""
    for member in tool:
        if member not in _TOOL:
            near = closest(member, tuple(sorted(_TOOL)))
            hint = f'did you mean "{near}"?' if near else f"a tool that is an agent has {', '.join(sorted(_TOOL))}"
            raise PurestepError("invalid_agent", f"unknown property; {hint}", f"{path}/{member}")
    agent, name = tool["agent"], tool.get("as")
    found: dict[str, Any] = {}
    if isinstance(agent, str) and agent in entries and isinstance(entries[agent], dict):
        used.add(agent)
        found, name = entries[agent], name if name is not None else agent
    elif isinstance(agent, dict):
        found, name = {"agent": agent}, name if name is not None else agent.get("name")
    else:
        near = closest(agent, tuple(entries)) if isinstance(agent, str) else ""
        hint = f'did you mean "{near}"?' if near else f"the agents are: {', '.join(sorted(entries)) or 'none'}"
        raise PurestepError("invalid_agent", f"expected the name of an agent, or a definition; {hint}", f"{path}/agent")
    if not isinstance(name, str) or not name:
        raise PurestepError("invalid_agent", 'expected "as", the name by which the model calls the agent', f"{path}/as")
    own: dict[str, Any] = {member: tool[member] for member in ("description", "hand_off") if member in tool}
    return name, {**found, **own}
