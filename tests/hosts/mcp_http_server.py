"""An MCP server over streamable HTTP, at the port that its argument names; a program that the tests start."""

import os
import sys

from mcp.server.mcpserver import MCPServer

server = MCPServer("sums", log_level="ERROR")


@server.tool()
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@server.tool()
def fall() -> str:
    """End the server in the middle of a call."""
    os._exit(1)


@server.tool()
def say(size: int) -> str:
    """Say a long word."""
    return "x" * size


if __name__ == "__main__":
    server.run(transport="streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
