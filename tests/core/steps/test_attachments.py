"""Images and files of user messages: what the model is sent, what is counted, and what is refused."""

import json
from typing import Any

import msgspec
import pytest

import purestep
from purestep.bounds import MAX_ATTACHMENTS
from purestep_formats import project
from tests.core.agents import ADD, call, final, result, results, said
from tests.core.driver import Driver, assert_replays

DIGEST = "0123456789abcdef" * 4
IMAGE = {"type": "image", "digest": DIGEST, "media_type": "image/png", "bytes": 20_480, "name": "a.png"}
NOTES = {"type": "file", "digest": DIGEST, "media_type": "text/plain", "bytes": 5_000}


def asked(text: str, *parts: dict[str, Any]) -> dict[str, Any]:
    """Return a user message with parts."""
    return {"type": "user_message", "content": [{"type": "text", "text": text}, *parts]}


def begun(definition: dict[str, Any], *parts: dict[str, Any]) -> Driver:
    """Return a run that an answered greeting and a message with parts began."""
    driver = Driver(definition)
    driver.send(said(final("Hello.")))
    driver.send(asked("What is this?", *parts))
    return driver


def prompt(driver: Driver) -> list[Any]:
    """Return the contents that the model is sent, as the typed form gives them."""
    transcript = msgspec.convert(driver.messages, list[purestep.Message])
    decision = msgspec.convert(driver.decision, purestep.CallModel)
    return [message.content for message in purestep.prompt_messages(decision, transcript)]


def model(*supports: str, **members: Any) -> dict[str, Any]:
    """Return a definition with one model."""
    return {"models": [{"name": "one", "supports": supports, **members}]}


def test_the_parts_stand_in_the_message_and_replay() -> None:
    """The log has the reference, the transcript has it in its place, and replay gives both again."""
    driver = begun(model("images"), IMAGE)
    driver.send(said(final("A receipt.")))
    assert [{"type": "text", "text": "What is this?"}, IMAGE] == driver.messages[-2]["content"]
    assert driver.messages[-2]["content"] == driver.events("user_message")[-1]["content"]
    assert_replays(driver)


@pytest.mark.parametrize(("supports", "part", "is_asked"), [
    ((), IMAGE, False), (("images",), IMAGE, True), (("files",), IMAGE, False), ((), NOTES, True),
    (("images",), {**NOTES, "media_type": "application/pdf"}, False),
    (("files",), {**NOTES, "media_type": "application/pdf"}, True),
    ((), {**NOTES, "media_type": "application/json"}, True),
])  # fmt: skip
def test_a_model_is_asked_with_what_it_supports(supports: tuple[str, ...], part: Any, is_asked: bool) -> None:
    """Text is for every model; the run fails for what none takes."""
    decision = begun(model(*supports), part).decision
    assert ("call_model" if is_asked else "unsupported_part") == decision.get("code", decision["type"])


def test_a_model_of_which_nothing_is_said_takes_all() -> None:
    """As with all else that it may support."""
    assert begun({"models": [{"name": "one"}]}, IMAGE, NOTES).decision["type"] == "call_model"


def test_a_failed_message_does_not_fail_the_next() -> None:
    """What the model cannot read of earlier exchanges is named in its place, as text alone."""
    driver = begun(model(), IMAGE)
    driver.send({"type": "user_message", "content": "Well?"})
    assert "call_model" == driver.decision["type"]
    earlier, unanswered, asked_now = prompt(driver)[-3:]
    assert '{"kind":"final","content":"(no answer)"}' == unanswered
    assert ("What is this?\n\n[this message has an image, which is not shown to you]", "Well?") == (earlier, asked_now)


def test_the_next_exchange_prefers_a_model_that_reads_the_conversation() -> None:
    """A question about the image goes to the model that saw it; an error moves on to no model that cannot."""
    models = [
        {"name": "words", "supports": []},
        {"name": "eyes", "supports": ["images"]},
        {"name": "more", "supports": []},
    ]
    driver = begun({"models": models}, IMAGE)
    driver.send(said(final("A receipt.")))
    driver.send({"type": "user_message", "content": "Of when?"})
    assert "eyes" == driver.decision["model"]
    driver.send(said(final("June.")))
    driver.send(asked("And this?", IMAGE))
    driver.send(said("{"))
    driver.send(said("{"))
    assert ("failed", "truncated") == (driver.decision["type"], driver.decision["code"])


def test_what_is_counted_keeps_the_prompt_within_the_window() -> None:
    """A text file counts one token a byte, and images of earlier exchanges leave before anything else."""
    driver = begun(model("images", window_tokens=8_000), IMAGE, IMAGE)
    driver.send(said(final("Two.")))
    driver.send(asked("And this?", NOTES))
    assert "call_model" == driver.decision["type"]
    assert [True, True, False] == [part[4] for part in driver.state["window"]["attachments"]]  # type: ignore[index]
    assert "left out to save room" in prompt(driver)[-3]
    assert 2 == driver.events("switched")[-1]["shortened"]
    driver.send(said(final("Notes.")))
    assert_replays(driver)


def test_more_than_the_window_has_room_for_fails() -> None:
    """What is asked about is never left out."""
    assert "window" == begun(model(window_tokens=4_000), NOTES).decision["code"]


def test_a_message_without_words_is_one() -> None:
    """An image alone."""
    driver = begun({})
    driver.send(said(final("What?")))
    driver.send({"type": "user_message", "content": [IMAGE]})
    assert [IMAGE] == driver.messages[-1]["content"]


def test_what_waits_becomes_one_message_within_its_bound() -> None:
    """Messages that come in the middle of a run have 24 parts together, and the run goes on with them."""
    driver = Driver({"tools": [ADD]})
    driver.send(said(call("add_numbers", a=1, b=2)))
    driver.send(asked("See.", *[IMAGE] * 22))
    driver.send({"type": "user_message", "content": "Quick."})
    assert "input_too_large" == driver.send(asked("And?", IMAGE))["code"]
    driver.send(results(result("call_1", 3)))
    assert 24 == len(driver.messages[-1]["content"])
    driver.send(said(final("Done.")))
    assert_replays(driver)


def test_a_run_has_a_bounded_number() -> None:
    """Queued ones count; the message is refused and the run stays as it was."""
    driver = Driver({})
    for _ in range(MAX_ATTACHMENTS // 32):
        driver.send(said(final("Yes.")))
        driver.send({"type": "user_message", "content": [IMAGE] * 32})
    assert "256 images and files" in driver.send(asked("And this?", IMAGE))["message"]
    driver.send(said(final("Yes.")))
    assert "input_too_large" == driver.send(asked("And this?", IMAGE))["code"]
    driver.send({"type": "user_message", "content": "Thanks."})
    assert "call_model" == driver.decision["type"]


@pytest.mark.parametrize("attachments", [
    [[9, 0, "image", 1, False]], [[1, 0, "image", 1, False], [1, 0, "image", 1, False]],
    [[1, 1, "image", 1, False], [1, 0, "image", 1, False]], [[1, 32, "image", 1, False]], [[1, 0, "video", 1, False]],
])  # fmt: skip
def test_a_state_with_other_attachments_is_refused(attachments: list[Any]) -> None:
    """Of messages that there are not, twice, out of order, past the bound, or of no kind."""
    driver = begun(model("images"), IMAGE)
    assert driver.state is not None
    driver.state = {**driver.state, "attachments": attachments}
    assert driver.send(said(final("A receipt.")))["code"] in ("invalid_state", "invalid_input")


def test_a_history_may_have_them() -> None:
    """In messages of the user; they are checked like those of an observation."""
    agent = purestep.Agent.load(model())
    parts = (purestep.TextPart(text="See."), purestep.ImagePart(digest=DIGEST, media_type="image/png", bytes=1))
    answer = purestep.Message(role="assistant", content="I see.")
    now = purestep.UserMessage(content="Well?")
    step = purestep.start(agent, now, "r", [purestep.Message(role="user", content=parts), answer])
    assert isinstance(step.decision, purestep.CallModel)
    sent = purestep.prompt_messages(step.decision, list(step.messages))
    assert "See.\n\n[this message has an image, which is not shown to you]" == sent[-3].content
    for wrong in (
        purestep.Message(role="assistant", content=parts),
        purestep.Message(role="user", content=(purestep.ImagePart(digest="x", media_type="image/png", bytes=1),)),
    ):
        with pytest.raises(purestep.PurestepError, match="expected"):
            purestep.start(agent, now, "r", [wrong, answer])


def test_a_whole_state_carries_them() -> None:
    """The form that another program keeps, replayed from its log."""
    state = json.loads(purestep.create_agent_state("Hello", json.dumps(model("images")), "run-1"))
    output = {"log": "", "state_json": json.dumps(state)}
    log = ""
    for observation in (said(final("Hello.")), asked("What is this?", IMAGE), said(final("A receipt."))):
        given = {"state_json": output["state_json"], "observation": observation}
        output = json.loads(purestep.run_agent_step(json.dumps(given)))
        log += output["log"]
    assert IMAGE in json.loads(output["state_json"])["history"][-2]["content"]
    assert json.loads(purestep.verify_log(log))["ok"]


@pytest.mark.parametrize("form", ["ag-ui", "ai-sdk-messages", "openai"])
def test_projections_name_them_and_have_no_bytes(form: str) -> None:
    """By a URI with the digest."""
    driver = begun(model("images"), IMAGE)
    driver.send(said(final("A receipt.")))
    assert f"nih:sha-256;{DIGEST}" in json.dumps(project(driver.log, form))
