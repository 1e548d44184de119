"""Read the tools that published MCP servers list, into `.cache`: nothing of theirs stands in this repository.

Each package is installed without its install scripts, started with values that open nothing, asked for its list and
stopped. What needs an account to say anything is left out.
"""

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, Final

CACHE: Final = Path(__file__).parents[2] / ".cache" / "tool-search"
"""Where packages are installed, and the lists are kept."""

_WAIT_S: Final = 30
"""For a line of a server: starting one takes seconds."""

_NOTHING: Final = "none"
_VALUES: Final = (
    "AIRTABLE_API_KEY",
    "ASANA_ACCESS_TOKEN",
    "BRAVE_API_KEY",
    "GITHUB_PERSONAL_ACCESS_TOKEN",
    "GITLAB_PERSONAL_ACCESS_TOKEN",
    "GOOGLE_MAPS_API_KEY",
    "NOTION_TOKEN",
    "SLACK_BOT_TOKEN",
    "SLACK_TEAM_ID",
    "TRELLO_API_KEY",
    "TRELLO_TOKEN",
    "API_TOKEN",
)
"""Variables without which some servers do not start."""

SERVERS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "filesystem": ("@modelcontextprotocol/server-filesystem", ("/tmp",)),
    "github": ("@modelcontextprotocol/server-github", ()),
    "gitlab": ("@modelcontextprotocol/server-gitlab", ()),
    "slack": ("@modelcontextprotocol/server-slack", ()),
    "google_maps": ("@modelcontextprotocol/server-google-maps", ()),
    "memory": ("@modelcontextprotocol/server-memory", ()),
    "thinking": ("@modelcontextprotocol/server-sequential-thinking", ()),
    "brave": ("@modelcontextprotocol/server-brave-search", ()),
    "puppeteer": ("@modelcontextprotocol/server-puppeteer", ()),
    "notion": ("@notionhq/notion-mcp-server", ()),
    "devtools": ("chrome-devtools-mcp", ()),
    "airtable": ("airtable-mcp-server", ()),
    "asana": ("@roychri/mcp-server-asana", ()),
    "charts": ("@antv/mcp-server-chart", ()),
    "git": ("@cyanheads/git-mcp-server", ()),
    "trello": ("@delorenj/mcp-server-trello", ()),
    "hostinger": ("hostinger-api-mcp", ()),
}
"""Each with its package and the arguments that it needs to start."""


def install(package: str) -> Path:
    """Return the folder of a package, installed there without running anything of it."""
    folder = CACHE / "p" / package.replace("@", "_").replace("/", "_")
    if not (folder / "node_modules" / package).is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text('{"private":true}')
        command = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--omit=dev", package]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / "node_modules" / package


def _program(folder: Path) -> Path:
    given = json.loads((folder / "package.json").read_text())["bin"]
    name = folder.name
    path = given if isinstance(given, str) else given.get(name) or next(iter(given.values()))
    return folder / path


class _Server:
    """A started server: what it says is read line by line."""

    def __init__(self, command: list[str], home: str) -> None:
        environment = {"PATH": os.environ["PATH"], "HOME": home, **dict.fromkeys(_VALUES, _NOTHING)}
        environment["AIRTABLE_API_KEY"] = "pat0.0"  # looked at by its form alone
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, cwd=home
        )
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def send(self, message: dict[str, Any]) -> None:
        """Send a message."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._process.stdin.flush()

    def ask(self, number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send a request and return its result; raises OSError where none comes."""
        self.send({"id": number, "method": method, "params": params})
        while True:
            try:
                line = self._lines.get(timeout=_WAIT_S)
            except queue.Empty:
                raise OSError("no answer") from None
            if line is None:
                raise OSError("it has ended")
            try:
                message = json.loads(line)
            except ValueError:
                continue
            if isinstance(message, dict) and message.get("id") == number:
                if "result" not in message:
                    raise OSError(str(message.get("error"))[:200])
                result: dict[str, Any] = message["result"]
                return result

    def stop(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()


def listed(package: str, arguments: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the tools that a package's server lists; raises OSError where it does not."""
    program = _program(install(package))
    with tempfile.TemporaryDirectory() as home:
        server = _Server(["node", str(program), *arguments], home)
        try:
            about = {"name": "reader", "version": "0"}
            server.ask(1, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about})
            server.send({"method": "notifications/initialized"})
            tools, params = list[dict[str, Any]](), dict[str, Any]()
            for number in range(2, 20):
                result = server.ask(number, "tools/list", params)
                tools += result["tools"]
                if not result.get("nextCursor"):
                    break
                params = {"cursor": result["nextCursor"]}
            return tools
        finally:
            server.stop()


def main() -> None:
    """Read the lists of all servers, or of those that are named; print how many tools each has."""
    folder = CACHE / "lists"
    folder.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[1:] or SERVERS:
        path = folder / f"{name}.json"
        if path.exists():
            continue
        try:
            tools = listed(*SERVERS[name])
        except (OSError, subprocess.CalledProcessError, KeyError) as error:
            print(f"{name}: left out, {error}", flush=True)
            continue
        path.write_text(json.dumps(tools, indent=1))
        print(f"{name}: {len(tools)} tools", flush=True)


if __name__ == "__main__":
    main()
