"""What a start loads: only what the command needs."""

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
        cwd=shell.folder, env=shell.environment, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert "0\n" == result.stderr
