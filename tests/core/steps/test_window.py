"""The window: no prompt is larger, what is left out is said, and the prompt is only appended to until then."""

import json
from typing import Any

import pytest

import purestep
from purestep.window import estimated_tokens
from tests.core.agents import ADD, agent, call, final, ok, said
from tests.core.driver import Driver, WholeDriver, altered, stepped

WINDOW = 2000
ROOM = WINDOW - WINDOW // 4
TEXT = "a line of the output\n"


def _definition(window: int | None = WINDOW, **members: Any) -> dict[str, Any]:
    return {"tools": [ADD], "models": [{"name": "small", "window_tokens": window}], **members}


def _turn(driver: Driver, output: str, **usage: int) -> dict[str, Any]:
    number = driver.state["run"]["calls"] + 1
    members = {"usage": usage} if usage else {}
    driver.send(said(call("add_numbers", a=number, b=number), **members))
    return driver.send(ok(f"call_{number}", output))


def _contents(driver: Driver) -> list[str]:
    return [message["content"] for message in driver.prompt()]


def test_prompt_is_only_appended_to_while_it_fits() -> None:
    """A prompt begins with the one before, so that the caches of servers hold."""
    driver = Driver(_definition(window=50_000))
    for _ in range(6):
        before = driver.prompt()
        _turn(driver, TEXT * 30)
        assert before == driver.prompt()[: len(before)]
    assert [] == driver.events("switched")


def test_oldest_output_is_shortened_first_and_says_how_much_is_missing() -> None:
    """Its first lines stay; the newest output stays whole; the log says what changed."""
    driver = Driver(_definition(window=8000))
    while not driver.events("switched"):
        _turn(driver, TEXT * 120)
    (event,) = driver.events("switched")
    assert ("prompt", "window", 0) == (event["what"], event["cause"], event.get("dropped", 0))
    short = [content for content in _contents(driver) if "characters left out to save room" in content]
    assert event["shortened"] == len(short) >= 1
    assert short[0].startswith("Result of add_numbers: a line of the output")
    assert f"[{len(TEXT * 120) - 400} characters left out to save room]" in short[0]
    assert f"Result of add_numbers: {TEXT * 120}" == _contents(driver)[-1]


def test_shortened_message_keeps_what_stands_after_the_output() -> None:
    """Cuts count code points, and only the outputs are cut."""
    short = purestep.ShortenedMessage(index=0, cuts=((1, 3, "."), (4, 4, "!")))
    assert "\N{GRINNING FACE}.d!e" == short.apply("\N{GRINNING FACE}bcde")


def test_earlier_exchanges_go_before_turns_of_this_one() -> None:
    """The user's message and the turns of this exchange stay while an earlier exchange can go."""
    driver = Driver(_definition(), query="first question")
    driver.send(said(final("word " * 500)))
    driver.send({"type": "user_message", "content": "second question"})
    while not driver.events("switched"):
        _turn(driver, "word " * 30)
    contents = _contents(driver)
    assert "second question" in contents
    assert "first question" not in contents
    assert 2 * driver.state["exchange"]["used"]["turns"] == len(contents) - contents.index("second question") - 1


def test_task_and_last_turn_stay_when_the_run_is_long() -> None:
    """However long the run: the task, the last call with its result, and never more than the room."""
    driver = Driver(_definition(limits={"max_turns": 200}), query="the task")
    for number in range(60):
        _turn(driver, f"output {number} " + "word " * 50)
        contents = _contents(driver)
        assert "the task" in contents
        assert f"output {number} " in contents[-1]
        assert '"tool_call"' in contents[-2]


def test_state_is_flat_in_the_length_of_the_run() -> None:
    """Sizes are kept of a bounded number of parts."""
    driver = Driver(_definition(window=2_000_000, limits={"max_turns": 500}))
    sizes = []
    for _ in range(150):
        _turn(driver, TEXT * 60)
        sizes.append(len(json.dumps(driver.state)))
    assert sizes[-1] < sizes[75] * 1.1
    assert 32 >= len(driver.state["window"]["sent"]["parts"])


def test_message_that_cannot_fit_ends_in_words_that_say_what_to_do() -> None:
    """No model is asked; the figures are in the detail."""
    driver = Driver(_definition(), query="word " * 5000)
    assert ("failed", "window") == (driver.decision["type"], driver.decision["code"])
    assert ROOM == driver.decision["detail"]["room"] < driver.decision["detail"]["tokens"]
    assert "shorten the message" in driver.decision["message"]
    assert "call_model" == driver.send({"type": "user_message", "content": "short"})["type"]


def test_message_that_cannot_fit_goes_to_a_model_with_a_larger_window() -> None:
    """It is logged, and holds for this exchange."""
    models = [{"name": "small", "window_tokens": 2000}, {"name": "large", "window_tokens": 20_000}]
    driver = Driver(_definition(models=models), query="word " * 5000)
    assert ("call_model", "large") == (driver.decision["type"], driver.decision["model"])
    assert [("model", "large")] == [(event["what"], event["to"]) for event in driver.events("switched")]


def test_answer_has_the_room_that_sampling_gives_it() -> None:
    """At most half of the window is kept for the answer."""
    for tokens, room in ((100, 1900), (5000, 1000)):
        driver = Driver(_definition(sampling={"max_tokens": tokens}), query="word " * 5000)
        assert room == driver.decision["detail"]["room"]


def test_models_own_count_raises_the_estimate_and_never_lowers_it() -> None:
    """A server that counts twice as many tokens is believed, and one that counts nearly none is not."""
    driver = Driver(_definition(window=50_000))
    _turn(driver, "a fine output", prompt_tokens=1)
    assert ("counted" not in driver.state["window"]["sent"], "ratio" not in driver.state["window"]["sent"]) == (
        True,
        True,
    )
    _turn(driver, "a fine output", prompt_tokens=900)
    ratio = driver.state["window"]["sent"]["ratio"]
    _turn(driver, "a fine output", prompt_tokens=700)
    assert ratio == driver.state["window"]["sent"]["ratio"] > 1000
    assert 700 == driver.state["window"]["sent"]["counted"]


def test_output_larger_than_the_room_is_cut_when_it_comes() -> None:
    """The model reads as much of it as fits beside what is never left out."""
    driver = Driver(_definition())
    _turn(driver, TEXT * 700)
    assert "call_model" == driver.decision["type"]
    assert f"of {len(TEXT * 700)} characters are shown]" in _contents(driver)[-1]


def test_overflow_keeps_what_it_can() -> None:
    """The server's window is smaller than declared: a third goes, not all, and the run learns the room."""
    driver = Driver(_definition(window=50_000))
    for number in range(9):
        _turn(driver, f"output {number}")
    before = len(driver.prompt())
    driver.send({"type": "model_error", "code": "overflow"})
    assert "retry" == driver.decision["reason"]
    assert before > len(driver.prompt()) > before // 4
    assert "Result of add_numbers: output 8" == _contents(driver)[-1]
    assert driver.state["window"]["sent"]["room"] < 50_000
    while driver.decision["type"] == "call_model":
        driver.send({"type": "model_error", "code": "overflow"})
    assert "window" == driver.decision["code"]


@pytest.mark.parametrize("dialect", ["native", "envelope"])
def test_log_of_a_shrunk_run_replays(dialect: str) -> None:
    """The switches are derived lines: the same facts give the same bytes, state and decision."""
    driver = Driver(_definition(dialect=dialect))
    entry = {"id": "a", "function": {"name": "add_numbers", "arguments": '{"a":1,"b":2}'}}
    for number in range(12):
        if dialect == "native":
            arguments = json.dumps({"a": number, "b": 1})
            calls = [{**entry, "function": {"name": "add_numbers", "arguments": arguments}}]
            driver.send({"type": "model_output", "content": None, "tool_calls": calls})
            driver.send(ok(f"call_{number + 1}", TEXT * 20))
        else:
            _turn(driver, TEXT * 20)
    assert driver.events("switched")
    replayed = json.loads(purestep.replay_log(driver.log))
    assert (driver.state, driver.decision) == (replayed["state"], replayed["decision"])


@pytest.mark.parametrize("words", [10, 5000])
def test_whole_state_keeps_the_window_too(words: int) -> None:
    """Both forms give the same decisions, a message that does not fit among them."""
    query = "word " * words
    driver, whole = Driver(_definition(), query=query), WholeDriver(_definition(), query=query)
    assert driver.decision == whole.decision
    following = {"type": "user_message", "content": "go on"} if words > 10 else said(call("add_numbers", a=1, b=2))
    assert driver.send(following) == whole.send(following)
    assert driver.log == whole.log


def test_run_without_a_window_keeps_no_sizes() -> None:
    """Nothing is estimated where nothing is promised."""
    driver = Driver(agent())
    _turn(driver, TEXT)
    assert "sent" not in driver.state["window"]


@pytest.mark.parametrize(
    ("definition", "sent", "code"),
    [
        (_definition(), None, "invalid_state"),
        (agent(), {}, "invalid_state"),
        (_definition(), {"ratio": 1}, "invalid_input"),
        (_definition(), {"ratio": 2**50}, "invalid_input"),
    ],
)
def test_sizes_are_kept_where_a_model_has_a_window(definition: Any, sent: Any, code: str) -> None:
    """A state may come from a client, and without sizes no prompt can be kept within the window."""
    driver = Driver(definition)
    error = stepped(agent=definition, state=altered(driver.state, "window", sent=sent))["error"]
    assert (code, True) == (error["code"], error["path"].startswith("/state/window/sent"))


def test_examples_that_come_back_are_counted_again() -> None:
    """The model's count of a prompt without examples says nothing of the next exchange, which has them again."""
    example = {"query": "word " * 300, "arguments": {"a": 1, "b": 1}, "result": 2, "answer": "two"}
    driver = Driver(_definition(tools=[{**ADD, "examples": [example]}]), query="word " * 850)
    assert ["system", "user"] == [message["role"] for message in driver.prompt()]
    driver.send(said(final("Done."), usage={"prompt_tokens": 1000}))
    driver.send({"type": "user_message", "content": "word " * 400})
    assert ("call_model", True) == (driver.decision["type"], _estimate(driver) <= ROOM)


def _estimate(driver: Driver) -> int:
    return sum(estimated_tokens(message["content"]) for message in driver.prompt())
