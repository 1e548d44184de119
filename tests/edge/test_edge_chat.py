"""Chats of the AI SDK at the edge, on every host: streamed, carried by their own messages, and sealed."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import purestep
from tests.edge.chats import Chat, stream_until
from tests.edge.drivers import Answer, Service, serve
from tests.edge.model_server import ModelServer
from tests.edge.run_requests import ASK, ENVELOPE, PATIENCE_S

ANSWERED = ["start", "start-step", "text-start", "text-delta", "text-end", "finish-step", "finish"]
PATIENT = {"time_limit_ms": 4 * int(PATIENCE_S * 1000)}


def kinds(chat: Chat) -> list[str]:
    """Return the kinds of the log's lines, which verify up to their own head."""
    state = json.loads(purestep.replay_log(chat.log))["state"]
    assert json.loads(purestep.verify_log(chat.log, state["head"]))["ok"]
    return [json.loads(line)["kind"] for line in chat.log.splitlines()]


def fault(answer: Answer) -> tuple[int, str]:
    """Return the status and code of an error."""
    return answer.status, answer.json()["error"]["code"]


def test_two_messages_are_one_run(service: Service) -> None:
    """The answer is streamed, and the next message goes on with the run that the first one's answer carries."""
    chat = Chat(service)
    first = chat.say("[hello]")
    assert ("text/event-stream", "v1") == (
        first.headers["content-type"],
        first.headers["x-vercel-ai-ui-message-stream"],
    )
    assert (ANSWERED, "It says: [hello]") == (chat.types, chat.text)
    chat.say("[hello] again")
    assert (ANSWERED, "It says: [hello] again") == (chat.types, chat.text)
    assert 1 == kinds(chat).count("run_started")
    assert 2 == kinds(chat).count("final_answer")


def test_text_comes_before_its_line(service: Service) -> None:
    """What a model streams is shown before its reply is whole."""
    chat = Chat(service, agent=ENVELOPE)
    chat.say("[babble] Go")
    shown = [chunk["type"] for chunk in chat.chunks]
    assert "Enough." == chat.text
    assert shown.index("text-delta") < len(shown) - 1 - shown[::-1].index("message-metadata")


def test_each_message_carries_its_own_lines_only(service: Service) -> None:
    """So a chat grows by what happens in it."""
    chat = Chat(service)
    for number in range(3):
        chat.say(f"[hello] {number}")
    carried = [message["metadata"]["purestep"]["log"] for message in chat.messages[1::2]]
    starts = [int(name) for each in carried for name in each]
    assert sorted(set(starts)) == starts
    assert len(chat.log.splitlines()) == len(set(chat.log.splitlines()))


@pytest.mark.parametrize(("approved", "fetched"), [(True, 1), (False, 0)])
def test_answer_about_a_call(service: Service, llm: ModelServer, approved: bool, fetched: int) -> None:
    """The call waits; approved it runs once, refused it never runs and the model reads why."""
    before = len(llm.fetched)
    chat = Chat(service, agent=ASK)
    chat.say("[page] When?")
    assert "tool-approval-request" in chat.types
    assert before == len(llm.fetched)
    chat.answer(approved, "not now")
    assert fetched == len(llm.fetched) - before
    assert ("nine" if approved else "not now") in chat.text
    assert ["output-available" if approved else "output-denied"] == [
        part["state"] for part in chat.messages[-1]["parts"] if part["type"] == "dynamic-tool"
    ]
    assert 2 == len(chat.messages)
    kinds(chat)


Edit = Callable[[Chat], None]


def in_log(old: str, new: str) -> Edit:
    """Return the edit of the lines that a chat carries."""

    def edit(chat: Chat) -> None:
        lines = chat.messages[-1]["metadata"]["purestep"]["log"]
        assert any(old in text for text in lines.values())
        for number, text in lines.items():
            lines[number] = text.replace(old, new)

    return edit


def seal_of_another(chat: Chat) -> None:
    """Take the seal of another chat."""
    other = Chat(chat.service)
    other.say("[hello]")
    chat.messages[-1]["metadata"]["purestep"]["seal"] = other.seal


def without_last_lines(chat: Chat) -> None:
    """Drop what was carried last, and keep its seal."""
    lines = chat.messages[-1]["metadata"]["purestep"]["log"]
    del lines[max(lines, key=int)]


def without_seal(chat: Chat) -> None:
    """Drop the seal."""
    del chat.messages[-1]["metadata"]["purestep"]["seal"]


EDITS: dict[str, tuple[Edit, int, str]] = {
    "another page": (in_log("/page", "/html"), 400, "log_mismatch"),
    "no approval needed": (in_log("approval_request", "verdict"), 400, "log_mismatch"),
    "another seal": (seal_of_another, 403, "seal_invalid"),
    "an earlier point with the last seal": (without_last_lines, 403, "seal_invalid"),
    "no seal": (without_seal, 400, "seal_missing"),
}


@pytest.mark.parametrize("name", EDITS)
def test_edited_chat_is_refused_before_anything_runs(service: Service, llm: ModelServer, name: str) -> None:
    """No model is asked and no page is fetched for a log or a seal that a client has edited."""
    edit, status, code = EDITS[name]
    chat = Chat(service, agent=ASK)
    chat.say("[page] When?")
    edit(chat)
    before = (len(llm.asked), len(llm.fetched))
    assert (status, code) == fault(chat.answer(True))
    assert before == (len(llm.asked), len(llm.fetched))


def test_what_messages_show_is_not_read(service: Service, llm: ModelServer) -> None:
    """A client that edits texts and calls changes nothing of what was said and approved."""
    chat = Chat(service, agent=ASK)
    chat.say("[page] When?")
    chat.messages[0]["parts"][0]["text"] = "something else"
    chat.messages[-1]["parts"][-1]["input"] = {"url": "http://192.0.2.1/"}
    chat.answer(True)
    assert "nine" in chat.text
    assert "something else" not in json.dumps(llm.asked[-1])


def test_answer_with_another_key_is_refused(service: Service, llm: ModelServer) -> None:
    """An approval names the very call that was shown."""
    chat = Chat(service, agent=ASK)
    chat.say("[page] When?")
    chat.messages[-1]["parts"][-1]["approval"]["id"] = "0" * 32
    before = len(llm.fetched)
    assert (400, "stale_approval") == fault(chat.answer(True))
    assert before == len(llm.fetched)


@pytest.mark.parametrize("approved", ["true", 1, None, {"approved": True}])
def test_only_true_approves(service: Service, llm: ModelServer, approved: Any) -> None:
    """Whatever else a client sends as an answer runs nothing."""
    before = len(llm.fetched)
    chat = Chat(service, agent=ASK)
    chat.say("[page] When?")
    chat.answer(approved)
    assert before == len(llm.fetched)


def test_time_limit_is_told_and_the_chat_goes_on(service: Service) -> None:
    """Nothing is lost when a request's time is over; sent again without a new message, the run goes on."""
    chat = Chat(service)
    chat.say("[slow]")
    assert ("error", True) == (chat.types[-1], "time of a request is over" in chat.chunks[-1]["errorText"])
    assert "tool_call" == kinds(chat)[-1]
    chat.send()  # fetch_url only reads, so it runs again, and its page is as slow
    assert "error" == chat.types[-1]
    chat.say("[hello]")
    assert "It says: [hello]" == chat.text
    assert ["cancelled", "run_failed", "user_message"] == kinds(chat)[-5:-2]


def test_stopped_chat_goes_on(service: Service, llm: ModelServer, config: dict[str, Any], tmp_path: Path) -> None:
    """A client that leaves lets the model go; its next message cancels what was left, and the log says so."""
    with serve(service.host, {**config, **PATIENT}, tmp_path) as patient:
        llm.dropped.clear()
        chat = Chat(patient)
        chat.messages.append({"role": "user", "parts": [{"type": "text", "text": "[hang]"}]})
        came = stream_until(chat, b"message-metadata")
        if service.host != "workerd":  # which sees only a connection that is reset
            assert llm.dropped.wait(PATIENCE_S)
        chat.take(came, is_whole=False)
        chat.say("[hello] after")
    assert (ANSWERED, "It says: [hello] after") == (chat.types, chat.text)
    assert ["run_started", "user_message", "cancelled", "run_failed", "user_message"] == kinds(chat)[:5]


def test_message_beside_a_question_leaves_the_question(service: Service, llm: ModelServer) -> None:
    """A call that waits for a person never runs once the person has said something else."""
    before = len(llm.fetched)
    chat = Chat(service, agent=ASK)
    chat.say("[page] When?")
    chat.say("[hello] instead")
    assert (ANSWERED, "It says: [hello] instead") == (chat.types, chat.text)
    assert before == len(llm.fetched)


def test_failed_run_is_told_and_goes_on(service: Service) -> None:
    """The client has the log of the failure although it reads nothing after an error."""
    chat = Chat(service)
    chat.say("[refused]")
    assert "error" in chat.types
    assert "run_failed" == kinds(chat)[-1]
    chat.say("[hello]")
    assert "It says: [hello]" == chat.text


def test_answer_made_anew_and_message_changed(service: Service) -> None:
    """A client that cuts its messages goes on from there."""
    chat = Chat(service)
    chat.say("[hello] one")
    chat.say("[hello] two")
    del chat.messages[-1]
    chat.send()
    assert ("It says: [hello] two", 2) == (chat.text, kinds(chat).count("user_message"))
    del chat.messages[2:]
    chat.say("[hello] three")
    assert ("It says: [hello] three", 2) == (chat.text, kinds(chat).count("user_message"))


def test_cut_off_chat_cannot_be_put_together_anew(service: Service) -> None:
    """Answers of two courses of one chat are no run."""
    chat = Chat(service)
    chat.say("[hello] one")
    other = Chat(service)
    other.messages = copy.deepcopy(chat.messages)
    chat.say("[hello] two")
    other.say("[hello] three")
    chat.messages += other.messages[-2:]
    assert (400, "log_mismatch") == fault(chat.say("[hello] four"))


TEXT = {"type": "text", "text": "[hello]"}
USER = {"role": "user", "parts": [TEXT]}


def carrying(carried: Any) -> list[Any]:
    """Return messages of which one carries something."""
    return [USER, {"role": "assistant", "parts": [], "metadata": {"purestep": carried}}, USER]


BODIES: list[tuple[Any, str]] = [
    ([], "invalid_input"),
    (None, "invalid_input"),
    ("hello", "invalid_input"),
    ([None], "invalid_input"),
    ([7], "invalid_input"),
    ([{"role": "user"}], "invalid_input"),
    ([{"role": "user", "parts": ["hello"]}], "invalid_input"),
    ([{"role": "user", "parts": [None]}], "invalid_input"),
    ([{"role": "user", "parts": [[]]}], "invalid_input"),
    ([{"role": "user", "parts": []}], "invalid_input"),
    ([{"role": "user", "parts": [{"type": "text", "text": " "}]}], "invalid_input"),
    ([{"role": "user", "parts": [{"type": "text", "text": 7}]}], "invalid_input"),
    ([{"role": "user", "parts": [TEXT, {"type": "file", "url": "https://example.com/a.png"}]}], "unsupported"),
    ([{"role": "system", "parts": [TEXT]}], "invalid_input"),
    (
        [{"role": "assistant", "parts": [{"state": "approval-responded", "toolCallId": "c", "approval": {}}]}],
        "invalid_input",
    ),
    (carrying(None), "invalid_input"),
    (carrying([]), "invalid_input"),
    (carrying({}), "invalid_input"),
    (carrying({"log": "text"}), "invalid_input"),
    (carrying({"log": {"1": 7}}), "invalid_input"),
    (carrying({"log": {"-1": ""}}), "invalid_input"),
    (carrying({"log": {"__proto__": ""}}), "invalid_input"),
    (carrying({"log": {"1": "?\n"}}), "invalid_log"),
    (carrying({"log": {"1": "{}\n"}}), "invalid_log"),
    (carrying({"log": {"1": ""}, "seal": 7}), "invalid_input"),
    (carrying({"log": {}, "seal": "v1"}), "invalid_input"),
]


def test_bodies_that_are_no_chat(service: Service, llm: ModelServer) -> None:
    """Each is refused as the client's mistake, and no model is asked."""
    before = len(llm.asked)
    answers = [service.post("/ai-sdk", {"id": "c", "messages": messages}) for messages, _ in BODIES]
    assert [(400, code) for _, code in BODIES] == [fault(answer) for answer in answers]
    assert before == len(llm.asked)


def test_nothing_goes_on_to_be_read_again(service: Service) -> None:
    """A client that looks for a stream to read on in, as `resume` of useChat does, gets that there is none."""
    answer = service.send("GET", "/ai-sdk/my-chat/stream")
    assert (204, b"") == (answer.status, answer.body)
