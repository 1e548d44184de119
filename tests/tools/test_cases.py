"""The cases that engines are held to are worth it: they hold values and errors, and every function."""

import json

from purestep_tools.json_functions import JSON_FUNCTIONS
from tests.tools.cases import tool_cases


def test_cases_hold_values_and_errors_of_every_function() -> None:
    """Most expressions have a value; many have none, with a reason."""
    outputs = {name: [] for name in JSON_FUNCTIONS}
    for case in tool_cases():
        outputs[case["function"]].append(json.loads(case["output"]))
    values = [output for output in outputs["calculate"] if "value" in output]
    assert len(values) > 200
    assert len(outputs["calculate"]) - len(values) > 100
    assert {"invalid_input", "no_value"} == {o["error"]["code"] for o in outputs["add_numbers"] if "error" in o}
    assert all("value" in output for output in outputs["html_text"])
    assert [True, True, True, False, False] == ["value" in output for output in outputs["run_probe_step"]]
    assert 9 == outputs["run_probe_step"][2]["value"]["rows"][0]["prompt_tokens"]
    assert [True, True, True, True, False] == ["value" in output for output in outputs["run_probe_tool"]]
