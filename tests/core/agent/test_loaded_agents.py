"""Definitions that a core holds: how many, and what brings one back."""

import json
import subprocess
import sys

import purestep
from purestep.bounds import MAX_AGENTS


def test_definition_that_was_let_go_is_held_again_once_it_is_loaded() -> None:
    """What the error says to do helps, also where the definition's text is still known."""
    definition = json.dumps({"name": "let go"})
    began = purestep.run_agent_step(
        json.dumps({"agent": json.loads(definition), "observation": {"type": "user_message", "content": "a"}})
    )
    again = json.dumps({"state": json.loads(began)["state"]})
    # Loaded by value, others take places by their digest only while this one stays known by its text.
    purestep.load_agent(definition)
    for number in range(MAX_AGENTS + 1):
        purestep.Agent.load({"name": f"other {number}"})
    let_go = purestep.run_agent_step(again)
    purestep.load_agent(definition)
    held = purestep.run_agent_step(again)
    assert ("unknown_agent", "call_model") == (
        json.loads(let_go)["error"]["code"],
        json.loads(held)["decision"]["type"],
    )


def test_importing_the_core_compiles_no_schema() -> None:
    """The validator's library is half of what loading costs: a run without a schema never pays for it."""
    code = (
        "import sys, purestep\n"
        'purestep.run_agent_step(\'{"observation":{"type":"user_message","content":"x"}}\')\n'
        "print(sorted({'pydantic_core', 'purestep.schema.native'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "[]\n" == done.stdout
