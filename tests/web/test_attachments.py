"""Images and files in JavaScript: the same references, requests and log as from Python, and the same refusals."""

import base64
import json
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

import purestep
from purestep_hosts import Agent, Attachment, AttachmentError, ScriptedModel, attachment, says
from tests.hosts.test_attachments import PDF, png

HERE = Path(__file__).parent
SOURCES: list[tuple[bytes, str | None]] = [
    (png(), "cat.png"), (b"\xff\xd8\xff\xe0", None), (b"GIF89a", "../a\n.gif"), (b"RIFF\n\n\n\nWEBPVP8 ", "x" * 300),
    (PDF, "paper.png"), ("Grüße, 世界\n".encode(), "notes.MD"), (b'{"a": "```"}', "a.json"), (b"<svg/>", "a.svg"),
    (b"", "empty"), (b"PK\x03\x04\x00", "a.zip"), (b"\xff\xfe\x00a", "utf16.txt"), (b"a" * 1_048_577, "long.txt"),
    (("é" * 524_288).encode(), "just.txt"), (b"\xe9" * 9, "latin.txt"),
]  # fmt: skip


@pytest.fixture(scope="module")
def in_node(node: str, package: Path) -> dict[str, Any]:
    """What Node made of all sources."""
    given = [{"data": base64.b64encode(data).decode(), "name": name} for data, name in SOURCES]
    done = subprocess.run(
        [node, HERE / "attached_runs.mjs", package],
        input=json.dumps({"sources": given}), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert 0 == done.returncode, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def in_python(data: bytes, name: str | None) -> Attachment | AttachmentError:
    """Attach a source natively."""
    try:
        return attachment(data, name)
    except AttachmentError as error:
        return error


def test_references_are_the_same(in_node: dict[str, Any]) -> None:
    """By the bytes alone: the type that a page gives a file counts for nothing."""
    expected = [
        {"code": found.code} if isinstance(found, AttachmentError) else json.loads(msgspec.json.encode(found.part))
        for found in (in_python(*source) for source in SOURCES)
    ]
    assert expected == in_node["parts"]
    assert {"attachment_type", "attachment_too_large"} == {part.get("code") for part in expected} - {None}


def test_requests_and_log_are_the_same(in_node: dict[str, Any]) -> None:
    """Data URLs, fences and all, in both exchanges; the log holds with the native core."""
    good = [found for found in (in_python(*source) for source in SOURCES) if isinstance(found, Attachment)]
    model = ScriptedModel([says("Yes.")] * 2)
    agent = Agent(model, clock=lambda: 1)
    first = agent.run_sync("What are these?", attachments=good, run_id="run-1")
    agent.run_sync("Sure?", after=first)
    assert [_users(request.messages) for request in model.requests] == [_users(asked) for asked in in_node["asked"]]
    lines = [json.loads(line) for line in in_node["log"].splitlines()]
    assert [part.part.digest for part in good] == [part["digest"] for part in lines[1]["content"][1:]]
    assert purestep.verify(in_node["log"]).ok


def _users(messages: list[dict[str, Any]]) -> list[Any]:
    return [message["content"] for message in messages if message["role"] == "user"]


def test_missing_and_changed_bytes_stop_a_run_until_they_are_back(in_node: dict[str, Any]) -> None:
    """No model is asked without them."""
    assert (["attachment_missing", "attachment_changed"], "done") == (in_node["faults"], in_node["resumed"])


def test_a_model_without_images_is_not_asked(in_node: dict[str, Any]) -> None:
    """And more than a message takes is refused."""
    assert (["unsupported_part", 0], "attachment_too_large") == (in_node["refused"], in_node["many"])


def test_texts_that_come_along_are_apart_from_the_question(in_node: dict[str, Any]) -> None:
    """The model reads them framed, as from Python; the log has both apart."""
    requests, log = in_node["along"]
    [event] = [event for event in map(json.loads, log.splitlines()) if event["kind"] == "user_message"]
    assert ("What is it?", [{"text": "two", "name": "b.txt"}]) == (event["content"], event["data"])
    message = purestep.UserMessage(content="What is it?", data=(purestep.DataText(text="two", name="b.txt"),))
    begun = purestep.start(purestep.Agent.load({}), message, "run-1")
    assert begun.messages[-1].content == _users(requests[0])[-1]
    assert purestep.verify(log).ok


def test_tool_gives_images(in_node: dict[str, Any]) -> None:
    """The output has a line for each, the model gets the bytes, and the log their digest."""
    (_, sent), log = in_node["seen"]
    data = base64.b64encode(png()).decode()
    line = f"[image: cat.png, image/png, {len(png())} bytes]"
    left_out = "[left out: bytes that are no image, PDF or text, or are too many]"
    result = next(event for event in map(json.loads, log.splitlines()) if event["kind"] == "tool_result")
    assert ["two", line, left_out, {"n": 1}] == result["output"]
    assert [attachment(png(), "cat.png").digest] == [part["digest"] for part in result["parts"]]
    assert [{"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}] == sent[1:]
    assert (False, None) == (data in log, json.loads(purestep.verify_log(log)).get("error"))
