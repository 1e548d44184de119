"""An MCP server that pages may ask, at the port that its first argument names; `key` and `shut` after it close it."""

import os
import sys
from typing import Any

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import PlainTextResponse

server = MCPServer("sums & more", log_level="ERROR")


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@server.tool(name="pay out!")
def pay_out(euros: int) -> str:
    """Pay an amount out."""
    return f"paid {euros} euros"


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def fail() -> str:
    """Fail."""
    raise ValueError("the ledger is shut")


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def fall() -> str:
    """End the server in the middle of a call."""
    os._exit(1)


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def odd() -> str:
    """Have a schema with a pattern that the core does not take."""
    return "odd"


async def keyed(request: Any, call_next: Any) -> Any:
    """Let in whoever has the key."""
    if request.headers.get("Authorization") != "Bearer sk-secret":
        return PlainTextResponse("no", status_code=401)
    return await call_next(request)


if __name__ == "__main__":
    port, options = int(sys.argv[1]), sys.argv[2:]
    for tool in server._tool_manager.list_tools():
        if tool.name == "odd":
            tool.parameters = {"type": "object", "properties": {"a": {"type": "string", "pattern": "(?<=x)y"}}}
    app = server.streamable_http_app()
    if "key" in options:
        app.add_middleware(BaseHTTPMiddleware, dispatch=keyed)
    if "shut" not in options:
        headers = ["Mcp-Session-Id"]
        app.add_middleware(
            CORSMiddleware, allow_origins=["*"], allow_methods=["*"], allow_headers=["*"], expose_headers=headers
        )
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="error")
