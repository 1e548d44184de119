"""A step does nothing but compute: no I/O, clock, randomness, environment or late import."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).with_name("run_trapped.py")
ROOT = Path(__file__).resolve().parents[2]


def run_trapped(files: list[Path], core: Path) -> dict[str, Any]:
    """Run vectors against the package in `core` with every way out trapped, and return the report."""
    done = subprocess.run(
        [sys.executable, SCRIPT, *files],
        check=False,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(core)},
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_steps_touch_nothing_outside_the_process(vector_files: list[Path]) -> None:
    """With all loaded, no vector does I/O or imports, or uses a clock, randomness or the environment."""
    report = run_trapped(vector_files, ROOT / "core")

    assert [] == report["failed"]
    assert [] == report["events"]
    assert report["passed"] > 0


def test_the_traps_catch_what_they_are_for(tmp_path: Path) -> None:
    """A module that does what a step must not is caught doing it, each way out by its own trap."""
    impure = {
        "open": "open('/dev/null')",
        "socket": "socket.socket()",
        "import": "importlib.import_module('wave')",
        "process": "subprocess.run(['true'])",
        "text as code": "eval('1')",
        "clock": "time.time()",
        "randomness": "random.random()",
        "system randomness": "os.urandom(1)",
        "environment": "os.environ.get('HOME')",
    }
    package = tmp_path / "purestep.py"
    cases = "".join(f"    {name!r}: lambda: {body},\n" for name, body in impure.items())
    package.write_text(
        "import importlib, os, random, socket, subprocess, time\n"
        f"CASES = {{\n    'nothing': lambda: 0,\n{cases}}}\n"
        "def step(name):\n    CASES[name]()\n    return 'done'\n"
        "def load_agent(definition):\n    pass\n"
        "def project_log(given):\n    pass\n"
        "def fold_rates(given):\n    pass\n"
        "def core_info():\n    pass\n"
        "def run_agent_step(given):\n    pass\n"
    )
    vectors = tmp_path / "vectors.jsonl"
    names = [*impure, "nothing"]
    lines = [{"name": name, "function": "step", "args": [name], "output": "done"} for name in names]
    vectors.write_text("\n".join(json.dumps(line) for line in lines))

    report = run_trapped([vectors], tmp_path)

    assert list(impure) == [failure.partition(":")[0] for failure in report["failed"]]
    assert 1 == report["passed"]


def test_the_validator_is_loaded_by_the_first_definition() -> None:
    """Importing the core does not load pydantic_core; compiling a definition with a schema does."""
    program = (
        "import json, sys, purestep\n"
        "loaded = ['pydantic_core' in sys.modules]\n"
        "for definition in ({}, {'answer_schema': {'type': 'object'}}):\n"
        "    purestep.load_agent(json.dumps(definition))\n"
        "    loaded.append('pydantic_core' in sys.modules)\n"
        "print(json.dumps(loaded))"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)

    assert [False, False, True] == json.loads(done.stdout)


def test_the_formats_are_loaded_by_the_first_call() -> None:
    """Importing the core, loading a definition and a step load no package beside it; each function of one does."""
    program = (
        "import json, sys, purestep\n"
        "def loaded(): return sorted({name.split('.')[0] for name in sys.modules if name.startswith('purestep')})\n"
        "seen = [loaded()]\n"
        "given = {'agent': {}, 'run_id': 'r', 'observation': {'type': 'user_message', 'content': 'hi'}}\n"
        "assert 'decision' in json.loads(purestep.run_agent_step(json.dumps(given)))\n"
        "seen.append(loaded())\n"
        "getattr(purestep, sys.argv[1])('{}')\n"
        "print(json.dumps([*seen, loaded()]))"
    )
    alone, both = ["purestep"], ["purestep", "purestep_formats"]
    for function in ("project_log", "fold_rates", "receive_model_reply", "read_model_fault"):
        done = subprocess.run([sys.executable, "-c", program, function], check=True, capture_output=True, text=True)

        assert [alone, alone, both] == json.loads(done.stdout), function
