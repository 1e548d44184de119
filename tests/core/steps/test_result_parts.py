"""Images and files of tool results: what a model is sent of them, what it is told, and how many there may be."""

import json
from typing import Any

import pytest

import purestep

DIGEST = "0123456789abcdef" * 4
LOOK = {"name": "look", "parameters": {"type": "object"}, "annotations": {"readOnlyHint": True}}
CALL = '{"kind":"tool_call","tool_name":"look","arguments":{}}'
NATIVE = [{"id": "a", "type": "function", "function": {"name": "look", "arguments": "{}"}}]
HIDDEN = "[this message has an image (image/png, 14 bytes), which is not shown to you]"


def image(digest: str = DIGEST, **members: Any) -> dict[str, Any]:
    """A reference to an image."""
    return {"type": "image", "digest": digest, "media_type": "image/png", "bytes": 14, **members}


def run_of(definition: dict[str, Any], *observations: dict[str, Any]) -> tuple[Any, list[Any], str]:
    """The last step's output, the transcript and the log."""
    output: Any = {}
    messages: list[Any] = []
    log = ""
    agent = {"name": "a", "tools": [LOOK], **definition}
    for observation in observations:
        given = {"agent": agent, "observation": observation}
        given |= {"state": output["state"]} if output else {"run_id": "r"}
        output = json.loads(purestep.run_agent_step(json.dumps(given)))
        if "error" in output:
            return output, messages, log
        messages += output["messages"]
        log += output["log"]
    return output, messages, log


def asked(text: str = "What is there?") -> dict[str, Any]:
    """A user's message."""
    return {"type": "user_message", "content": text}


def calls(native: bool = False, number: int = 1) -> dict[str, Any]:
    """A model's output that calls the tool so often."""
    if native:
        return {"type": "model_output", "content": "", "tool_calls": NATIVE * number}
    return {"type": "model_output", "content": CALL}


def seen(*parts: dict[str, Any], call_id: str = "call_1", **members: Any) -> dict[str, Any]:
    """A result with these parts."""
    result = {"call_id": call_id, "ok": True, "output": "a picture", "parts": list(parts), **members}
    return {"type": "tool_results", "results": [result]}


@pytest.mark.parametrize("dialect", ["native", "envelope"])
def test_image_of_a_result_stands_in_its_message(dialect: str) -> None:
    """After the text, with the call that gave it; the log has the reference alone."""
    native = dialect == "native"
    _, messages, log = run_of({"dialect": dialect}, asked(), calls(native), seen(image()))
    assert [image(call_id="call_1")] == messages[-1]["content"][1:]
    assert ("tool" if native else "user") == messages[-1]["role"]
    assert [image()] == json.loads(log.splitlines()[4])["parts"]


def test_model_that_reads_words_is_told_what_is_left_out() -> None:
    """The notice has kind, type and size, and the run goes on: what a tool gives is no reason to fail."""
    models = [{"name": "words", "supports": ["json_schema"]}]
    output, _, _ = run_of({"models": models}, asked(), calls(), seen(image()))
    assert ("call_model", [[1, HIDDEN]]) == (output["decision"]["type"], output["decision"]["prompt"][-1]["parts"])


def test_model_that_sees_is_asked_where_there_is_one() -> None:
    """The next model that takes images is asked with the result, and the log says so."""
    models = [{"name": "words", "supports": []}, {"name": "eyes", "supports": ["images"]}]
    sound = {"type": "file", "digest": DIGEST, "media_type": "audio/wav", "bytes": 44}
    output, _, log = run_of({"models": models}, asked(), calls(), seen(image(), sound))
    assert ("eyes", True) == (output["decision"]["model"], '"cause":"attachments","to":"eyes"' in log)


@pytest.mark.parametrize(("supports", "is_sent"), [(None, False), (["files"], False), (["audio"], True)])
def test_sound_is_for_models_that_say_that_they_hear(supports: list[str] | None, is_sent: bool) -> None:
    """A model of which nothing is said is sent none: most servers refuse it."""
    models = [{"name": "m"} if supports is None else {"name": "m", "supports": supports}]
    sound = {"type": "file", "digest": DIGEST, "media_type": "audio/wav", "bytes": 44}
    output, _, _ = run_of({"models": models}, asked(), calls(), seen(sound))
    assert is_sent is ("a sound (audio/wav, 44 bytes)" not in json.dumps(output["decision"]["prompt"]))


def test_results_of_one_message_have_few_images() -> None:
    """Several results in one message share the room, and the text says how many are left out."""
    definition = {"dialect": "generic_json"}
    written = "[look(), look(closely=True)]"
    both = seen(*[image()] * 4)
    both["results"] += seen(*[image()] * 4, call_id="call_2")["results"]
    _, messages, _ = run_of(definition, asked(), {"type": "model_output", "content": written}, both)
    text, *parts = messages[-1]["content"]
    assert ("user", ["call_1"] * 4 + ["call_2"] * 2) == (messages[-1]["role"], [part["call_id"] for part in parts])
    assert text["text"].endswith("[2 more images or files are left out: a message holds a few]")


def test_run_has_at_most_so_many_images() -> None:
    """What is past the bound of a run is left out with a word, and nothing fails."""
    observations: list[dict[str, Any]] = [asked()]
    for number in range(1, 45):
        parts = [image(f"{number:064x}")] * 6
        observations += [calls(), seen(*parts, call_id=f"call_{number}", output=f"picture {number}")]
    limits = {"max_turns": 60, "max_repeats": 90, "max_tool_calls": 60}
    output, messages, _ = run_of({"limits": limits}, *observations)
    assert "error" not in output, output
    assert 256 == len(output["state"]["window"]["attachments"])
    assert "[2 more images or files are left out: a message holds a few]" in json.dumps(messages)
    assert "[6 more images or files are left out: a message holds a few]" in json.dumps(messages[-1])


def test_other_image_is_another_result() -> None:
    """The repeat guard compares images too: a screen that has changed is no repetition."""
    other = image("f" * 64)
    same, _, _ = run_of({}, asked(), calls(), seen(image()), calls(), seen(image(), call_id="call_2"))
    changed, _, _ = run_of({}, asked(), calls(), seen(image()), calls(), seen(other, call_id="call_2"))
    assert ("repeated_call", None) == (same["decision"].get("cause"), changed["decision"].get("cause"))


def test_rejected_result_shows_no_image() -> None:
    """What a check rejects is no result, and its images are not sent."""
    definition = {"tools": [{**LOOK, "output_schema": {"type": "integer"}}]}
    output, messages, _ = run_of(definition, asked(), calls(), seen(image()))
    assert (True, None) == (isinstance(messages[-1]["content"], str), output["state"]["window"].get("attachments"))


@pytest.mark.parametrize("dialect", ["native", "envelope"])
def test_log_with_images_of_results_verifies(dialect: str) -> None:
    """Replay needs no bytes, and gives the same state and messages."""
    native = dialect == "native"
    end = {"type": "model_output", "content": "A dot." if native else '{"kind":"final","content":"A dot."}'}
    output, messages, log = run_of({"dialect": dialect}, asked(), calls(native), seen(image()), end)
    replayed = json.loads(purestep.replay_log(log))
    assert (output["state"], messages) == (replayed["state"], replayed["messages"])
    assert json.loads(purestep.verify_log(log)).get("error") is None
