"""What docs/serve.md shows is what the service does; its chat is bundled and used by tests/serve/test_use_chat.py."""

import fnmatch
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer.main
from typer.core import TyperGroup

from purestep_hosts.cli.app import app
from purestep_hosts.serve.endpoints import ENDPOINTS
from purestep_hosts.serve.faults import STATUS
from tests.docs.test_python_pages import free_port
from tests.serve.conftest import Client, wait_until

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "serve.md").read_text()


def block(language: str, number: int = 0, of: int = 1) -> str:
    """Return a block of a language, of so many that the page has."""
    found = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert len(found) == of
    return str(found[number])


def test_the_commands_of_the_page(tmp_path: Path) -> None:
    """The service is started as shown, with the bundled model, and the curl line gets what is shown."""
    port = str(free_port())
    text = block("console").replace("8000", port)
    commands = re.findall(r"^\$ (.*)\n", text, re.MULTILINE)
    assert commands[0].startswith("pip install")
    answer = re.search(r'^({"run".*)$', text, re.MULTILINE)
    assert answer is not None
    bin_folder = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}", "XDG_DATA_HOME": str(tmp_path)}
    environment |= {"PURESTEP_SERVE_TOKEN": "a-token-of-the-page-012345"}
    command = [sys.executable, "-m", "purestep_hosts.cli", *commands[2].split()[1:], "--port", port]
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True) as service:
        try:
            assert service.stdout is not None
            assert f"http://127.0.0.1:{port}\n" == service.stdout.readline()
            done = subprocess.run(commands[3], shell=True, env=environment, capture_output=True, text=True, check=True)
        finally:
            service.send_signal(signal.SIGINT)
    assert 0 == service.returncode
    shown = re.sub(r'"run":"[^"]*"', '"run":"*"', answer[1])
    assert fnmatch.fnmatchcase(done.stdout, shown), done.stdout


@contextmanager
def program(folder: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """Run the page's program as its text says, until the block ends."""
    (folder / "service.py").write_text(block("py", 0, 2))
    found = re.search(r"`uvicorn (service:app .*?)`", PAGE)
    assert found is not None
    command = [sys.executable, "-m", "uvicorn", *found[1].split(), "--port", str(port), "--log-level", "warning"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "LLM_"))}
    with subprocess.Popen(command, cwd=folder, env=environment | {"ANNS_TOKEN": "token-of-ann-0123456789"}) as process:
        try:
            yield process
        finally:
            process.kill()


def test_the_program_of_the_page(tmp_path: Path) -> None:
    """It asks for approval, is killed, and another one runs the call that was approved."""
    port, token = free_port(), "token-of-ann-0123456789"
    with program(tmp_path, port):
        waiting = asked_at(port).post("/runs", {"query": "Refund order 8, please."}, token=token).json
    with program(tmp_path, port):
        answer = {name: waiting["approvals"][0][name] for name in ("call_id", "key")} | {"approved": True}
        done = asked_at(port).post(f"/runs/{waiting['run']}", {"approvals": [answer]}, token=token).json
    assert ("waiting", "Done.") == (waiting["status"], done["answer"])


def asked_at(port: int) -> Client:
    """Return what asks a service, once it answers."""
    service = Client(port)

    def answers() -> bool:
        try:
            return service.get("/health").status == 200
        except OSError:
            return False

    wait_until(answers)
    return service


def options_of(command: str) -> set[str]:
    """Return the options of a command."""
    found = typer.main.get_command(app)
    assert isinstance(found, TyperGroup)
    return {name for each in found.commands[command].params for name in each.opts if name.startswith("--")}


def test_the_page_names_every_option_code_and_path() -> None:
    """Those of the service itself, and no other."""
    rows = re.findall(r"^\| (`--.*?) \|", PAGE, re.MULTILINE)
    assert options_of("serve") - options_of("run") | {"--sessions"} == set(re.findall("--[a-z-]+", " ".join(rows)))
    text = " ".join(re.findall(r"^\| (?:\d{3}(?:, )?)+ \| (.*) \|$", PAGE, re.MULTILINE))
    assert set() == set(STATUS) - set(re.findall(r"`([a-z_]+)`", text))
    for endpoint in ENDPOINTS:
        path = re.sub(r"{(\w+)}", lambda name: name[1].upper(), endpoint.path)
        assert f"{endpoint.method} {path}" in PAGE


MOUNTED = """
import os
import sys

os.environ["ANNS_TOKEN"] = "a-token-of-the-page-012345"
exec(sys.argv[1])
from starlette.testclient import TestClient

headers = {"Authorization": "Bearer a-token-of-the-page-012345"}
with TestClient(site) as client:
    print(client.get("/agent/ready").json(), client.get("/agent/runs", headers=headers).json())
    print(client.get("/agent/openapi.json").json()["servers"])
"""
"""A process that asks an application of FastAPI for what is mounted in it."""


def test_the_service_is_mounted_in_fastapi(tmp_path: Path) -> None:
    """The lines of the page are all it takes: the lifespan runs, and the log has no warning."""
    lines = block("py", 0, 2) + block("py", 1, 2)
    command = [sys.executable, "-c", MOUNTED, lines]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ["{'ready': True} {'runs': [], 'next': None}", "[{'url': '/agent'}]"] == done.stdout.splitlines(), (
        done.stderr
    )
    assert "without its lifespan" not in done.stderr
