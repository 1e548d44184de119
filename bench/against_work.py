"""The process of `bench.against` that steps with one core: each line of its input names a case, and it prints the time.

What it steps through is made by the core that it measures, since two revisions may write their states differently.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any, Final

import purestep
from bench.runs import LongRun, said
from purestep import Agent, ModelOutput, ToolResult, ToolResults, UserMessage, start, step

STEPS_A_ROUND: Final = 300
RUNS_A_ROUND: Final = 75
CASES: Final = ("README's run of four steps", "a step of a call", "a step of its result", "a step of an answer")


def four_steps() -> Callable[[], object]:
    """Return README's example as a function."""
    agent = Agent.load({"tools": [{"name": "add", "parameters": {"type": "object"}}]})
    call = '{"kind":"tool_call","tool_name":"add","arguments":{"a":17,"b":25}}'

    def run() -> str:
        run = start(agent, UserMessage(content="What is 17 plus 25?"), run_id="run-1")
        run = step(run.state, ModelOutput(content=call))
        result = ToolResult(call_id=run.decision.call_id, ok=True, output=42)
        run = step(run.state, ToolResults(results=(result,)))
        answer: str = step(run.state, ModelOutput(content='{"kind":"final","content":"It is 42."}')).decision.answer
        return answer

    if run() != "It is 42.":
        raise SystemExit("against: README's run does not end with its answer")
    return run


def single_steps() -> list[Callable[[], object]]:
    """Return the steps of a call, of its result, and of an answer, each late enough in a run to be like all others."""
    run = LongRun(30)
    output = json.loads(purestep.run_agent_step(run.input()))
    results = [{"call_id": output["decision"]["call_id"], "ok": True, "output": 42}]
    answer = said(0) | {"content": '{"kind":"final","content":"It is 42, as asked."}'}
    return [
        _stepping(run.state, said(17), "invoke_tool"),
        _stepping(output["state"], {"type": "tool_results", "results": results}, "call_model"),
        _stepping(run.state, answer, "done"),
    ]


def _stepping(state: dict[str, Any], observation: dict[str, Any], decided: str) -> Callable[[], object]:
    # Written as JavaScript and the core itself write it, so that the state comes back as the text it was given out as.
    given = json.dumps({"state": state, "observation": observation}, separators=(",", ":"), ensure_ascii=False)
    found = json.loads(purestep.run_agent_step(given))["decision"]["type"]
    if found != decided:
        raise SystemExit(f"against: expected the step to decide {decided}; got {found}")
    return lambda: purestep.run_agent_step(given)


def work() -> None:
    """Measure each case named on a line of the input; print the CPU microseconds of one call."""
    functions = dict(zip(CASES, [four_steps(), *single_steps()], strict=True))
    print(purestep.__file__, flush=True)
    for line in sys.stdin:
        case = line.removesuffix("\n")
        function, number = functions[case], RUNS_A_ROUND if case == CASES[0] else STEPS_A_ROUND
        began = time.process_time_ns()
        for _ in range(number):
            function()
        print((time.process_time_ns() - began) / 1000 / number, flush=True)


if __name__ == "__main__":
    work()
