"""The page on watching: its options exist, and its program counts and traces."""

import re
import subprocess
import sys
from pathlib import Path

import typer

from purestep_hosts.cli.app import app

PAGE = (Path(__file__).resolve().parents[2] / "docs/watching.md").read_text(encoding="utf-8")
LOOK = """
from starlette.testclient import TestClient

with TestClient(app) as client:
    found = client.get("/metrics", headers={"Authorization": "Bearer a-token-of-16-chars"})
print(found.status_code, "purestep_approvals_open 0.0" in found.text)
watching.close()
"""


def test_options_of_the_page_exist() -> None:
    """Those of its table and of its command are options of the service."""
    command = typer.main.get_command(app).commands["serve"]  # type: ignore[attr-defined]
    known = {option for parameter in command.params for option in parameter.opts}
    named = set(re.findall(r"(?<![\w-])--[a-z-]+", PAGE))
    assert {"--metrics", "--log-format", "--traces", "--tokens"} == named & known


def test_the_program_of_the_page(tmp_path: Path) -> None:
    """It gives a service that answers /metrics, with no collector there."""
    (code,) = re.findall(r"^```py\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    code = code.replace('Agent("bundled")', "Agent(ScriptedModel([]))").replace(
        "import Agent\n", "import Agent, ScriptedModel\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code + LOOK], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "200 True\n" == done.stdout, done.stderr
