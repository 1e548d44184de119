"""What a program for the two functions of agent.rs may do, as data: each row of docs/from-agent-rs.md by its name."""

import json
from pathlib import Path
from typing import Any, Final

PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "from-agent-rs.md"

_CALL: Final = '{"tool":"shell","command":"ls"}'
_TALK: Final = "I will list the files."
_KEPT: Final = {"history": [{"role": "user", "content": "List the files"}], "is_complete": False, "final_answer": None}


def _result(output: str) -> dict[str, Any]:
    results = [{"call_id": "call_1", "ok": True, "output": output}]
    return {"observation": {"type": "tool_results", "results": results}}


STEPS: Final[dict[str, list[Any]]] = {
    'talk that holds "the command" or "let me" further on': ["Two files: the command printed them. Let me know."],
    "talk, and after it talk again": [_TALK, "Now I will do it."],
    "an empty output": [" \n"],
    "a call in a code fence": [f"```json\n{_CALL}\n```"],
    "a call with text after it": [f"{_CALL} That lists them."],
    "a sixth call": [f'{{"tool":"shell","command":"ls {number}"}}' for number in range(6)],
    "an output after the answer": ["There are two files.", "There are three."],
    "a tool message that the program adds to the history": [
        _CALL,
        {"added": {"role": "tool", "content": "Tool output:\na b"}, "model_output": "a and b"},
    ],
    "a result as an observation": [_CALL, _result("a.txt b.txt")],
    "a result `total 12` as an observation": [_CALL, _result("total 12")],
    "a state that the program kept": [{"state_json": json.dumps(_KEPT), "model_output": "Two files."}],
    "input that is no JSON": [{"input": "{"}],
    "a state without a history": [{"state_json": '{"is_complete":false}', "model_output": "Two files."}],
}
"""The inputs of a row, one after another: an output, or members of the input; a row without any is the output itself.

`added` is put into the history first; `input` is the whole input.
"""


class Row:
    """One row of the page: its name, the inputs, and what the last of them gives."""

    def __init__(self, cells: list[str]) -> None:
        self.name, _, self.expected, _ = (cell.strip() for cell in cells)
        self.steps = STEPS.get(self.name, [self.name.strip("`")])


def rows() -> list[Row]:
    """Return the rows of the page's table."""
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    return [Row(line.strip("|").split(" | ")) for line in lines[2:]]


def said(output: dict[str, Any]) -> str:
    """Return what an output says, as the page writes it: the decision, and the cause or code that differs from it."""
    if "error" in output:
        return f"`error` `{output['error']['code']}`"
    decision = output["decision"]
    kind = decision["type"]
    named = decision.get("code") or decision.get("cause") or decision.get("reason") or kind
    return f"`{kind}`" if named == kind else f"`{kind}` `{named}`"


def played(row: Row, create: Any, step: Any) -> dict[str, Any]:
    """Play a row with the two functions; gives the last output."""
    state, output = create("List the files"), {}
    for given in row.steps:
        members = {"model_output": given} if isinstance(given, str) else dict(given)
        if "added" in members:
            kept = json.loads(state)
            state = json.dumps({**kept, "history": [*kept["history"], members.pop("added")]})
        text = members["input"] if "input" in members else json.dumps({"state_json": state, **members})
        output = json.loads(step(text))
        state = output.get("state_json", state)
    return output
