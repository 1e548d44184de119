"""The compact dialect: its prompt as models were taught it, its three decisions, and how they are read and streamed."""

import json
from pathlib import Path
from typing import Any

import pytest

import purestep
from purestep.dialects import Sample, dialect_named
from purestep.entry.stream import close_stream, feed, stream_of
from purestep.values.reading import ReadCall
from tests.core.agents import ADD, agent, ok, said
from tests.core.driver import Driver

_LINES = (Path(__file__).parent / "taught" / "compact.jsonl").read_text(encoding="utf-8").splitlines()
_CASES: list[dict[str, Any]] = [json.loads(line) for line in _LINES]
_KINDS = ("prompts", "results", "outputs")
PROMPTS, RESULTS, OUTPUTS = ([case for case in _CASES if case["kind"] == kind] for kind in _KINDS)
"""Prompts, results and outputs as the formatter writes them with which the bundled model was taught."""

COMPACT = dialect_named("compact")
NOTE = {"name": "note", "parameters": {"type": "object", "properties": {"text": {"type": "string"}}}}


def compact(*tools: dict[str, Any], **members: Any) -> dict[str, Any]:
    """A definition whose model is asked in the compact dialect."""
    return {"dialect": "compact", "tools": list(tools or (ADD,)), **members}


def adding(**arguments: Any) -> str:
    """An output that calls add_numbers."""
    return json.dumps({"tool": "add_numbers", "args": arguments})


@pytest.mark.parametrize("case", PROMPTS, ids=range(len(PROMPTS)))
def test_system_text_is_the_one_that_was_taught(case: dict[str, Any]) -> None:
    """The tools of strangers' servers stand in the prompt byte for byte as the model was taught them."""
    step = purestep.start(purestep.Agent.load(compact(*case["tools"])), purestep.UserMessage(content="q"), run_id="r")
    assert [("system", case["system"]), ("user", "q")] == [(each.role, each.content) for each in step.messages]


@pytest.mark.parametrize("case", RESULTS, ids=lambda case: case["text"][:12])
def test_results_are_turns_that_were_taught(case: dict[str, Any]) -> None:
    """A result is a user's turn of at most 300 characters, JSON with the spaces that it was taught with."""
    assert case["turn"] == COMPACT.result("any", COMPACT.abridge(case["text"]), True)


@pytest.mark.parametrize("case", OUTPUTS, ids=lambda case: case["output"][0])
def test_outputs_are_written_as_taught(case: dict[str, Any]) -> None:
    """Calls and answers of past turns have the bytes that the model itself writes."""
    kind, *parts = case["output"]
    call = ReadCall(tool=parts[0], params=parts[1]) if kind == "call" else None
    sample = Sample(answer=parts[0]) if call is None else Sample(calls=(call,))
    assert case["text"] == COMPACT.write(sample)


def test_no_examples_are_sent() -> None:
    """The model knows the form, so the prompt is the system text and the question alone."""
    driver = Driver(compact())
    assert ["system", "user"] == [message["role"] for message in driver.messages]


def test_call_then_answer() -> None:
    """A call is handed out, its result goes back as a turn, and the answer ends the run."""
    driver = Driver(compact())
    decision = driver.send(said(adding(a=17, b=25)))
    assert ("add_numbers", {"a": 17, "b": 25}) == (decision["tool"], decision["params"])
    assert "call_model" == driver.send(ok("call_1", 42))["type"]
    assert {"role": "user", "content": "Result: 42"} == driver.messages[-1]
    assert {"type": "done", "answer": "42"} == driver.send(said('{"answer": "42"}'))


def test_long_result_is_written_as_taught() -> None:
    """Of a result that is longer than the window has room for, the model reads the beginning in the taught form."""
    driver = Driver(compact(models=[{"name": "m", "window_tokens": 1024}]))
    driver.send(said(adding(a=1, b=2)))
    driver.send(ok("call_1", [{"id": number, "name": "x" * 20} for number in range(500)]))
    begin = 'Result: [{"id": 0, "name": "xxxxxxxxxxxxxxxxxxxx"}, {"id": 1, "name": '
    assert (begin, 308) == (driver.messages[-1]["content"][: len(begin)], len(driver.messages[-1]["content"]))


def test_failed_call_is_a_result_that_says_so() -> None:
    """An error comes back in the form in which the model was taught errors."""
    driver = Driver(compact())
    driver.send(said(adding(a=1, b=2)))
    driver.send({"type": "tool_results", "results": [{"call_id": "call_1", "ok": False, "error": "no such item"}]})
    assert {"role": "user", "content": "Result: Error: no such item"} == driver.messages[-1]


def test_correction_is_a_result_that_says_what_was_wrong() -> None:
    """A correction has no form of its own, since the model was taught none."""
    driver = Driver(compact())
    assert "correction" == driver.send(said(adding(a=1)))["reason"]
    assert driver.messages[-1]["content"].startswith("Result: Error: ")


def test_refusal_is_a_result_without_orders() -> None:
    """What to do now is left out of a correction: a model that was taught short errors tells that to the user."""
    driver = Driver(compact({**NOTE, "approval": "ask"}))
    asked = driver.send(said('{"tool": "note", "args": {"text": "milk"}}'))["calls"][0]
    driver.send({"type": "approvals", "approvals": [{"call_id": "call_1", "key": asked["key"], "approved": False}]})
    assert "Result: Error: note was not run: a person refused this call." == driver.messages[-1]["content"]


def test_answer_that_was_cut_off_is_told_so_in_a_sentence() -> None:
    """The form is not taught again: the grammar holds the model to it."""
    driver = Driver(compact())
    driver.send({"type": "model_output", "content": '{"answer": "1, 1, 1', "finish_reason": "length"})
    said_of_it = "Result: Error: Your last reply was cut off before it was complete."
    assert said_of_it == driver.messages[-1]["content"]


def test_repeated_call_is_taken_from_the_grammar() -> None:
    """The model sees the result again without a word, and its grammar has no such call until it does something else."""
    driver = Driver(compact(ADD, NOTE, models=[{"name": "m", "supports": ["grammar"]}]))
    for number in (1, 2):
        driver.send(said(adding(a=1, b=2)))
        driver.send(ok(f"call_{number}", 3))
    assert "Result: 3" == driver.messages[-1]["content"]
    assert ["correction", False, True] == [
        driver.decision["reason"],
        "add_numbers" in driver.decision["grammar"],
        "note" in driver.decision["grammar"],
    ]
    driver.send(said('{"tool": "note", "args": {"text": "3"}}'))
    driver.send(ok("call_3", "noted"))
    assert "add_numbers" in driver.decision["grammar"]


def test_question_ends_the_turn() -> None:
    """A reply that asks is done with a question, in the decision and in the log."""
    driver = Driver(compact())
    decision = driver.send(said('{"ask": "Which numbers?"}'))
    assert {"type": "done", "answer": "Which numbers?", "question": True} == decision
    assert {"kind": "final_answer", "content": "Which numbers?", "question": True}.items() <= driver.lines()[-1].items()


def test_conversation_goes_on_after_a_question() -> None:
    """The next message is asked about with the question before it, and an answer is no question."""
    driver = Driver(compact())
    driver.send(said('{"ask": "Which numbers?"}'))
    driver.send({"type": "user_message", "content": "1 and 2"})
    assert ['{"ask": "Which numbers?"}', "1 and 2"] == [message["content"] for message in driver.messages[-2:]]
    assert {"type": "done", "answer": "3"} == driver.send(said('{"answer": "3"}'))


def test_question_needs_no_form_of_an_answer() -> None:
    """A schema is of the answer: a question has no data, and an answer of the wrong form is sent back."""
    driver = Driver(compact(answer_schema={"type": "object", "required": ["sum"]}))
    assert {"type": "done", "answer": "Of what?", "question": True} == driver.send(said('{"ask": "Of what?"}'))
    driver.send({"type": "user_message", "content": "1 and 2"})
    assert "answer_schema" == driver.send(said('{"answer": "3"}'))["cause"]
    assert {"sum": 3} == driver.send(said('{"answer": {"sum": 3}}'))["data"]


def test_question_is_no_way_around_a_demanded_call() -> None:
    """Where a tool has to be used, a question is sent back as an answer would be."""
    driver = Driver(compact(tool_choice="required"))
    assert "obligation" == driver.send(said('{"ask": "Why?"}'))["cause"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Paris.", "parse_error"),
        ("", "parse_error"),
        ("[]", "parse_error"),
        ("{}", "parse_error"),
        ('{"answer": null}', "parse_error"),
        ('{"ask": 3}', "parse_error"),
        ('{"tool": "add_numbers", "args": [1]}', "parse_error"),
        ('{"tool": "add_numbers", "args": {}, "a": 1}', "parse_error"),
        ('{"answer": "I th', "truncated"),
    ],
)
def test_what_is_no_decision_is_never_an_answer(text: str, code: str) -> None:
    """Anything but the three objects is a problem, with no content to show."""
    reading = COMPACT.read(text, purestep.Agent.load(compact()).specs())
    assert (None, [code]) == (reading.content, [problem.code for problem in reading.problems])


@pytest.mark.parametrize("around", ["```json\n{}\n```", "Sure: {}", "{} I hope this helps."])
def test_object_amid_text_is_read_and_noted(around: str) -> None:
    """A fence and prose around the object change nothing but a note."""
    reading = COMPACT.read(around.replace("{}", adding(a=1, b=2)), None)
    assert ((ReadCall(tool="add_numbers", params={"a": 1, "b": 2}),), 1) == (reading.calls, len(reading.problems))


@pytest.mark.parametrize("size", [1, 2, 5, 1000])
@pytest.mark.parametrize(
    ("text", "shown"),
    [('{"answer": "a \\u00e9 b"}', "a \u00e9 b"), ('{"ask": "Which?"}', "Which?"), (adding(a=1, b=2), "")],
)
def test_question_and_answer_are_streamed(text: str, shown: str, size: int) -> None:
    """Their characters are shown while they come, and nothing of a call is."""
    stream, events = stream_of("compact"), list[purestep.StreamEvent]()
    for at in range(0, len(text), size):
        stream, new = feed(stream, text[at : at + size])
        events += new
    events += close_stream(stream)
    assert shown == "".join(event.text for event in events if isinstance(event, purestep.StreamText))
    assert (text == adding(a=1, b=2)) == any(isinstance(event, purestep.StreamCall) for event in events)


def test_more_tools_than_fit_are_refused_with_their_size() -> None:
    """Forty tools are an error that says how many have room; of more, most are found and take none."""
    many = [{"name": f"tool_{number}", "description": "x " * 40} for number in range(41)]
    with pytest.raises(purestep.PurestepError, match=r"the 40 tools take \d+ characters .* about 14 tools") as caught:
        purestep.Agent.load(compact(*many[:40]))
    purestep.Agent.load(compact(*many))
    assert ("invalid_agent", "/tools") == (caught.value.code, caught.value.path)


def test_spans_of_another_dialect_are_refused() -> None:
    """A definition that asks for copied arguments where nothing holds them is an error."""
    with pytest.raises(purestep.PurestepError, match="got envelope") as caught:
        purestep.Agent.load(agent(models=[{"name": "m", "supports": ["spans"]}]))
    assert "/models/0/supports" == caught.value.path


def test_adapter_and_digests_stand_in_the_log() -> None:
    """The first line names the weights that answer."""
    digests = {"sha256": "a" * 64, "adapter": {"name": "tools", "sha256": "b" * 64}}
    driver = Driver(compact(models=[{"name": "m", **digests}]))
    assert digests.items() <= driver.lines()[0]["agent"]["models"][0].items()


def spanning(*tools: dict[str, Any]) -> Driver:
    """A run whose model copies its arguments."""
    return Driver(compact(*tools, models=[{"name": "m", "supports": ["grammar", "spans"]}]), "Note zwzweem")


def test_words_of_user_and_results_may_be_copied() -> None:
    """The grammar of a call holds the words of the question, and after a result also those of the result."""
    driver = spanning(NOTE, ADD)
    assert '"zwzweem"' in driver.decision["grammar"]
    driver.send(said(adding(a=1, b=2)))
    driver.send(ok("call_1", {"id": "A-17"}))
    assert all(word in driver.decision["grammar"] for word in ('"zwzweem"', '"17"'))


def test_figures_of_an_error_may_be_told() -> None:
    """What a correction or an error names may be said in the answer to it."""
    driver = spanning({"name": "seats", "parameters": {"properties": {"count": {"type": "integer", "maximum": 8}}}})
    driver.send(said('{"tool": "seats", "args": {"count": 77}}'))
    assert all(f'"{figure}"' in driver.decision["grammar"] for figure in (8, 77))
    driver.send(said('{"tool": "seats", "args": {"count": 7}}'))
    driver.send({"type": "tool_results", "results": [{"call_id": "call_2", "ok": False, "error": "code 4711"}]})
    assert '"4711"' in driver.decision["grammar"]


def test_words_of_the_exchange_before_may_be_copied() -> None:
    """What was said before a question of the model's stands in the grammar of the reply to it."""
    driver = spanning(NOTE)
    driver.send(said('{"ask": "Where to?"}'))
    driver.send({"type": "user_message", "content": "to the kitchen"})
    assert all(word in driver.decision["grammar"] for word in ('"zwzweem"', '"kitchen"'))


def test_what_is_left_out_of_a_long_text_is_logged() -> None:
    """Of 20,000 words those at either end may be copied, and a line says how much is left out."""
    driver = spanning(NOTE)
    driver.send(said('{"answer": "ok"}'))
    driver.send({"type": "user_message", "content": "first " + "word " * 20_000 + "last"})
    assert '"first"' in driver.decision["grammar"]
    assert '"last"' in driver.decision["grammar"]
    line = next(line for line in driver.events("switched") if line["what"] == "spans")
    assert ("spans", "length", True) == (line["what"], line["cause"], line["dropped"] > 99_000)


def test_kept_texts_are_bounded() -> None:
    """The state does not grow with the conversation."""
    driver = spanning(NOTE)
    for number in range(20):
        driver.send(said('{"answer": "ok"}'))
        driver.send({"type": "user_message", "content": f"message {number}"})
    assert 6 == len(driver.state["run"]["span_texts"])
