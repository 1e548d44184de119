"""Images and files at the edge, on every host: the service keeps none, so their clients send them each time."""

import base64
import hashlib
import json
from typing import Any

import pytest

from purestep.window import framed
from tests.edge.chats import PNG_URL, Chat
from tests.edge.drivers import Answer, Service
from tests.edge.model_server import ModelServer
from tests.edge.run_requests import ASK, PATIENCE_S, approval, run, standing

PNG = base64.b64decode(PNG_URL.partition(",")[2])
FILE = {"type": "file", "mediaType": "text/html", "url": PNG_URL, "filename": "../dot.png"}
IMAGE = {"type": "image_url", "image_url": {"url": PNG_URL}}


@pytest.fixture(scope="module")
def config(config: dict[str, Any]) -> dict[str, Any]:
    """A service that waits long enough on any machine."""
    return {**config, "time_limit_ms": int(PATIENCE_S * 1000)}


def fault(answer: Answer) -> tuple[int, str]:
    """Return the status and code of an error."""
    return answer.status, answer.json()["error"]["code"]


def parts(llm: ModelServer) -> list[Any]:
    """Return the parts of messages that the model was sent last."""
    asked = llm.asked[-1]["messages"]
    return [part for message in asked if isinstance(message["content"], list) for part in message["content"]]


def test_chat_sends_an_image(service: Service, llm: ModelServer) -> None:
    """The model gets the bytes with each message of the chat; what the chat carries names them by their digest."""
    chat = Chat(service)
    chat.say("[hello]", FILE)
    assert ("It says: [hello]", [{"type": "text", "text": "[hello]"}, IMAGE]) == (chat.text, parts(llm))
    chat.say("[hello] again")
    assert ("It says: [hello] again", [{"type": "text", "text": "[hello]"}, IMAGE]) == (chat.text, parts(llm))
    assert (True, False) == (hashlib.sha256(PNG).hexdigest() in chat.log, "base64" in chat.log)
    assert '"name":".._dot.png"' in chat.log


def test_chat_sends_a_file_without_words(service: Service, llm: ModelServer) -> None:
    """A text file stands in the prompt as text, also where its URL is not in base64."""
    chat = Chat(service)
    chat.say("", {"type": "file", "mediaType": "text/csv", "url": "data:text/csv,a%3Bb%0A100%", "filename": "t.csv"})
    assert "finish" == chat.types[-1]
    assert framed("The file t.csv:\na;b\n100%") in llm.asked[-1]["messages"][-1]["content"]


def test_answer_about_a_call_beside_an_image(service: Service, llm: ModelServer) -> None:
    """The model is sent the image again after the call that was approved."""
    chat = Chat(service, agent=ASK)
    chat.say("[page] When?", FILE)
    chat.answer(True)
    assert ("finish", [IMAGE]) == (chat.types[-1], parts(llm)[-1:])


def test_chat_whose_image_is_left_out_is_told(service: Service) -> None:
    """The stream ends with the reason, and the chat goes on once the bytes are back."""
    chat = Chat(service)
    chat.say("[hello]", FILE)
    removed = chat.messages[0]["parts"].pop()
    chat.say("[hello] again")
    assert ("error", True) == (chat.types[-1], "is not kept here" in chat.chunks[-1]["errorText"])
    chat.messages[0]["parts"].append(removed)
    chat.send()
    assert "It says: [hello] again" == chat.text


def test_files_that_are_refused(service: Service, llm: ModelServer) -> None:
    """Nothing is fetched, what a file is its bytes say, and each is refused before a model is asked."""
    before = len(llm.asked)
    found = []
    for url in (
        "https://example.com/dot.png",
        f"http://{llm.address}/page",
        "file:///etc/passwd",
        7,
        "data:image/png;base64,?",
        "data:image/png;base64,iVBOR",
        "data:image/png,",
        "data:image/png,%00%01",
        "data:text/plain;base64," + base64.b64encode(b"\x00elf").decode(),
    ):
        found.append(fault(Chat(service).say("[hello]", {**FILE, "url": url})))
    codes = ["unsupported"] * 4 + ["invalid_input"] * 2 + ["attachment_type"] * 3
    assert [(400, code) for code in codes] == found
    small = {**FILE, "url": "data:,a"}
    assert (400, "attachment_too_large") == fault(Chat(service).say("[hello]", *[small] * 32))
    large = {**FILE, "url": "data:," + "a" * 200_000}
    assert (413, "body_too_large") == fault(Chat(service).say("[hello]", large))
    assert before == len(llm.asked)


def test_refused_file_does_not_hold_the_chat_up(service: Service) -> None:
    """It stays among the chat's messages, and the next one is answered."""
    chat = Chat(service)
    assert 400 == chat.say("[hello]", {**FILE, "url": "https://example.com/dot.png"}).status
    chat.say("[hello] again", FILE)
    assert "It says: [hello] again" == chat.text


def test_run_takes_files(service: Service, llm: ModelServer) -> None:
    """With the query, and those of earlier queries beside it; the answer names them by their digest."""
    first = run(service, query="[hello]", files=[FILE])
    assert (200, IMAGE) == (first.status, parts(llm)[-1])
    assert ("base64" in first.body.decode(), hashlib.sha256(PNG).hexdigest() in first.body.decode()) == (False, True)
    second = run(service, query="[hello] again", files_before=[FILE], **standing(first))
    assert ("It says: [hello] again", [IMAGE]) == (second.json()["result"], parts(llm)[1:])


def test_run_without_the_bytes_keeps_what_was_done(service: Service, llm: ModelServer) -> None:
    """The call that was approved has run; the answer has the run after it, and says what it needs to go on."""
    asked = run(service, query="[page] When?", agent=ASK, files=[FILE])
    before = len(llm.fetched)
    stopped = run(service, agent=ASK, approvals=approval(asked), **standing(asked))
    assert ((400, "attachment_missing"), before + 1) == (fault(stopped), len(llm.fetched))
    assert "call_model" == stopped.json()["decision"]["type"]
    ended = run(service, agent=ASK, files_before=[FILE], **standing(stopped))
    assert (200, before + 1, True) == (ended.status, len(llm.fetched), "nine" in json.dumps(ended.json()["result"]))


def test_files_of_no_query(service: Service) -> None:
    """Each is refused as the client's mistake."""
    first = run(service, query="[hello]")
    assert {(400, "invalid_input")} == {
        fault(run(service, files=[FILE], **standing(first))),
        fault(run(service, query="[hello]", files=FILE)),
        fault(run(service, query="[hello]", files=[7])),
        fault(run(service, query="[hello]", files_before="data:,a")),
    }
