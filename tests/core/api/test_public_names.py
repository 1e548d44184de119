"""The public names of `purestep`: all are there, though some are loaded when they are asked for."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import purestep

ROOT = Path(__file__).resolve().parents[3]
LATER = ("purestep.entry", "purestep.log", "purestep.api.json_functions", "purestep.api.redactions")
"""What a program that drives runs by `start` and `step` has no need of."""


def run(program: str) -> Any:
    """Return the JSON value that a program prints in a process of its own."""
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", purestep.__all__)
def test_public_name_is_found(name: str) -> None:
    """Each listed name is an attribute, and listed once; `dir` shows it."""
    assert hasattr(purestep, name)
    assert name in dir(purestep)
    assert 1 == purestep.__all__.count(name)


def test_import_loads_no_room_that_steps_do_without() -> None:
    """The rooms of logs and of the other ways in are loaded by the first name of them, also by `from ... import`."""
    program = (
        "import json, sys, purestep\n"
        f"def loaded(): return [name for name in {LATER!r} if name in sys.modules]\n"
        "seen = [loaded()]\n"
        "agent = purestep.Agent.load({})\n"
        "run = purestep.start(agent, purestep.UserMessage(content='hi'), run_id='r')\n"
        "purestep.step(run.state, purestep.ModelOutput(content='Hello.'))\n"
        "seen.append(loaded())\n"
        "from purestep import verify\n"
        "print(json.dumps([*seen, loaded(), verify(run.log).ok]))"
    )

    assert [[], [], ["purestep.log"], True] == run(program)


def test_import_makes_no_pattern() -> None:
    """No expression of the core is compiled before a text is read by it."""
    program = (
        "import json, re, msgspec, hashlib\n"
        "compiled, made = [], re.compile\n"
        "re.compile = lambda source, flags=0: compiled.append(str(source)) or made(source, flags)\n"
        "import purestep.lazy\n"
        "print(json.dumps([source for source in compiled if not source.startswith('^')]))"
    )

    assert [] == run(program), "msgspec compiles what its own types say, which begins with ^"


def test_misspelt_name_is_no_attribute() -> None:
    """A name that nobody has written raises as it does for any module."""
    with pytest.raises(AttributeError, match="module 'purestep' has no attribute 'replai'"):
        purestep.replai  # type: ignore[attr-defined]  # noqa: B018


def test_type_checkers_know_names_that_are_loaded_later(tmp_path: Path) -> None:
    """mypy --strict reveals their types and finds the misspelt one."""
    program = "from purestep import replay, run_agent_step, replai\nreveal_type(run_agent_step)\nreveal_type(replay)\n"
    (tmp_path / "program.py").write_text(program)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(ROOT / ".cache" / "mypy"), "--config-file="]
    done = subprocess.run(
        [*command, "program.py"],
        cwd=tmp_path,
        env={"MYPYPATH": str(ROOT / "core"), "PATH": "/usr/bin"},
        capture_output=True,
        text=True,
        check=False,
    )

    revealed = re.findall(r'Revealed type is "(.*?)"', done.stdout)
    errors = re.findall(r"^program.py:\d+: error: (.*)", done.stdout, re.MULTILINE)
    assert ["str", "purestep.log.replay.Replayed"] == [each.rpartition(" -> ")[2] for each in revealed], done.stdout
    assert ['Module "purestep" has no attribute "replai"'] == [each.partition("; ")[0] for each in errors]


def test_later_names_are_those_that_type_checkers_see() -> None:
    """Each name is of the module that the imports for type checkers name, also where another room has it too."""
    tree = ast.parse(Path(purestep.__file__).read_text())
    block = next(node for node in tree.body if isinstance(node, ast.If) and isinstance(node.test, ast.Name))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    program = (
        "import json, sys, purestep\nfrom importlib import import_module\n"
        f"named = {[(f'purestep.{each.module}', alias.name) for each in imports for alias in each.names]!r}\n"
        "print(json.dumps([name for module, name in named\n"
        "  if getattr(purestep, name) is not getattr(import_module(module), name)]))"
    )

    assert [] == run(program)
