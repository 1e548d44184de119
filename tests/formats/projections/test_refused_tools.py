"""After a server has refused tools, outputs are read in the dialect that the model is asked in since."""

from typing import Any

from purestep_formats import project
from tests.core.agents import said, tool
from tests.core.driver import Driver

OUTPUT = '[TOOL_CALL]{"name":"look","args":{}}[/TOOL_CALL]<think>Then I tell it.</think>'


def reasoned(*observations: dict[str, Any]) -> list[str]:
    """Return the reasoning that the messages show of a run after these observations."""
    run = Driver({"dialect": "native", "tools": [tool("look", annotations={"readOnlyHint": True})]})
    for observation in observations:
        run.send(observation)
    messages = project(run.log, "ai-sdk-messages")
    return [part["text"] for message in messages for part in message["parts"] if part["type"] == "reasoning"]


def test_reasoning_is_read_in_the_dialect_of_the_text() -> None:
    """Of the first exchange and of the next."""
    refused = {"type": "model_error", "code": "refused", "refused": "tools"}
    result = {"type": "tool_results", "results": [{"call_id": "call_1", "ok": True, "output": "a"}]}
    again = {"type": "user_message", "content": "Again"}
    assert ["Then I tell it."] == reasoned(refused, said(OUTPUT), result, said("It is a."))
    assert ["Then I tell it."] * 2 == reasoned(refused, said(OUTPUT), result, said("It is a."), again, said(OUTPUT))
