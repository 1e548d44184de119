"""A run executes the skills of its definition itself: asked for as a tool, answered as a tool, with nothing to run."""

import json
from typing import Any

import pytest

import purestep
from purestep.dialects import Sample, dialect_names
from purestep.values import ReadCall
from tests.core.agents import ADD, call, final, native_call, said
from tests.core.driver import Driver
from tests.core.skill_runs import EMAIL, RIGHT, TEXT, begun_skill, ended_skills, skill_run


def test_model_is_asked_with_the_skills_own_prompt() -> None:
    """The text is the last message; neither the transcript nor the tools are sent."""
    driver = begun_skill()
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
    driver = begun_skill()
    driver.send(said(RIGHT))
    assert ("tool_results", 'Result of extract: {"name":["Anna Kurz","Tom"]}') == (
        driver.decision["reason"],
        driver.messages[-1]["content"],
    )
    assert ["model_response", "skill_started", "model_response", "skill_ended"] == driver.kinds()[2:]
    assert [{"call_id": "call_1", "ok": True, "output": {"name": ["Anna Kurz", "Tom"]}}] == ended_skills(driver)
    assert "done" == driver.send(said(final("Anna wrote to Tom.")))["type"]


def test_what_form_tells_needs_no_model() -> None:
    """E-mail addresses are found by the core in the same step."""
    driver = skill_run()
    driver.send(said(EMAIL))
    assert "tool_results" == driver.decision["reason"]
    assert [{"call_id": "call_1", "ok": True, "output": {"email": ["bob@mail.example"]}}] == ended_skills(driver)


@pytest.mark.parametrize("dialect", [name for name in dialect_names() if name != "native"])
def test_skills_are_offered_in_every_dialect(dialect: str) -> None:
    """The prompt names the skill, and a call in the dialect's own form is executed."""
    agent = purestep.Agent.load({"skills": ["extract"], "dialect": dialect})
    driver = Driver({"skills": ["extract"], "dialect": dialect})
    assert "extract" in driver.messages[0]["content"]
    text = _written(agent, {"text": "a@b.example", "target": "email"})
    driver.send(said(text))
    assert [{"call_id": "call_1", "ok": True, "output": {"email": ["a@b.example"]}}] == ended_skills(driver)


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
    driver = skill_run()
    driver.send(said(call("extract", **arguments)))
    assert [{"call_id": "call_1", "ok": False, "error_kind": kind}] == ended_skills(driver)
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
    driver = begun_skill()
    driver.send(said(text))
    assert ("skill", cause) == (driver.decision["reason"], driver.decision["cause"])
    assert [text, driver.events("correction")[0]["content"]] == [each["content"] for each in driver.prompt()[-2:]]
    driver.send(said(text))
    assert [{"call_id": "call_1", "ok": False, "error_kind": kind}] == ended_skills(driver)
    assert "tool_results" == driver.decision["reason"]
    assert driver.messages[-1]["content"].endswith(f"({kind})")


def test_other_wrong_arguments_are_corrected_as_a_tools_are() -> None:
    """What is no fault of the skill, such as an unknown argument, is the turn's."""
    driver = skill_run()
    driver.send(said(call("extract", text="a", target="email", lang="en")))
    assert ("correction", "invalid_arguments") == (driver.decision["reason"], driver.decision["cause"])


@pytest.mark.parametrize("dialect", ["bare", "auto", "hermes_json"])
def test_form_of_its_own_is_a_call(dialect: str) -> None:
    """The skill's name stands under "skill", its arguments beside it or in an object."""
    plain = '{"skill":"extract","text":"a@b.example","target":"email"}'
    nested = '{"skill":"extract","params":{"text":"a@b.example","target":"email"}}'
    for text in (plain, nested, f"```json\n{plain}\n```"):
        driver = skill_run(ADD, dialect=dialect)
        driver.send(said(text))
        assert [{"call_id": "call_1", "ok": True, "output": {"email": ["a@b.example"]}}] == ended_skills(driver)


@pytest.mark.parametrize("dialect", ["bare", "auto"])
@pytest.mark.parametrize("name", ["summarise", "extrakt", "add_numbers"])
def test_unknown_skill_is_sent_back(dialect: str, name: str) -> None:
    """A tool's name is no skill's; the correction says what there is."""
    driver = skill_run(ADD, dialect=dialect)
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
    driver = skill_run(dialect="bare")
    driver.send(said('{"skill":"extract","text":"a","tar'))
    assert ("correction", "truncated") == (driver.decision["reason"], driver.decision["cause"])


def test_reasoning_and_prose_around_the_output_are_read_past() -> None:
    """What holds for a skill alone holds within a run."""
    driver = begun_skill()
    driver.send(said(f"<think>who?</think>Sure:\n```json\n{RIGHT}\n```"))
    assert [True] == [event["ok"] for event in ended_skills(driver)]
