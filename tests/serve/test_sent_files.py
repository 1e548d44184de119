"""Images and files that clients send: kept by their digest, sent to the model, and named in what clients read back."""

import base64
import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest

from purestep_hosts.attachments import MAX_ATTACHMENT_BYTES
from tests.serve.conftest import Start, says

GIF = b"GIF89a\x01\x00\x01\x00\x00\x00\x00;"
DIGEST = hashlib.sha256(GIF).hexdigest()
IN_BASE64 = base64.b64encode(GIF).decode()
URL = f"data:image/gif;base64,{IN_BASE64}"


def test_a_chat_of_the_ai_sdk_sends_an_image(start: Start, web: Callable[..., str]) -> None:
    """The model's server gets the bytes, after a kill too; the disk has them by digest, and messages a reference."""
    asked: list[Any] = []

    def answer(handler: Any, number: int) -> None:
        asked.append(json.loads(handler.body)["messages"])
        message = {"role": "assistant", "content": says(f"Answer {number}.")}
        body = {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
        handler.reply(200, "application/json", json.dumps(body).encode())

    server = ("--base-url", web(answer) + "/v1", "--model", "any")
    service = start(*server)
    parts = [
        {"type": "text", "text": "What is this?"},
        {"type": "file", "mediaType": "text/html", "url": URL, "filename": "../a.gif"},
    ]
    first = {"id": "chat", "messages": [{"role": "user", "parts": parts}]}
    reply = service.post("/ai-sdk", first)
    assert (200, "finish") == (reply.status, reply.events[-2]["type"])
    service.kill()
    service = start(*server)
    again = {
        "id": "chat",
        "messages": [*first["messages"], {"role": "user", "parts": [{"type": "text", "text": "Sure?"}]}],
    }
    assert 200 == service.post("/ai-sdk", again).status
    sent = [
        [part for message in messages if isinstance(message["content"], list) for part in message["content"]]
        for messages in asked
    ]
    assert [[{"type": "text", "text": "What is this?"}, {"type": "image_url", "image_url": {"url": URL}}]] * 2 == sent
    (kept,) = (service.folder / "runs").glob("**/attachments/*")
    assert (DIGEST, GIF) == (kept.name, kept.read_bytes())
    file = service.get("/ai-sdk/chat/messages").json[0]["parts"][1]
    assert {"type": "file", "mediaType": "image/gif", "url": f"nih:sha-256;{DIGEST}", "filename": ".._a.gif"} == file


def test_a_thread_of_ag_ui_sends_an_image(start: Start) -> None:
    """In base64 or as a data URL, with words or without; the events name it."""
    service = start(script=[says("A dot."), says("A dot.")])
    source = {"type": "data", "value": IN_BASE64, "mimeType": "image/gif"}
    for thread, given in (("t-1", source), ("t-2", {"type": "url", "value": URL})):
        part = {"type": "image", "source": given, "metadata": {"filename": "a.gif"}}
        reply = service.post("/ag-ui", {"threadId": thread, "messages": [{"role": "user", "content": [part]}]})
        (shown,) = service.get(f"/runs/{reply.headers['Run']}/events").events[0]["input"]["messages"][-1]["content"]
        assert ("image", f"nih:sha-256;{DIGEST}") == (shown["type"], shown["source"]["value"])


def test_bytes_that_are_gone_are_told(start: Start) -> None:
    """The run stands where it was, and goes on once they are back."""
    service = start(script=[says("A dot."), says("Yes.")])
    parts = [{"type": "file", "mediaType": "image/gif", "url": URL}]
    run = service.post("/ai-sdk", {"id": "chat", "messages": [{"role": "user", "parts": parts}]}).headers["Run"]
    (kept,) = (service.folder / "runs").glob("**/attachments/*")
    kept.unlink()
    assert (400, "attachment_missing") == service.post(f"/runs/{run}", {"query": "Sure?"}).fault
    kept.write_bytes(GIF)
    assert "Yes." == service.post(f"/runs/{run}", {}).json["answer"]


def files_of(web: Callable[..., str]) -> str:
    """A server with an image, redirects to it and elsewhere, and files that are too much."""

    def answer(handler: Any, number: int) -> None:
        moved = {"/moved": "/a%20b.gif", "/away": "http://127.0.0.1:9/a.gif", "/round": "/round"}
        if handler.path == "/a%20b.gif":
            return handler.reply(200, "text/html", GIF)
        if handler.path in moved:
            return handler.reply(302, "text/html", b"", Location=moved[handler.path])
        if handler.path == "/big":
            return handler.reply(200, "image/gif", GIF + bytes(MAX_ATTACHMENT_BYTES))
        handler.reply(404, "text/html", b"no")

    return web(answer)


def asking_of(url: str) -> dict[str, Any]:
    """A chat that names a file by its address."""
    return {"id": "chat", "messages": [{"role": "user", "parts": [{"type": "file", "mediaType": "a/b", "url": url}]}]}


@pytest.mark.parametrize("path", ["/a%20b.gif", "/moved"])
def test_a_file_of_an_allowed_origin_is_fetched(start: Start, web: Callable[..., str], path: str) -> None:
    """It is kept beside the log as one that was sent, and has the name of its address; in both protocols."""
    url = files_of(web)
    service = start("--files-from", url, script=[says("A dot."), says("A dot.")])
    assert 200 == service.post("/ai-sdk", asking_of(url + path)).status
    (kept,) = (service.folder / "runs").glob("**/attachments/*")
    assert (DIGEST, GIF) == (kept.name, kept.read_bytes())
    file = service.get("/ai-sdk/chat/messages").json[0]["parts"][0]
    assert {"a%20b.gif": "a b.gif", "moved": "moved"}[path[1:]] == file["filename"]
    part = {"type": "image", "source": {"type": "url", "value": url + path}}
    reply = service.post("/ag-ui", {"threadId": "t", "messages": [{"role": "user", "content": [part]}]})
    assert "RUN_FINISHED" == reply.events[-1]["type"]


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("{url}/none", "attachment_unreadable"),
        ("{url}/round", "attachment_unreadable"),
        ("{url}/big", "attachment_too_large"),
        ("{url}/away", "unsupported"),
        ("http://127.0.0.1:9/a.gif", "unsupported"),
        ("http://user@{host}/a.gif", "attachment_unreadable"),
        ("https://{host}/a.gif", "unsupported"),
        ("http://169.254.169.254/latest", "unsupported"),
        ("file:///etc/passwd", "attachment_unreadable"),
        ("{url}/" + "a" * 2000, "invalid_input"),
    ],
)
def test_a_file_of_another_address_is_refused(start: Start, web: Callable[..., str], address: str, code: str) -> None:
    """Also where an allowed origin redirects to it; nothing is asked of the model."""
    url = files_of(web)
    service = start("--files-from", url, script=[says("A dot.")])
    reply = service.post("/ai-sdk", asking_of(address.format(url=url, host=url.removeprefix("http://"))))
    assert code == reply.fault[1]
    assert [] == service.get("/runs").json["runs"]


def test_addresses_are_refused_by_default(start: Start, web: Callable[..., str]) -> None:
    """The message says what to send instead."""
    service = start(script=[says("A dot.")])
    assert (400, "unsupported") == service.post("/ai-sdk", asking_of(files_of(web) + "/moved")).fault
