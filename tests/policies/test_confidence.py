"""Confidence: a person is asked about calls of which the model was not sure."""

import json
from typing import Any

import pytest

import purestep
from purestep import Confidence, ModelOutput, PurestepError
from tests.core.agents import call, final, ok, said, tool
from tests.core.driver import Driver

TEXT = {"type": "string"}
STOCK = tool("stock_get", {"sku": TEXT}, annotations={"readOnlyHint": True})
MAIL = tool("mail", {"to": TEXT})
ASKED = said(call("stock_get", sku="TX-880"))
SENT = said(call("mail", to="ann"))


def played(output: dict[str, Any], *, tools: tuple[Any, ...] = (STOCK, MAIL), **options: Any) -> Driver:
    """Return the run after an output, under the policy with these options."""
    model = {"name": "m", "supports": options.pop("supports", ["logprobs"])}
    approval = options.pop("approval", {})
    policies = [{"use": "confidence", **options}]
    run = Driver({"tools": tools, "models": [model], "policies": policies, "approval": approval}, "Do it")
    run.send(output)
    assert json.loads(purestep.verify_log(run.log))["ok"]
    return run


def sure(output: dict[str, Any], branch: float = 0, name: float = 0, args: float = 0) -> dict[str, Any]:
    """Return the output with how sure the model was of it."""
    return {**output, "confidence": {"branch": branch, "name": name, "args": args}}


def asked(run: Driver) -> tuple[str, str] | None:
    """Return why a person is asked, and the question; None where the call runs."""
    if run.decision["type"] == "invoke_tool":
        return None
    (waiting,) = run.decision["calls"]
    return waiting["reason"], waiting["note"]


def test_a_call_below_the_threshold_is_asked_about_in_words() -> None:
    """The reason is the policy's name, and the question names the tool and what it is called with."""
    run = played(sure(ASKED, -0.2, -0.11))
    assert ("confidence", "I am not sure: run `stock_get` with sku TX-880?") == asked(run)
    (line,) = run.events("approval_request")
    told = (line["policy"], line["reason"], line["note"])
    assert ("confidence", "confidence", run.decision["calls"][0]["note"]) == told


@pytest.mark.parametrize(
    ("told", "is_asked"),
    [
        ((-0.2, -0.1, -50), False),
        ((-0.3, 0, 0), False),
        ((-0.31, 0, 0), True),
        ((0, -0.31, 0), True),
        ((0, 0, 0), False),
    ],
)
def test_branch_and_name_are_weighed_together_and_arguments_are_not(
    told: tuple[float, float, float], is_asked: bool
) -> None:
    """A threshold is reached at its own value; how long the arguments are has no say."""
    assert is_asked == (asked(played(sure(ASKED, *told))) is not None)


def test_the_threshold_is_the_definitions() -> None:
    """The same output is asked about under a higher one."""
    output = sure(ASKED, -0.1)
    assert (None, True) == (asked(played(output)), asked(played(output, below=-0.05)) is not None)


def test_without_log_probabilities_what_acts_is_asked_about_and_what_reads_is_made() -> None:
    """The question says why."""
    reason, note = asked(played(SENT)) or ("", "")
    words = "I cannot tell how sure I am, since the model's host tells no log-probabilities: run `mail` with to ann?"
    assert ("confidence", words, None) == (reason, note, asked(played(ASKED)))


@pytest.mark.parametrize("where", ["tool", "approval", "default"])
def test_what_may_act_is_asked_about_unless_the_definition_says_auto(where: str) -> None:
    """With `acting` a sure call of a tool that may change something waits too."""
    trusted: dict[str, Any] = {
        "tool": {"tools": (STOCK, {**MAIL, "approval": "auto"})},
        "approval": {"approval": {"tools": {"mail": "auto"}}},
        "default": {"approval": {"default": "auto"}},
    }[where]
    output = sure(SENT)
    told = ("confidence", "This may change something: run `mail` with to ann?")
    assert (None, told) == (asked(played(output)), asked(played(output, acting="ask")))
    assert (None, None) == (asked(played(output, acting="ask", **trusted)), asked(played(sure(ASKED), acting="ask")))
    assert asked(played(sure(SENT, -1), acting="ask", **trusted)) is not None


def test_a_tool_that_asks_anyway_keeps_its_reason() -> None:
    """The approval policy's reason stands where the model is sure, and the policy's where it is not."""
    tools = ({**MAIL, "approval": "ask"},)
    found = [played(sure(SENT, branch), tools=tools, acting="ask").decision["calls"][0] for branch in (0, -1)]
    assert ["the approval policy asks a person about this tool", "confidence"] == [each["reason"] for each in found]
    assert [False, True] == ["note" in each for each in found]


def test_a_refusal_in_other_words_is_read_by_the_model() -> None:
    """What the person says instead of yes or no is told to the model, which may call again."""
    run = played(sure(ASKED, -1))
    (waiting,) = run.decision["calls"]
    answer = {"call_id": waiting["call_id"], "key": waiting["key"], "approved": False, "reason": "no, TX-881"}
    run.send({"type": "approvals", "approvals": [answer]})
    assert "no, TX-881" in run.messages[-1]["content"]
    run.send(sure(said(call("stock_get", sku="TX-881"))))
    assert ("invoke_tool", {"sku": "TX-881"}) == (run.decision["type"], run.decision["params"])


def test_the_host_is_asked_only_for_a_model_that_tells() -> None:
    """The decision has `logprobs` where the policy wants them and the model's host gives them."""
    asks = [
        Driver({"models": [{"name": "m", "supports": supports}], "policies": policies}, "hi").decision.get("logprobs")
        for supports in (["logprobs"], [])
        for policies in ([{"use": "confidence"}], [])
    ]
    assert [True, None, None, None] == asks


def test_a_confidence_is_kept_to_two_decimals() -> None:
    """Hosts may compute other digits after these, and logs may not differ."""
    run = played(sure(ASKED, -0.104999, -0.0, -3))
    assert {"branch": -0.1, "name": 0, "args": -3} == run.events("model_response")[0]["confidence"]


@pytest.mark.parametrize("told", [{"branch": 0.1, "name": 0, "args": 0}, {"branch": 0}, {"branch": "0"}, [], -0.1])
def test_what_is_no_confidence_is_refused(told: Any) -> None:
    """A host that sends something else is told where."""
    run = Driver({"policies": [{"use": "confidence"}]}, "hi")
    error = run.send({**ASKED, "confidence": told})
    assert ("invalid_input", True) == (error["code"], "/confidence" in error["path"])


def test_a_number_that_no_json_has_is_refused() -> None:
    """NaN is below nothing, and no log can hold it."""
    agent = purestep.Agent.load({"policies": [{"use": "confidence"}]})
    run = purestep.start(agent, purestep.UserMessage(content="hi"), run_id="r")
    output = ModelOutput(content="x", confidence=Confidence(branch=float("nan"), name=0, args=0))
    with pytest.raises(PurestepError, match="/confidence/branch: expected a number"):
        purestep.step(run.state, output)


def test_long_arguments_are_named_in_part() -> None:
    """The question has a few arguments and the beginnings of long ones; control characters are written out."""
    many = tool("many", {f"p{number}": TEXT for number in range(9)}, annotations={"readOnlyHint": True})
    values = {f"p{number}": "x\n" * 50 for number in range(9)}
    _, note = asked(played(sure(said(call("many", **values)), -1), tools=(many,))) or ("", "")
    assert (True, True, True) == (note.endswith(", and 3 more?"), "\n" not in note, len(note) < 600)


def test_a_call_without_arguments_is_named_alone() -> None:
    """There is nothing to say after its name."""
    tools = (tool("now", {}, annotations={"readOnlyHint": True}),)
    assert ("confidence", "I am not sure: run `now`?") == asked(played(sure(said(call("now")), -1), tools=tools))


def test_a_new_output_is_weighed_by_itself() -> None:
    """What was known of the one before does not hold for it."""
    run = played(sure(ASKED))
    run.give_all("12")
    run.send(said(call("mail", to="ann")))
    assert "cannot tell" in run.decision["calls"][0]["note"]


def answered(args: float | None, output: dict[str, Any], **options: Any) -> Driver:
    """Return the run after an answer whose text has this sum."""
    return played(output if args is None else sure(output, 0, 0, args), **options)


@pytest.mark.parametrize(
    ("args", "options", "ending"),
    [
        (-1.51, {"answers_below": -1.5}, "failed"),
        (-1.5, {"answers_below": -1.5}, "done"),
        (None, {"answers_below": -1.5}, "done"),
        (-40, {}, "done"),
    ],
)
def test_an_unsure_answer_is_none(args: float | None, options: dict[str, Any], ending: str) -> None:
    """Below its own threshold, where there is one and the host tells the sums."""
    assert ending == answered(args, said(final("Like red and blue.")), **options).decision["type"]


def test_a_refused_answer_is_shown_as_what_it_is() -> None:
    """The failure quotes it, so that nothing is lost, and names the policy."""
    decision = answered(-9, said(final("Like red and blue.")), answers_below=-1.5).decision
    assert 'the model was not sure of this answer: "Like red and blue."' == decision["message"]
    assert ("answer_refused", {"policy": "confidence"}) == (decision["code"], decision["detail"])


def test_an_unsure_call_of_before_does_not_count_for_the_answer() -> None:
    """Each output has its own sums; what a call was written with says nothing of the text after it."""
    run = played(sure(ASKED, 0, 0, -9), answers_below=-1.5)
    run.send(ok(run.decision["calls"][0]["call_id"], "3 left"))
    run.send(sure(said(final("3 left")), 0, 0, -0.2))
    assert "done" == run.decision["type"]


@pytest.mark.parametrize(("ok_", "ending"), [(True, "done"), (False, "failed")])
def test_an_unsure_answer_beside_what_was_done_stands(ok_: bool, ending: str) -> None:
    """What was done is told as facts; where it failed, nothing was."""
    run = played(sure(SENT), answers_below=-1.5)
    run.send({"type": "tool_results", "results": [{"call_id": "call_1", "ok": ok_, "output": "sent"}]})
    run.send(sure(said(final("It has been brought.")), 0, 0, -9))
    assert ending == run.decision["type"]
    if run.decision["type"] == "done":
        run.send({"type": "user_message", "content": "What colour is it?"})
        run.send(sure(said(final("Like red and blue.")), 0, 0, -9))
        assert "failed" == run.decision["type"]
