"""What the hosts' wheel can do with each of its extras, and what it says about one that is missing."""

import json
import subprocess
import tomllib
from pathlib import Path

import pytest

from purestep_hosts import extras
from tests.packaging.conftest import ROOT, MakeVenv, run

IMPORT_EVERYTHING = """
import importlib, json, pkgutil, sys
import purestep_hosts
from purestep_hosts.extras import MissingExtraError
missing = {}
for module in pkgutil.walk_packages(purestep_hosts.__path__, "purestep_hosts."):
    if module.name.startswith("purestep_hosts.cli."):
        continue  # the parts of the command; its entry has a test of its own
    if module.name == "purestep_hosts.pytest_plugin":
        continue  # pytest imports it
    try:
        importlib.import_module(module.name)
    except MissingExtraError as error:
        missing[module.name.removeprefix("purestep_hosts.")] = error.message.partition("pip install ")[2]
print(json.dumps(missing))
"""
INSTEAD = {"local": "; or name a model behind a server, such as ollama:NAME or openai:NAME"}
USE = {
    "sessions": "from purestep_hosts.sessions import SessionStore; SessionStore()",
    "http": "from purestep_hosts.models.openai_http import HttpModel; HttpModel('http://127.0.0.1:9/v1', model='m')",
    "mcp": "from purestep_hosts.mcp import McpServers; McpServers('uvx mcp-server-time')",
    "serve": "from purestep_hosts.serve import create_app",
    "durable": "from purestep_hosts.durable import DurableRuns",
    "temporal": "from purestep_hosts.temporal import TemporalRuns",
    "litellm": "from purestep_hosts.models.litellm import LiteLLMModel; LiteLLMModel('anthropic/claude')",
    "hub": "from purestep_hosts.models.hub import hub_model; hub_model('org/repo')",
    "dotenv": "from purestep_hosts.settings import load_settings; load_settings({})",
}
RUN = ("run", "hello", "--sessions", "sessions")


@pytest.fixture(scope="module")
def base(offline_venv: MakeVenv) -> Path:
    """The programs of a venv with the hosts' wheel and no extra."""
    return offline_venv("purestep-hosts")


@pytest.fixture(scope="module")
def command(offline_venv: MakeVenv) -> Path:
    """The programs of a venv with the command's extra and no model."""
    return offline_venv("purestep-hosts[cli]")


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    """Return the last line of what a program said on stderr."""
    return done.stderr.strip().rpartition("\n")[2]


def test_without_extras_there_is_only_the_core(base: Path, tmp_path: Path) -> None:
    """The base install brings purestep, its two dependencies, the reader of docstrings, and no package of an extra."""
    code = "from importlib.metadata import distributions; print(*sorted(d.name for d in distributions()))"
    done = run(base / "python", "-I", "-c", code, cwd=tmp_path)

    assert "docstring_parser msgspec purestep purestep-hosts pydantic_core typing_extensions" == done.stdout.strip()


def test_without_extras_every_module_imports_or_names_its_extra(base: Path, tmp_path: Path) -> None:
    """Only modules that are nothing without their packages refuse to be imported, each with its install line."""
    done = run(base / "python", "-I", "-c", IMPORT_EVERYTHING, cwd=tmp_path)

    assert json.loads(done.stdout or "null") == {
        "evaluation.charts": "'purestep-hosts[eval]'",
        "evaluation.report": "'purestep-hosts[eval]'",
        "models.llamacpp": f"'purestep-hosts[local]'{INSTEAD['local']}",
        "mcp.bounded_bodies": "'purestep-hosts[mcp]'",
        "mcp.kept_login": "'purestep-hosts[mcp]'",
        "mcp.login": "'purestep-hosts[mcp]'",
        "mcp.sdk_client": "'purestep-hosts[mcp]'",
        "mcp_server": "'purestep-hosts[mcp]'",
        "durable": "'purestep-hosts[durable]'",
        "serve": "'purestep-hosts[serve]'",
        "watching.metrics": "'purestep-hosts[metrics]'",
        "watching.traces": "'purestep-hosts[traces]'",
        "temporal": "'purestep-hosts[temporal]'",
        "skill_lint": "'purestep-hosts[cli]'",
        "source_places": "'purestep-hosts[cli]'",
        "strict_yaml": "'purestep-hosts[cli]'",
        "show.answer_writer": "'purestep-hosts[cli]'",
        "show.printer": "'purestep-hosts[cli]'",
        "show.wrapping": "'purestep-hosts[cli]'",
        "show.screen": "'purestep-hosts[cli]'",
    }, done.stderr


@pytest.mark.parametrize(
    ("use", "extra"),
    [
        ("sessions", "cli"),
        ("http", "openai"),
        ("dotenv", "cli"),
        ("mcp", "mcp"),
        ("serve", "serve"),
        ("durable", "durable"),
        ("temporal", "temporal"),
        ("hub", "hub"),
        ("litellm", "litellm"),
    ],
)
def test_using_a_missing_extra_names_the_line_that_installs_it(
    base: Path, tmp_path: Path, use: str, extra: str
) -> None:
    """A default or a class that needs an extra raises MissingExtraError with its install line."""
    (tmp_path / ".env").write_text("OPENAI_MODEL=m\n")
    done = run(base / "python", "-I", "-c", USE[use], cwd=tmp_path)

    assert last_line(done).startswith("purestep_hosts.extras.MissingExtraError: this needs the Python module ")
    assert last_line(done).endswith(f"; install it with: pip install 'purestep-hosts[{extra}]'{INSTEAD.get(extra, '')}")


def test_command_without_its_extra_says_one_line(base: Path, tmp_path: Path) -> None:
    """Without the cli extra the command prints what to install and exits with code 2, with no traceback."""
    done = run(base / "purestep", "--version", cwd=tmp_path)

    expected = "this needs the Python module typer, which is not installed; install it with: pip install"
    assert (2, f"purestep: {expected} 'purestep-hosts[cli]'\n") == (done.returncode, done.stderr)


@pytest.mark.parametrize(
    ("variables", "module", "extra"),
    [({}, "xllamacpp", "local"), ({"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}, "httpx2", "openai")],
)
def test_command_without_a_model_extra_says_one_line(
    command: Path, tmp_path: Path, variables: dict[str, str], module: str, extra: str
) -> None:
    """A run with a model whose extra is missing fetches nothing, and says what to install."""
    done = run(command / "purestep", *RUN, cwd=tmp_path, **variables)

    expected = f"purestep: this needs the Python module {module}, which is not installed; install it with: "
    said = f"{expected}pip install 'purestep-hosts[{extra}]'{INSTEAD.get(extra, '')}"
    assert (2, said) == (done.returncode, last_line(done))
    assert "Traceback" not in done.stderr
    assert [] == list(tmp_path.rglob("*.gguf"))


def test_command_runs_a_script_without_a_model_extra(command: Path, tmp_path: Path) -> None:
    """The cli extra alone runs a scripted model from question to answer."""
    (tmp_path / "script.jsonl").write_text(json.dumps('{"kind":"final","content":"It is 42."}') + "\n")

    done = run(command / "purestep", *RUN, "--script", "script.jsonl", cwd=tmp_path)

    assert (0, "It is 42.\n") == (done.returncode, done.stdout), done.stderr


def test_openai_extra_asks_a_server(offline_venv: MakeVenv, tmp_path: Path) -> None:
    """With the openai extra alone a model behind HTTP is asked; nobody listens, which is its answer."""
    code = (
        "import purestep\n"
        "from purestep_formats import open_reply\n"
        "from purestep_hosts.models.openai_http import HttpModel\n"
        "from purestep_hosts.models.model import ModelRequest\n"
        "from purestep_hosts.output_gate import OutputGate\n"
        "run = purestep.start(None, purestep.UserMessage(content='hi'))\n"
        "gate = OutputGate(open_reply(run.state))\n"
        "request = ModelRequest(messages=[{'role': 'user', 'content': 'hi'}])\n"
        "model = HttpModel('http://127.0.0.1:9/v1', model='m')\n"
        "print(gate.close(model.complete(request, gate)).code)\n"
    )
    done = run(offline_venv("purestep-hosts[openai]") / "python", "-I", "-c", code, cwd=tmp_path)

    assert "unavailable\n" == done.stdout, done.stderr


def test_local_extra_reads_a_model_file(offline_venv: MakeVenv, tmp_path: Path) -> None:
    """With the local extra alone llama.cpp is there, and looks at the file that it is given."""
    (tmp_path / "model.gguf").write_bytes(b"no model")
    code = (
        "from pathlib import Path\n"
        "from purestep_hosts.download import _bar, default_model_path\n"
        "from purestep_hosts.models.llamacpp import LlamaCppModel, ModelLoadError\n"
        "assert default_model_path().is_absolute()\n"
        "with _bar() as progress:\n    progress(1, 2)\n"
        "try:\n    LlamaCppModel(Path('model.gguf'))\nexcept ModelLoadError as error:\n    print(error.code)\n"
    )
    done = run(offline_venv("purestep-hosts[local]") / "python", "-I", "-c", code, cwd=tmp_path)

    assert ("model_load\n", "Fetching the default model (once)\n") == (done.stdout, done.stderr)


def test_extras_are_those_of_the_distribution() -> None:
    """The module that names the extras and the distribution's metadata know the same ones."""
    project = tomllib.loads((ROOT / "hosts" / "pyproject.toml").read_text())["project"]

    named = {value.name for value in vars(extras).values() if isinstance(value, extras.Extra)}

    assert set(project["optional-dependencies"]) == named
