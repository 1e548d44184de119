"""The command `mcp`: the agent and the core's functions as tools of an MCP server over stdio."""

from __future__ import annotations

import asyncio
import threading
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

from purestep_hosts.async_loop import in_thread
from purestep_hosts.cli import codes
from purestep_hosts.cli.mcp_servers import CommandServers
from purestep_hosts.cli.options import AgentChoice
from purestep_hosts.cli.serving_agent import AgentParts, data_folder
from purestep_hosts.extras import MCP
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.show.printer import stderr_printer
from purestep_hosts.stop_signals import StopSignals

if TYPE_CHECKING:
    from purestep_hosts.serve import ServedAgent

_LEAVE_S: Final = 5.0
"""How long cancelled runs may take to write their end."""


def serve_mcp(choice: AgentChoice, sessions: Path | None) -> int:
    """Serve a client over stdin and stdout until it closes them; what is said goes to stderr."""
    MCP.require()
    servers = CommandServers()
    with closing(servers):
        with Interrupts() as interrupts:
            agent = AgentParts(choice, servers, interrupts, stderr_printer()).served()
        stopping = StopSignals()
        # In a thread of its own: one that waits for stdin cannot be interrupted.
        thread = threading.Thread(
            target=lambda: asyncio.run(_serve(agent, sessions or data_folder("mcp"), stopping)), daemon=True
        )
        thread.start()
        stopping.wait()
        thread.join(_LEAVE_S)
    return codes.DONE


async def _serve(agent: ServedAgent, folder: Path, stopping: StopSignals) -> None:
    from mcp.server.stdio import stdio_server

    from purestep_hosts.mcp_server import mcp_server
    from purestep_hosts.serve import ServiceLimits
    from purestep_hosts.serve.runs import Runs
    from purestep_hosts.sessions import SessionStore

    runs = Runs(agent, ServiceLimits())
    server = mcp_server(agent.definition, runs, SessionStore(folder))

    async def talk() -> None:
        async with stdio_server() as (reader, writer):
            await server.run(reader, writer, server.create_initialization_options())

    talking = asyncio.ensure_future(talk())
    stopped = asyncio.ensure_future(in_thread(stopping.wait))
    try:
        await asyncio.wait((talking, stopped), return_when=asyncio.FIRST_COMPLETED)
        await runs.close()
    finally:
        stopping.stop()
