"""An MCP server: an agent, and the core's functions on texts, values and logs, as tools for any MCP client.

Types and how data flows:

    tools/call ask ── AskTool ── Runs ── a session on disk        (the agent's calls that need a person: `person`)
    tools/call read_model_output, check_value, verify_log, replay_log ── the core's JSON functions

What a client sends is checked against the schema that the tool lists. A mistake in it is an error result, which the
client's model reads; only a tool that is not there is an error of the protocol. `mcp_server` gives the server for any
transport of the SDK; the command `purestep mcp` serves it over stdio.
"""

from purestep_hosts.mcp_server.server import mcp_server

__all__ = ["mcp_server"]
