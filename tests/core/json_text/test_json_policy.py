"""JSON as the core reads and writes it: every corner decided, the same on every host."""

import json
from typing import Any

import pytest

import purestep
from purestep import bounds
from tests.core.agents import agent, call, final, ok, said
from tests.core.driver import Driver, stepped


def _start(content_json: str) -> str:
    return '{"run_id":"r","observation":{"type":"user_message","content":' + content_json + "}}"


def _given(text: str | bytes) -> dict[str, Any]:
    output: dict[str, Any] = json.loads(purestep.run_agent_step(text))
    return output


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "{",
        "nonsense",
        "{'a':1}",
        '{"a":1,}',
        "\x00",
        "NaN",
        '{"a":Infinity}',
        '{"a":-Infinity}',
        '{"a":NaN}',
        "{}{}",
        '{"a":01}',
        '{"a":+1}',
        '{"a":.5}',
        '{"a":"\n"}',
        '{"a":"\\x"}',
        "// c\n{}",
        '{"a":tru}',
        '{"a":"\\u12"}',
        "\ufeff{}",
        "\x1f{}",
    ],
)
def test_text_that_is_no_json_is_an_error_with_its_place(text: str) -> None:
    """Section 9: what is not RFC 8259 is refused as data, in our own words."""
    for given in (text, text.encode()):
        error = _given(given)["error"]
        assert "invalid_json" == error["code"]
        assert "line " in error["message"]


@pytest.mark.parametrize(
    "data", [b"\xff", b'{"a":"\xe9"}', b'{"a":"\xed\xa0\x80"}', b"\xfe\xff\x00{", b'{"a":"\xc0\xaf"}']
)
def test_bytes_that_are_no_utf8_are_refused(data: bytes) -> None:
    """Section 9: input is UTF-8; overlong forms and encoded surrogates are not."""
    assert _given(data)["error"]["code"] in ("invalid_utf8", "invalid_json")


def test_bytes_and_text_give_the_same() -> None:
    """Section 1: input may be str or bytes."""
    text = _start('"Grüße 🎉"')
    assert purestep.run_agent_step(text) == purestep.run_agent_step(text.encode())


@pytest.mark.parametrize("value", ["[]", "7", "null", "true", '"text"'])
def test_input_that_is_no_object_is_refused(value: str) -> None:
    """Section 1: an input is an object."""
    assert "invalid_input" == _given(value)["error"]["code"]
    for function in (purestep.read_model_output, purestep.check_value):
        assert "invalid_input" == json.loads(function(value))["error"]["code"]


@pytest.mark.parametrize("given", [None, 7, 1.5, [1], {}, ("a",), object()])
def test_argument_of_another_type_is_an_error_as_data(given: Any) -> None:
    """Section 1: never an exception across the boundary, and no internal error for a host's slip."""
    functions = (
        purestep.run_agent_step,
        purestep.create_agent_state,
        purestep.replay_log,
        purestep.read_model_output,
        purestep.check_value,
        purestep.verify_log,
        purestep.explain_log,
        purestep.redrive_log,
        lambda text: purestep.diff_logs(text, text),
        purestep.redact_observation,
        purestep.reveal_params,
        purestep.load_agent,
    )
    for function in functions:
        output = json.loads(function(given))
        assert "invalid_input" == (output.get("error") or output)["code"]


@pytest.mark.parametrize(
    ("content", "read"),
    [
        ('"\\ud800"', "\ufffd"),
        ('"a\\udc00b"', "a\ufffdb"),
        ('"\\ud83d\\ude00"', "😀"),
        ('"\\ude00\\ud83d"', "\ufffd\ufffd"),
        ('"\\ud800\\ud800\\udc00"', "\ufffd\U00010000"),
        ('"\\\\ud800"', "\\ud800"),
        ('"\\\\\\ud800"', "\\\ufffd"),
        ('"\\u0000"', "\x00"),
    ],
)
def test_surrogate_escapes_are_joined_or_replaced(content: str, read: str) -> None:
    """Section 9: pairs are one character, lone halves are U+FFFD, in every string."""
    assert read == _given(_start(content))["messages"][0]["content"]


@pytest.mark.parametrize(("text", "read"), [("\ud800", "\ufffd"), ("a\udc00b", "a\ufffdb"), ("\ud83d\ude00", "😀")])
def test_surrogates_in_a_python_string_are_joined_or_replaced(text: str, read: str) -> None:
    """Section 9: text that cannot be encoded comes in like any other."""
    assert read == _given(_start(f'"{text}"'))["messages"][0]["content"]
    assert read == json.loads(purestep.create_agent_state(text))["history"][0]["content"]


@pytest.mark.parametrize("twice", ['"a":"x","a":1', '"a":1,"b":2,"a":2'])
def test_a_model_that_gives_a_name_twice_is_asked_again(twice: str) -> None:
    """Section 9: nobody knows which of the two was meant."""
    driver = Driver(agent())
    text = f'{{"kind":"tool_call","tool_name":"add_numbers","arguments":{{{twice}}}}}'
    assert "correction" == driver.send(said(text))["reason"]


def test_last_of_duplicate_keys_wins() -> None:
    """Section 9: in definitions and inputs alike."""
    twice = '{"run_id":"a","run_id":"b","observation":{"type":"user_message","content":"1","content":"2"}}'
    output = _given(twice)
    assert ("b", "2") == (output["state"]["run_id"], output["messages"][0]["content"])


def test_last_of_duplicate_types_wins() -> None:
    """Section 9: also where the key says which kind of observation it is."""
    text = '{"observation":{"type":"cancel","type":"user_message","content":"x"}}'
    assert "call_model" == _given(text).get("decision", {}).get("type")


def _nested(depth: int) -> str:
    return "[" * depth + "]" * depth


def test_nesting_is_bounded_at_64() -> None:
    """Section 9: 64 levels are read, 65 are refused by a code of their own."""
    for depth, code in ((64, "invalid_input"), (65, "too_deep"), (1000, "too_deep"), (200_000, "too_deep")):
        assert code == _given(_nested(depth))["error"]["code"]
    assert "invalid_json" == _given("[" * 10)["error"]["code"]


@pytest.mark.parametrize("pair", [("[", "]"), ('{"a":', "}"), ('[{"a":', "}]"), ('{"a":[', "]}")])
def test_arrays_and_objects_nest_alike(pair: tuple[str, str]) -> None:
    """Section 9: an array in an object is two levels, as an array in an array is."""
    levels = sum(text.count("[") + text.count("{") for text in pair)
    for depth, code in ((64, "invalid_input"), (66, "too_deep")):
        begin, end = (text * (depth // levels) for text in pair)
        assert code == _given(f"{begin}1{end}")["error"]["code"]


def test_brackets_in_strings_are_no_nesting() -> None:
    """Section 9: only structure counts."""
    for inside in ("[" * 1000, "{" * 1000 + '\\"' + "[" * 1000, "\\\\"):
        assert "call_model" == _given(_start(f'"{inside}"'))["decision"]["type"]


def test_wide_input_is_not_deep() -> None:
    """Section 9: a thousand shallow objects are fine."""
    entries = ",".join('{"a":[{"b":{}}]}' for _ in range(1000))
    driver = Driver(agent())
    driver.send(said(call("add_numbers", a=1, b=2)))
    assert "call_model" == driver.send(ok("call_1", json.loads(f"[{entries}]")))["type"]


def test_cut_input_is_cut_not_deep() -> None:
    """Section 9: a text that lost its end is named as such, however many objects it holds."""
    text = '{"state":[' + ",".join(['{"a":1}'] * 100)
    assert "invalid_json" == _given(text)["error"]["code"]


def test_arguments_nested_to_the_bound_of_the_whole() -> None:
    """Section 9: what a model nests too deeply is a correction, not an error and not a crash."""
    driver = Driver()
    for depth in (65, 1000, 100_000):
        decision = Driver().send(said('{"tool":"x","a":' + _nested(depth) + "}"))
        assert "correction" == decision["reason"]
    decision = driver.send(said('{"tool":"x","a":' + _nested(50) + "}"))
    assert "invoke_tool" == decision["type"]


def test_state_with_deep_arguments_is_taken_by_the_next_step() -> None:
    """Section 9: the core never makes a state that it refuses itself."""
    for depth in range(54, 65):
        driver = Driver()
        if "invoke_tool" == driver.send(said('{"tool":"x","a":' + _nested(depth) + "}"))["type"]:
            assert "call_model" == driver.send(ok("call_1", "something")).get("type")


def test_state_with_deep_data_is_taken_by_the_next_step() -> None:
    """Section 9: nor by an answer that is nested deeply."""
    for depth in range(54, 64):
        driver = Driver({"answer_schema": True})
        driver.send(said('{"kind":"final","content":' + _nested(depth) + "}"))
        if "done" == driver.decision["type"]:
            assert "call_model" == driver.send({"type": "user_message", "content": "more"}).get("type")


@pytest.mark.parametrize("digits", [17, 640])
def test_integers_up_to_640_digits_keep_every_digit(digits: int) -> None:
    """Section 9: integers are exact up to the bound."""
    number = "9" * digits
    driver = Driver()
    driver.send(said('{"tool":"x","n":' + number + "}"))
    assert f'"n":{number}' in driver.log
    assert int(number) == driver.decision["params"]["n"]


def test_numbers_over_640_digits_are_refused() -> None:
    """Section 9: one digit more is an error of the host, or a correction for a model."""
    number = "9" * 641
    assert "input_too_large" == _given(_start(number))["error"]["code"]
    assert "input_too_large" == _given('{"a":0.' + number + "}")["error"]["code"]
    assert "correction" == Driver().send(said('{"tool":"x","n":' + number + "}"))["reason"]


def test_digits_in_strings_are_no_number() -> None:
    """Section 9: only numbers are bounded."""
    assert "call_model" == _given(_start('"' + "9" * 5000 + '"'))["decision"]["type"]


@pytest.mark.parametrize("number", ["1e400", "-1e400", "1e99999999999"])
def test_number_outside_of_a_double_is_refused(number: str) -> None:
    """Section 9: no number becomes Infinity in silence."""
    assert _given(_start(number))["error"]["code"] in purestep.CATALOGUE
    assert "correction" == Driver().send(said('{"tool":"x","n":' + number + "}"))["reason"]


@pytest.mark.parametrize(
    ("written", "read"), [("1.0", "1"), ("1e3", "1000"), ("-0.0", "0"), ("0.1", "0.1"), ("1.5e-7", "1.5e-7")]
)
def test_floats_of_whole_value_are_integers(written: str, read: str) -> None:
    """Section 9: a value that went through JavaScript keeps its bytes."""
    driver = Driver()
    driver.send(said('{"tool":"x","n":' + written + "}"))
    assert '"arguments":{"n":' + read + "}" in driver.log


def test_input_over_the_bound_is_refused() -> None:
    """Section 9: past 64 MiB comes a clear error."""
    assert "input_too_large" == _given(b" " * (bounds.MAX_INPUT_BYTES + 1))["error"]["code"]


def test_model_output_over_the_bound_is_refused() -> None:
    """Section 9: one text is bounded too."""
    driver = Driver(agent())
    assert "input_too_large" == driver.send(said("a" * (bounds.MAX_TEXT_CHARS + 1)))["code"]


@pytest.mark.parametrize("run_id", ["", "x" * 257, 7, None])
def test_run_id_is_bounded(run_id: Any) -> None:
    """Section 9: a run id has 1 to 256 characters."""
    output = stepped(run_id=run_id, observation={"type": "user_message", "content": "x"})
    assert ("invalid_input", "/run_id") == (output["error"]["code"], output["error"]["path"])


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"observation": {"type": "nope"}}, "/observation/type"),
    ({"observation": {}}, "/observation"),
    ({"observation": {"type": "user_message"}}, "/observation"),
    ({"observation": {"type": "user_message", "content": 7}}, "/observation/content"),
    ({"observation": {"type": "user_message", "content": "x", "extra": 1}}, "/observation/extra"),
    ({"observation": {"type": "tool_results", "results": [{"call_id": "a"}]}}, "/observation/results/0"),
    ({"observation": {"type": "tool_results", "results": {}}}, "/observation/results"),
    ({"observation": {"type": "approvals", "approvals": [{"call_id": 1}]}}, "/observation/approvals/0"),
    ({"observation": [], "unknown": 1}, "/"),
    ({"state": [], "observation": {"type": "cancel"}}, "/state"),
    ({"state": {}}, "/state"),
    ({"state_json": 7}, "/state_json"),
    ({}, "/observation"),
]


@pytest.mark.parametrize(("given", "path"), WRONG)
def test_wrong_shapes_are_named_by_path(given: dict[str, Any], path: str) -> None:
    """Section 1: errors are data with code, message and the path of what is wrong."""
    error = stepped(**given)["error"]
    assert {"code", "message", "path"} == set(error)
    assert "invalid_input" == error["code"]
    assert error["path"].startswith(path)
    assert error["message"]


def test_error_does_not_echo_a_flood() -> None:
    """An error message quotes only the beginning of what came."""
    for text in (_start("[" + "7," * 100_000 + "7]"), '{"' + "k" * 100_000 + '":1}', '{"a":' + "x" * 100_000):
        assert len(purestep.run_agent_step(text)) < 5000


def test_catalogue_has_a_meaning_for_every_code() -> None:
    """Section 1: codes are stable strings with a meaning each."""
    assert all(
        code and code == code.lower() and " " not in code and meaning for code, meaning in purestep.CATALOGUE.items()
    )


def test_output_is_valid_json_for_any_reader() -> None:
    """Section 9: what comes out is strict UTF-8 JSON without NaN, also for odd tool outputs."""
    driver = Driver(agent())
    driver.send(said(call("add_numbers", a=1, b=2)))
    output_text = '["\\ud800",1e308,-1e-308,"\\u2028"]'
    text = '{"type":"tool_results","results":[{"call_id":"call_1","ok":true,"output":' + output_text + "}]}"
    given = json.dumps({"agent": agent(), "state": driver.state})[:-1] + f',"observation":{text}}}'

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    output = json.loads(purestep.run_agent_step(given).encode("utf-8", "strict"), parse_constant=refuse)
    assert "\ufffd" in output["log"]


def test_same_input_gives_the_same_bytes() -> None:
    """Section 9: same input bytes, same output bytes."""
    texts = [_start('"x"'), json.dumps({"agent": agent(), "observation": {"type": "user_message", "content": "q"}})]
    for text in texts:
        assert 1 == len({purestep.run_agent_step(text) for _ in range(3)})


def test_unknown_agent_is_named() -> None:
    """Section 3: a state that names a definition which the core does not hold is refused by its code."""
    driver = Driver(agent())
    assert "unknown_agent" == stepped(state={**driver.state, "agent": "0" * 64})["error"]["code"]


def test_agent_given_once_is_found_by_its_digest() -> None:
    """Section 3: a definition is content-addressed; later steps need only the state."""
    definition = agent(name="content-addressed")
    digest = purestep.load_agent(json.dumps(definition))
    output = stepped(agent=definition, run_id="run-1", observation={"type": "user_message", "content": "q"})
    assert digest == output["state"]["agent"]
    assert "done" == stepped(state=output["state"], observation=said(final("x")))["decision"]["type"]


def test_agent_of_another_run_is_refused() -> None:
    """Section 3: a run keeps its definition."""
    driver = Driver(agent())
    given = stepped(agent=agent(name="other"), state=driver.state, observation=said("x"))
    assert "agent_mismatch" == given["error"]["code"]


DEFINITIONS: list[tuple[Any, str, str]] = [
    ([], "invalid_agent", ""),
    ({"colour": 1}, "invalid_agent", "/colour"),
    ({"tools": {}}, "invalid_agent", "/tools"),
    ({"tools": [{}]}, "invalid_agent", "/tools/0"),
    ({"tools": [{"name": ""}]}, "invalid_agent", "/tools/0/name"),
    ({"tools": [{"name": "x" * 129}]}, "invalid_agent", "/tools/0/name"),
    ({"tools": [{"name": "a"}, {"name": "b"}, {"name": "a"}]}, "duplicate_tool", "/tools/2/name"),
    ({"tools": [{"name": "a", "parameters": {"type": "array"}}]}, "invalid_schema", "/tools/0/parameters"),
    (
        {"tools": [{"name": "a", "parameters": {"type": "object", "requird": []}}]},
        "unsupported_keyword",
        "/tools/0/parameters/requird",
    ),
    (
        {"tools": [{"name": "a", "parameters": {"type": "object", "properties": {"x": {"$ref": "#/$defs/n"}}}}]},
        "unresolvable_ref",
        "/tools/0/parameters/properties/x",
    ),
    ({"tools": [{"name": "a", "output_schema": {"type": 7}}]}, "invalid_schema", "/tools/0/output_schema"),
    ({"tools": [{"name": "a", "annotations": {"readOnly": True}}]}, "invalid_agent", "/tools/0/annotations/readOnly"),
    ({"tools": [{"name": "a", "approval": "maybe"}]}, "invalid_agent", "/tools/0/approval"),
    ({"tools": [{"name": "a", "max_output_chars": 0}]}, "invalid_agent", "/tools/0/max_output_chars"),
    (
        {"tools": [{"name": "a", "examples": [{"query": "q", "arguments": 7}]}]},
        "invalid_agent",
        "/tools/0/examples/0/arguments",
    ),
    ({"tools": [{"name": f"t{n}"} for n in range(bounds.MAX_TOOLS + 1)]}, "invalid_agent", "/tools"),
    ({"dialect": "klingon"}, "unknown_dialect", "/dialect"),
    ({"models": [{"name": ""}]}, "invalid_agent", "/models/0/name"),
    ({"models": [{"name": "m", "supports": ["magic"]}]}, "invalid_agent", "/models/0/supports/0"),
    ({"answer_schema": {"type": "objekt"}}, "invalid_schema", "/answer_schema"),
    ({"sampling": {"max_tokens": 0}}, "invalid_agent", "/sampling/max_tokens"),
    ({"sampling": [1]}, "invalid_agent", "/sampling"),
]


@pytest.mark.parametrize(("definition", "code", "path"), DEFINITIONS)
def test_wrong_definition_is_refused_with_its_path(definition: Any, code: str, path: str) -> None:
    """Section 4: unknown keywords and keys are refused with their path, never ignored; duplicate names too."""
    error = json.loads(purestep.load_agent(json.dumps(definition)))["error"]
    assert code == error["code"]
    assert error["path"].startswith(path)


def test_core_info_says_what_this_core_is() -> None:
    """Section 8b: version, schema version, dialects."""
    info = json.loads(purestep.core_info())
    assert (purestep.__version__, 3) == (info["version"], info["schema_version"])
    assert {"envelope", "tool_tags", "bare", "native", "auto"} <= set(info["dialects"])
