"""An MCP server written with the SDK that misbehaves as its first argument says; a program that the tests start."""

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp.server import Server
from mcp.server.stdio import stdio_server

STDOUT = os.dup(1)
"""What the host reads: the SDK leads what is printed elsewhere."""

OBJECT: dict[str, Any] = {"type": "object", "properties": {}}


def listed(way: str) -> list[types.Tool]:
    """The tools of a way to misbehave."""
    plain = types.Tool(name="go", description="Go.", input_schema=OBJECT)
    match way:
        case "many":
            return [types.Tool(name=f"tool_{number}", input_schema=OBJECT) for number in range(5000)]
        case "schema":
            wrong = {"type": "object", "properties": {"a": {"type": "string", "minLenght": 3}}}
            return [types.Tool(name="wrong", input_schema=wrong), plain]
        case "names":
            return [types.Tool(name="a b/ü", input_schema=OBJECT), types.Tool(name="x" * 90, input_schema=OBJECT)]
        case "twice":
            return [plain, types.Tool(name="go", description="Another.", input_schema=OBJECT)]
        case "escapes":
            return [types.Tool(name="go", description="Go.\x1b]0;title\x07\x1b[31m red", input_schema=OBJECT)]
        case "hints":
            reads, adds = types.ToolAnnotations(read_only_hint=True), types.ToolAnnotations(destructive_hint=False)
            return [
                types.Tool(name="reads", input_schema=OBJECT, annotations=reads),
                types.Tool(name="adds", input_schema=OBJECT, annotations=adds),
                plain,
            ]
        case "output_schema":
            number = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
            return [types.Tool(name="go", input_schema=OBJECT, output_schema=number)]
    return [plain]


def text(said: str) -> types.TextContent:
    """A text block."""
    return types.TextContent(type="text", text=said)


async def result_of(way: str) -> types.CallToolResult:  # noqa: PLR0912 (one case for each way)
    """What a call comes to."""
    match way:
        case "dies":
            os._exit(3)
        case "hangs":
            await asyncio.sleep(600)
        case "blocks":
            time.sleep(600)
        case "drips":
            while True:
                os.write(STDOUT, b'{"jsonrpc')
                time.sleep(0.01)
        case "line":
            written = os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT, 0o600)
            size = 0
            while True:
                size += os.write(STDOUT, b"x" * 65_536)
                os.pwrite(written, b"%020d" % size, 0)  # whole at any moment: the program is killed at one
        case "error":
            return types.CallToolResult(content=[text("no such city")], is_error=True)
        case "silent_error":
            return types.CallToolResult(content=[], is_error=True)
        case "raises":
            raise RuntimeError("inside the server")
        case "image":
            picture = types.ImageContent(type="image", data="QUJD" * 100, mime_type="image/png")
            return types.CallToolResult(content=[text("A picture:"), picture])
        case "structured":
            return types.CallToolResult(content=[text('{"n": 1}')], structured_content={"n": 1})
        case "output_schema":
            return types.CallToolResult(content=[text("{}")], structured_content={"n": "one"})
        case "large":
            return types.CallToolResult(content=[text("x" * 3_000_000)])
        case "escapes":
            return types.CallToolResult(content=[text("\x1b]0;title\x07\x1b[31mred")])
        case "environment":
            return types.CallToolResult(content=[text(" ".join(sorted(os.environ)))])
    return types.CallToolResult(content=[text("went")])


async def main(way: str) -> None:
    """Serve until stdin ends."""

    async def on_list(_context: Any, _params: Any) -> types.ListToolsResult:
        cursor = "again" if way == "endless" else None
        return types.ListToolsResult(tools=listed(way), next_cursor=cursor)

    async def on_call(_context: Any, _params: Any) -> types.CallToolResult:
        return await result_of(way)

    server: Server[Any] = Server("bad", on_list_tools=on_list, on_call_tool=on_call)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
    if way == "stays":
        time.sleep(600)


if __name__ == "__main__":
    way = sys.argv[1]
    if way == "children":
        child = subprocess.Popen(["sleep", "600"], start_new_session=True)
        Path(sys.argv[2]).write_text(f"{os.getpid()} {child.pid}")
    if way == "stays":
        Path(sys.argv[2]).write_text(str(os.getpid()))
    if way == "rubbish":
        print("Starting up...\n{not json}\n\x1b[31mready\x1b[0m", flush=True)
    if way == "exits":
        print("Traceback\n\x1b[31mcannot read the configuration\x1b[0m", file=sys.stderr)
        sys.exit(1)
    asyncio.run(main(way))
