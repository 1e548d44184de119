"""The tool_tags dialect, dialects registered by a host, and the auto dialect."""

import json
from typing import Any

import pytest
from msgspec import structs

import purestep
from purestep.dialects import Sample
from purestep.values.reading import ReadCall, Reading
from tests.core.agents import agent, call, final, said
from tests.core.driver import Driver

OPEN, CLOSE = "[TOOL_CALL]", "[/TOOL_CALL]"
ADD = '{"name":"add_numbers","args":{"a":1,"b":2}}'


def _send(text: str, dialect: str = "tool_tags", **members: Any) -> dict[str, Any]:
    return Driver(agent(dialect=dialect)).send(said(text, **members))


@pytest.mark.parametrize(
    "text",
    [
        f"{OPEN}{ADD}{CLOSE}",
        f"{OPEN}\n{ADD}\n{CLOSE}",
        f"{OPEN}[{ADD}]{CLOSE}",
        f"{OPEN}```json\n{ADD}\n```{CLOSE}",
        f"{OPEN}\n```\n{ADD}\n```\n{CLOSE}",
        f"I will add them.\n{OPEN}{ADD}{CLOSE}\nOne moment.",
        f"{OPEN}{ADD}",
        f"{OPEN}" + '{"name":"add_numbers","arguments":{"a":1,"b":2}}' + CLOSE,
        f"{OPEN}" + '{"tool":"add_numbers","params":{"a":1,"b":2}}' + CLOSE,
        f"{OPEN}" + '{"name":"add_numbers","args":"{\\"a\\":1,\\"b\\":2}"}' + CLOSE,
        f"Array a[0] and {{x}}: {OPEN}{ADD}{CLOSE}",
    ],
)
def test_call_in_tags_is_read(text: str) -> None:
    """C18: one object or an array, a fence in the tags, text around, a closing tag left out."""
    decision = _send(text)
    assert ("invoke_tool", {"a": 1, "b": 2}) == (decision["type"], decision.get("params"))


def test_array_is_a_turn_of_several_calls() -> None:
    """C18: an array in the tags holds calls that are handed out together."""
    second = '{"name":"add_numbers","args":{"a":3,"b":4}}'
    for text in (f"{OPEN}[{ADD},{second}]{CLOSE}", f"{OPEN}{ADD}{CLOSE} and {OPEN}{second}{CLOSE}"):
        assert [1, 3] == [entry["params"]["a"] for entry in _send(text)["calls"]]


@pytest.mark.parametrize("command", [f"echo {CLOSE}", f"echo {OPEN}", 'echo ``` } ] " \\', f"{OPEN}{ADD}{CLOSE}"])
def test_tag_in_a_string_belongs_to_the_string(command: str) -> None:
    """C18: a closing or opening tag inside of a string does not end or begin a call."""
    text = OPEN + json.dumps({"name": "shell", "args": {"command": command}}) + CLOSE
    decision = _send(text)
    assert [{"command": command}] == [entry["params"] for entry in decision["calls"]]


@pytest.mark.parametrize(
    ("inside", "command"),
    [('{"name":"shell","args":{"command":"ls"', "ls"), ('{"name":"shell","args":{"command":"ls"}', "ls")],
)
@pytest.mark.parametrize("end", ["", CLOSE])
def test_truncated_call_is_recovered_where_safe(inside: str, command: str, end: str) -> None:
    """C18: missing closers are added after a complete value."""
    decision = _send(OPEN + inside + end)
    assert ("request_approval", command) == (
        decision["type"],
        decision.get("calls", [{}])[0].get("params", {}).get("command"),
    )


@pytest.mark.parametrize(
    "text",
    [
        OPEN,
        f"{OPEN}{CLOSE}",
        f"{OPEN}nonsense{CLOSE}",
        f'{OPEN}{{"name":"shell","args":{{"command":"l',
        f'{OPEN}{{"name":"add_numbers","args":{{"a":1,"b":2',
        f'{OPEN}{{"name":"shell","args":[1]}}{CLOSE}',
        f'{OPEN}{{"args":{{}}}}{CLOSE}',
        f'{OPEN}{{"name":7}}{CLOSE}',
        f'{OPEN}{{"name":"shell" "args"}}{CLOSE}',
        f"{OPEN}[{ADD}, 7]{CLOSE}",
        f"Text. {OPEN}{{{{{{{CLOSE}",
        f"{OPEN}{ADD}{CLOSE}{OPEN}broken{CLOSE}",
    ],
)
def test_hopeless_call_asks_for_a_correction(text: str) -> None:
    """C18: JSON that cannot be read is a format error for the model, never the answer, and runs nothing."""
    decision = _send(text)
    assert ("call_model", "correction") == (decision["type"], decision["reason"])
    assert decision["cause"] in ("parse_error", "truncated")


def test_inner_object_of_a_cut_call_is_never_the_call() -> None:
    """An argument called `name` is no tool name, also when the last bracket is missing."""
    decision = _send(OPEN + '{"name":"add_user","args":{"name":"add_numbers"}' + CLOSE)
    assert ("call_model", "unknown_tool") == (decision["type"], decision.get("cause"))


def test_text_without_tags_is_the_answer() -> None:
    """C18: text is the answer; JSON and brackets in it are text too."""
    for text in ("Three.", '{"name":"add_numbers"}', "see [TOOL] and `[/TOOL_CALL]`"):
        assert {"type": "done", "answer": text, "acts": []} == _send(text)


def test_draft_in_reasoning_is_never_a_call() -> None:
    """A call inside a reasoning block is a draft and never handed out; the block is no part of the answer."""
    text = f'<think>Perhaps {OPEN}{{"name":"shell","args":{{"command":"rm"}}}}{CLOSE}? No.</think>No files.'
    assert {"type": "done", "answer": "No files.", "acts": []} == _send(text)


def test_instructions_hold_the_tags_and_the_tools() -> None:
    """C19: the instruction text is made from the tools."""
    text = Driver(agent(dialect="tool_tags")).messages[0]["content"]
    assert all(part in text for part in (OPEN, CLOSE, "add_numbers", "Add two numbers.", "shell"))


# --- a custom dialect -------------------------------------------------------------------------------------

_BUILT: list[int] = []


def _read(text: str, _tools: Any = None) -> Reading:
    if text.startswith("CALL "):
        name, _, rest = text[5:].partition(" ")
        return Reading(calls=(ReadCall(tool=name, params=json.loads(rest or "{}")),))
    return Reading(content=text)


def _instruct(tools: Any) -> str:
    _BUILT.append(1)
    return "Write CALL NAME JSON. Tools: " + ", ".join(tools)


def _write(sample: Sample) -> str:
    return "".join(f"CALL {entry.tool} {json.dumps(entry.params)}" for entry in sample.calls) or sample.answer or ""


SHOUTED = purestep.Dialect(
    name="shouted", read=_read, instruct=_instruct, write=_write, remind="Write CALL.", hidden=(("<<", ">>"),)
)


@pytest.fixture
def shouted() -> purestep.Dialect:
    """A dialect of our own, registered; registering the same one again is harmless."""
    purestep.register_dialect(SHOUTED)
    return SHOUTED


def test_custom_dialect_is_read_taught_and_written(shouted: purestep.Dialect) -> None:
    """C19: a registered dialect reads outputs, gives the instructions and writes the examples."""
    driver = Driver(agent(dialect=shouted.name, models=[{"name": "m", "carry": "ground"}]))
    assert "CALL NAME JSON" in driver.messages[0]["content"]
    assert 'CALL add_numbers {"a": 2, "b": 3}' in [message["content"] for message in driver.messages]
    assert "invoke_tool" == driver.send(said('CALL add_numbers {"a":1,"b":2}'))["type"]
    assert shouted.name in json.loads(purestep.core_info())["dialects"]


def test_custom_dialect_gets_the_same_policy(shouted: purestep.Dialect) -> None:
    """C19: what a dialect reads passes the same checks: unknown tools, arguments, approval."""
    assert "unknown_tool" == Driver(agent(dialect=shouted.name)).send(said("CALL nothing"))["cause"]
    assert "invalid_arguments" == Driver(agent(dialect=shouted.name)).send(said('CALL shell {"command":1}'))["cause"]
    assert "request_approval" == Driver(agent(dialect=shouted.name)).send(said('CALL shell {"command":"x"}'))["type"]


def test_instructions_are_built_once_for_a_definition(shouted: purestep.Dialect) -> None:
    """C19: the same definition builds its instruction text once, however many runs and steps use it."""
    definition = agent(dialect=shouted.name, name="built-once")
    driver = Driver(definition)
    before = len(_BUILT)
    for number in range(3):
        driver.send(said(f'CALL add_numbers {{"a":{number},"b":2}}'))
        driver.give_all(f"{number + 2}")
    Driver(definition)
    assert before == len(_BUILT)


def test_a_stream_formatter_of_ones_own_shows_the_text() -> None:
    """Requirement 40: it is told the visible text in pieces, and what it holds back is shown at the end."""

    def by_words(held: str, chunk: str, is_over: bool) -> tuple[str, str]:
        text = held + chunk
        end = len(text) if is_over else text.rfind(" ") + 1
        return text[end:], text[:end].upper()

    named = structs.replace(SHOUTED, name="shouted-words", formatter=by_words)
    purestep.register_dialect(named)
    stream = purestep.open_stream(purestep.start(purestep.Agent.load({"dialect": named.name}), _ASKED).state)
    shown = list[Any]()
    for chunk in ("It is <<no", ">> 4", "2 now"):
        stream, events = purestep.feed(stream, chunk)
        shown += events
    shown += purestep.close_stream(stream)
    assert ["IT ", "IS  ", "42 ", "NOW"] == [event.text for event in shown]


_ASKED = purestep.UserMessage(content="What is 17 plus 25?")


def test_name_of_a_dialect_is_taken_once() -> None:
    """C19: another dialect of a known name is refused, so that no definition changes its meaning."""
    other = purestep.Dialect(name="envelope", read=_read, instruct=_instruct, write=_write, remind="x")
    with pytest.raises(purestep.PurestepError) as caught:
        purestep.register_dialect(other)
    assert "unknown_dialect" == caught.value.code


# --- auto -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        call("add_numbers", a=1, b=2),
        f"```json\n{call('add_numbers', a=1, b=2)}\n```",
        f"{OPEN}{ADD}{CLOSE}",
        '{"tool":"add_numbers","a":1,"b":2}',
        '{"name":"add_numbers","arguments":{"a":1,"b":2}}',
        '```json\n{"name":"add_numbers","parameters":{"a":1,"b":2}}\n```',
    ],
)
def test_auto_reads_any_form_of_a_call(text: str) -> None:
    """Section 4: `auto` reads any of the dialects."""
    decision = _send(text, "auto")
    assert ("invoke_tool", {"a": 1, "b": 2}) == (decision["type"], decision.get("params"))


@pytest.mark.parametrize(
    "text",
    [
        "Paris.",
        '{"name": "Alice", "age": 3}',
        "Use f(x) = {x} [1].",
        'The JSON is {"city": "Paris"}.',
        'An example: {"name":"no_such_tool_here","description":"x"}',
    ],
)
def test_auto_takes_other_text_as_the_answer(text: str) -> None:
    """Section 4: sample JSON in prose that names no registered tool stays text."""
    assert {"type": "done", "answer": text, "acts": []} == _send(text, "auto")


def test_auto_reads_a_tag_inside_of_a_final_as_text() -> None:
    """Markup of one dialect inside a string of another is text."""
    for text in (f"Write {OPEN} to call.", f"{OPEN}{ADD}{CLOSE}"):
        assert {"type": "done", "answer": text, "acts": []} == _send(final(text), "auto")


def test_auto_reads_an_envelope_in_a_call_as_arguments() -> None:
    """Markup of one dialect inside a string of another is an argument."""
    decision = _send(call("shell", command=f"echo {OPEN}{ADD}{CLOSE}"), "auto")
    assert f"echo {OPEN}{ADD}{CLOSE}" == decision.get("calls", [{}])[0].get("params", {}).get("command")
