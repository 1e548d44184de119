"""A carried model in JavaScript: asked as the core says, or not at all, with the log of the native loop."""

import json
import subprocess
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec
import pytest

from purestep import Agent, ToolChoice
from purestep_hosts.loop import Ports, Run
from purestep_hosts.models.model import ModelRequest, ReplySink
from tests.web.test_agent import HERE, Scripted, call

READS = {"readOnlyHint": True}
EXPRESSION = {"type": "object", "properties": {"expression": {"type": "string"}}, "required": ["expression"]}
SHELF = {"type": "object", "properties": {"shelf": {"enum": ["upper", "lower"]}}, "required": ["shelf"]}
TOOLS = [
    {
        "name": "calculator",
        "description": "Compute the value of an arithmetic expression.",
        "parameters": EXPRESSION,
        "annotations": READS,
    },
    {
        "name": "count_books",
        "description": "Count the books of a shelf.",
        "parameters": SHELF,
        "annotations": READS,
    },
]
ROUTED = {"tools": TOOLS, "models": [{"name": "scripted", "carry": "route"}]}
SUM = {"queries": ["What is 17 plus 25?"], "results": {"calculator": [{"ok": True, "output": 42}]}}
BOOKS = {
    "queries": ["How many books are there?"],
    "outputs": [call("count_books", shelf="upper")],
    "results": {"count_books": [{"ok": True, "output": 12}]},
}
CASES: dict[str, dict[str, Any]] = {
    "no call of the model": {"definition": ROUTED, "outputs": [], **SUM},
    "the option for a definition without models": {
        "definition": {"tools": TOOLS},
        "outputs": [],
        "carry": "route",
        **SUM,
    },
    "the option for a model without a level": {
        "definition": {"tools": TOOLS, "models": [{"name": "scripted", "window_tokens": 4096}]},
        "outputs": [],
        "carry": "route",
        **SUM,
    },
    "the option for a definition that is text": {
        "definition": f'\n{{"sampling": {{"temperature": 0.10}}, "tools": {json.dumps(TOOLS)} }}\n',
        "outputs": [],
        "carry": "route",
        **SUM,
    },
    "a level of its own beside the option": {"definition": ROUTED, "outputs": [], "carry": "off", **SUM},
    "asked which value": {"definition": ROUTED, **BOOKS},
    "asked in another form": {
        "definition": {
            "tools": TOOLS,
            "models": [{"name": "scripted", "carry": "off"}],
            "negotiation": [{"cause": "unread", "move": "dialect"}],
        },
        **SUM,
        "outputs": [
            "I add them up.",
            '[TOOL_CALL]{"name": "calculator", "args": {"expression": "17 + 25"}}[/TOOL_CALL]',
            "It is 42.",
        ],
    },
}
CHOSEN: dict[str, dict[str, Any]] = {
    "no tool for the first question": {
        "definition": ROUTED,
        "outputs": ['{"kind":"final","content":"It is 42."}'],
        "tool_choice": "none",
        "choices": [None, "required"],
        "queries": [*SUM["queries"], "What is 1 plus 2?"],
        "results": {"calculator": [{"ok": True, "output": 3}]},
    },
    "a tool that the words do not name": {
        "definition": {"tools": TOOLS, "dialect": "native", "models": [{"name": "scripted", "carry": "off"}]},
        "outputs": ["None.", "None at all."],
        "choices": [{"tool": "count_books"}],
        "queries": ["Hello there"],
    },
}
CASES |= CHOSEN
ASKED_BY_ROUTE = 1


class Asked(Scripted):
    """The adapters of a case that keep what the model was sent."""

    def __init__(self, case: dict[str, Any]) -> None:
        super().__init__(case)
        self.requests: list[Any] = []

    def complete(self, request: ModelRequest, reply: ReplySink) -> Any:
        """Keep the messages, then say the next output."""
        self.requests.append(request.messages)
        return super().complete(request, reply)


def carried_definition(case: dict[str, Any]) -> dict[str, Any]:
    """Give the definition of a case with the level that its option asks for, where it names none."""
    given = case["definition"]
    definition: dict[str, Any] = json.loads(given) if isinstance(given, str) else given
    first, *others = definition.get("models", [{"name": "scripted"}])
    return {**definition, "models": [{"carry": case.get("carry"), **first}, *others]}


def in_python(case: dict[str, Any]) -> dict[str, Any]:
    """Play a case with the loop of the native hosts."""
    host = Asked(case)
    ports = Ports(model=host, tools=host, approve=host.approve, log=host, watch=host, clock=host.clock)
    run = Run(Agent.load(carried_definition(case)), ports, "run-1")
    choices = [
        msgspec.convert(choice or case.get("tool_choice"), ToolChoice | None) for choice in case.get("choices", ())
    ]
    told = zip_longest(case["queries"], choices)
    ended = [json.loads(msgspec.json.encode(run.ask(query, choice).decision)) for query, choice in told]
    state = msgspec.json.encode(run.state).decode()
    return {"ended": ended, "log": host.lines, "state": state, "shown": host.shown, "asked": host.requests}


@pytest.fixture(scope="module")
def in_node(node: str, package: Path) -> dict[str, Any]:
    """What Node made of all cases."""
    done = subprocess.run(
        [node, HERE / "agent_runs.mjs", package], input=json.dumps(CASES), capture_output=True, text=True, check=False
    )
    assert 0 == done.returncode, done.stderr
    results: dict[str, Any] = json.loads(done.stdout)
    for result in results.values():
        result["asked"] = [request["messages"] for request in result["requests"]]
    return results


@pytest.mark.parametrize("name", CASES)
def test_both_loops_ask_a_carried_model_alike(name: str, in_node: dict[str, Any]) -> None:
    """Log, state, ending and what the model is sent are the same from JavaScript and from Python."""
    expected = in_python(CASES[name])
    assert expected == {member: in_node[name][member] for member in expected}


@pytest.mark.parametrize("name", CASES)
def test_a_carried_run_is_taken_up_from_its_log(name: str, in_node: dict[str, Any]) -> None:
    """Resumed with the same option, the run has the same state text and the same ending."""
    given = in_node[name]
    assert {"ended": given["ended"][-1], "state": given["state"]} == given["resumed"]


def test_a_negotiated_run_sends_its_own_head(in_node: dict[str, Any]) -> None:
    """The messages of the decision come first, then those of the transcript, without the output that failed."""
    first, second, third = in_node["asked in another form"]["asked"]
    assert '"kind"' in first[0]["content"]
    assert "[TOOL_CALL]" in second[0]["content"]
    assert SUM["queries"][0] == second[-1]["content"]
    assert second == third[: len(second)]


def test_a_sum_takes_the_calculator_and_no_model(in_node: dict[str, Any]) -> None:
    """The words leave one call, so the model is not asked, and the answer is what the tool returned."""
    sums = [in_node[name] for name, case in CASES.items() if case["queries"] == SUM["queries"]]
    assert len(CASES) - len(CHOSEN) - ASKED_BY_ROUTE == len(sums)
    for played in sums:
        events = [json.loads(line) for line in played["log"].splitlines()]
        calls = [(event["tool_name"], event["arguments"]) for event in events if event["kind"] == "tool_call"]
        assert ([("calculator", {"expression": "17 + 25"})], []) == (calls, played["asked"])
        assert "42" in played["ended"][-1]["answer"]


def test_a_routed_model_is_sent_the_messages_of_the_decision(in_node: dict[str, Any]) -> None:
    """The prompt shows the routed tool alone, and ends with the question."""
    asked = in_node["asked which value"]["asked"]
    assert ASKED_BY_ROUTE == len(asked)
    assert "count_books" in asked[0][0]["content"]
    assert "calculator" not in asked[0][0]["content"]
    assert {"role": "user", "content": BOOKS["queries"][0]} == asked[0][-1]


def test_a_servers_request_has_the_choice_beside_the_tools(in_node: dict[str, Any]) -> None:
    """As the core wrote it, for as long as it holds."""
    requests = in_node["a tool that the words do not name"]["requests"]
    assert [{"type": "function", "function": {"name": "count_books"}}] * 2 == [each["tool_choice"] for each in requests]
    assert ["obligation"] == [end["code"] for end in in_node["a tool that the words do not name"]["ended"]]
