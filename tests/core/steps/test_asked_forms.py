"""A tool that asks a person in the middle of its call: the form, the answers, and what may not be asked."""

from typing import Any

import msgspec
import pytest

import purestep
from purestep import Approval, Approvals, AskedForm, InvokeTool, PurestepError, RequestApproval, ToolResult, ToolResults

AGENT = purestep.Agent.load(
    {
        "tools": [
            {
                "name": "book",
                "parameters": {"type": "object"},
                "approval": "auto",
                "annotations": {"destructiveHint": True},
            },
            {"name": "look", "parameters": {"type": "object"}, "annotations": {"readOnlyHint": True}},
        ]
    }
)
FORM = {"type": "object", "properties": {"seats": {"type": "integer", "minimum": 1}}, "required": ["seats"]}
ASKS = AskedForm(message="How many seats?", form=FORM, state="page 2")


def begun(*tools: str) -> purestep.Step:
    """A run whose calls are handed out."""
    step = purestep.start(AGENT, purestep.UserMessage(content="Book it."), "run")
    made = [purestep.NativeCall(function=purestep.NativeFunction(name=name, arguments={})) for name in tools]
    return purestep.step(step.state, purestep.ModelOutput(tool_calls=tuple(made)))


def asking(call: str = "call_1", asks: AskedForm = ASKS) -> ToolResults:
    """A result that asks."""
    return ToolResults(results=(ToolResult(call_id=call, ok=False, asks=asks),))


def answered(step: purestep.Step, *, approved: bool = True, **params: Any) -> Approvals:
    """A person's answer to the first call that waits."""
    assert isinstance(step.decision, RequestApproval)
    call = step.decision.calls[0]
    return Approvals(approvals=(Approval(call_id=call.call_id, key=call.key, approved=approved, params=params),))


def test_a_form_is_asked_and_the_call_goes_on_with_the_answer() -> None:
    """The same call is handed out again under the same key, with what was filled in and the tool's own state."""
    first = begun("book")
    assert isinstance(first.decision, InvokeTool)
    asked = purestep.step(first.state, asking())
    assert isinstance(asked.decision, RequestApproval)
    call = asked.decision.calls[0]
    assert ("form", "How many seats?", FORM) == (call.reason, call.note, call.form)
    again = purestep.step(asked.state, answered(asked, seats=2))
    assert isinstance(again.decision, InvokeTool)
    assert first.decision.calls[0].key == again.decision.calls[0].key
    assert purestep.FormAnswer(accepted=True, content={"seats": 2}, state="page 2") == again.decision.calls[0].answer
    done = purestep.step(again.state, ToolResults(results=(ToolResult(call_id="call_1", ok=True, output="booked"),)))
    assert ["user"] == [message.role for message in done.messages]


def test_a_refusal_is_an_answer() -> None:
    """The tool is told, and says what comes of it."""
    asked = purestep.step(begun("book").state, asking())
    again = purestep.step(asked.state, answered(asked, approved=False))
    assert isinstance(again.decision, InvokeTool)
    assert purestep.FormAnswer(accepted=False, state="page 2") == again.decision.calls[0].answer


def test_an_answer_that_does_not_fit_is_refused() -> None:
    """Nothing changes, and the error names the place."""
    asked = purestep.step(begun("book").state, asking())
    for wrong in ({}, {"seats": "two"}, {"seats": 0}):
        with pytest.raises(PurestepError) as raised:
            purestep.step(asked.state, answered(asked, **wrong))
        assert ("invalid_arguments", True) == (raised.value.code, "/approvals/0/params" in raised.value.path)


def test_a_call_that_asks_waits_until_the_others_have_run() -> None:
    """Results that come one by one lead to the same state as together, so a log can be replayed."""
    first = begun("book", "look")
    result = ToolResult(call_id="call_2", ok=True, output="seen")
    one = purestep.step(first.state, asking())
    assert isinstance(one.decision, InvokeTool)
    assert ["look"] == [call.tool for call in one.decision.calls]
    apart = purestep.step(one.state, ToolResults(results=(result,)))
    together = purestep.step(first.state, ToolResults(results=(*asking().results, result)))
    assert isinstance(apart.decision, RequestApproval)
    assert apart.state.pending == together.state.pending
    other = purestep.step(first.state, ToolResults(results=(result, *asking().results)))
    assert other.state.pending == together.state.pending


def test_the_log_is_replayed_and_verified() -> None:
    """The question and its answer are facts of the log."""
    steps = [purestep.start(AGENT, purestep.UserMessage(content="Book it."), "run")]
    native = purestep.NativeCall(function=purestep.NativeFunction(name="book", arguments={}))
    steps.append(purestep.step(steps[-1].state, purestep.ModelOutput(tool_calls=(native,))))
    steps.append(purestep.step(steps[-1].state, asking()))
    waiting = "".join(step.log for step in steps)
    assert purestep.replay(waiting).decision == steps[-1].decision
    steps.append(purestep.step(steps[-1].state, answered(steps[-1], seats=2)))
    log = "".join(step.log for step in steps)
    found = purestep.replay(log)
    assert (found.state, found.decision) == (steps[-1].state, steps[-1].decision)
    assert purestep.verify(log).ok


def test_a_state_comes_back_through_json() -> None:
    """What a host keeps of a call that asks is checked and taken, and what no step has left is refused."""
    asked = purestep.step(begun("book").state, asking())
    text = msgspec.json.encode(asked.state)
    whole = {"state": msgspec.json.decode(text)}
    assert "error" not in msgspec.json.decode(purestep.run_agent_step(msgspec.json.encode(whole)))
    for member, value in (("asked", 0), ("asked", 99), ("status", "run"), ("status", "approval"), ("status", "done")):
        broken = msgspec.json.decode(text)
        broken["pending"][0][member] = value
        answer = msgspec.json.decode(purestep.run_agent_step(msgspec.json.encode({"state": broken})))
        assert "error" in answer, (member, value)


def test_asking_without_end_is_ended() -> None:
    """A call may ask eight times; then it has failed, and the model is told that it may have run."""
    step = begun("book")
    for _ in range(8):
        step = purestep.step(step.state, asking())
        step = purestep.step(step.state, answered(step, seats=1))
    ended = purestep.step(step.state, asking())
    assert isinstance(ended.decision, purestep.CallModel)
    assert "asked the user more than 8 times" in str(ended.messages[-1].content)


def test_a_cancelled_run_says_that_the_call_may_have_run() -> None:
    """A call that asked has begun: nobody knows what it did."""
    asked = purestep.step(begun("book").state, asking())
    ended = purestep.step(asked.state, purestep.Cancel())
    assert isinstance(ended.decision, purestep.Failed)
    assert ["unknown"] == [act.status for act in ended.decision.acts or ()]


@pytest.mark.parametrize(
    ("result", "path"),
    [
        (ToolResult(call_id="call_1", ok=True, output="x", asks=ASKS), "asks"),
        (ToolResult(call_id="call_1", ok=False, error="x", asks=ASKS), "asks"),
        (ToolResult(call_id="call_1", ok=False, asks=AskedForm(message="", form={"type": "wrong"})), "asks/form"),
        (
            ToolResult(call_id="call_1", ok=False, asks=AskedForm(message="", form={"description": "x" * 70_000})),
            "asks/form",
        ),
    ],
)
def test_what_cannot_be_asked_is_refused(result: ToolResult, path: str) -> None:
    """Before anything is logged."""
    with pytest.raises(PurestepError) as raised:
        purestep.step(begun("book").state, ToolResults(results=(result,)))
    assert ("invalid_input", f"/observation/results/0/{path}") == (raised.value.code, raised.value.path)


def test_codes_for_a_terminal_are_taken_out_of_the_question() -> None:
    """A person reads it on one."""
    asked = purestep.step(begun("book").state, asking(asks=AskedForm(message="\x1b[2JSeats?", form=FORM)))
    assert isinstance(asked.decision, RequestApproval)
    assert "Seats?" == asked.decision.calls[0].note


def test_a_call_that_was_answered_and_lost_asks_whether_it_is_to_run_again() -> None:
    """Its host was stopped: the outcome is unknown, and the answer stays for the case that it runs again."""
    asked = purestep.step(begun("book").state, asking())
    again = purestep.step(asked.state, answered(asked, seats=2))
    lost = purestep.step(again.state, purestep.Resumed())
    assert isinstance(lost.decision, RequestApproval)
    assert ("outcome_unknown", msgspec.UNSET) == (lost.decision.calls[0].reason, lost.decision.calls[0].form)
    call = lost.decision.calls[0]
    rerun = purestep.step(lost.state, Approvals(approvals=(Approval(call_id="call_1", key=call.key, approved=True),)))
    assert isinstance(rerun.decision, InvokeTool)
    assert purestep.FormAnswer(accepted=True, content={"seats": 2}, state="page 2") == rerun.decision.calls[0].answer
