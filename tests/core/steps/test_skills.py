"""A run executes the skills of its definition itself: asked for as a tool, answered as a tool, with nothing to run."""

import json
from typing import Any

import pytest

import purestep
from purestep.dialects import Sample, dialect_names
from purestep.values import ReadCall
from tests.core.agents import ADD, SHELL, call, final, listed, native_call, ok, said
from tests.core.driver import Driver, stepped

TEXT = "Anna Kurz wrote to Tom."
NAMES = call("extract", text=TEXT, target="name")
EMAIL = call("extract", text="Write to bob@mail.example.", target="email")
RIGHT = '{"name":["Tom","Anna Kurz"]}'
DOWN = {"type": "model_error", "code": "unavailable", "message": "down", "retryable": True}


def _run(*tools: dict[str, Any], **members: Any) -> Driver:
    return Driver({"skills": ["extract"], "tools": [*tools], **members}, query="Who wrote to whom?")


def _begun(**members: Any) -> Driver:
    driver = _run(**members)
    driver.send(said(NAMES))
    return driver


def _ended(driver: Driver) -> list[dict[str, Any]]:
    return [
        {key: event[key] for key in ("call_id", "ok", "output", "error_kind") if key in event}
        for event in driver.events("skill_ended")
    ]


def test_model_is_asked_with_the_skills_own_prompt() -> None:
    """The text is the last message; neither the transcript nor the tools are sent."""
    driver = _begun()
    decision = driver.decision
    assert ("call_model", "skill", "extract", []) == tuple(
        decision[key] for key in ("type", "reason", "skill", "prompt")
    )
    assert {"role": "user", "content": TEXT} == driver.prompt()[-1]
    assert "tools" not in decision
    alone = {"skill": "extract", "params": {"text": TEXT, "target": "name"}}
    assert json.loads(purestep.run_skill(json.dumps(alone)))["decision"] == decision


def test_what_the_skill_gives_is_the_result_of_its_call() -> None:
    """The output comes in the text's order, and the run goes on with the transcript."""
    driver = _begun()
    driver.send(said(RIGHT))
    assert ("tool_results", 'Result of extract: {"name":["Anna Kurz","Tom"]}') == (
        driver.decision["reason"],
        driver.messages[-1]["content"],
    )
    assert ["model_response", "skill_started", "model_response", "skill_ended"] == driver.kinds()[2:]
    assert [{"call_id": "call_1", "ok": True, "output": {"name": ["Anna Kurz", "Tom"]}}] == _ended(driver)
    assert "done" == driver.send(said(final("Anna wrote to Tom.")))["type"]


def test_what_form_tells_needs_no_model() -> None:
    """E-mail addresses are found by the core in the same step."""
    driver = _run()
    driver.send(said(EMAIL))
    assert "tool_results" == driver.decision["reason"]
    assert [{"call_id": "call_1", "ok": True, "output": {"email": ["bob@mail.example"]}}] == _ended(driver)


@pytest.mark.parametrize("dialect", [name for name in dialect_names() if name != "native"])
def test_skills_are_offered_in_every_dialect(dialect: str) -> None:
    """The prompt names the skill, and a call in the dialect's own form is executed."""
    agent = purestep.Agent.load({"skills": ["extract"], "dialect": dialect})
    driver = Driver({"skills": ["extract"], "dialect": dialect})
    assert "extract" in driver.messages[0]["content"]
    text = _written(agent, {"text": "a@b.example", "target": "email"})
    driver.send(said(text))
    assert [{"call_id": "call_1", "ok": True, "output": {"email": ["a@b.example"]}}] == _ended(driver)


def _written(agent: purestep.Agent, arguments: dict[str, Any]) -> str:
    calls = (ReadCall(tool="extract", params=arguments),)
    return agent.dialect.write(Sample(calls=calls))


def test_native_servers_get_the_skill_among_their_tools() -> None:
    """Its result goes back under the id of its call."""
    driver = Driver({"skills": ["extract"], "dialect": "native"})
    assert ["extract"] == [entry["function"]["name"] for entry in driver.decision["tools"]]
    driver.send(said(None, tool_calls=[native_call("extract", {"text": "a@b.example", "target": "email"})]))
    assert {"role": "tool", "content": '{"email":["a@b.example"]}', "tool_call_id": "call_1"} == driver.messages[-1]


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ({"text": " ", "target": "email"}, "EmptyInput"),
        ({"target": "email"}, "EmptyInput"),
        ({"text": "a", "target": "phone"}, "InvalidTarget"),
        ({"text": "a"}, "InvalidTarget"),
    ],
)
def test_refused_input_is_an_error_result(arguments: dict[str, Any], kind: str) -> None:
    """No model is asked about it, and nothing is corrected."""
    driver = _run()
    driver.send(said(call("extract", **arguments)))
    assert [{"call_id": "call_1", "ok": False, "error_kind": kind}] == _ended(driver)
    assert driver.messages[-1]["content"].endswith(f"({kind})")
    assert ("tool_results", []) == (driver.decision["reason"], driver.events("correction"))


@pytest.mark.parametrize(
    ("text", "cause", "kind"),
    [
        ("Anna and Tom", "parse_error", "MalformedOutput"),
        ('{"names":["Tom"]}', "answer_schema", "SchemaViolation"),
        ('{"name":["Zed"]}', "guardrail", "HallucinationDetected"),
    ],
)
def test_wrong_output_is_corrected_once(text: str, cause: str, kind: str) -> None:
    """The second one ends the skill with its kind, and the run goes on."""
    driver = _begun()
    driver.send(said(text))
    assert ("skill", cause) == (driver.decision["reason"], driver.decision["cause"])
    assert [text, driver.events("correction")[0]["content"]] == [each["content"] for each in driver.prompt()[-2:]]
    driver.send(said(text))
    assert [{"call_id": "call_1", "ok": False, "error_kind": kind}] == _ended(driver)
    assert "tool_results" == driver.decision["reason"]
    assert driver.messages[-1]["content"].endswith(f"({kind})")


def test_other_wrong_arguments_are_corrected_as_a_tools_are() -> None:
    """What is no fault of the skill, such as an unknown argument, is the turn's."""
    driver = _run()
    driver.send(said(call("extract", text="a", target="email", lang="en")))
    assert ("correction", "invalid_arguments") == (driver.decision["reason"], driver.decision["cause"])


@pytest.mark.parametrize("dialect", ["bare", "auto", "hermes_json"])
def test_form_of_its_own_is_a_call(dialect: str) -> None:
    """The skill's name stands under "skill", its arguments beside it or in an object."""
    plain = '{"skill":"extract","text":"a@b.example","target":"email"}'
    nested = '{"skill":"extract","params":{"text":"a@b.example","target":"email"}}'
    for text in (plain, nested, f"```json\n{plain}\n```"):
        driver = _run(ADD, dialect=dialect)
        driver.send(said(text))
        assert [{"call_id": "call_1", "ok": True, "output": {"email": ["a@b.example"]}}] == _ended(driver)


@pytest.mark.parametrize("dialect", ["bare", "auto"])
@pytest.mark.parametrize("name", ["summarise", "extrakt", "add_numbers"])
def test_unknown_skill_is_sent_back(dialect: str, name: str) -> None:
    """A tool's name is no skill's; the correction says what there is."""
    driver = _run(ADD, dialect=dialect)
    driver.send(said(json.dumps({"skill": name, "a": 1, "b": 2})))
    assert ("correction", "unknown_tool") == (driver.decision["reason"], driver.decision["cause"])
    said_back = driver.messages[-1]["content"]
    assert said_back.startswith(f'UnknownSkill: no skill is named "{name}"; ')
    assert "extract" in said_back


@pytest.mark.parametrize("dialect", ["bare", "auto"])
def test_form_of_its_own_is_text_where_no_skill_is_offered(dialect: str) -> None:
    """It was an answer before there were skills, and stays one."""
    text = '{"skill":"extract","text":"a","target":"email"}'
    driver = Driver({"tools": [ADD], "dialect": dialect})
    assert {"type": "done", "answer": text} == driver.send(said(text))


def test_damaged_form_is_no_answer() -> None:
    """A call that was cut is sent back, also where it is a skill's."""
    driver = _run(dialect="bare")
    driver.send(said('{"skill":"extract","text":"a","tar'))
    assert ("correction", "truncated") == (driver.decision["reason"], driver.decision["cause"])


# --- beside tools -----------------------------------------------------------------------------------------------


def test_tools_run_before_skills_and_results_keep_the_order_of_the_calls() -> None:
    """Skills are executed one by one once the tools have their results; each call has one result."""
    driver = _run(ADD)
    driver.send(said(listed(NAMES, call("add_numbers", a=1, b=2), EMAIL)))
    assert ["add_numbers"] == [entry["tool"] for entry in driver.decision["calls"]]
    driver.send(ok("call_2", 3))
    assert ("skill", TEXT) == (driver.decision["reason"], driver.prompt()[-1]["content"])
    driver.send(said(RIGHT))
    assert [
        'Result of extract: {"name":["Anna Kurz","Tom"]}',
        "Result of add_numbers: 3",
        'Result of extract: {"email":["bob@mail.example"]}',
    ] == driver.messages[-1]["content"].split("\n\n")
    assert ["call_1", "call_3"] == [event["call_id"] for event in driver.events("skill_started")]


def test_skill_waits_for_a_person_who_is_asked_about_a_tool() -> None:
    """About the skill nobody is asked: it has no effect."""
    definition = {"skills": ["extract"], "tools": [SHELL], "approval": {"default": "ask"}}
    driver = Driver(definition)
    driver.send(said(listed(EMAIL, call("shell", command="ls"))))
    assert ["call_2"] == [entry["call_id"] for entry in driver.decision["calls"]]
    driver.answer_all(False)
    assert "tool_results" == driver.decision["reason"]
    assert [{"call_id": "call_1", "ok": True, "output": {"email": ["bob@mail.example"]}}] == _ended(driver)


def test_host_cannot_answer_a_skill() -> None:
    """Its call is not the host's, and the run stays as it was."""
    driver = _run(ADD)
    driver.send(said(listed(EMAIL, call("add_numbers", a=1, b=2))))
    assert "unknown_call" == driver.send(ok("call_1", {"email": ["evil@mail.example"]}))["code"]
    assert "wrong_phase" == _begun().send(ok("call_1", {"name": ["Eve"]}))["code"]


# --- limits -----------------------------------------------------------------------------------------------------


def test_outputs_of_a_skill_count_as_turns() -> None:
    """A run fails where its turns are used up, and says how the skill ended."""
    driver = _begun(limits={"max_turns": 2})
    driver.send(said('{"name":["Zed"]}'))
    assert ("failed", "max_turns") == (driver.decision["type"], driver.decision["code"])
    assert [{"call_id": "call_1", "ok": False, "error_kind": "max_turns"}] == _ended(driver)
    assert driver.messages[-1]["content"].startswith("extract was not run: no answer within 2 turns")


def test_last_model_call_is_kept_for_the_answer() -> None:
    """Where the definition asks for a final answer, a skill does not take its turn."""
    driver = _begun(limits={"max_turns": 3, "final_answer": True})
    driver.send(said('{"name":["Zed"]}'))
    assert [{"call_id": "call_1", "ok": False, "error_kind": "budget"}] == _ended(driver)
    assert "done" == driver.send(said(final("I do not know.")))["type"]


def test_skills_count_as_calls_and_tokens() -> None:
    """Budgets of calls and tokens hold for them."""
    driver = _begun(limits={"max_tool_calls": 1, "max_output_tokens": 50})
    driver.send(said(RIGHT, usage={"prompt_tokens": 10, "completion_tokens": 60}))
    assert ("failed", "budget") == (driver.decision["type"], driver.decision["code"])
    assert "max_output_tokens" == driver.decision["detail"]["limit"]
    twice = _run(limits={"max_tool_calls": 1})
    twice.send(said(listed(EMAIL, NAMES)))
    assert ("failed", "budget") == (twice.decision["type"], twice.decision["code"])


def test_deadline_holds_within_a_skill() -> None:
    """An output that comes too late for another one ends the run."""
    driver = Driver({"skills": ["extract"], "limits": {"deadline_ms": 1000}}, at=0)
    driver.send(said(NAMES, at=10))
    driver.send(said("?", at=2000))
    assert ("failed", "deadline") == (driver.decision["type"], driver.decision["code"])


def test_repeated_skill_is_told_to_stop() -> None:
    """The repeat guard holds for skills as for tools."""
    driver = _run(limits={"max_repeats": 1})
    for _ in range(2):
        driver.send(said(EMAIL))
    assert ("correction", "repeated_call") == (driver.decision["reason"], driver.decision["cause"])


def test_model_errors_are_retried_and_then_fail_the_skill() -> None:
    """Each wait is logged; the run itself goes on."""
    driver = _begun()
    waits = [driver.send(DOWN).get("wait_ms") for _ in range(3)]
    assert [True, True, False] == [bool(wait) for wait in waits]
    assert waits[:2] == [event["wait_ms"] for event in driver.events("decided")]
    assert [{"call_id": "call_1", "ok": False, "error_kind": "model_error"}] == _ended(driver)
    assert "tool_results" == driver.decision["reason"]


def test_text_beyond_the_window_is_not_sent() -> None:
    """The promise that no prompt passes the window holds for skills."""
    models = [{"name": "small", "window_tokens": 2000}]
    driver = _run(models=models)
    driver.send(said(call("extract", text="Anna wrote. " * 1500, target="name")))
    assert [{"call_id": "call_1", "ok": False, "error_kind": "model_error"}] == _ended(driver)
    fits = _begun(models=models)
    assert ("skill", "small", 500) == (
        fits.decision["reason"],
        fits.decision["model"],
        fits.decision["sampling"]["max_tokens"],
    )


def test_cancel_ends_the_skill_with_the_run() -> None:
    """Its call was not run, and nothing waits any more."""
    driver = _begun()
    assert "cancelled" == driver.send({"type": "cancel"})["code"]
    assert [{"call_id": "call_1", "ok": False, "error_kind": "cancelled"}] == _ended(driver)
    assert "extract was not run: the run was cancelled." == driver.messages[-1]["content"]
    assert driver.state is not None
    assert not {"skill", "pending"} & driver.state.keys()


def test_reasoning_and_prose_around_the_output_are_read_past() -> None:
    """What holds for a skill alone holds within a run."""
    driver = _begun()
    driver.send(said(f"<think>who?</think>Sure:\n```json\n{RIGHT}\n```"))
    assert [True] == [event["ok"] for event in _ended(driver)]


# --- carried ----------------------------------------------------------------------------------------------------


def test_carried_model_gets_its_skill_without_being_asked() -> None:
    """At route the core chooses the skill, takes its text and target from the words and answers with its output."""
    models = [{"name": "small", "carry": "route"}]
    query = 'Extract the email from "Write to bob@mail.example"'
    driver = Driver({"skills": ["extract"], "models": models}, query=query)
    assert {"type": "done", "answer": 'email: ["bob@mail.example"]'} == driver.decision
    assert ["decided", "skill_started", "skill_ended", "decided", "final_answer"] == driver.kinds()[2:]
    assert purestep.verify(driver.log).ok


def test_carried_model_is_asked_for_what_a_skill_leaves_open() -> None:
    """Then the skill's prompt is sent, and after its output the carried run goes on by itself."""
    models = [{"name": "small", "carry": "route"}]
    driver = Driver({"skills": ["extract"], "models": models}, query='Extract all names from "王芳和李雷去了北京"')
    assert "skill" == driver.decision["reason"]
    driver.send(said('{"name":["王芳","李雷"]}'))
    assert ("done", 'name: ["王芳","李雷"]') == (driver.decision["type"], driver.decision["answer"])


def test_negotiation_counts_failed_skills() -> None:
    """A skill that failed is a failed tool to its rules."""
    driver = _begun(negotiation=True)
    driver.send(said("?"))
    driver.send(said("?"))
    assert driver.state is not None
    assert 1 == driver.state["negotiated"]["faults"]["rejected_result"]


# --- state and log ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", range(1, 12))
def test_every_prefix_of_the_log_replays_to_the_live_run(cut: int) -> None:
    """After a crash at any line the run goes on from its log to the same end."""
    driver = _run(ADD)
    moves = [said(listed(NAMES, call("add_numbers", a=1, b=2))), ok("call_2", 3), said("?"), DOWN, said(RIGHT)]
    for move in moves:
        driver.send(move)
    lines = driver.log.splitlines(keepends=True)
    assert len(lines) > cut
    found = purestep.replay("".join(lines[: cut + 1]))
    begun = "".join(lines[: cut + 1]) + found.lost
    assert driver.log.startswith(begun)
    state = json.loads(purestep.replay_log(driver.log))["state"]
    assert (driver.state, True) == (state, purestep.verify(driver.log).ok)


@pytest.mark.parametrize(
    ("path", "members"),
    [
        ("/phase", {"skill": None}),
        ("/phase", {"phase": "tools"}),
        ("/skill", {"reason": "start"}),
        ("/skill", {"skill": {"outputs": 1}}),
        ("/skill", {"skill": {"fault": {"kind": "Made up", "message": "x"}, "outputs": 1}}),
        ("/skill", {"skill": {"fault": {"kind": "MalformedOutput", "message": "x"}}}),
        ("/skill", {"pending": []}),
        ("/skill", {"summing": {"reason": "start"}}),
    ],
)
def test_changed_state_is_refused(path: str, members: dict[str, Any]) -> None:
    """A state that contradicts itself about its skill makes no step."""
    driver = _begun()
    assert driver.state is not None
    state = {**driver.state, **members}
    error = stepped(agent=driver.definition, state=state, observation=said(RIGHT))["error"]
    assert "invalid_state" == error["code"]
    assert f"/state{path}" == error["path"]


@pytest.mark.parametrize(
    "call_members",
    [{"status": "run"}, {"tool": "add_numbers"}, {"status": "done", "ok": True}, {"params": {"text": "x"}}],
)
def test_changed_call_is_refused(call_members: dict[str, Any]) -> None:
    """A skill's call is neither run by the host nor another tool's."""
    driver = _run(ADD)
    driver.send(said(NAMES))
    assert driver.state is not None
    pending = [{**driver.state["pending"][0], **call_members}]
    error = stepped(agent=driver.definition, state={**driver.state, "pending": pending})["error"]
    assert "invalid_state" == error["code"]


def test_nothing_of_the_output_is_streamed() -> None:
    """A reader of the run's text sees none of what a skill is told."""
    driver = _begun()
    opened = json.loads(purestep.stream_model_output(json.dumps({"state": driver.state})))
    fed = json.loads(purestep.stream_model_output(json.dumps({"stream": opened["stream"], "chunk": RIGHT})))
    closed = json.loads(purestep.stream_model_output(json.dumps({"stream": fed["stream"]})))
    assert [] == [*fed["events"], *closed["events"]]


def test_run_goes_on_with_another_question_after_a_skill() -> None:
    """Nothing of the skill is left in the state of the next exchange."""
    driver = _begun()
    driver.send(said(RIGHT))
    driver.send(said(final("Anna.")))
    driver.send({"type": "user_message", "content": "And now?"})
    assert "user_message" == driver.decision["reason"]
    driver.send(said(NAMES))
    assert ("skill", {}) == (driver.decision["reason"], driver.state["skill"] if driver.state else None)


def test_approvals_of_skills_are_none_of_the_policy() -> None:
    """A rule of the policy names tools; a skill among them is an error with its path."""
    output = stepped(
        agent={"skills": ["extract"], "approval": {"tools": {"extract": "ask"}}},
        observation={"type": "user_message", "content": "q"},
    )
    assert ("invalid_agent", "/approval/tools") == (output["error"]["code"], output["error"]["path"])


# --- definitions ------------------------------------------------------------------------------------------------

READ_SKILL = {"name": "read_skill", "parameters": {"type": "object"}}


@pytest.mark.parametrize(
    ("definition", "code", "path"),
    [
        ({"skills": ["extrakt"]}, "invalid_agent", "/skills/0"),
        ({"skills": [{"name": "extrakt"}]}, "invalid_agent", "/skills/0/name"),
        ({"skills": ["extract", {"name": "extract"}]}, "invalid_agent", "/skills/1/name"),
        ({"skills": ["extract"], "tools": [{"name": "extract"}]}, "duplicate_tool", "/skills/0"),
        ({"skills": [{"name": "pdf", "description": "PDF files."}]}, "invalid_agent", "/skills/0"),
        ({"skills": [{"name": "extract", "model": "x"}]}, "invalid_agent", "/skills/0/model"),
        ({"skills": [3]}, "invalid_agent", "/skills/0"),
        ({"skills": "extract"}, "invalid_agent", "/skills"),
        ({"skills": [{"name": "a\nb", "description": "x"}], "tools": [READ_SKILL]}, "invalid_agent", "/skills/0/name"),
    ],
)
def test_definition_is_refused_with_its_path(definition: dict[str, Any], code: str, path: str) -> None:
    """A name that no skill has, a doubled one, and written skills without their tool are errors."""
    error = json.loads(purestep.load_agent(json.dumps(definition)))["error"]
    assert (code, path) == (error["code"], error["path"])


def test_written_skills_stand_in_the_prompt_by_name_and_description() -> None:
    """They are sorted, each on one line, and part of the digest; they are no tools."""
    skills = [{"name": "pdf", "description": "Fill\nin PDF forms."}, {"name": "csv", "description": "Read tables."}]
    driver = Driver({"skills": [*skills, "extract"], "tools": [READ_SKILL]})
    system = driver.messages[0]["content"]
    head = "Before a task that one of these skills is about, read the skill with read_skill:"
    assert f"{head}\n- csv: Read tables.\n- pdf: Fill in PDF forms." in system
    assert ["extract", "read_skill"] == sorted(purestep.Agent.load(driver.definition or {}).tools)
    fewer = purestep.Agent.load({"skills": skills[:1], "tools": [READ_SKILL]})
    assert fewer.digest != purestep.Agent.load({"skills": skills, "tools": [READ_SKILL]}).digest


def test_tool_choice_may_name_a_skill() -> None:
    """Then it has to be called first, and only an output that it accepts lets an answer through."""
    driver = _run(ADD, tool_choice={"tool": "extract"})
    driver.send(said(call("add_numbers", a=1, b=2)))
    assert "tool_choice" == driver.decision["cause"]
    driver.send(said(EMAIL))
    assert "done" == driver.send(said(final("bob@mail.example")))["type"]


# --- beside checks and citations ----------------------------------------------------------------------------------


def test_checks_of_a_tool_come_before_the_skills_of_its_turn() -> None:
    """The verdict is waited for as a result is; then the skill, and the model gets one result for each call."""
    bank = {"name": "bank", "annotations": {"readOnlyHint": True}, "parameters": {"type": "object"}}
    pay = {"name": "pay", "annotations": {"readOnlyHint": False}, "postconditions": [{"check": "bank", "params": {}}]}
    driver = Driver({"skills": ["extract"], "tools": [pay, bank]})
    driver.send(said(listed(NAMES, call("pay"))))
    driver.send(ok("call_2", "paid"))
    assert ["call_2"] == [entry["checks"] for entry in driver.decision["calls"]]
    driver.send(ok("call_3", {"accept": True}))
    assert "skill" == driver.decision["reason"]
    driver.send(said(RIGHT))
    texts = driver.messages[-1]["content"].split("\n\n")
    assert ['Result of extract: {"name":["Anna Kurz","Tom"]}', "Result of pay: paid"] == texts
    assert purestep.verify(driver.log).ok


def test_skill_is_judged_by_no_check_and_its_answer_is() -> None:
    """An answer that rests on a skill goes to the checks of answers; a state amid that is taken back."""
    judge = {"name": "judge", "annotations": {"readOnlyHint": True}, "parameters": {"type": "object"}}
    driver = _run(judge, answer_postconditions=[{"check": "judge", "params": {}}])
    driver.send(said(EMAIL))
    driver.send(said(final("bob@mail.example")))
    assert "answer" == driver.decision["calls"][0]["checks"]
    assert "done" == driver.send(ok("call_2", {"accept": True}))["type"]


def test_what_a_skill_gives_can_be_cited() -> None:
    """It has its number, and what a sentence with that number says has to stand in it."""
    driver = _run(citations="required")
    driver.send(said(EMAIL))
    assert 'Result of extract: [1] {"email":["bob@mail.example"]}' == driver.messages[-1]["content"]
    driver.send(said(final("Write to eve@mail.example [1].")))
    assert "postcondition" == driver.decision["cause"]
    driver.send(said(EMAIL.replace("Write", "Do write")))
    cited = driver.send(said(final("Write to bob@mail.example [2].")))
    assert [("done", "extract")] == [(cited["type"], each["tool"]) for each in cited["citations"]]
