"""Runs of a carried model: moves without it, guesses that a person confirms, open ends (11.carry)."""

import json
from typing import Any

import msgspec
import pytest

from purestep import (
    Act,
    Agent,
    Approval,
    Approvals,
    CallModel,
    Cancel,
    Done,
    Failed,
    InvokeTool,
    ModelOutput,
    PurestepError,
    RequestApproval,
    RunState,
    Step,
    ToolResult,
    ToolResults,
    UserMessage,
    replay,
    start,
    step,
    verify,
)
from tests.core.agents import ok
from tests.core.carry.tools import SPECS
from tests.core.driver import Driver, assert_replays

MODEL = {"name": "small", "carry": "route", "supports": ["json_schema", "tools"]}


def agent_with(*tools: str, level: str = "route", **more: Any) -> Agent:
    """Give an agent with some of the tools, whose model is carried."""
    specs = [msgspec.to_builtins(SPECS[name]) for name in tools or tuple(SPECS)]
    return Agent.load({"tools": specs, "models": [{**MODEL, "carry": level}], **more})


def asked(question: str, *tools: str, **more: Any) -> Step:
    """Give the first step of a run."""
    return start(agent_with(*tools, **more), UserMessage(content=question), "r")


def answered(before: Step, output: Any = None, error: str | None = None) -> Step:
    """Give the step after the one call that is due has its result."""
    assert isinstance(before.decision, InvokeTool)
    result = ToolResult(call_id=before.decision.call_id, ok=error is None, output=output, error=error)
    return step(before.state, ToolResults(results=(result,)))


def called(decision: Any) -> tuple[str, dict[str, Any]]:
    """Give the tool and the arguments of the one call of a decision."""
    assert isinstance(decision, InvokeTool | RequestApproval)
    (call,) = decision.calls
    return call.tool, call.params


def decided(log: str) -> list[str]:
    """Give the reasons of the moves that were made without the model."""
    events = [msgspec.json.decode(line) for line in log.splitlines()]
    return [event["reason"] for event in events if event["kind"] == "decided"]


def test_a_plain_question_takes_no_model() -> None:
    """The only call is made, its result is the answer, and the log says who decided."""
    first = asked("What is 17 plus 25?")
    assert called(first.decision) == ("calculator", {"expression": "17 + 25"})
    last = answered(first, 42)
    assert last.decision == Done(answer="42", acts=())
    assert decided(first.log + last.log) == ["one_call", "result"]
    assert last.state.turns == 0


def test_a_log_with_such_moves_verifies_and_replays() -> None:
    """Every decided line is derived again from the facts."""
    first = asked("calculate 17 + 25 and save the result as a note", "calculator", "note_add")
    second = answered(first, 42)
    last = answered(second, "saved note 1")
    log = first.log + second.log + last.log
    act = Act(call_id="call_2", tool="note_add", params={"note": "42"}, status="succeeded")
    assert last.decision == Done(answer="42\nsaved note 1", acts=(act,))
    assert verify(log, last.state.head) is not None
    found = replay(log)
    assert (last.state, last.decision) == (found.state, found.decision)


def test_an_object_is_answered_in_lines() -> None:
    """The members of a result stand a line each."""
    last = answered(asked("Where is my order A-1042?"), {"status": "sent", "days": 2})
    assert isinstance(last.decision, Done)
    assert sorted(last.decision.answer.splitlines()) == ["days: 2", "status: sent"]


def test_a_question_without_a_tool_asks_the_model_for_an_answer_only() -> None:
    """The prompt is fresh and short, and no tool is offered."""
    first = asked("What is the capital of France?")
    assert isinstance(first.decision, CallModel)
    assert (first.decision.prompt, first.decision.tools) == ((), msgspec.UNSET)
    assert b"tool_call" not in bytes(first.decision.response_format)  # type: ignore[arg-type]
    messages = first.decision.messages
    assert isinstance(messages, tuple)
    assert messages[-1].content == "What is the capital of France?"
    assert sum(len(message.content or "") for message in messages) < 800
    last = step(first.state, ModelOutput(content='{"kind":"final","content":"Paris."}'))
    assert last.decision == Done(answer="Paris.", acts=())


def test_the_next_exchange_knows_the_one_before() -> None:
    """A question that asks for no tool is put after the latest answers."""
    first = asked("What is the capital of France?")
    done = step(first.state, ModelOutput(content='{"kind":"final","content":"Paris."}'))
    after = step(done.state, UserMessage(content="And how big is that place?"))
    assert isinstance(after.decision, CallModel)
    assert [message.content for message in after.decision.messages or ()][-3:-1] == [
        "What is the capital of France?",
        '{"kind":"final","content":"Paris."}',
    ]


def test_what_the_words_leave_open_is_asked_of_the_model() -> None:
    """The model chooses among the values of the words, and may not answer before."""
    first = asked("Paris near London, what is the weather like", "get_weather")
    assert isinstance(first.decision, CallModel)
    constraint = bytes(first.decision.response_format).decode()  # type: ignore[arg-type]
    assert '"London"' in constraint
    assert '"final"' not in constraint
    after = step(
        first.state,
        ModelOutput(content='{"kind":"tool_call","tool_name":"get_weather","arguments":{"city":"London"}}'),
    )
    assert called(after.decision) == ("get_weather", {"city": "London"})
    assert isinstance(answered(after, "rain").decision, Done)


def test_a_correction_reaches_the_fresh_prompt() -> None:
    """What was wrong stands in the next prompt, which the transcript is no part of."""
    first = asked("Paris near London, what is the weather like", "get_weather")
    after = step(first.state, ModelOutput(content="what?"))
    assert isinstance(after.decision, CallModel)
    assert "could not be read" in (after.decision.messages or ())[-1].content  # type: ignore[operator]


@pytest.mark.parametrize("dialect", ["envelope", "tool_tags", "bare", "hermes_json", "auto", "native"])
def test_a_correction_of_an_answer_shows_no_form_of_calls(dialect: str) -> None:
    """A small model that is told how calls are written answers with one, or about them."""
    first = asked("What is the capital of France?", dialect=dialect)
    cut = ModelOutput(content='{"kind":"final","content":"Paris is', finish_reason="length")
    for output in (cut, ModelOutput(content="{"), ModelOutput(content="")):
        at = step(first.state, output)
        if isinstance(at.decision, Done):
            continue  # a brace is an answer in the dialects of plain text
        assert isinstance(at.decision, CallModel)
        said = str((at.decision.messages or ())[-1].content)
        assert "nswer" in said
        assert "tool" not in said


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, {"frequency_penalty": 0.3}),
        ({"sampling": {"temperature": 0}}, {"temperature": 0, "frequency_penalty": 0.3}),
        ({"sampling": {"repeat_penalty": 1.1}}, {"repeat_penalty": 1.1}),
        ({"sampling": {"presence_penalty": 0}}, {"presence_penalty": 0}),
        ({"answer_schema": {"type": "string"}}, None),
    ],
)
def test_an_answer_in_own_words_does_not_repeat_itself(given: dict[str, Any], expected: Any) -> None:
    """Its sampling has a penalty for repeating, unless the definition names one or the answer has a form."""
    first = asked("What is the capital of France?", **given)
    assert isinstance(first.decision, CallModel)
    found = first.decision.sampling
    assert expected == (None if found is msgspec.UNSET else msgspec.json.decode(bytes(found)))  # type: ignore[arg-type]
    choosing = asked("Paris near London, what is the weather like", "get_weather", **given)
    assert isinstance(choosing.decision, CallModel)
    asked_for = choosing.decision.sampling
    plain = given.get("sampling")
    assert plain == (None if asked_for is msgspec.UNSET else msgspec.json.decode(bytes(asked_for)))  # type: ignore[arg-type]


def test_a_guess_at_a_tool_that_acts_is_asked_about() -> None:
    """Where the words do not clearly ask for an effect, a person decides."""
    clear = asked("Save a note: buy milk")
    assert called(clear.decision) == ("note_add", {"note": "buy milk"})
    assert isinstance(clear.decision, InvokeTool)
    guessed = asked("any note about milk to save?", "note_add")
    assert isinstance(guessed.decision, RequestApproval)
    assert "does not clearly ask" in guessed.decision.calls[0].reason


def test_a_refused_call_ends_openly() -> None:
    """After a no there is nothing else to try, and the run says so."""
    first = asked("Please pay 50 euros to Anna.")
    assert isinstance(first.decision, RequestApproval)
    (call,) = first.decision.calls
    last = step(first.state, Approvals(approvals=(Approval(call_id=call.call_id, key=call.key, approved=False),)))
    assert isinstance(last.decision, Failed)
    assert last.decision.code == "denied"
    assert decided(last.log) == ["no_way"]


def test_no_other_tool_stands_in_for_a_refused_order() -> None:
    """What a person refuses to have noted is not looked for among the notes instead."""
    s = answered(asked("Berechne 19 * 3 und notiere das Ergebnis", "calculator", "note_add", "note_search"), 57)
    assert isinstance(s.decision, RequestApproval)
    call = s.decision.calls[0]
    assert "note_add" == call.tool
    last = step(s.state, Approvals(approvals=(Approval(call_id=call.call_id, key=call.key, approved=False),)))
    assert isinstance(last.decision, Failed)
    assert "denied" == last.decision.code


def _interrupted(before: Step) -> Step:
    assert isinstance(before.decision, InvokeTool)
    result = ToolResult(call_id=before.decision.call_id, ok=False, error="it may have run", error_kind="interrupted")
    return step(before.state, ToolResults(results=(result,)))


def test_a_run_that_is_stopped_during_a_call_ends_as_cancelled() -> None:
    """The interrupted result, which a host records first, does not end the run by itself."""
    stopped = _interrupted(asked("What is 17 plus 25?", "calculator"))
    assert isinstance(stopped.decision, CallModel)
    last = step(stopped.state, Cancel())
    assert isinstance(last.decision, Failed)
    assert "cancelled" == last.decision.code


def test_after_an_interrupted_call_a_person_sees_its_repetition() -> None:
    """What may have run already runs again only if somebody says so, also where the words clearly order it."""
    stopped = _interrupted(asked("Save a note: buy milk"))
    assert isinstance(stopped.decision, CallModel)
    call = {"kind": "tool_call", "tool_name": "note_add", "arguments": {"note": "buy milk"}}
    again = step(stopped.state, ModelOutput(content=json.dumps(call)))
    assert isinstance(again.decision, RequestApproval)
    answer = step(stopped.state, ModelOutput(content='{"kind":"final","content":"It is saved."}'))
    assert isinstance(answer.decision, CallModel)


def test_an_approved_call_ends_with_its_result() -> None:
    """The preset of a payment: asked, approved, done, the result told."""
    first = asked("Please pay 50 euros to Anna.")
    assert isinstance(first.decision, RequestApproval)
    (call,) = first.decision.calls
    approved = step(first.state, Approvals(approvals=(Approval(call_id=call.call_id, key=call.key, approved=True),)))
    act = Act(call_id="call_1", tool="send_payment", params=call.params, status="succeeded")
    assert answered(approved, "paid 50 to Anna").decision == Done(answer="paid 50 to Anna", acts=(act,))


def test_a_failed_call_without_another_way_fails() -> None:
    """A failure is never an answer."""
    last = answered(asked("What's the weather in Oslo today?"), error="no station there")
    assert isinstance(last.decision, Failed)
    assert (last.decision.code, "no station there" in last.decision.message) == ("tool_failed", True)


def test_limits_hold_for_moves_without_the_model() -> None:
    """A call that the core makes counts as any other."""
    first = asked("calculate 1 + 2 and set an alarm for 3 minutes", limits={"max_tool_calls": 1})
    last = answered(first, 3)
    assert isinstance(last.decision, Failed)
    assert last.decision.code == "budget"


def test_a_native_transcript_holds_the_call_apart() -> None:
    """Servers with calls of their own get the core's call in their form."""
    first = asked("What is 17 plus 25?", "calculator", dialect="native")
    assert first.messages[-1].tool_calls
    last = answered(first, 42)
    assert (last.messages[0].role, last.decision) == ("tool", Done(answer="42"))


def test_an_answer_with_a_form_is_worded_by_the_model() -> None:
    """A result is no answer where the answer has a schema."""
    last = answered(asked("What is 17 plus 25?", "calculator", answer_schema={"type": "integer"}), 42)
    assert isinstance(last.decision, CallModel)
    assert "Result of calculator: 42" in (last.decision.messages or ())[-1].content  # type: ignore[operator]
    done = step(last.state, ModelOutput(content='{"kind":"final","content":42}'))
    assert done.decision == Done(answer="42", data=42)


def test_at_ground_the_transcript_is_sent_and_addresses_are_held() -> None:
    """A model that needs no choice made for it may copy only addresses that were said."""
    first = asked("Fetch https://a.example/ for me", "fetch_page", "note_add", level="ground")
    assert isinstance(first.decision, CallModel)
    assert first.decision.messages is msgspec.UNSET
    assert b'"enum":["https://a.example/"]' in bytes(first.decision.response_format)  # type: ignore[arg-type]
    assert b'"final"' in bytes(first.decision.response_format)  # type: ignore[arg-type]


@pytest.mark.parametrize("dialect", ["native", "envelope"])
@pytest.mark.parametrize(
    ("asked_for", "url", "taken"),
    [
        ("Fetch https://a.example/x", "https://a.example/x", True),
        ("Fetch a.example/x", "https://a.example/x", True),
        ("Fetch https://a.example/x", "http://a.example/x", True),
        ("Fetch https://a.example/x.", "https://A.example/x", True),
        ("\u0417\u0430\u0433\u0440\u0443\u0437\u0438 https://a.example/x", "https://b.example/x", False),
        ("Fetch https://a.example/x", "https://a.example/y", False),
        ("Fetch https://a.example/x", "https://a.example.org/x", False),
        ("Fetch the front page of the Rust project", "https://www.rust-lang.org/", True),
        ("Fetch " + " ".join(f"https://a.example/{number}" for number in range(20)), "https://a.example/19", True),
        ("Fetch https://a.example/x " + "word " * 2000, "https://b.example/x", False),
    ],
)
def test_at_ground_a_link_that_nobody_said_is_sent_back(dialect: str, asked_for: str, url: str, taken: bool) -> None:
    """Also where no constraint holds the model to it; where no link was said none is wrong."""
    definition = {"dialect": dialect, "tools": [TOOL], "models": [{"name": "m", "carry": "ground"}]}
    driver = Driver(definition, asked_for)
    output = {"content": _envelope(url)} if dialect == "envelope" else {"content": None, "tool_calls": [_native(url)]}
    driver.send({"type": "model_output", **output})
    assert ("invoke_tool" if taken else "call_model") == driver.decision["type"]
    if not taken:
        assert "stands neither in the user's words nor in a result" in driver.messages[-1]["content"]
        assert "https://a.example/x" in driver.messages[-1]["content"]


@pytest.mark.parametrize("dialect", ["native", "envelope"])
@pytest.mark.parametrize(
    ("source", "kind", "asked_for", "value", "taken"),
    [
        ("number", "integer", "Refund 25 for order 1042", 1042, True),
        ("number", "integer", "Refund 25 for order 1042", 1043, False),
        ("number", "integer", "Refund that order", 1043, True),
        ("number", "number", "Refund 2.50 for it", 2.5, True),
        ("date", "string", "Book a room for March 18, 2026", "2026-03-18", True),
        ("date", "string", "Book a room for March 18, 2026", "2026-03-19", False),
        ("path", "string", "Read docs/a.md", "docs/b.md", False),
        (None, "integer", "Refund 25 for order 1042", 1043, True),
        ("phrase", "string", "Tell Ada", "Bob", True),
        ("luck", "integer", "Refund 25 for order 1042", 1043, True),
    ],
)
def test_at_ground_a_source_that_the_schema_names_is_held(
    dialect: str, source: str | None, kind: str, asked_for: str, value: Any, taken: bool
) -> None:
    """Whose values the words hold by their form; one that is only guessed is not."""
    schema = {"type": kind} | ({"x-source": source} if source else {})
    tool = {"name": "use", "parameters": {"type": "object", "properties": {"it": schema}, "required": ["it"]}}
    tool["annotations"] = {"readOnlyHint": True}
    driver = Driver({"dialect": dialect, "tools": [tool], "models": [{"name": "m", "carry": "ground"}]}, asked_for)
    called = {"tool_name": "use", "arguments": {"it": value}}
    native = {"function": {"name": "use", "arguments": json.dumps({"it": value})}}
    output = (
        {"content": json.dumps({"kind": "tool_call", **called})}
        if dialect == "envelope"
        else {"content": None, "tool_calls": [native]}
    )
    driver.send({"type": "model_output", **output})
    assert ("invoke_tool" if taken else "call_model") == driver.decision["type"]
    if not taken:
        assert "stands neither in the user's words nor in a result" in driver.messages[-1]["content"]


def test_a_model_that_insists_is_believed_where_not_all_that_was_said_is_kept() -> None:
    """In a later exchange the link may stand in an earlier one; in the first it cannot."""
    driver = Driver({"tools": [TOOL], "models": [{"name": "m", "carry": "ground"}]}, "Fetch https://a.example/x")
    for _ in range(2):
        driver.send({"type": "model_output", "content": _envelope("https://b.example/")})
    assert ("failed", "invalid_arguments") == (driver.decision["type"], driver.decision["code"])
    driver.send({"type": "user_message", "content": "Then https://c.example/x"})
    driver.send({"type": "model_output", "content": _envelope("https://b.example/")})
    assert "correction" == driver.decision["reason"]
    driver.send({"type": "model_output", "content": _envelope("https://b.example/")})
    assert "invoke_tool" == driver.decision["type"]


TOOL = {
    "name": "fetch_page",
    "parameters": {"type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]},
    "annotations": {"readOnlyHint": True},
}


def _envelope(url: str) -> str:
    return msgspec.json.encode({"kind": "tool_call", "tool_name": "fetch_page", "arguments": {"url": url}}).decode()


def _native(url: str) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {"name": "fetch_page", "arguments": msgspec.json.encode({"url": url}).decode()},
    }


def test_an_answer_before_the_steps_are_made_is_sent_back() -> None:
    """A host that ignores the constraint cannot answer early: once it is corrected, then the run fails openly."""
    driver = Driver({"tools": [STATUS, TRACK], "models": [MODEL]}, "order 7?")
    assert b'"final"' not in msgspec.json.encode(driver.decision["response_format"])
    driver.send({"type": "model_output", "content": EARLY})
    assert ("correction", "obligation") == (driver.decision["reason"], driver.decision["cause"])
    (sent_back,) = driver.events("correction")
    assert ("obligation", 1) == (sent_back["cause"], sent_back["attempt"])
    assert "one of these tools: order_status, order_track" in sent_back["content"]
    assert sent_back["content"] in driver.prompt()[-1]["content"]
    driver.send({"type": "model_output", "content": EARLY})
    assert ("failed", "obligation") == (driver.decision["type"], driver.decision["code"])
    assert_replays(driver)


def test_an_answer_is_taken_once_the_steps_are_made() -> None:
    """After the correction the call is made, and its result is the answer."""
    driver = Driver({"tools": [STATUS, TRACK], "models": [MODEL]}, "order 7?")
    driver.send({"type": "model_output", "content": EARLY})
    said = '{"kind":"tool_call","tool_name":"order_track","arguments":{"number":7}}'
    assert "invoke_tool" == driver.send({"type": "model_output", "content": said})["type"]
    assert {"type": "done", "answer": "in Rome"} == driver.send(ok("call_1", "in Rome"))


EARLY = '{"kind":"final","content":"It was sent yesterday."}'
NUMBER = {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]}
STATUS, TRACK = (
    {"name": name, "description": "Look up an order.", "parameters": NUMBER, "annotations": {"readOnlyHint": True}}
    for name in ("order_status", "order_track")
)


def test_what_a_routed_model_is_asked_fits_the_window_or_the_run_fails() -> None:
    """Words in another script may take all of it; then no model is asked, and the figures are in the detail."""
    models = [{**MODEL, "window_tokens": 2048}]
    driver = Driver({"tools": [STATUS], "models": models}, "\u4eca\u5929" * 1900)
    assert ("failed", "window") == (driver.decision["type"], driver.decision["code"])
    assert driver.decision["detail"]["tokens"] > driver.decision["detail"]["room"] == 2048 * 3 // 4
    assert "call_model" == Driver({"tools": [STATUS], "models": models}, "\u4eca\u5929" * 200).decision["type"]


def test_off_is_as_without_the_key() -> None:
    """Nothing is kept of the words, and all tools are offered."""
    first = asked("What is 17 plus 25?", level="off")
    assert isinstance(first.decision, CallModel)
    assert first.state.carried is None


def test_a_larger_model_is_asked_as_its_level_says() -> None:
    """After a small model's failed correction the next one reads the transcript."""
    models = [MODEL, {"name": "large"}]
    specs = [msgspec.to_builtins(SPECS["get_weather"])]
    agent = Agent.load({"tools": specs, "models": models})
    at = start(agent, UserMessage(content="Paris near London, what is the weather like"), "r")
    for _ in range(2):
        at = step(at.state, ModelOutput(content="what?"))
    assert isinstance(at.decision, CallModel)
    assert (at.decision.model, at.decision.messages) == ("large", msgspec.UNSET)


LONG = "Save a note: " + "very long words " * 8000


def test_a_state_is_bounded_by_no_question() -> None:
    """A question of 128,000 characters leaves a small state."""
    first = asked(LONG)
    assert len(msgspec.json.encode(first.state)) < 20_000


@pytest.mark.parametrize(
    "carried",
    [
        {"task": "x" * 5000},
        {"task": "x", "tools": ["erase"]},
        {"task": "x", "tools": ["note_add", "calculator"]},
        {"task": "x", "results": [["calculator", "1", True]] * 9},
        {"task": "x", "results": [["calculator", "1" * 2000, True]]},
        {"task": "x", "earlier": [["a", "b"]] * 3},
        {"task": "x", "feedback": "f" * 2000},
    ],
)
def test_a_forged_exchange_is_refused(carried: dict[str, Any]) -> None:
    """What a state says of it stays within the bounds of what a step puts there."""
    state = msgspec.to_builtins(asked("What is the capital of France?").state)
    forged = msgspec.convert({**state, "carried": carried}, RunState)
    with pytest.raises(PurestepError) as caught:
        step(forged, ModelOutput(content="x"))
    assert caught.value.code == "invalid_state"


def test_a_state_of_an_agent_that_carries_nobody_has_no_such_part() -> None:
    """A definition without a level refuses it."""
    state = msgspec.to_builtins(asked("Hello there you", level="off").state)
    forged = msgspec.convert({**state, "carried": {"task": "x"}}, RunState)
    with pytest.raises(PurestepError):
        step(forged, ModelOutput(content="x"))


# --- words that come from nowhere -------------------------------------------------------------------------

SEND = {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}
PLAIN = Agent.load({"tools": [{"name": "send", "parameters": SEND}]})
MADE_UP = '{"kind":"tool_call","tool_name":"send","arguments":{"to":"some to"}}'


def test_an_answer_that_repeats_the_question_is_sent_back() -> None:
    """Twice the question, in whatever case, is no answer."""
    at = start(PLAIN, UserMessage(content="Please do send it now!"), "r")
    echo = ModelOutput(content='{"kind":"final","content":"please do SEND it now."}')
    at = step(at.state, echo)
    assert isinstance(at.decision, CallModel)
    assert "only repeats the question" in at.messages[-1].content  # type: ignore[operator]
    assert isinstance(step(at.state, echo).decision, Failed)


GREETINGS = ["Hello", "Good morning, how are you today?", "Guten Morgen, wie geht es dir?"]


@pytest.mark.parametrize("text", GREETINGS)
def test_a_greeting_is_answered_by_the_same_greeting(text: str) -> None:
    """As people do, and however many words it has."""
    answer = json.dumps({"kind": "final", "content": text})
    assert step(start(PLAIN, UserMessage(content=text), "r").state, ModelOutput(content=answer)).decision == Done(
        answer=text, acts=()
    )


@pytest.mark.parametrize("text", ["How is it there today?", "Good morning, what is there to do?", "Thanks, and why?"])
def test_a_question_is_no_greeting(text: str) -> None:
    """It asks for something, whatever comes before it."""
    answer = json.dumps({"kind": "final", "content": text})
    asked = step(start(PLAIN, UserMessage(content=text), "r").state, ModelOutput(content=answer)).decision
    assert isinstance(asked, CallModel)


@pytest.mark.parametrize("level", ["off", "ground"])
@pytest.mark.parametrize(
    ("schema", "question", "number", "taken"),
    [
        ({}, "Pay my last order", 7316, False),
        ({}, "Pay my last order", 7316.0, False),
        ({"minimum": 1000, "maximum": 9999}, "Pay my last order", 1000, True),
        ({"default": 7316}, "Pay my last order", 7316, True),
        ({"maximum": 100}, "Pay my last order", 2, True),
        ({"exclusiveMaximum": 7317}, "Pay my last order", 7316, False),
        ({}, "Pay order 7316", 7316, True),
        ({}, "Bezahle Auftrag 7.316, bitte", 7316, True),
        ({}, "Pay order 7,316", 7316, True),
        ({}, "Pay order 73160", 73160, True),
        ({}, "Pay my last order", 2, True),
        ({}, "Pay my last order", 10, True),
        ({}, "Pay my last order", 1042, True),
    ],
)
def test_the_number_of_a_made_example_is_no_argument(
    level: str, schema: dict[str, Any], question: str, number: Any, taken: bool
) -> None:
    """Where no example and no schema says one, what stands in the prompt is a number that nobody says by chance."""
    parameters = {"type": "object", "properties": {"order": {"type": "number", **schema}}, "required": ["order"]}
    pay = {"name": "pay", "parameters": parameters, "annotations": {"readOnlyHint": True}}
    driver = Driver({"tools": [pay], "models": [{"name": "m", "carry": level}]}, question)
    driver.send(
        {"type": "model_output", "content": _written(kind="tool_call", tool_name="pay", arguments={"order": number})}
    )
    assert ("invoke_tool" if taken else "call_model") == driver.decision["type"]
    if not taken:
        assert "which only the example says" in driver.messages[-1]["content"]


def test_the_number_of_a_made_example_may_come_from_a_result() -> None:
    """What a result has said is an argument, also as a member of an object."""
    numbers = {"type": "object", "properties": {"order": {"type": "integer"}}, "required": ["order"]}
    pay = {"name": "pay", "parameters": numbers, "annotations": {"readOnlyHint": True}}
    driver = Driver({"tools": [pay]}, "Pay 5 and what follows")
    driver.send(
        {"type": "model_output", "content": _written(kind="tool_call", tool_name="pay", arguments={"order": 5})}
    )
    driver.send(ok("call_1", {"next": 7316}))
    driver.send(
        {"type": "model_output", "content": _written(kind="tool_call", tool_name="pay", arguments={"order": 7316})}
    )
    assert "invoke_tool" == driver.decision["type"]


REMIND = {
    "name": "remind",
    "parameters": {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]},
    "annotations": {"readOnlyHint": True},
    "examples": [
        {
            "query": "Erinnere Tom an das Fest",
            "arguments": {"to": "Tom"},
            "result": "Notiz f\u00fcr Tom: Fest",
            "answer": "Tom wei\u00df Bescheid, das Fest beginnt.",
        },
        {"query": "Add 2 and 3", "arguments": {"to": "2 3"}, "result": 5, "answer": "The result is 5."},
        {"query": "Is it done?", "arguments": {"to": "x"}, "result": "ok", "answer": "Yes, that is all done."},
    ],
}


def _answered(question: str, answer: str, output: Any = None, **members: Any) -> Driver:
    """Give a run that has answered, after a call with that output where there is one."""
    driver = Driver({"tools": [REMIND], **members}, question)
    if output is not None:
        driver.send(
            {"type": "model_output", "content": _written(kind="tool_call", tool_name="remind", arguments={"to": "Ada"})}
        )
        driver.send(ok("call_1", output))
    driver.send({"type": "model_output", "content": _written(kind="final", content=answer)})
    return driver


def _written(**members: Any) -> str:
    return msgspec.json.encode(members).decode()


@pytest.mark.parametrize(
    ("question", "answer", "output"),
    [
        ("Remind Ada", "Tom wei\u00df Bescheid, das Fest beginnt.", None),
        ("Remind Ada", "tom WEI\u00df Bescheid: das Fest beginnt!", "sent to Ada"),
        ("Remind Ada", "Erinnere Tom an das Fest", None),
        ("What is 17 plus 25?", "The result is 5.", 42),
        ("Remind Ada", "Notiz f\u00fcr Tom: Fest", "sent"),
        ("What is the capital of France?", "The capital of Italy is Rome.", None),
        ("\u041a\u0430\u043a \u0434\u0435\u043b\u0430?", "What is the capital of Italy?", None),
    ],
)
def test_an_answer_that_repeats_an_example_is_sent_back(question: str, answer: str, output: Any) -> None:
    """The request, the result or the answer of an example, where nobody has said what it is about."""
    driver = _answered(question, answer, output)
    assert "inconclusive" == driver.decision["cause"]
    assert "only repeats an example" in driver.messages[-1]["content"]
    assert_replays(driver)


@pytest.mark.parametrize(
    ("question", "answer", "output"),
    [
        ("Sag Tom, dass das Fest beginnt", "Tom wei\u00df Bescheid, das Fest beginnt.", None),
        ("Remind my brother", "Tom wei\u00df Bescheid, das Fest beginnt.", {"to": "Tom", "what": "Fest"}),
        ("What is 4 plus 1?", "The result is 5.", 5),
        ("What is 4 plus 1?", "The result is 5.", "5.0"),
        ("Is it 5?", "The result is 5.", None),
        ("Is all done?", "Yes, that is all done.", None),
        ("What is the capital of Italy?", "The capital of Italy is Rome.", None),
        ("Remind Ada", "Tom wei\u00df Bescheid, und das Fest beginnt.", None),
        ("Hello", "Hello! What can I do for you?", None),
    ],
)
def test_an_answer_whose_words_were_said_is_no_repeated_example(question: str, answer: str, output: Any) -> None:
    """The same words are an answer where the request or a result has what tells them."""
    assert "done" == _answered(question, answer, output).decision["type"]


def test_what_an_earlier_exchange_said_an_answer_may_be_about() -> None:
    """A question about it later is answered in the example's words, also in a run that took the messages over."""
    driver = _answered("Erinnere Tom an das Fest!", "Ist gut.")
    driver.send({"type": "user_message", "content": "Und?"})
    driver.send(
        {"type": "model_output", "content": _written(kind="final", content="Tom wei\u00df Bescheid, das Fest beginnt.")}
    )
    assert "done" == driver.decision["type"]
    instructed = {"instructions": "The party (das Fest) is Tom's."}
    assert "done" == _answered("Und?", "Tom wei\u00df Bescheid, das Fest beginnt.", **instructed).decision["type"]
    assert "done" == _answered("Und?", "Tom wei\u00df Bescheid, das Fest beginnt.", guardrails=[]).decision["type"]


def test_the_guardrail_can_be_left_out() -> None:
    """A definition that names its guardrails has those alone."""
    agent = Agent.load({"guardrails": []})
    at = start(agent, UserMessage(content="Please say it again"), "r")
    answer = '{"kind":"final","content":"Please say it again"}'
    assert isinstance(step(at.state, ModelOutput(content=answer)).decision, Done)
    with pytest.raises(PurestepError):
        Agent.load({"guardrails": [{"name": "echo", "tools": []}]})


def test_a_made_up_argument_is_sent_back_unless_it_was_said() -> None:
    """An example's value is nobody's; the same words of the user are theirs."""
    at = start(PLAIN, UserMessage(content="Please send it"), "r")
    at = step(at.state, ModelOutput(content=MADE_UP))
    assert isinstance(at.decision, CallModel)
    assert at.decision.cause == "invalid_arguments"
    said = start(PLAIN, UserMessage(content="Please send it to some to"), "r")
    assert called(step(said.state, ModelOutput(content=MADE_UP)).decision) == ("send", {"to": "some to"})


def test_a_result_may_say_it_too() -> None:
    """What a tool gave may be used."""
    at = start(PLAIN, UserMessage(content="Please send it"), "r")
    at = step(at.state, ModelOutput(content=MADE_UP.replace("some to", "Ann")))
    at = answered(at, "now send it to some to")
    assert called(step(at.state, ModelOutput(content=MADE_UP)).decision) == ("send", {"to": "some to"})


def test_made_up_values_of_a_state_are_those_of_its_tools() -> None:
    """A forged one is refused."""
    state = msgspec.to_builtins(start(PLAIN, UserMessage(content="Please send it"), "r").state)
    with pytest.raises(PurestepError):
        step(msgspec.convert({**state, "said_samples": ["x"]}, RunState), ModelOutput(content="x"))


def test_the_json_function_makes_the_same_moves() -> None:
    """The decision, its log and its answer are those of the typed form."""
    definition = msgspec.json.decode(agent_with().source)
    driver = Driver(definition, "What is 17 plus 25?")
    assert driver.decision["tool"] == "calculator"
    driver.send({"type": "tool_results", "results": [{"call_id": "call_1", "ok": True, "output": 42}]})
    assert (driver.decision["type"], driver.decision["answer"]) == ("done", "42")
    assert [event["reason"] for event in driver.events("decided")] == ["one_call", "result"]


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("What's the weather in Paris, and tell me a joke", "tell me a joke"),
        ("Tell me a joke and the weather in Paris", "Tell me a joke"),
        ("weather in Paris and explain why the sky is blue. Be brief.", "explain why the sky is blue. Be brief."),
        ("Weather in Paris? Why are cats so lazy?", "Why are cats so lazy?"),
    ],
)  # fmt: skip
def test_what_no_tool_can_do_is_asked_of_the_model_after_the_rest(question: str, left: str) -> None:
    """Its answer follows the results, and the log of it verifies."""
    first = asked(question, "get_weather")
    assert ("get_weather", {"city": "Paris"}) == called(first.decision)
    second = answered(first, "sunny")
    assert isinstance(second.decision, CallModel)
    assert left == second.decision.messages[-1].content  # type: ignore[index, union-attr]
    last = step(second.state, ModelOutput(content='{"kind":"final","content":"Ha."}'))
    assert Done(answer="sunny\nHa.") == last.decision
    log = first.log + second.log + last.log
    assert verify(log, last.state.head) is not None
    assert (last.state, last.decision) == (replay(log).state, replay(log).decision)


def test_thanks_beside_a_request_ask_nothing_of_the_model() -> None:
    """The result is the answer."""
    last = answered(asked("weather in Paris and thanks for your help", "get_weather"), "sunny")
    assert Done(answer="sunny") == last.decision


def test_a_denied_tool_is_not_called_where_another_fails() -> None:
    """What is to be left undone is no other way to what was asked."""
    path = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
    tools = [
        {"name": "read_file", "description": "Read a file", "parameters": path, "annotations": {"readOnlyHint": True}},
        {"name": "delete_file", "description": "Delete a file", "parameters": path},
    ]
    agent = Agent.load({"tools": tools, "models": [MODEL]})
    first = start(agent, UserMessage(content="Read plan.txt, but don't delete it"), "r")
    assert ("read_file", {"path": "plan.txt"}) == called(first.decision)
    assert isinstance(answered(first, error="no such file").decision, Failed)


@pytest.mark.parametrize(
    "more",
    [
        {"answer_schema": {"type": "object", "properties": {"said": {"type": "string"}}}},
        {"guardrails": [{"name": "observations"}]},
        {"answer_postconditions": [{"check": "note_search", "params": {"query": "/output"}}]},
    ],
    ids=["schema", "sections", "checks"],
)
def test_an_answer_in_one_piece_is_worded_by_the_model(more: dict[str, Any]) -> None:
    """Where the answer has a form of its own, the model gets the whole request with the results."""
    question = "weather in Paris and tell me a joke"
    second = answered(asked(question, "get_weather", "note_search", **more), "sunny")
    assert isinstance(second.decision, CallModel)
    shown = second.decision.messages[-1].content  # type: ignore[index, union-attr]
    assert question in str(shown)
    assert "sunny" in str(shown)
