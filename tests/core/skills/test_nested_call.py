"""A skill as a nested model call: what is asked, what is read, what is sent back once, and how it fails."""

import json
from typing import Any

import msgspec
import pytest

import purestep
from purestep import CallModel, Cancel, Done, Failed, ModelError, ModelOutput, ModelSpec, PurestepError, SkillStep

TEXT = "Anna Kurz wrote to Tom. Her report came late, and Tom did not answer."


def begin(text: str = TEXT, target: str = "name", **model: Any) -> SkillStep:
    """Begin to extract names, whose finding is the model's."""
    return purestep.begin_skill(
        "extract", {"text": text, "target": target}, ModelSpec(name="m", **model) if model else None
    )


def say(step: SkillStep, content: str) -> SkillStep:
    """Return the model's words to a skill."""
    return purestep.step_skill(step.state, ModelOutput(content=content))


def asked(step: SkillStep) -> CallModel:
    """Return the decision, which has to be a call of the model."""
    assert isinstance(step.decision, CallModel)
    return step.decision


def data(step: SkillStep) -> Any:
    """Return the output, which has to be there."""
    assert isinstance(step.decision, Done)
    assert json.loads(step.decision.answer) == step.decision.data
    return step.decision.data


def code(step: SkillStep) -> str:
    """Return the code of the failure, which has to be one."""
    assert isinstance(step.decision, Failed)
    return step.decision.code


def test_model_call_says_that_a_skill_asks() -> None:
    """The decision has messages of its own, the reason `skill` and the skill's name."""
    decision = asked(begin())
    assert ("skill", "extract", ()) == (decision.reason, decision.skill, decision.prompt)
    assert isinstance(decision.messages, tuple)
    assert TEXT == decision.messages[-1].content
    assert isinstance(decision.response_format, msgspec.Raw)
    schema = json.loads(bytes(decision.response_format))["json_schema"]["schema"]
    assert ["name"] == schema["required"]


@pytest.mark.parametrize(
    "said",
    [
        '{"name":["Anna Kurz","Tom"]}',
        '```json\n{"name": ["Anna Kurz", "Tom"]}\n```',
        'Here you are:\n{"name": ["Tom", "Anna Kurz", "Tom"]}\nAnything else?',
        '<think>{"name":["Zed"]} no</think>{"name":["anna kurz","tom"]}',
    ],
)
def test_output_is_read_out_of_what_stands_around_it(said: str) -> None:
    """Fences, prose and reasoning are read past; values come in the text's writing and order, each once."""
    assert {"name": ["Anna Kurz", "Tom"]} == data(say(begin(), said))


def test_value_comes_as_the_text_writes_it() -> None:
    """As it is where it stands so, else in the writing that comes first; punctuation within it is not compared."""
    text = "ANNA KURZ met Anna Kurz, and Smith, John."
    given = '{"name":["Anna Kurz","Smith John","anna kurz"]}'
    assert {"name": ["ANNA KURZ", "Anna Kurz", "Smith, John"]} == data(say(begin(text), given))


@pytest.mark.parametrize(
    ("said", "cause", "kind"),
    [
        ("Anna and Tom", "parse_error", "MalformedOutput"),
        ("", "parse_error", "MalformedOutput"),
        ('{"name":["Anna Kurz"', "parse_error", "MalformedOutput"),
        ('["Anna Kurz"]', "parse_error", "MalformedOutput"),
        ('{"name":["Anna Kurz",]}', "parse_error", "MalformedOutput"),
        ('{"tool":"extract","text":"x"}', "parse_error", "MalformedOutput"),
        ('{"name":"Anna Kurz"}', "answer_schema", "SchemaViolation"),
        ('{"names":["Anna Kurz"]}', "answer_schema", "SchemaViolation"),
        ('{"name":[""]}', "answer_schema", "SchemaViolation"),
        ('{"name":["Anna Kurz","Zed"]}', "guardrail", "HallucinationDetected"),
        ('{"name":["Ann"]}', "guardrail", "HallucinationDetected"),
        ('{"name":["Kurz Anna"]}', "guardrail", "HallucinationDetected"),
        ('{"name":["-"]}', "guardrail", "HallucinationDetected"),
    ],
)
def test_wrong_output_is_sent_back_once(said: str, cause: str, kind: str) -> None:
    """The first fault gets one correction that names it; the second one ends the skill, never with an answer."""
    corrected = say(begin(), said)
    decision = asked(corrected)
    assert ("skill", "extract", cause) == (decision.reason, decision.skill, decision.cause)
    assert isinstance(decision.messages, tuple)
    assert [("assistant", said), "user"] == [
        (decision.messages[-2].role, decision.messages[-2].content),
        decision.messages[-1].role,
    ]
    assert kind == code(say(corrected, said))
    assert {"name": ["Tom"]} == data(say(corrected, '{"name":["Tom"]}'))


def test_native_call_is_no_output() -> None:
    """A model that calls a tool instead has given no object."""
    call = purestep.NativeCall(function=purestep.NativeFunction(name="extract", arguments="{}"))
    step = purestep.step_skill(begin().state, ModelOutput(content='{"name":[]}', tool_calls=(call,)))
    assert "parse_error" == asked(step).cause


def test_entities_come_in_three_groups() -> None:
    """Each group is there, also an empty one."""
    step = begin("Anna Kurz left Bern.", "entity")
    said = '{"entity":{"people":["Anna Kurz"],"organizations":[],"locations":["Bern"]}}'
    assert {"entity": {"locations": ["Bern"], "organizations": [], "people": ["Anna Kurz"]}} == data(say(step, said))
    assert "answer_schema" == asked(say(step, '{"entity":["Bern"]}')).cause


@pytest.mark.parametrize(
    ("skill", "params", "kind"),
    [
        ("summarize", {}, "UnknownSkill"),
        ("extract", {"target": "name"}, "EmptyInput"),
        ("extract", {"text": " \n", "target": "name"}, "EmptyInput"),
        ("extract", {"text": 5, "target": "name"}, "EmptyInput"),
        ("extract", {"text": "a"}, "InvalidTarget"),
        ("extract", {"text": "a", "target": "names"}, "InvalidTarget"),
        ("extract", {"text": "a", "target": ["name"]}, "InvalidTarget"),
    ],
)
def test_wrong_input_fails_without_a_model(skill: str, params: dict[str, Any], kind: str) -> None:
    """No correction can mend an input, so none is tried."""
    assert kind == code(purestep.begin_skill(skill, params))


def test_argument_that_there_is_not_is_refused() -> None:
    """It is the host's mistake, not the model's."""
    with pytest.raises(PurestepError, match="lang") as caught:
        purestep.begin_skill("extract", {"text": "a", "target": "name", "lang": "en"})
    assert ("invalid_input", "/params/lang") == (caught.value.code, caught.value.path)


def test_model_error_is_retried_after_a_wait() -> None:
    """Retries are counted like those of a run; after the last one the skill fails."""
    error = ModelError(code="rate_limit", message="slow down", retryable=True, retry_after_ms=2500)
    step = purestep.step_skill(begin().state, error)
    assert 2500 == asked(step).wait_ms
    assert {"name": ["Tom"]} == data(say(step, '{"name":["Tom"]}'))
    backed_off = purestep.step_skill(step.state, ModelError(code="unavailable", retryable=True))
    wait_ms = asked(backed_off).wait_ms
    assert isinstance(wait_ms, int)
    assert 1500 < wait_ms <= 2000
    assert "model_error" == code(purestep.step_skill(backed_off.state, error))
    assert "model_error" == code(purestep.step_skill(begin().state, ModelError(code="refused")))


def test_cancel_ends_the_skill() -> None:
    """As it ends a run."""
    assert "cancelled" == code(purestep.step_skill(begin().state, Cancel()))


def test_nothing_follows_the_end() -> None:
    """A further output is refused; the decision can be asked for again at any time."""
    done = say(begin(), '{"name":[]}')
    with pytest.raises(PurestepError) as caught:
        say(done, '{"name":["Tom"]}')
    assert "wrong_phase" == caught.value.code
    for step in (begin(), say(begin(), "no"), done, purestep.begin_skill("no", {})):
        assert step == purestep.step_skill(step.state)


def test_constraint_is_what_the_server_takes() -> None:
    """As for the outputs of a run."""
    assert asked(begin(supports=("grammar",))).grammar
    assert not asked(begin(supports=("grammar",))).response_format
    assert not asked(begin(supports=())).response_format
    assert "m" == asked(begin(supports=())).model


def test_reasoning_that_the_template_opened_is_no_output() -> None:
    """An object before its closing tag does not count."""
    step = say(begin(reasoning="opened"), '{"name":["Anna Kurz"]} or </think>{"name":["Tom"]}')
    assert {"name": ["Tom"]} == data(step)


@pytest.mark.parametrize(
    "change",
    [
        {"phase": "done"},
        {"phase": "done", "data": {"name": ["Zed"]}},
        {"phase": "done", "data": {"name": "Tom"}},
        {"phase": "failed"},
        {"data": {"name": []}},
        {"outputs": 1},
        {"skill": "other"},
        {"fault": {"kind": "EmptyInput", "message": ""}},
        {"params": {"text": "", "target": "name"}},
    ],
)
def test_changed_state_is_refused(change: dict[str, Any]) -> None:
    """No value that the text does not hold gets in by way of a state."""
    state = {**msgspec.to_builtins(begin().state), **change}
    output = json.loads(purestep.run_skill(json.dumps({"state": state})))
    assert "invalid_state" == output["error"]["code"]


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({}, "invalid_input"),
        ({"skill": "extract"}, "invalid_input"),
        ({"params": {}}, "invalid_input"),
        ({"skill": "extract", "params": {}, "observation": {"type": "cancel"}}, "invalid_input"),
        ({"state": {}, "skill": "extract"}, "invalid_input"),
        ({"state": {"schema_version": 2}}, "unsupported_version"),
        ([], "invalid_input"),
    ],
)
def test_wrong_json_is_an_error_as_data(given: Any, error: str) -> None:
    """Like the other JSON functions, it never raises."""
    assert error == json.loads(purestep.run_skill(json.dumps(given)))["error"]["code"]


def test_json_form_gives_what_the_typed_form_gives() -> None:
    """Text in, text out, over a whole exchange."""
    given: dict[str, Any] = {"skill": "extract", "params": {"text": TEXT, "target": "name"}}
    begun = json.loads(purestep.run_skill(json.dumps(given)))
    assert json.loads(msgspec.json.encode(begin())) == begun
    said = {"type": "model_output", "content": '{"name":["Tom"]}'}
    ended = json.loads(purestep.run_skill(json.dumps({"state": begun["state"], "observation": said})))
    assert {"type": "done", "answer": '{"name":["Tom"]}', "data": {"name": ["Tom"]}} == ended["decision"]
