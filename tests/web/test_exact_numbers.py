"""A number is the same where a person approves it, in the tool, and in the log: in JavaScript as on native hosts."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

import purestep
from purestep import Agent, Approval, ModelOutput
from purestep_hosts.loop import Ports, Run

HERE = Path(__file__).parent
PAST = "12345678901234567890"
NUMBERS = {
    # As the model writes it: the schema of n, the digits that are approved, and what JavaScript's type of it is.
    "9007199254740991": ("integer", "9007199254740991", "number"),
    "9007199254740993": ("integer", "9007199254740993", "bigint"),
    "-9007199254740993": ("integer", "-9007199254740993", "bigint"),
    PAST: ("number", PAST, "bigint"),
    PAST + PAST: ("integer", PAST + PAST, "bigint"),
    "100000000000000000000.0": ("integer", "100000000000000000000", "bigint"),
    "1e22": ("number", "1e22", "number"),
    "1E+2": ("number", "100", "number"),
    "-0": ("number", "0", "number"),
    "-0.0": ("number", "0", "number"),
    "0.1000000000000000055": ("number", "0.1", "number"),
    "5e-324": ("number", "5e-324", "number"),
    "1e-400": ("number", "0", "number"),
}
REFUSED = ["1e400", "-1e400"]


def _case(number: str, kind: str, edit: str | None = None) -> dict[str, Any]:
    parameters = {"type": "object", "properties": {"n": {"type": kind}}, "required": ["n"]}
    call = '{"kind":"tool_call","tool_name":"pay","arguments":{"n":NUMBER}}'
    outputs = [call.replace("NUMBER", number), '{"kind":"final","content":"That is the result."}']
    definition = {"tools": [{"name": "pay", "parameters": parameters, "approval": "ask"}]}
    return {"definition": definition, "outputs": outputs, "edit": edit}


CASES = {
    **{number: _case(number, kind) for number, (kind, _, _) in NUMBERS.items()},
    **{number: _case(number, "number") for number in REFUSED},
    **{f"edited {number}": _case("1", kind, f'{{"n":{number}}}') for number, (kind, _, _) in NUMBERS.items()},
}


class Host:
    """The adapters of a case, in Python."""

    name = "scripted"

    def __init__(self, case: dict[str, Any]) -> None:
        self.outputs, self.edit = list(case["outputs"]), case["edit"]
        self.lines = ""

    def complete(self, request: Any, on_text: Any = None) -> Any:
        """Say the next output."""
        return ModelOutput(content=self.outputs.pop(0))

    def approve(self, calls: tuple[purestep.ApprovalCall, ...]) -> list[Approval]:
        """Approve every call, edited as the case says."""
        params = json.loads(self.edit) if self.edit else None
        return [Approval(call_id=call.call_id, key=call.key, approved=True, params=params) for call in calls]

    def run(self, tool: str, params: dict[str, Any], key: str) -> dict[str, Any]:
        """Return the argument back."""
        return {"ok": True, "output": {"n": params["n"]}}

    def stop(self) -> None:
        """Nothing runs for long."""

    def append(self, log: str, head: str) -> None:
        """Keep the lines."""
        self.lines += log

    def on_text(self, text: str) -> None:
        """Nothing is shown."""

    def on_step(self, step: Any) -> None:
        """Nothing is shown."""

    def on_result(self, call: Any, result: Any) -> None:
        """Nothing is shown."""


def _native_log(case: dict[str, Any]) -> str:
    host = Host(case)
    ports = Ports(model=host, tools=host, approve=host.approve, log=host, watch=host, clock=lambda: 1)
    Run(Agent.load(case["definition"]), ports, "run-1").ask("Go")
    return host.lines


@pytest.fixture(scope="module")
def in_node(node: str, package: Path) -> dict[str, Any]:
    """What Node made of the cases, by the loop and as an edge service."""
    command = [node, HERE / "exact_numbers.mjs", package]
    done = subprocess.run(command, input=json.dumps(CASES), capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr[-3000:]
    results: dict[str, Any] = json.loads(done.stdout)
    return results


def _logged(log: str, kind: str) -> list[str]:
    """Return the digits of n in the lines of a kind."""
    lines = [line for line in log.splitlines() if json.loads(line)["kind"] == kind]
    return [found[1] for line in lines if (found := re.search(r'"n":([^,}]+)', line))]


@pytest.mark.parametrize("way", ["loop", "edge"])
@pytest.mark.parametrize("number", NUMBERS)
def test_number_is_the_same_for_the_person_the_tool_and_the_log(in_node: dict[str, Any], number: str, way: str) -> None:
    """The digits that are shown are those of the log, and JavaScript holds exactly their value."""
    _, digits, kind = NUMBERS[number]
    found = in_node[number][way]
    [[type_of, got]] = found["got"]
    assert [f'{{"n":{digits}}}'] == found["asked"]
    assert (kind, True) == (type_of, got == digits if kind == "bigint" else float(got) == float(digits))
    assert ([digits], [digits]) == (_logged(found["log"], "tool_call"), _logged(found["log"], "tool_result"))


@pytest.mark.parametrize("way", ["loop", "edge"])
@pytest.mark.parametrize("number", NUMBERS)
def test_edited_number_is_what_the_tool_gets(in_node: dict[str, Any], number: str, way: str) -> None:
    """A person's own digits reach the tool and the log."""
    _, digits, kind = NUMBERS[number]
    found = in_node[f"edited {number}"][way]
    [[type_of, got]] = found["got"]
    assert (kind, True) == (type_of, got == digits if kind == "bigint" else float(got) == float(digits))
    assert [digits] == _logged(found["log"], "tool_result")


@pytest.mark.parametrize("way", ["loop", "edge"])
@pytest.mark.parametrize("number", REFUSED)
def test_number_that_no_host_holds_is_a_correction(in_node: dict[str, Any], number: str, way: str) -> None:
    """It is neither shown nor run."""
    found = in_node[number][way]
    assert ([], []) == (found["asked"], found["got"])
    assert '"kind":"correction"' in found["log"]


def test_number_in_a_schema_reaches_the_server_with_its_digits(in_node: dict[str, Any]) -> None:
    """A request to a model is written as exactly as the log."""
    assert '"const":12345678901234567890' in in_node["requests"]


@pytest.mark.parametrize("name", [name for name in CASES if not name.startswith("edited")])
def test_native_hosts_write_the_same_log(in_node: dict[str, Any], name: str) -> None:
    """Byte for byte, so that a run can move between hosts."""
    assert _native_log(CASES[name]) == in_node[name]["loop"]["log"]
