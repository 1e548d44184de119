"""`purestep mcp` with the official inspector's command line."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.serve.conftest import calls, says
from tests.serve.test_mcp_server import COMMAND, prepared

INSPECTOR = Path(__file__).resolve().parents[2] / "web" / "node_modules" / ".bin" / "mcp-inspector"


def inspected(node: str, folder: Path, script: list[str], *options: str) -> Any:
    """What the inspector prints, as JSON."""
    environment = prepared(folder, script)
    command = [node, str(INSPECTOR), "--cli", sys.executable, *COMMAND[1:], "--functions", "tools.py", *options]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_inspector_finds_no_fault_in_the_tools(node: str, tmp_path: Path) -> None:
    """It lists five tools, and its strict check of their schemas passes."""
    found = inspected(node, tmp_path, [], "--method", "tools/list", "--strict")
    names = ["ask", "read_model_output", "check_value", "verify_log", "replay_log"]
    assert names == [tool["name"] for tool in found["tools"]]


def test_inspector_asks_the_agent(node: str, tmp_path: Path) -> None:
    """The agent's answer comes back as text and as data."""
    asked = ("--method", "tools/call", "--tool-name", "ask", "--tool-arg", "query=Where is order 7?")
    found = inspected(node, tmp_path, [calls("find_order", number=7), says("It is lost.")], *asked)
    assert ("It is lost.", "done", 1) == (
        found["content"][0]["text"],
        found["structuredContent"]["status"],
        found["structuredContent"]["usage"]["tool_calls"],
    )
