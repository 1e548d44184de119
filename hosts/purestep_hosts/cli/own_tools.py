"""The tools that a command offers beside the built-in ones: the functions of files, and those of MCP servers."""

from __future__ import annotations

from contextlib import nullcontext

from purestep_hosts.cli.functions import functions_of
from purestep_hosts.cli.mcp_servers import CommandServers, Waiting
from purestep_hosts.cli.options import AgentChoice
from purestep_hosts.cli.tool_owners import OwnTools
from purestep_hosts.cli.wiring import built_in_names
from purestep_hosts.interrupts import Interrupts


def own_tools(
    choice: AgentChoice,
    servers: CommandServers,
    interrupts: Interrupts,
    waiting: Waiting = lambda _: nullcontext(),
    *,
    is_confirmed: bool = False,
) -> OwnTools:
    """Return the user's functions and the tools of the servers, which are started; raises what both raise.

    waiting: shows what is waited for. is_confirmed: whether the user approves everything that an agent file brings.
    """
    functions = functions_of(choice, interrupts, built_in_names(), is_confirmed=is_confirmed)
    servers.connect(choice, interrupts, waiting, asks=not is_confirmed)
    brought = dict(functions.brought)
    for path, names in servers.brought.items():
        brought[path] = (*brought.get(path, ()), *names)
    return OwnTools(tools=(*functions.tools, *servers.tools), brought=brought)
