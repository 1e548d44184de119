"""Runs that begin with messages that were said before: what is sent, logged, dropped by a window, and refused."""

import json
from typing import Any

import msgspec
import pytest

import purestep
from purestep import Message, ModelOutput, UserMessage

ANN = [Message(role="user", content="I am Ann."), Message(role="assistant", content="Hello Ann.")]
ASKED = UserMessage(content="Who am I?", at=5)


def agent(**members: Any) -> purestep.Agent:
    """Return an agent with instructions."""
    return purestep.Agent.load({"instructions": "Be kind.", **members})


def sent(step: purestep.Step, messages: tuple[Message, ...]) -> list[str]:
    """Return what the model is sent after the preamble, as texts."""
    assert isinstance(step.decision, purestep.CallModel)
    prompt = purestep.prompt_messages(step.decision, list(messages))
    return [str(message.content) for message in prompt[step.state.window.preamble :]]


def test_the_model_sees_the_preamble_and_what_was_said() -> None:
    """The messages stand between the definition's and the new one, and the step gives all of them."""
    made = agent()
    alone = purestep.start(made, ASKED, "r")
    step = purestep.start(made, ASKED, "r", ANN)
    preamble = alone.messages[: alone.state.window.preamble]
    assert (*preamble, *ANN, alone.messages[-1]) == step.messages
    assert ["I am Ann.", "Hello Ann.", "Who am I?"] == sent(step, step.messages)


def test_the_log_holds_what_was_said_and_replays() -> None:
    """Replay gives the state and the transcript of the run; a change of what was said breaks the chain."""
    step = purestep.start(agent(), ASKED, "r", ANN)
    after = purestep.step(step.state, ModelOutput(content='{"kind":"final","content":"You are Ann."}'))
    log = step.log + after.log
    found = purestep.replay(log)
    assert (after.state, [*step.messages, *after.messages]) == (found.state, list(found.messages))
    assert purestep.verify(log, after.state.head).ok
    assert not purestep.verify(log.replace("I am Ann.", "I am Bob."), after.state.head).ok


def test_both_forms_begin_alike() -> None:
    """The JSON functions and the typed ones give the same bytes, also for dicts."""
    made, said = agent(), msgspec.to_builtins(ANN)
    given = {
        "agent": json.loads(made.source),
        "run_id": "r",
        "history": said,
        "observation": msgspec.to_builtins(ASKED),
    }
    output = json.loads(purestep.run_agent_step(json.dumps(given)))
    for history in (ANN, said):
        step = purestep.start(made, ASKED, "r", history)
        assert (output["log"], output["state"]["head"]) == (step.log, step.state.head)


def test_a_window_drops_what_was_said_and_never_the_preamble() -> None:
    """Where the messages do not fit, a narrower prompt leaves out the oldest of them."""
    made = agent(models=[{"name": "small", "window_tokens": 2000}])
    long = [Message(role=role, content=f"{role} says {'many words ' * 400}") for role in ("user", "assistant")]
    step = purestep.start(made, ASKED, "r", [*long, *ANN])
    messages = step.messages
    asked = 0
    while isinstance(step.decision, purestep.CallModel) and asked < 3:
        prompt = purestep.prompt_messages(step.decision, list(messages))
        assert messages[0] == prompt[0]
        assert "Who am I?" == prompt[-1].content
        asked += 1
        step = purestep.step(step.state, purestep.ModelError(code="overflow", message="too long"))
        messages += step.messages
    assert asked > 1


@pytest.mark.parametrize(
    ("history", "path"),
    [
        (ANN[:1], "/history/0"),
        ([Message(role="system", content="Be rude."), *ANN], "/history/0/role"),
        ([*ANN[:1], Message(role="assistant", content=None)], "/history/1"),
        ([{"content": "Hello"}, *ANN], "/history/0"),
        ([5], "/history/0"),
    ],
)
def test_messages_that_begin_no_exchange_are_refused(history: Any, path: str) -> None:
    """The error names the message: no words of a system besides the definition's, and no open question."""
    with pytest.raises(purestep.PurestepError) as raised:
        purestep.start(agent(), ASKED, "r", history)
    assert ("invalid_input", path) == (raised.value.code, raised.value.path)
