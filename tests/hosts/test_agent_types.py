"""What a type checker says of programs that use agents: a tool stays its function, and data has the output type."""

import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

from purestep_hosts.agents.events import AgentEvent

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
from typing import Annotated, Literal, Optional

import msgspec
from purestep_hosts import Agent, Invocation, ScriptedModel, tool

class Out(msgspec.Struct):
    n: int

@tool
def plain(x: int) -> str:
    return str(x)

@tool(approval="ask")
async def later(x: int, given: Invocation[list[str]]) -> bytes:
    given.deps.append(given.key)
    return b""

class Shop:
    @tool
    def look(self, x: int) -> str:
        return str(x)

model = ScriptedModel([])
reveal_type(plain(3))
plain("three")  # expected: an error
reveal_type(Agent(model, tools=[plain, later, Shop().look]).run_sync("x").data)
agent = Agent(model, output_type=Out, limits={"max_turns": 3})
reveal_type(agent.run_sync("x").data)

async def main() -> None:
    reveal_type((await agent.run("x")).data)
    async with agent.stream("x") as events:
        async for event in events:
            if event.type == "text":
                reveal_type(event.text)
            elif event.type == "call":
                reveal_type(event.params)
    reveal_type(events.result.data)

reveal_type(Agent(model, output_type=Out | None).run_sync("x").data)
reveal_type(Agent(model, output_type=Optional[int]).run_sync("x").data)
reveal_type(Agent(model, output_type=Literal["a", "b"], deps_type=Shop | None).run_sync("x").data)
reveal_type(Agent(model, output_type=Annotated[list[int], "numbers"]).run_sync("x").data)
"""


def test_types_are_inferred(tmp_path: Path) -> None:
    """mypy --strict finds the one mistake, and the types that were written."""
    (tmp_path / "program.py").write_text(PROGRAM)
    options = ["--strict", "--explicit-package-bases", "--cache-dir", str(ROOT / ".cache" / "mypy"), "--config-file="]
    command = [sys.executable, "-m", "mypy", *options, "program.py"]
    path = f"{ROOT / 'core'}:{ROOT / 'hosts'}"
    done = subprocess.run(
        command, cwd=tmp_path, env={"MYPYPATH": path, "PATH": "/usr/bin"}, capture_output=True, text=True, check=False
    )
    revealed = re.findall(r'Revealed type is "(.*?)"', done.stdout)
    events = ["str", "dict[str, Any]"]
    types = ["program.Out | None", "int | None", "Literal['a'] | Literal['b']", "list[int]"]
    assert ["str", "str", *["program.Out"] * 2, *events, "program.Out", *types] == revealed, done.stdout + done.stderr
    errors = re.findall(r"program.py:(\d+): error: (.*)", done.stdout)
    line = PROGRAM.splitlines().index('plain("three")  # expected: an error') + 1
    assert [str(line)] == [number for number, _ in errors], done.stdout


def test_events_have_the_type_that_their_json_has() -> None:
    """A program reads it of the value, as one in JavaScript does."""
    for event in get_args(AgentEvent):
        assert event.__struct_config__.tag == event.type
