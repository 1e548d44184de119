"""README's application of six lines, in Python and in JavaScript, with a server that answers as a model would."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.hosts.conftest import web
from tests.hosts.test_hosts_http_faults import Web, chunk, stream

__all__ = ["web"]

PAGE = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
ADDRESS = "http://127.0.0.1:8080/v1"
CALLED = {"name": "order_status", "arguments": '{"number":7}'}
NATIVE = (chunk(tool_calls=[{"index": 0, "id": "call-1", "function": CALLED}]), chunk("Order 7 is on its way."))
ENVELOPE = (
    chunk('{"kind":"tool_call","tool_name":"order_status","arguments":{"number":7}}'),
    chunk('{"kind":"final","content":"Order 7 is on its way."}'),
)


def blocks(language: str) -> list[str]:
    """Return the code of the page in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def app(language: str, address: str) -> str:
    """Return the application as the page has it, with the address of a server that is there."""
    (block,) = [block for block in blocks(language) if "order_status" in block]
    assert 1 == block.count(ADDRESS)
    return str(block).replace(ADDRESS, address)


def model(asked: list[dict[str, Any]]) -> Any:
    """Return what answers the first request with a call and the next one with an answer, and keeps what was asked."""

    def answer(handler: Any, number: int) -> None:
        asked.append(json.loads(handler.body))
        said = NATIVE if "tools" in asked[-1] else ENVELOPE
        stream(said[number], chunk(finish="stop"), b"data: [DONE]\n\n")(handler, number)

    return answer


def told(asked: list[dict[str, Any]]) -> tuple[list[str], bool]:
    """Return the models that were asked, and whether the last one was told what the function returned."""
    return [request["model"] for request in asked], "on its way" in asked[-1]["messages"][-1]["content"]


def test_python_application_runs_as_it_stands(web: Web) -> None:
    """The function is called with what the model gives, and the answer is printed."""
    asked: list[dict[str, Any]] = []
    code = app("py", f"{web(model(asked))}/v1")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "Order 7 is on its way.\n" == done.stdout, done.stderr
    assert (["qwen3-4b", "qwen3-4b"], True) == told(asked)


def test_javascript_application_runs_as_it_stands(node: str, package: Path, web: Web, tmp_path: Path) -> None:
    """The function is called with what the model gives, and the answer is printed."""
    asked: list[dict[str, Any]] = []
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "purestep").symlink_to(package.parent)
    (tmp_path / "app.mjs").write_text(app("javascript", f"{web(model(asked))}/v1"), encoding="utf-8")
    done = subprocess.run([node, "app.mjs"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "Order 7 is on its way.\n" == done.stdout, done.stderr
    assert (["qwen3-4b", "qwen3-4b"], True) == told(asked)


def test_applications_have_six_lines() -> None:
    """Without the blank ones."""
    assert [6, 6] == [sum(bool(line.strip()) for line in app(name, "").splitlines()) for name in ("py", "javascript")]
