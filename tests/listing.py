"""The case that the project began with, for every host: a listing that is only its `total` line, and what is said."""

import re
from typing import Any, Final

COMMAND: Final = "ls -lS | head -n 1"
ONLY_TOTAL: Final = "total 7079928"
"""What the command prints of a large folder: the sum of the blocks, and of no file its name."""

SHELL: Final[dict[str, Any]] = {
    "name": "shell",
    "parameters": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
    "annotations": {"destructiveHint": False, "idempotentHint": True},
    "checks": ["not_metadata"],
}
QUESTION: Final = "Which file here is the largest?"
FACTS: Final = ["tool_result", "verdict", "correction", "tool_result", "verdict", "run_failed"]
"""The facts of such a run that are no words of the model, in order."""

REASON: Final = "the output is only a total line, without the data it counts"
FAILURE: Final = (
    "a check rejected a tool's output, also after feedback (corrections: 1); "
    "nothing that {tool} gave was used: look at it, then ask in another way"
)


def check_log(events: list[dict[str, Any]], tool: str = "shell", output: str = ONLY_TOTAL) -> None:
    """Fail unless the log tells of two rejected outputs, one correction in between, and an open failure.

    output: the pattern of what came both times.
    """
    told = [event for event in events if event["kind"] in FACTS]
    assert FACTS == [event["kind"] for event in told]
    first, verdict, correction, second, again, failed = told
    assert all(re.fullmatch(output, each["output"].strip()) for each in (first, second))
    assert [("reject", REASON)] * 2 == [(each["verdict"], each["reason"]) for each in (verdict, again)]
    assert ("guardrail", 1) == (correction["cause"], correction["attempt"])
    assert REASON in correction["content"]
    assert "must not be used in an answer" in correction["content"]
    check_failure(failed, tool)


def check_failure(failed: dict[str, Any], tool: str = "shell") -> None:
    """Fail unless a failure says what happened, which check failed, and what a person can do."""
    assert ("guardrail", FAILURE.format(tool=tool)) == (failed["code"], failed["message"])
    assert failed["detail"]["check"] in ("not_metadata", "plausibility")
    assert REASON in failed["detail"]["last"]
