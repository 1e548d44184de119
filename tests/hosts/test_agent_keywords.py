"""What `Agent` and its runs take by name: what there is, what was probably meant, and what type checkers find."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, assert_type

import pytest

from purestep_hosts import Agent, Invocation, ScriptedModel, calls, says, tool
from purestep_hosts.agents.members import DefinitionMembers

ROOT = Path(__file__).resolve().parents[2]

MEANT = {
    "system_prompt": "write instructions",
    "instruction": "write instructions",
    "temperature": "write sampling={'temperature': ...}",
    "model_settings": "write sampling",
    "result_type": "write output_type",
    "outputtype": "write output_type",
    "max_turns": "write limits={'max_turns': ...}",
    "limit": "write limits",
    "toolz": "write tools",
    "deps": "write run(..., deps=...), and deps_type=...",
    "handoffs": "write them into tools, each with a name",
    "mcp_servers": "write tools=servers.tools",
    "timeout": "write limits={'deadline_ms': ...}",
    "zzz": "its arguments are model, output_type, deps_type",
}


@pytest.mark.parametrize("name", MEANT)
def test_an_unknown_argument_names_the_one_that_was_meant(name: str) -> None:
    """By what is near, and by what other libraries call it."""
    given: dict[str, Any] = {name: "x"}
    with pytest.raises(TypeError, match=re.escape(f"Agent has no argument {name}; {MEANT[name]}")):
        Agent(ScriptedModel([]), **given)


def test_the_arguments_are_the_members_of_a_definition() -> None:
    """A member that the core takes is an argument, and no other is; agents are tools in Python."""
    schema = json.loads((ROOT / "core" / "purestep" / "agent.schema.json").read_text(encoding="utf-8"))
    other = {"instructions", "tools", "agents", "$schema"}
    assert {*DefinitionMembers.__annotations__, *other} == {*schema["properties"]}


@dataclass
class Shop:
    """What tools get."""

    name: str


@tool
def shop_name(invocation: Invocation[Shop]) -> str:
    """Return the name of the shop."""
    return invocation.deps.name


def test_deps_type_is_checked() -> None:
    """Also where no tool takes them; the type checker has the same type."""
    agent = Agent(ScriptedModel([calls("shop_name"), says("It is Ann's.")]), tools=[shop_name], deps_type=Shop)
    assert_type(agent, Agent[str, Shop])
    assert "It is Ann's." == agent.run_sync("Whose shop?", deps=Shop("Ann")).answer
    wrong: Any = "Ann"
    with pytest.raises(TypeError, match="deps_type is Shop; give the run such deps, not str"):
        Agent(ScriptedModel([]), deps_type=Shop).run_sync("Whose shop?", deps=wrong)


WRONG = """\
from purestep_hosts import Agent, ScriptedModel

agent = Agent(ScriptedModel([]), deps_type=int)
agent.run_sync("Go", deps=1)
agent.run_sync("Go", deps="one")  # wrong
agent.run_sync("Go", dep=1)  # wrong
agent.run_sync("Go", deps=1).output  # wrong
Agent(ScriptedModel([]), instruction="Be short.")  # wrong
Agent(ScriptedModel([]), temperature=0)  # wrong
Agent(ScriptedModel([]), limits=3)  # wrong
Agent(ScriptedModel([]), limits={"max_turns": 3}, dialect="native", checks=["values"])
"""


def test_a_type_checker_finds_a_typo_and_wrong_deps(tmp_path: Path) -> None:
    """Each line that is wrong, and no other."""
    (tmp_path / "wrong.py").write_text(WRONG)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--config-file=",
            "--cache-dir",
            ROOT / ".cache" / "mypy-pages",
            "wrong.py",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    found = {int(number) for number in re.findall(r"^wrong\.py:(\d+): error", done.stdout, re.MULTILINE)}
    assert {at for at, line in enumerate(WRONG.splitlines(), 1) if line.endswith("# wrong")} == found, done.stdout
