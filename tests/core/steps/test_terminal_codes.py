"""Codes for a terminal in what tools give and users paste: nobody sees them there, so nothing is judged by them."""

import json
from typing import Any

import msgspec
import pytest

import purestep
from purestep.json_text import plain_value, without_terminal_codes

RED, PLAIN = "\x1b[1;31m", "\x1b[0m"
LINK = "\x1b]8;;https://example.com/a\x1b\\invoice 12\x1b]8;;\x07"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"{RED}42{PLAIN}", "42"),
        ("\x1b[38;2;10;20;30mann@example.com\x1b[K", "ann@example.com"),
        (LINK, "invoice 12"),
        ("\x1b(Bok\x1b=\x1b>", "ok"),
        ("\x1b[", ""),
        ("\x1b]0;a title without an end", "0;a title without an end"),
        ("\x1b", "\x1b"),
        ("no code [31m", "no code [31m"),
        ("grün\x1b[0m", "grün"),
    ],
)
def test_a_text_is_what_a_terminal_shows(text: str, shown: str) -> None:
    """A code that does not end hides nothing that follows it."""
    assert without_terminal_codes(text) == shown
    assert plain_value({"a": [text, 1, None]}) == {"a": [shown, 1, None]}


def test_long_texts_of_codes_are_read_once() -> None:
    """Neither unended links nor numbers without an end make the work grow faster than the text."""
    for piece in ("\x1b]", "\x1b[1;", "\x1b[ ", "\x1b]8;;a"):
        assert "\x1b" not in without_terminal_codes(piece * 100_000)


AGENT: dict[str, Any] = {
    "checks": ["planning", "echo", "values", "citations"],
    "tools": [
        {
            "name": "read_log",
            "annotations": {"readOnlyHint": True, "openWorldHint": True},
            "checks": ["plausibility", {"pattern": "total 42"}],
        },
        {
            "name": "send_mail",
            "parameters": {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]},
            "annotations": {"destructiveHint": True},
            "approval": "auto",
        },
    ],
}


def _said(**members: Any) -> dict[str, Any]:
    return {"type": "model_output", "content": json.dumps(members)}


def _call(tool: str, **arguments: Any) -> dict[str, Any]:
    return _said(kind="tool_call", tool_name=tool, arguments=arguments)


def _result(call_id: str, output: Any = None, error: str | None = None) -> dict[str, Any]:
    result = {"call_id": call_id, "ok": error is None}
    return {
        "type": "tool_results",
        "results": [result | ({"error": error} if error is not None else {"output": output})],
    }


def _play(*observations: dict[str, Any]) -> dict[str, Any]:
    """Return the output of the last step."""
    given: dict[str, Any] = {"agent": AGENT, "run_id": "codes"}
    output: dict[str, Any] = {}
    for observation in observations:
        output = json.loads(purestep.run_agent_step(json.dumps({**given, "observation": observation})))
        assert "error" not in output, output
        given = {"state": output["state"]}
    return output


ASKED = {"type": "user_message", "content": "What is the total in the log?"}


@pytest.mark.parametrize(
    "output", [f"3 bills, total {RED}42{PLAIN}", {"stdout": f"{RED}total 42{PLAIN}"}], ids=["text", "object"]
)
def test_an_answer_from_a_coloured_result_is_accepted(output: Any) -> None:
    """Its value stands in the result, and the model does not read the codes."""
    output_of_result = _play(ASKED, _call("read_log"), _result("call_1", output))
    (message,) = output_of_result["messages"]
    assert "total 42" in message["content"]
    assert "\x1b" not in message["content"]
    assert "u001b" not in message["content"]
    ended = _play(
        ASKED, _call("read_log"), _result("call_1", output), _said(kind="final", content="The total is 42 [1].")
    )
    assert ended["decision"]["type"] == "done"


def test_a_value_in_codes_is_none() -> None:
    """The 138 of a colour was not said by the result."""
    answered = _said(kind="final", content="The total is 138 [1].")
    judged = _play(ASKED, _call("read_log"), _result("call_1", f"3 bills, total 42\x1b[38;5;138m{PLAIN}"), answered)
    assert judged["decision"]["type"] == "call_model"


def test_an_error_is_read_without_codes() -> None:
    """An error's text reaches the model as a person would read it."""
    output = _play(ASKED, _call("read_log"), _result("call_1", error=f"{RED}no such file{PLAIN}"))
    assert "no such file" in output["messages"][0]["content"]
    assert "\x1b" not in output["messages"][0]["content"]


def test_a_person_is_shown_which_result_a_coloured_value_came_from() -> None:
    """Colour does not hide where an argument's text came from."""
    page = f"total 42, mail {RED}ann{PLAIN}@evil.example"
    asked = _play(ASKED, _call("read_log"), _result("call_1", page), _call("send_mail", to="ann@evil.example"))
    assert asked["decision"]["type"] == "request_approval"
    (origin,) = asked["decision"]["calls"][0]["origins"]
    assert (origin["source"], origin["call_id"], origin["labels"]) == ("result", "call_1", ["open"])


def test_what_a_user_pastes_in_colour_was_said_by_the_user() -> None:
    """A value of a pasted log is the user's own."""
    pasted = {"type": "user_message", "content": f"Mail {RED}ann@example.com{PLAIN} that it broke"}
    called = _play(pasted, _call("send_mail", to="ann@example.com"))
    assert called["decision"]["type"] == "invoke_tool"


def test_extract_reads_coloured_text() -> None:
    """The address is what stands between the codes."""
    params = {"text": f"{RED}ann@example.com{PLAIN} wrote", "target": "email"}
    decision = msgspec.to_builtins(purestep.begin_skill("extract", params).decision)
    assert decision["data"] == {"email": ["ann@example.com"]}
