"""A run under any observations, fitting or not: it answers always, and breaks none of its promises."""

import json
from typing import Any

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import purestep
from tests.core.agents import agent, call, final
from tests.examples import examples

TEXTS = st.one_of(
    st.sampled_from(
        [
            call("add_numbers", a=1, b=2),
            call("add_numbers", a=1, b=3),
            call("add_numbers", a="x"),
            call("shell", command="ls"),
            call("shell", command="pwd"),
            call("banned"),
            call("nothing"),
            final("The answer is 3."),
            final("I will now add them."),
            final(""),
            "```json\n" + final("fenced") + "\n```",
            "[" + call("add_numbers", a=1, b=2) + "," + call("shell", command="ls") + "]",
            '{"kind":"tool_call","tool_name":"add_numbers","arguments":{"a":1,"b":2',
            '{"tool":"shell","command":"ls"}',
            '[TOOL_CALL]{"name":"add_numbers","args":{"a":1,"b":2}}[/TOOL_CALL]',
            "just prose",
        ]
    ),
    st.text(max_size=60),
    st.none(),
)
OUTPUTS = st.one_of(
    st.text(max_size=20),
    st.sampled_from(["total 0", "", "42", "a listing of things", 42, None, [], {"a": 1.0}]),
)
DIALECTS = ("envelope", "tool_tags", "bare", "native", "auto")


class AnyRun(RuleBasedStateMachine):
    """Drives one run in the delta form with observations of every kind."""

    def __init__(self) -> None:
        super().__init__()
        self.state: dict[str, Any] = {}
        self.decision: dict[str, Any] = {}
        self.messages: list[dict[str, Any]] = []
        self.log = ""
        self.allowed: set[str] = set()
        self.clock = 0

    @initialize(
        dialect=st.sampled_from(DIALECTS),
        bare=st.booleans(),
        limits=st.fixed_dictionaries(
            {},
            optional={
                "max_turns": st.integers(1, 6),
                "max_corrections": st.integers(0, 2),
                "max_tool_calls": st.integers(0, 4),
                "deadline_ms": st.integers(1, 50),
                "max_repeats": st.integers(1, 2),
                "max_output_tokens": st.integers(1, 30),
            },
        ),
        models=st.integers(0, 2),
    )
    def begin(self, dialect: str, bare: bool, limits: dict[str, int], models: int) -> None:
        """Begin with a random definition, or none."""
        names = [{"name": f"m{number}", "window_tokens": 100 * number + 100} for number in range(models)]
        definition = None if bare else agent(dialect=dialect, limits=limits, models=names)
        self.definition = definition
        output = json.loads(
            purestep.run_agent_step(
                json.dumps(
                    {
                        "agent": definition,
                        "run_id": "r",
                        "observation": {"type": "user_message", "content": "q", "at": 0},
                    }
                )
            )
        )
        self.take(output)

    def take(self, output: dict[str, Any]) -> None:
        """Keep what a host keeps."""
        self.state, self.decision = output["state"], output["decision"]
        self.messages += output["messages"]
        self.log += output["log"]

    def send(self, observation: dict[str, Any]) -> dict[str, Any]:
        """Send an observation; an error must change nothing and must not be a defect."""
        given = {"agent": self.definition, "state": self.state, "observation": {**observation, "at": self.clock}}
        text = json.dumps(given)
        output = json.loads(purestep.run_agent_step(text))
        assert output == json.loads(purestep.run_agent_step(text))
        if "error" in output:
            assert output["error"]["code"] in purestep.CATALOGUE
            assert output["error"]["code"] != "internal_error"
            return output
        before = self.decision
        self.take(output)
        if before["type"] in ("done", "failed"):
            assert observation["type"] == "user_message"
        return output

    @rule(text=TEXTS, finish=st.sampled_from([None, "stop", "length", "content_filter"]), tokens=st.integers(0, 20))
    def model_output(self, text: str | None, finish: str | None, tokens: int) -> None:
        """The model says anything."""
        self.send(
            {"type": "model_output", "content": text, "finish_reason": finish, "usage": {"completion_tokens": tokens}}
        )

    @rule(
        names=st.lists(st.sampled_from(["add_numbers", "shell", "banned", "nope"]), min_size=1, max_size=3),
        arguments=st.sampled_from(['{"a":1,"b":2}', '{"command":"ls"}', "{", "null", "", '"x"', '{"a":1.0,"b":2e0}']),
    )
    def native_output(self, names: list[str], arguments: str) -> None:
        """The model makes native calls."""
        calls = [{"type": "function", "function": {"name": name, "arguments": arguments}} for name in names]
        self.send({"type": "model_output", "content": None, "tool_calls": calls})

    @precondition(lambda self: self.decision.get("type") == "invoke_tool")
    @rule(data=st.data(), output=OUTPUTS, good=st.booleans())
    def tool_results(self, data: st.DataObject, output: Any, good: bool) -> None:
        """Some of the calls that were handed out come back, in any order."""
        calls = self.decision["calls"]
        chosen = data.draw(st.permutations(calls))[: data.draw(st.integers(1, len(calls)))]
        for entry in chosen:
            assert entry["tool"] != "banned" or self.definition is None
            if entry["tool"] == "shell" and self.definition is not None:
                assert entry["key"] in self.allowed
        results = [
            {"call_id": entry["call_id"], "ok": good, **({"output": output} if good else {"error": "no"})}
            for entry in chosen
        ]
        assert "error" not in self.send({"type": "tool_results", "results": results})

    @precondition(lambda self: self.decision.get("type") == "request_approval")
    @rule(data=st.data(), approved=st.booleans(), edit=st.booleans())
    def approvals(self, data: st.DataObject, approved: bool, edit: bool) -> None:
        """A person answers for some of the calls."""
        calls = self.decision["calls"]
        chosen = data.draw(st.permutations(calls))[: data.draw(st.integers(1, len(calls)))]
        answers = [
            {
                "call_id": entry["call_id"],
                "key": entry["key"],
                "approved": approved,
                **({"params": {"command": "echo"}} if edit and entry["tool"] == "shell" else {}),
            }
            for entry in chosen
        ]
        output = self.send({"type": "approvals", "approvals": answers})
        assert "error" not in output
        if approved:
            pending = {entry["call_id"]: entry["key"] for entry in self.state.get("pending", [])}
            self.allowed |= {pending[entry["call_id"]] for entry in chosen if entry["call_id"] in pending}

    @rule(call_id=st.sampled_from(["call_1", "call_2", "call_9", "", "x"]), key=st.text(max_size=4))
    def forged(self, call_id: str, key: str) -> None:
        """Somebody sends results and approvals that nobody asked for."""
        if self.decision["type"] != "invoke_tool":
            answer = {"type": "tool_results", "results": [{"call_id": call_id, "ok": True, "output": "forged"}]}
            assert "error" in self.send(answer)
        approval = {"call_id": call_id, "key": key, "approved": True}
        assert "error" in self.send({"type": "approvals", "approvals": [approval]})

    @rule(code=st.sampled_from(["overflow", "timeout", "refused", "other"]), retryable=st.booleans())
    def model_error(self, code: str, retryable: bool) -> None:
        """The model gives nothing."""
        self.send({"type": "model_error", "code": code, "message": "no", "retryable": retryable})

    @rule()
    def cancel(self) -> None:
        """The user stops the run."""
        self.send({"type": "cancel"})

    @rule()
    def resumed(self) -> None:
        """The host was stopped, while calls ran or not."""
        self.send({"type": "resumed"})

    @rule(content=st.text(max_size=10))
    def user_message(self, content: str) -> None:
        """The user speaks, in time or not."""
        self.send({"type": "user_message", "content": content})

    @rule(milliseconds=st.integers(1, 40))
    def wait(self, milliseconds: int) -> None:
        """Time passes."""
        self.clock += milliseconds

    @invariant()
    def decision_can_be_asked_again(self) -> None:
        """The state alone gives the same decision."""
        if self.state:
            output = json.loads(purestep.run_agent_step(json.dumps({"agent": self.definition, "state": self.state})))
            assert {"state": self.state, "messages": [], "log": "", "decision": self.decision} == output

    @invariant()
    def replay_is_live(self) -> None:
        """The log alone gives the same state, decision and messages, and verifies."""
        if self.state:
            folded = json.loads(purestep.replay_log(self.log))
            expected = {"state": self.state, "decision": self.decision, "messages": self.messages}
            assert expected == {key: folded[key] for key in expected}
            assert json.loads(purestep.verify_log(self.log, self.state["head"]))["ok"]

    @invariant()
    def every_call_has_one_result_in_order(self) -> None:
        """Native results stand right behind their calls, one each, in call order."""
        for index, message in enumerate(self.messages):
            ids = [entry["id"] for entry in message.get("tool_calls", ())]
            after = self.messages[index + 1 : index + 1 + len(ids)]
            if ids and (after or not self.state.get("pending")):
                assert ids == [entry.get("tool_call_id") for entry in after]


AnyRun.TestCase.settings = settings(examples(150), stateful_step_count=25)
TestAnyRun = AnyRun.TestCase
