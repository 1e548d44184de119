"""Profiles of servers: what the table says of a kind and of a model, and what a definition says stands before it."""

import json
from typing import Any

import pytest

import purestep
from purestep.bounds import MAX_SAFE_INTEGER
from purestep.schema import compile_schema, plain_schema, strict_schema, without_nulls
from purestep.values import profile_names, profile_of
from purestep_formats import server_profiles
from tests.core.agents import said
from tests.core.driver import Driver

ADD = {"name": "add", "description": "Add.", "parameters": {"type": "object", "properties": {"a": {"type": "integer"}}}}


def loaded(profile: Any, **members: Any) -> purestep.Agent:
    """Return the agent of a definition with one model of that profile."""
    return purestep.Agent.load({"models": [{"name": "m", "profile": profile}], **members})


def first_call(model: str, profile: Any, **members: Any) -> dict[str, Any]:
    """Return the first request of a run."""
    decision: dict[str, Any] = Driver({"models": [{"name": model, "profile": profile}], **members}).decision
    return decision


@pytest.mark.parametrize("name", profile_names())
def test_each_row_can_be_named(name: str) -> None:
    """And says in which dialect and by which wire its servers are asked."""
    profile = profile_of(name, "m")
    assert ("native", True) == (profile.dialect, profile.wire is not None)
    assert "native" == loaded(name).dialect.name


def test_what_the_rows_of_a_kind_and_of_a_model_refuse_is_left_out_together() -> None:
    """The model's row does not hide what no model of the server takes."""
    refuses = profile_of("anthropic", "grok-4").refuses
    assert {"presence_penalty", "stop", "temperature", "top_k"} <= set(refuses or ())
    assert profile_of("server", "m").refuses is None


def test_role_that_was_the_users_already_is_not_tried_again() -> None:
    """The refusal ends the run, with no request more."""
    run = Driver({"models": [{"name": "m", "profile": {"system": "user"}}], "instructions": "Be brief."})
    run.send({"type": "model_error", "code": "refused", "message": "no", "refused": "system_role"})
    assert "failed" == run.decision["type"]


def test_log_with_a_profile_that_there_is_not_is_told_by_its_line() -> None:
    """As any other line that the core has not written."""
    run = Driver({"models": [{"name": "m", "profile": "server"}]})
    forged = run.log.replace('"profile":"server"', '"profile":"nobody"', 1)
    for form in ("openai", "ag-ui"):
        error = json.loads(purestep.project_log(json.dumps({"form": form, "log": forged})))["error"]
        assert ("invalid_log", "/1") == (error["code"], error["path"]), error


def test_rows_of_models_can_be_read() -> None:
    """Each by its first beginning."""
    assert all(profile_of(None, starts[0]) for starts, _ in server_profiles.MODELS)


@pytest.mark.parametrize("name", ["o3-mini", "openai/O4-mini", "gpt-5", "gpt-5.1", "gpt-5:free"])
def test_reasoning_models_of_openai_take_no_sampling(name: str) -> None:
    """Also behind another server; the limit of an output has its newer name."""
    sampling = {"temperature": 0, "max_tokens": 60, "seed": 4}
    call = first_call(name, "openrouter", sampling=sampling)
    assert {"max_completion_tokens": 60, "seed": 4} == call["sampling"]


@pytest.mark.parametrize("name", ["gpt-4o", "gpt-50", "o1lama", "m"])
def test_other_models_are_sent_all_settings(name: str) -> None:
    """A beginning ends where a part of the name ends."""
    sampling = {"temperature": 0, "max_tokens": 60}
    assert sampling == first_call(name, "openrouter", sampling=sampling)["sampling"]


def test_members_of_a_definition_stand_before_those_of_its_profile() -> None:
    """The dialect, what is supported, the price, and each member of an object."""
    price = {"input": 1, "output": 2}
    definition = {
        "dialect": "envelope",
        "models": [{"name": "m", "profile": "openai", "supports": ["tools"], "price": price}],
    }
    own = purestep.Agent.load(definition).definition
    assert ("envelope", ("tools",), 1) == (own.dialect, own.models[0].supports, own.models[0].price.input)
    assert "tool_tags" == loaded({"name": "openai", "dialect": "tool_tags"}).dialect.name
    assert () == loaded({"name": "openai", "refuses": []}).definition.models[0].profile.refuses


@pytest.mark.parametrize(
    ("profile", "path", "words"),
    [
        ("opnai", "/models/0/profile", 'did you mean "openai"?'),
        ({"name": "x" * 300}, "/models/0/profile", "the profiles are: server, openai"),
        ({"refuses": ["no such"]}, "/models/0/profile/refuses/0", "expected"),
        ({"name_chars": 3}, "/models/0/profile/name_chars", "expected"),
        ({"wire": "carrier pigeon"}, "/models/0/profile/wire", "expected"),
        ({"dialect": "latin"}, "/dialect", "latin"),
        (["openai"], "/models/0/profile", "expected"),
    ],
)
def test_profile_that_is_none_is_a_clear_error(profile: Any, path: str, words: str) -> None:
    """What was expected, what came, and where."""
    with pytest.raises(purestep.PurestepError) as caught:
        loaded(profile)
    assert (path, True) == (caught.value.path, words in caught.value.message)


def test_system_text_has_the_role_that_the_model_takes() -> None:
    """The messages stay what they are; the host gives them the role."""
    call = first_call("m", {"system": "user"}, instructions="Be brief.")
    assert ("user", [[0, 2]]) == (call["system"], call["prompt"])
    assert "system" not in first_call("m", {"system": "system"}, instructions="Be brief.")


def test_parallel_calls_are_asked_for_beside_tools() -> None:
    """And nothing is said of them without any, or where the definition says it."""
    assert {"parallel_tool_calls": True} == first_call("m", "llama-server", tools=[ADD])["sampling"]
    assert "sampling" not in first_call("m", "llama-server")
    said = {"parallel_tool_calls": False}
    assert said == first_call("m", "llama-server", tools=[ADD], sampling=said)["sampling"]


def test_profile_that_refuses_tools_has_calls_in_the_text_from_the_start() -> None:
    """As if the server had refused them before."""
    run = Driver({"models": [{"name": "m", "profile": {"name": "server", "refuses": ["tools"]}}], "tools": [ADD]})
    assert (False, True) == ("tools" in run.decision, "[TOOL_CALL]" in run.messages[0]["content"])


def test_what_other_runs_learnt_holds_from_the_first_call() -> None:
    """It is logged as a refusal is; what cannot be left out is not."""
    definition = {"dialect": "native", "tools": [ADD], "sampling": {"temperature": 0, "seed": 1}}
    said = {"type": "user_message", "content": "Hello", "refused": ["temperature", "messages", "tools", "temperature"]}
    output = json.loads(purestep.run_agent_step(json.dumps({"agent": definition, "run_id": "r", "observation": said})))
    assert ({"seed": 1}, False) == (output["decision"]["sampling"], "tools" in output["decision"])
    lines = [json.loads(line) for line in output["log"].splitlines()]
    assert ["temperature", "tools"] == [line["cause"] for line in lines if line["kind"] == "switched"]
    assert said["refused"] == next(line["refused"] for line in lines if line["kind"] == "user_message")
    assert "error" not in json.loads(purestep.verify_log(output["log"]))


def test_two_tools_of_one_sent_name_are_an_error() -> None:
    """A tool that is named as another is sent."""
    sent = loaded("server", tools=[{**ADD, "name": "a b"}]).sent_names["a b"]
    with pytest.raises(purestep.PurestepError) as caught:
        loaded("server", tools=[{**ADD, "name": "a b"}, {**ADD, "name": sent}])
    assert ("invalid_agent", True) == (caught.value.code, sent in caught.value.message)


# --- forms of schemas -------------------------------------------------------------------------------------------

ADDRESS = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
ORDER: dict[str, Any] = {
    "type": "object",
    "$defs": {"Address": ADDRESS},
    "properties": {
        "to": {"$ref": "#/$defs/Address"},
        "note": {"type": "string", "description": "For the courier."},
        "gift": {"anyOf": [{"type": "boolean"}, {"type": "null"}]},
        "lines": {"type": "array", "items": {"$ref": "#/$defs/Address"}},
    },
    "required": ["to"],
}


def test_strict_form_has_every_member_and_no_other() -> None:
    """What may be absent may be null."""
    strict = strict_schema(ORDER)
    assert strict is not None
    assert (["to", "note", "gift", "lines"], False) == (strict["required"], strict["additionalProperties"])
    assert {"anyOf": [ORDER["properties"]["note"], {"type": "null"}]} == strict["properties"]["note"]
    assert ORDER["properties"]["gift"] == strict["properties"]["gift"]
    assert {**ADDRESS, "additionalProperties": False} == strict["$defs"]["Address"]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "items": {"type": "string"}},
        {"anyOf": [ORDER, ADDRESS]},
        {"type": "object", "properties": {}},
        {"type": "object", "properties": {"a": {}}},
        {"type": "object", "properties": {"a": {"type": "string", "minLength": 2}}},
        {"type": "object", "properties": {"a": {"type": "object"}}},
        {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "string"}},
        True,
    ],
)
def test_schema_without_a_strict_form_stays_as_it_is(schema: Any) -> None:
    """It is sent without `strict`."""
    assert strict_schema(schema) is None


def test_answer_of_the_strict_form_is_read_as_the_schema_has_it() -> None:
    """Nulls that stand for absent members go, a null that the schema takes stays."""
    definition = {"models": [{"name": "gpt-4o", "profile": "openai"}], "answer_schema": ORDER}
    run = Driver(definition)
    sent = run.decision["response_format"]["json_schema"]
    assert (True, {"to", "note", "gift", "lines"}) == (sent["strict"], {*sent["schema"]["required"]})
    value = {"to": {"city": "Oslo"}, "note": None, "gift": None, "lines": [{"city": "Rome"}]}
    run.send(said(json.dumps(value)))
    assert {"to": {"city": "Oslo"}, "gift": None, "lines": [{"city": "Rome"}]} == run.decision["data"]


def test_values_of_any_strict_form_fit_after_their_nulls_are_gone() -> None:
    """Deep, through references and lists."""
    schema = {
        **ORDER,
        "properties": {**ORDER["properties"], "more": {"type": "array", "items": ORDER["properties"]["to"]}},
    }
    strict = compile_schema(strict_schema(schema))
    value = {"to": {"city": "a"}, "note": None, "gift": True, "lines": None, "more": None}
    assert () == tuple(strict.check(value))
    assert () == tuple(compile_schema(schema).check(without_nulls(schema, value)))


def test_plain_schema_has_the_keywords_that_all_servers_take() -> None:
    """References and choices are written out, as far as they go."""
    plain = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    expected = {
        "type": "object",
        "properties": {
            "to": plain,
            "note": {"type": "string", "description": "For the courier."},
            "gift": {"type": "boolean"},
            "lines": {"type": "array", "items": plain},
        },
        "required": ["to"],
    }
    assert expected == plain_schema(ORDER)


def test_plain_schema_of_one_that_refers_to_itself_is_bounded() -> None:
    """However often it does, in a few hundred parts."""
    names = [f"p{number}" for number in range(40)]
    tree = {"type": "object", "properties": {name: {"$ref": "#"} for name in names}}
    assert len(json.dumps(plain_schema(tree))) < 100_000
    assert {"type": "object", "properties": {}} == plain_schema(True)
    assert {"type": "object", "properties": {}} == plain_schema({"type": "string"})


def test_price_of_a_profile_counts() -> None:
    """In millionths, as a model's own."""
    profile = {"price": {"input": 1_000_000, "output": 2_000_000}}
    definition = {"models": [{"name": "m", "profile": profile}], "limits": {"max_cost": MAX_SAFE_INTEGER}}
    run = Driver(definition)
    run.send({**said("Hello."), "usage": {"prompt_tokens": 3, "completion_tokens": 2}})
    assert 7 == run.state["exchange"]["used"]["cost"]
