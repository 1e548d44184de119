"""What a start loads: only what the command needs."""

import json
import subprocess
import sys

import pytest

from tests.cli.conftest import Shell, final

HEAVY = ("openai", "xllamacpp", "yaml", "httpx2")
PROGRAM = """
import sys
from purestep_hosts.cli.entry import run
code = run(sys.argv[1:])
print(code, *[name for name in {heavy!r} if name in sys.modules], file=sys.stderr)
"""


@pytest.mark.parametrize("command", ["--help", "--version", "verify", "replay", "summary", "sessions", "tools", "run"])
def test_start_loads_no_model_library(shell: Shell, command: str) -> None:
    """Clients, inference and YAML are loaded only by commands that use them; a scripted run uses none."""
    shell.scripted(final("Yes."))
    session = str(shell.session())
    script = str(shell.folder / "script.jsonl")
    more = {"run": ["Go", "--quiet", "--script", script]}.get(command, [])
    arguments = [command, session] if command in ("verify", "replay", "summary") else [command, *more]
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(heavy=HEAVY), *arguments],
        cwd=shell.folder, env=shell.environment, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert "0\n" == result.stderr


INTERRUPTED = """
import os, signal, sys, weakref
from importlib.abc import MetaPathFinder

class Interrupting(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == {module!r}:
            passing = type("Passing", (), {{}})()
            passing.reference = weakref.ref(passing, lambda _: os.kill(os.getpid(), signal.SIGINT))
            kept = passing.reference
            del passing
        return None

sys.meta_path.insert(0, Interrupting())
from purestep_hosts.cli import main
sys.argv = ["purestep", *sys.argv[1:]]
main()
"""


@pytest.mark.parametrize("module", ["purestep_hosts.cli.app", "purestep_hosts.cli.running"])
def test_interrupt_while_modules_are_loaded_is_reported_and_not_lost(shell: Shell, module: str) -> None:
    """An exception would be lost here: those that come up while an object is released are only shown as ignored."""
    shell.scripted(final("Yes."))
    arguments = ["run", "Go", "--json", "--script", str(shell.folder / "script.jsonl")]
    result = subprocess.run(
        [sys.executable, "-c", INTERRUPTED.format(module=module), *arguments],
        cwd=shell.folder, env=shell.environment, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert (130, "purestep: cancelled\n") == (result.returncode, result.stderr)
    assert {"code": "cancelled", "message": "cancelled"} == json.loads(result.stdout)["failure"]
