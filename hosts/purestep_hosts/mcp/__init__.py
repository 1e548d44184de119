"""MCP servers as tools: programs that are started and asked over stdio, and addresses asked over streamable HTTP.

Types and how data flows:

    text, agent file ── McpServer ── McpServers ── McpConnection (a thread with the SDK's client)
                                         │
                                         ├─ tools: a `Tool` for each one listed, named SERVER__TOOL
                                         └─ resource, prompt: OutsideData, which goes along with a question

A `LazyServer` is a connection that is made with the first call, from the list that was kept of the last one.

What a server lists is read once, before the run, and enters the agent definition; so the log has it, and a list that
changes later changes nothing. A tool that the core refuses is left out, and `warnings` says why. What a server says
and does is somebody else's: its results are `open`, each of its tools asks a person unless it says that it only
reads, and whatever goes wrong in a call is an error result.

A login to an address is the user's: its tokens stay in a file that only they can read.

A program is started under `tools.keeper`, which ends it with this process, however that ends. It gets few variables
of the environment, and of the others those that its entry names.
"""

from purestep_hosts.mcp.server_entry import McpError, McpServer, server_entries, server_of
from purestep_hosts.mcp.servers import McpServers

__all__ = ["McpError", "McpServer", "McpServers", "server_entries", "server_of"]
