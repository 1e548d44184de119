"""Outputs that were cut are read on in parts, answered from the log, and the tool is offered only then."""

import json
from typing import Any

import pytest

import purestep
from tests.core.agents import ADD, call, final, ok, said
from tests.core.driver import Driver, altered, stepped

LONG = "".join(f"line {number:05}\n" for number in range(500))
READ = {"name": "read_file", "parameters": {"type": "object", "properties": {}}, "max_output_chars": 1000}


def _definition(**members: Any) -> dict[str, Any]:
    return {"tools": [READ, ADD], "policies": [{"use": "read_output"}], **members}


def _cut(**members: Any) -> Driver:
    driver = Driver(_definition(**members))
    driver.send(said(call("read_file")))
    driver.send(ok("call_1", LONG))
    return driver


def _read(driver: Driver, begin: int, call_id: str = "call_1") -> dict[str, Any]:
    """Ask to read on as a model does and answer as a host does; gives the decision."""
    driver.send(said(call("read_output", **{"call_id": call_id, "from": begin})))
    return _answer(driver)


def _answer(driver: Driver) -> dict[str, Any]:
    if driver.decision["type"] == "invoke_tool":
        given = [
            {"call_id": entry["call_id"], **_part(driver.log, entry["part"])} for entry in driver.decision["calls"]
        ]
        driver.send({"type": "tool_results", "results": given})
    return driver.decision


def _part(log: str, part: dict[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(purestep.read_output_part(json.dumps({"log": log, "part": part})))
    return result


def _last(driver: Driver) -> str:
    content: str = driver.messages[-1]["content"]
    return content


def test_cut_output_says_how_to_read_on_and_the_tool_is_offered_from_then_on() -> None:
    """Before an output was cut the tool is not offered; the system text stays as it is."""
    driver = Driver(_definition())
    assert "read_output" not in json.dumps(driver.decision["response_format"]) + json.dumps(driver.messages)
    driver.send(said(call("read_file")))
    driver.send(ok("call_1", LONG))
    notice = '[cut here: 1000 of 5500 characters are shown; call read_output with {"call_id":"call_1","from":1000} '
    assert _last(driver).endswith(f"{LONG[:1000]}\n{notice}for more]")
    assert "read_output" in json.dumps(driver.decision["response_format"])


def test_server_that_is_given_the_tools_has_it_from_the_start() -> None:
    """A tool more would be another prompt to its cache; called before anything was cut, the model reads why not."""
    driver = Driver(_definition(dialect="native"))
    offered = driver.decision["tools"]
    assert "read_output" in json.dumps(offered)
    arguments = '{"call_id":"call_1","from":0}'
    entry = {"id": "a", "function": {"name": "read_output", "arguments": arguments}}
    driver.send({"type": "model_output", "content": None, "tool_calls": [entry]})
    assert ("correction", "invalid_arguments") == (driver.decision["reason"], driver.decision["cause"])
    assert "No output was cut" in driver.messages[-1]["content"]
    reads = {"function": {"name": "read_file", "arguments": "{}"}}
    driver.send({"type": "model_output", "content": None, "tool_calls": [reads]})
    driver.send(ok(driver.decision["calls"][0]["call_id"], "x" * 5000))
    assert offered == driver.decision["tools"]
    alone = Driver({"dialect": "native", "policies": [{"use": "read_output"}]})
    assert "tools" not in alone.decision


def test_parts_read_one_after_the_other_are_the_whole_output() -> None:
    """Each part is as long as the tool's outputs may be, and the last one says that it is the end."""
    driver, read, begin = _cut(limits={"max_turns": 50}), LONG[:1000], 1000
    while begin < len(LONG):
        _read(driver, begin)
        text, _, notice = _last(driver).removeprefix("Result of read_output: ").rpartition("\n[")
        read, begin = read + text, begin + len(text)
        assert len(text) <= 1000
        assert notice.startswith(f"characters {begin - len(text)} to {begin} of 5500; ")
    assert LONG == read
    assert _last(driver).endswith("this is its end]")
    assert "done" == driver.send(said(final("Read.")))["type"]
    assert json.loads(purestep.verify_log(driver.log, driver.state["head"]))["ok"]
    assert driver.state == json.loads(purestep.replay_log(driver.log))["state"]


def test_call_is_answered_from_the_log_and_counts_as_a_tool_call() -> None:
    """The decision names the line and the characters; a policy that asks does not ask about reading on."""
    driver = Driver(_definition(approval={"default": "ask"}, limits={"max_tool_calls": 2}))
    driver.send(said(call("read_file")))
    driver.answer_all(True)
    driver.send(ok("call_1", LONG))
    driver.send(said(call("read_output", **{"call_id": "call_1", "from": 2000})))
    (entry,) = driver.decision["calls"]
    seq = next(event["seq"] for event in driver.lines() if event["kind"] == "tool_result")
    assert {"seq": seq, "begin": 2000, "end": 3000} == entry["part"]
    assert 2 == driver.state["exchange"]["used"]["tool_calls"]
    assert {"ok": True, "output": LONG[2000:3000]} == _part(driver.log, entry["part"])


def test_place_past_the_end_gives_a_clear_result_without_the_host() -> None:
    """No call is handed out; the model learns how long the output is."""
    driver = _cut()
    driver.send(said(call("read_output", **{"call_id": "call_1", "from": 5500})))
    assert "call_model" == driver.decision["type"]
    assert _last(driver).endswith("the output of call_1 has 5500 characters, so nothing is left there")


def test_call_of_an_output_that_was_not_cut_is_corrected() -> None:
    """The correction names those that were."""
    driver = _cut()
    driver.send(said(call("read_output", **{"call_id": "call_7", "from": 0})))
    assert ("correction", "invalid_arguments") == (driver.decision["reason"], driver.decision["cause"])
    assert 'No output of "call_7" was cut; these were: call_1.' in _last(driver)


def test_tool_is_unknown_until_an_output_was_cut_and_in_the_next_exchange() -> None:
    """It is offered only where an output of the exchange was cut."""
    driver = Driver(_definition())
    driver.send(said(call("read_output", **{"call_id": "call_1", "from": 0})))
    assert "unknown_tool" == driver.decision["cause"]
    driver = _cut()
    driver.send(said(final("Read.")))
    driver.send({"type": "user_message", "content": "And then?"})
    assert "read_output" not in json.dumps(driver.decision["response_format"])


def test_own_tool_of_that_name_keeps_it() -> None:
    """The built-in one is off then, and the notice does not speak of it."""
    own = {"name": "read_output", "parameters": {"type": "object", "properties": {"x": {"type": "integer"}}}}
    driver = Driver(_definition(tools=[READ, own]))
    driver.send(said(call("read_file")))
    driver.send(ok("call_1", LONG))
    assert _last(driver).endswith("[cut here: 1000 of 5500 characters are shown]")
    driver.send(said(call("read_output", x=1)))
    assert "part" not in driver.decision["calls"][0]


def test_definition_that_does_not_ask_for_it_is_as_before() -> None:
    """Neither notice nor tool."""
    driver = _cut(policies=[])
    assert _last(driver).endswith("[cut here: 1000 of 5500 characters are shown]")
    assert "cut" not in driver.state["exchange"]


def test_long_error_and_output_of_json_are_read_on_as_they_are_shown() -> None:
    """Offsets count the characters of what the model reads."""
    value = {"items": ["\N{GRINNING FACE} " * 5] * 200}
    shown = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for result, text in (
        ({"ok": True, "output": value}, shown),
        ({"ok": False, "error": LONG, "error_kind": "io"}, LONG),
    ):
        driver = Driver(_definition())
        driver.send(said(call("read_file")))
        driver.send({"type": "tool_results", "results": [{"call_id": "call_1", **result}]})
        assert text[:1000] in _last(driver)
        _read(driver, 1000)
        assert f"{text[1000:2000]}\n[characters 1000 to 2000 of {len(text)}; " in _last(driver)


def test_blank_part_is_shown_and_does_not_count_as_a_result_of_a_tool() -> None:
    """No check judges a part, and an obligation is not met by reading on."""
    checks = [{"use": "obligation", "tools": ["add_numbers"]}]
    driver = Driver(_definition(tools=[{**READ, "checks": ["plausibility"]}, ADD], checks=checks))
    driver.send(said(call("read_file")))
    driver.send(ok("call_1", "word " * 4 + " " * 2981))
    _read(driver, 1000)
    assert f"{' ' * 1000}\n[characters 1000 to 2000 of 3001; " in _last(driver)
    assert ["read_file"] == driver.state["exchange"]["succeeded"]


def test_log_without_the_line_gives_a_result_that_says_so() -> None:
    """A host that has only the state and the messages can still answer."""
    part = {"seq": 3, "begin": 0, "end": 10}
    expected = {"ok": False, "error": "the log of the output is not at hand here", "error_kind": "io"}
    for log in ("", "{}\n", '{"seq":3,"kind":"cancelled"}\n', '{"seq":3,"at', '{"seq":30,"kind":"cancelled"}\n'):
        assert expected == _part(log, part)
    driver = _cut()
    driver.send(said(call("read_output", **{"call_id": "call_1", "from": 1000})))
    rest = driver.log.split("\n", 3)[3]
    whole = _part(driver.log, driver.decision["calls"][0]["part"])
    assert whole == _part(rest, driver.decision["calls"][0]["part"])
    assert whole == _part(driver.log.rstrip("\n"), driver.decision["calls"][0]["part"])


@pytest.mark.parametrize("dialect", ["native", "tool_tags", "hermes_json", "bare"])
def test_every_dialect_reads_on(dialect: str) -> None:
    """Where the server takes tools, the list has the tool last, from the cut on."""
    driver = Driver(_definition(dialect=dialect))
    text = {"tool_tags": '[TOOL_CALL]{"name":"%s","args":%s}[/TOOL_CALL]', "bare": '{"tool":"%s",%s'}.get(
        dialect, '<tool_call>{"name":"%s","arguments":%s}</tool_call>'
    )

    def ask(tool: str, arguments: dict[str, Any]) -> None:
        written = json.dumps(arguments)
        if dialect == "native":
            entry = {"id": "x", "function": {"name": tool, "arguments": written}}
            driver.send({"type": "model_output", "tool_calls": [entry]})
            return
        written = written.removeprefix("{") if dialect == "bare" else written
        driver.send(said(text % (tool, written if written != "}" else '"x":0}')))

    ask("read_file", {})
    driver.send(ok("call_1", LONG))
    if dialect == "native":
        names = [tool["function"]["name"] for tool in driver.decision["tools"]]
        assert ["add_numbers", "read_file", "read_output"] == names
    ask("read_output", {"call_id": "call_1", "from": 1000})
    _answer(driver)
    assert LONG[1000:2000] in _last(driver)


def test_part_keeps_within_the_window() -> None:
    """A part is cut to what remains of the room, and says where it ends."""
    driver = Driver(_definition(models=[{"name": "m", "window_tokens": 2000}]))
    driver.send(said(call("read_file")))
    driver.send(ok("call_1", LONG))
    shown = int(_last(driver).rpartition('"from":')[2].partition("}")[0])
    assert shown < 1000
    for _ in range(3):
        _read(driver, shown)
        end = int(_last(driver).rpartition(" to ")[2].partition(" ")[0])
        assert LONG[shown:end] in _last(driver)
        assert shown < end <= shown + 1000
        shown = end


def test_grounded_model_is_offered_to_read_on() -> None:
    """The arguments of the tool are not held to the user's words."""
    driver = _cut(models=[{"name": "m", "carry": "ground"}])
    assert "read_output" in json.dumps(driver.decision["response_format"])
    _read(driver, 1000)
    assert LONG[1000:2000] in _last(driver)


def test_calls_that_read_on_are_repeated_after_a_stop_without_asking() -> None:
    """Reading again is harmless."""
    driver = _cut()
    driver.send(said(call("read_output", **{"call_id": "call_1", "from": 1000})))
    assert "invoke_tool" == driver.send({"type": "resumed"})["type"]


def test_state_that_names_no_cut_output_is_refused() -> None:
    """A call that reads on needs its output, and a place in it."""
    driver = _cut()
    driver.send(said(call("read_output", **{"call_id": "call_1", "from": 1000})))
    for changed, path in (
        ([], "/state/pending/0/params"),
        ([["call_1", "read_file", 4, 900]], "/state/pending/0/params"),
    ):
        error = stepped(agent=driver.definition, state=altered(driver.state, "exchange", cut=changed))["error"]
        assert ("invalid_state", path) == (error["code"], error["path"])


def test_many_cut_outputs_in_one_turn_leave_the_read_that_came_with_them() -> None:
    """The oldest are dropped once the turn is over, and the state stays small."""
    driver = _cut(limits={"max_parallel": 64, "max_repeats": 50})

    def turn(*names: tuple[str, dict[str, Any]]) -> None:
        entries = [{"function": {"name": name, "arguments": json.dumps(given)}} for name, given in names]
        driver.send({"type": "model_output", "tool_calls": entries})

    for _ in range(2):
        turn(("read_output", {"call_id": "call_1", "from": 1000}), *[("read_file", {})] * 63)
        if driver.decision["type"] != "invoke_tool":
            break
        read, *others = driver.decision["calls"]
        for entry in reversed(others):
            driver.send(ok(entry["call_id"], LONG))
        driver.send({"type": "tool_results", "results": [{"call_id": read["call_id"], "ok": True, "output": "part"}]})
        assert 64 >= len(driver.state["exchange"]["cut"])


def test_parts_of_a_coloured_output_follow_what_was_shown() -> None:
    """Places count the characters that the model reads, without codes for a terminal."""
    driver = Driver(_definition())
    driver.send(said(call("read_file")))
    driver.send(ok("call_1", "".join(f"\x1b[32mline\x1b[0m {number:05}\n" for number in range(500))))
    assert _last(driver).removeprefix("Result of read_file: ").startswith(LONG[:1000])
    _read(driver, 1000)
    assert LONG[1000:1900] in _last(driver)
    assert "\x1b" not in _last(driver)
