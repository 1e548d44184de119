"""A carried model: copied arguments are held to what was said, and a definition's only move is made (11.carry)."""

from typing import Any

import msgspec
import pytest

import purestep
from purestep.values import RunState
from tests.core.agents import ADD, call, failure, final, native_call, ok, results, said, tool
from tests.core.driver import Driver, altered, assert_replays, stepped

GROUND = [{"name": "m", "carry": "ground", "supports": ["json_schema", "tools"]}]
READS = {"readOnlyHint": True}
FETCH = tool("fetch_page", {"url": {"type": "string", "format": "uri"}}, annotations=READS)


def using(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a tool that takes one argument."""
    return tool("use", {"it": schema}, annotations=READS)


def carried(query: str, *tools: dict[str, Any], **members: Any) -> Driver:
    """Return a run whose model is carried."""
    return Driver({"tools": list(tools), "models": GROUND, **members}, query)


def called(driver: Driver, name: str, **arguments: Any) -> dict[str, Any]:
    """Send a call in the form of the run's dialect."""
    if (driver.definition or {}).get("dialect") == "native":
        return driver.send(said(None, tool_calls=[native_call(name, arguments)]))
    return driver.send(said(call(name, **arguments)))


def held(driver: Driver, name: str) -> list[Any] | None:
    """Return the values that the constraint holds an argument to."""
    pending: list[Any] = [driver.decision["response_format"]]
    while pending:
        part = pending.pop()
        properties = part.get("properties", {}) if isinstance(part, dict) else {}
        if name in properties:
            found: list[Any] | None = properties[name].get("enum")
            return found
        pending += part.values() if isinstance(part, dict) else part if isinstance(part, list) else []
    raise AssertionError(name)


LINKS = " ".join(f"https://a.example/{number}" for number in range(20))


@pytest.mark.parametrize("dialect", ["native", "envelope"])
@pytest.mark.parametrize(
    ("asked", "url", "taken"),
    [
        ("Fetch https://a.example/x.", "https://a.example/x", True),
        ("Fetch https://a.example/x.", "https://A.example/x/", True),
        ("Fetch a.example.org please", "https://a.example.org", True),
        ("\u0417\u0430\u0433\u0440\u0443\u0437\u0438 https://a.example/x", "https://b.example/x", False),
        ("Fetch https://a.example/x", "https://a.example.org/x", False),
        ("Fetch the front page of the Rust project", "https://www.rust-lang.org/", True),
        (f"Fetch {LINKS}", "https://a.example/19", True),
        ("Fetch https://a.example/x " + "word " * 2000, "https://b.example/x", False),
        ("Fetch https://a.example/x " + "word " * 30_000, "https://b.example/x", True),
    ],
)
def test_a_link_that_nobody_said_is_sent_back(dialect: str, asked: str, url: str, taken: bool) -> None:
    """Also where no constraint holds the model to it; where no link was said, or not all is known, none is wrong."""
    driver = carried(asked, FETCH, dialect=dialect)
    called(driver, "fetch_page", url=url)
    assert ("invoke_tool" if taken else "call_model") == driver.decision["type"]
    if not taken:
        assert "stands neither in the user's words nor in a result" in driver.messages[-1]["content"]
        assert "https://a.example/x" in driver.messages[-1]["content"]
        assert "invoke_tool" == called(driver, "fetch_page", url=url)["type"], "a model that insists is believed"
    assert_replays(driver)


@pytest.mark.parametrize(
    ("schema", "asked", "values"),
    [
        ({"type": "integer", "x-source": "number"}, "Refund 25 for order 1042", [1042, 25]),
        ({"type": "integer", "x-source": "number", "maximum": 100}, "Refund 25 for order 1042", [25]),
        ({"type": "number", "x-source": "number"}, "Refund 2.50 for it", [2.5]),
        ({"type": "integer", "x-source": "number"}, "Refund that order", None),
        ({"type": "integer"}, "Refund 25 for order 1042", None),
        ({"type": "string", "x-source": "date"}, "Book 2026-03-18 or 19.3.2026", ["19.3.2026", "2026-03-18"]),
        ({"type": "string", "x-source": "date", "pattern": "^[0-9-]*$"}, "2026-03-18, 19.3.2026", ["2026-03-18"]),
        ({"type": "string", "x-source": "path"}, "Read docs/a.md", ["docs/a.md"]),
        ({"type": "string", "x-source": "quote"}, 'Say "good day" to "Ann"', ["Ann", "good day"]),
        ({"type": "string", "x-source": "time"}, "At 10:30", ["10:30"]),
        ({"type": "string", "x-source": "datetime"}, "At 2026-03-18T10:30Z", ["2026-03-18T10:30Z"]),
        ({"type": "string", "x-source": "luck"}, "Tell Ada", None),
        ({"type": "string", "format": "email"}, "Mail ann@a.example", ["ann@a.example"]),
        ({"type": ["string", "null"], "format": "email"}, "Mail ann@a.example", ["ann@a.example"]),
        (
            {"anyOf": [{"type": "string", "format": "uri"}, {"type": "null"}]},
            "a.example.org",
            ["https://a.example.org"],
        ),
        ({"$ref": "#/$defs/link", "$defs": {}}, "https://a.example", ["https://a.example"]),
        ({"type": "string", "format": "date"}, "Book 2026-03-18", None),
        ({"enum": ["a@b.example"], "format": "email"}, "Mail ann@a.example", ["a@b.example"]),
        ({"type": "string", "format": "uri"}, LINKS, None),
    ],
)
def test_arguments_are_held_to_the_values_of_the_form_that_their_schema_names(
    schema: dict[str, Any], asked: str, values: list[Any] | None
) -> None:
    """By a format of addresses or by x-source; of too many values, or of none, any is allowed."""
    spec = using({key: value for key, value in schema.items() if key != "$defs"})
    spec["parameters"]["$defs"] = {"link": {"type": "string", "format": "uri"}}
    driver = carried(asked, spec, policies=[{"use": "assert_formats"}])
    assert values == held(driver, "it")


def test_values_of_data_results_and_instructions_are_said_too() -> None:
    """What came along, what tools gave, and what the definition says; and of earlier exchanges."""
    driver = Driver({"tools": [FETCH], "models": GROUND, "instructions": "Home is https://home.example."}, "Hello")
    assert ["https://home.example"] == held(driver, "url")
    driver.send(said(final("Hello.")))
    data = [{"text": "from https://data.example"}]
    driver.send({"type": "user_message", "content": "See https://a.example", "data": data})
    driver.send(said(call("fetch_page", url="https://a.example")))
    driver.send(ok("call_1", "next: https://b.example"))
    assert ["https://b.example", "https://data.example", "https://a.example", "https://home.example"] == held(
        driver, "url"
    )
    assert_replays(driver)


def test_values_that_come_in_the_middle_of_an_exchange_count() -> None:
    """The user's later words are the user's words."""
    driver = carried("Fetch it", FETCH, ADD)
    driver.send(said(call("add_numbers", a=1, b=1)))
    driver.send({"type": "user_message", "content": "I mean https://a.example"})
    driver.send(ok("call_1", 2))
    assert ["https://a.example"] == held(driver, "url")
    assert_replays(driver)


def test_of_many_values_the_latest_are_kept_and_no_argument_is_held_to_them() -> None:
    """What is not kept may be meant."""
    driver = carried(" ".join(f"https://a.example/{number}" for number in range(70)), FETCH)
    assert (64, ["url"]) == (len(driver.state["run"]["carried"]["values"]), driver.state["run"]["carried"]["lost"])  # type: ignore[index]
    assert "invoke_tool" == called(driver, "fetch_page", url="https://other.example")["type"]


def test_off_is_as_without_the_key() -> None:
    """Nothing is kept, shown or held."""
    plain, off = (Driver({"tools": [FETCH], "models": [{"name": "m", **more}]}) for more in ({}, {"carry": "off"}))
    assert plain.decision == off.decision
    assert "carried" not in off.state["run"]  # type: ignore[operator]


@pytest.mark.parametrize(
    "kept",
    [
        {"scoring": ["rm"]},
        {"chosen": ["fetch_page", "rm"]},
    ],
)
def test_a_forged_exchange_is_refused(kept: dict[str, Any]) -> None:
    """A state may come from a client: it names tools that there are."""
    driver = carried("Hm", FETCH, ADD)
    output = stepped(state=altered(driver.state, "run", carried=kept), agent=driver.definition)
    assert ("invalid_state", "/state/run/carried") == (output["error"]["code"], output["error"]["path"])


def test_a_state_of_an_agent_that_carries_nobody_has_no_such_part() -> None:
    """It could not have come from a step."""
    state = msgspec.to_builtins(purestep.start(purestep.Agent.load({}), purestep.UserMessage(content="x"), "r").state)
    forged = msgspec.convert(altered(state, "run", carried={}), RunState)
    with pytest.raises(purestep.PurestepError) as raised:
        purestep.step(forged, purestep.ModelOutput(content="x"))
    assert "/state/run/carried" == raised.value.path


# --- the one move that a definition leaves ----------------------------------------------------------------

CLOCK = tool("get_time", annotations=READS)
ZONE = {"type": "object", "properties": {"zone": {"type": "string"}}}
MAY_TAKE = {**CLOCK, "parameters": ZONE}


@pytest.mark.parametrize("dialect", ["native", "envelope"])
@pytest.mark.parametrize(("tools", "choice"), [([CLOCK, FETCH], {"tool": "get_time"}), ([CLOCK], "required")])
def test_a_tool_that_has_to_be_used_and_takes_nothing_is_called(dialect: str, tools: list[Any], choice: Any) -> None:
    """There is but one call; then the model is asked for the answer, and the log says whose move it was."""
    driver = carried("What time is it?", *tools, dialect=dialect, tool_choice=choice)
    assert ("invoke_tool", "get_time", {}) == (
        driver.decision["type"],
        driver.decision["tool"],
        driver.decision["params"],
    )
    assert [("one_call", ["get_time"])] == [(each["reason"], each["tools"]) for each in driver.events("decided")]
    driver.send(ok("call_1", "12:00"))
    assert ("call_model", "tool_results") == (driver.decision["type"], driver.decision["reason"])
    assert_replays(driver)


@pytest.mark.parametrize(
    ("tools", "members"),
    [
        ([CLOCK], {}),
        ([CLOCK, FETCH], {"tool_choice": "required"}),
        ([FETCH], {"tool_choice": {"tool": "fetch_page"}}),
        ([MAY_TAKE], {"tool_choice": {"tool": "get_time"}}),
        ([CLOCK], {"tool_choice": {"tool": "get_time"}, "models": [{"name": "m"}]}),
    ],
)
def test_any_other_move_is_the_models(tools: list[Any], members: dict[str, Any]) -> None:
    """Where it may answer, choose a tool or say an argument, and where it is not carried, it is asked."""
    assert "call_model" == carried("Fetch https://a.example", *tools, **members).decision["type"]


def test_the_one_call_passes_where_a_models_call_passes() -> None:
    """A person is asked about it, and it is not made again where it failed."""
    asks = carried("Now", {**CLOCK, "approval": "ask"}, tool_choice="required")
    assert "request_approval" == asks.decision["type"]
    failed = carried("Now", CLOCK, tool_choice="required")
    failed.send(results(failure("call_1", "no clock")))
    assert "call_model" == failed.decision["type"]


# --- examples -----------------------------------------------------------------------------------------------

WRITE = tool("find_note", {"text": {"type": "string"}}, annotations=READS)


@pytest.mark.parametrize(
    ("asked", "text", "taken"),
    [("Find it", "some text", False), ("Find some text", "some text", True), ("Find it", "milk", True)],
)
def test_a_text_that_only_an_example_says_is_sent_back(asked: str, text: str, taken: bool) -> None:
    """It was sent, and copied; the user or a result may say it too."""
    driver = carried(asked, WRITE)
    assert '"text":"some text"' in driver.prompt()[2]["content"]
    assert taken == ("invoke_tool" == called(driver, "find_note", text=text)["type"])


@pytest.mark.parametrize("members", [{"models": []}, {"models": [{"name": "m"}]}, {"dialect": "native", "models": []}])
@pytest.mark.parametrize("value", ["some text", "7316"])
def test_without_examples_no_argument_is_one_of_an_example(members: dict[str, Any], value: str) -> None:
    """What was never sent was not copied."""
    driver = carried("Find it", WRITE, **members)
    assert "invoke_tool" == called(driver, "find_note", text=value)["type"]


@pytest.mark.parametrize("number", [2, 7316, 3])
def test_a_number_is_never_one_of_an_example(number: int) -> None:
    """Any number may be right without having been said."""
    driver = carried("Count them", tool("count", {"most": {"type": "integer"}}, annotations=READS))
    assert "invoke_tool" == called(driver, "count", most=number)["type"]
