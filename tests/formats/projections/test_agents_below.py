"""Logs with the runs of agents: their calls, spans and requests stand apart from those of the run that called them."""

import json
import re
from typing import Any

import pytest

import purestep
from purestep import PurestepError
from purestep.bounds import SCHEMA_VERSION
from purestep.values import chain as chained
from purestep_formats import close_projection, feed_projection, open_projection, open_spans, project
from tests.core.agents import answer, approvals, call, final, listed, said
from tests.core.tree import LOOK_UP, REFUND, TreeDriver, team

DESK = {"name": "till", "instructions": "You refund.", "tools": [REFUND]}
SEARCH = {"instructions": "You search.", "tools": [LOOK_UP]}
DEEP = "call_1/call_1/call_1"


def asked() -> TreeDriver:
    """Return a run in which an agent two levels down waits for a person, and another has gone on and ended."""
    lead = {"agents": {"desk": {"agent": DESK}}, "instructions": "You lead."}
    run = TreeDriver({**team(lead=lead, search=SEARCH), "name": "boss"}, at=1000)
    run.send(said(listed(call("lead", question="Refund 5"), call("search", question="Look"))))
    run.say(("lead",), call("desk", question="Refund 5"))
    run.say(("lead", "desk"), call("refund", amount=5), usage={"prompt_tokens": 7, "completion_tokens": 2}, at=1100)
    run.say(("search",), call("look_up", text="x"))
    run.give(("search",), "found")
    run.say(("search",), final("Found."))
    return run


def answered(approved: bool = True) -> TreeDriver:
    """Return it once the person has answered, to its end."""
    run = asked()
    (entry,) = run.at("lead", "desk")["calls"]
    run.send(approvals(answer(entry, approved)))
    if approved:
        run.give(("lead", "desk"), "done")
    run.say(("lead", "desk"), final("Refunded."))
    run.say(("lead",), final("It is refunded."))
    run.send(said(final("Done.")))
    return run


def test_spans_of_agents_stand_in_those_of_their_calls() -> None:
    """Each invoke_agent of an agent is in the span of its call, with chats and tools inside; one trace has all."""
    spans = project(answered().log, "otel")
    names = {span["span_id"]: span["name"] for span in spans}
    tree = [(span["name"], names.get(span.get("parent_span_id", ""), "")) for span in spans]
    assert sorted(
        [
            ("chat", "invoke_agent boss"), ("chat", "invoke_agent boss"), ("execute_tool lead", "invoke_agent boss"),
            ("execute_tool search", "invoke_agent boss"), ("invoke_agent boss", ""),
            ("invoke_agent lead", "execute_tool lead"), ("chat", "invoke_agent lead"), ("chat", "invoke_agent lead"),
            ("execute_tool desk", "invoke_agent lead"), ("invoke_agent till", "execute_tool desk"),
            ("chat", "invoke_agent till"), ("chat", "invoke_agent till"), ("execute_tool refund", "invoke_agent till"),
            ("invoke_agent search", "execute_tool search"), ("chat", "invoke_agent search"),
            ("chat", "invoke_agent search"), ("execute_tool look_up", "invoke_agent search"),
        ]
    ) == sorted(tree)  # fmt: skip
    assert len({span["trace_id"] for span in spans}) == 1
    conversations = [s["attributes"]["gen_ai.conversation.id"] for s in spans if s["name"].startswith("invoke_agent")]
    assert len(set(conversations)) == 4


def test_open_spans_are_those_of_the_whole_tree() -> None:
    """While an agent waits, its span, its caller's and those of their calls are open."""
    projection, _ = feed_projection(open_projection("otel"), asked().log)
    opened = [span["name"] for span in open_spans(projection)]
    assert opened == [
        "invoke_agent boss",
        "execute_tool lead",
        "invoke_agent lead",
        "execute_tool desk",
        "invoke_agent till",
    ]
    closed = [span["name"] for span in close_projection(projection)[1]]
    assert sorted(opened) == sorted(closed)


def test_calls_of_agents_have_ids_of_their_own_and_a_path() -> None:
    """Both protocols name the agents down to a call; its id begins with those of the calls above."""
    log = answered().log
    begun = [event for event in project(log, "ag-ui") if event["type"] == "TOOL_CALL_START"]
    paths = {event["toolCallId"]: event.get("metadata", {}).get("purestep", {}).get("path") for event in begun}
    expected = {
        "call_1": None,
        "call_2": None,
        "call_1/call_1": ["lead"],
        "call_2/call_1": ["search"],
        DEEP: ["lead", "desk"],
    }
    assert expected == paths
    chunks = [chunk for chunk in project(log, "ai-sdk") if chunk["type"] == "tool-input-available"]
    assert expected == {chunk["toolCallId"]: chunk.get("toolMetadata", {}).get("path") for chunk in chunks}
    parts = [part for part in project(log, "ai-sdk-messages")[-1]["parts"] if part["type"] == "dynamic-tool"]
    assert expected == {part["toolCallId"]: part.get("toolMetadata", {}).get("path") for part in parts}
    assert {"output-available"} == {part["state"] for part in parts}
    results = {event["toolCallId"]: event["content"] for event in project(log, "ag-ui") if "content" in event}
    assert results == {
        "call_2/call_1": "found", "call_2": "Found.", DEEP: "done", "call_1/call_1": "Refunded.",
        "call_1": "It is refunded.",
    }  # fmt: skip


@pytest.mark.parametrize("form", ["ag-ui", "ai-sdk"])
def test_only_the_runs_own_answer_is_a_text(form: str) -> None:
    """What an agent answers is the result of its call: no client takes it for the answer."""
    events = project(answered().log, form)
    assert ["Done."] == [event["delta"] for event in events if event["type"] in ("TEXT_MESSAGE_CONTENT", "text-delta")]


def test_a_request_from_below_ends_the_part_once_all_else_is_done() -> None:
    """The agent that went on meanwhile is shown before the pause, and the request names the call by its id and key."""
    run = asked()
    (entry,) = run.at("lead", "desk")["calls"]
    events = project(run.log, "ag-ui")
    assert ["RUN_STARTED", "RUN_FINISHED"] == [event["type"] for event in events if event["type"].startswith("RUN")]
    (interrupt,) = events[-1]["outcome"]["interrupts"]
    assert (entry["key"], DEEP) == (interrupt["id"], interrupt["toolCallId"])
    chunks = project(run.log, "ai-sdk")
    (request,) = [chunk for chunk in chunks if chunk["type"] == "tool-approval-request"]
    assert (entry["key"], DEEP, "finish") == (request["approvalId"], request["toolCallId"], chunks[-1]["type"])


@pytest.mark.parametrize("approved", [True, False])
@pytest.mark.parametrize("form", ["ag-ui", "ai-sdk"])
def test_a_stream_that_pauses_goes_on_as_the_whole(form: str, approved: bool) -> None:
    """Closed where the person is asked and fed on, it gives what the whole log gives."""
    log, first = answered(approved).log, asked().log
    assert log.startswith(first)
    projection, events = feed_projection(open_projection(form), first)
    projection, paused = close_projection(projection)
    projection, more = feed_projection(projection, log[len(first) :])
    assert project(log, form) == events + paused + more + close_projection(projection)[1]


def test_what_agents_use_counts_for_the_run() -> None:
    """The usage of the exchange has that of all below it, as its limits do."""
    ended = project(answered().log, "ag-ui")[-1]
    assert [{"inputTokens": 7, "outputTokens": 2}] == ended["usage"]


def test_what_else_happens_below_has_the_path() -> None:
    """A correction of an agent's output names it; the caller's messages have none of it."""
    run = TreeDriver(team(desk=DESK))
    run.send(said(call("desk", question="Refund 5")))
    run.say(("desk",), call("refund", amount="five"))
    corrected = [event["value"] for event in project(run.log, "ag-ui") if event.get("name") == "purestep.correction"]
    assert [["desk"]] == [value["path"] for value in corrected]
    assert ["user", "assistant"] == [message["role"] for message in project(run.log, "openai")]


def test_a_cancelled_tree_ends_in_every_form() -> None:
    """Calls of agents that had no result get an error before the run ends."""
    run = asked()
    run.send({"type": "cancel", "reason": "enough"})
    events = project(run.log, "ag-ui")
    assert "cancelled" == events[-1]["outcome"]["type"]
    ids = {event["toolCallId"] for event in events if event["type"] == "TOOL_CALL_START"}
    assert ids == {event["toolCallId"] for event in events if event["type"] == "TOOL_CALL_RESULT"}
    states = {part["state"] for part in project(run.log, "ai-sdk-messages")[-1]["parts"] if "state" in part}
    assert "input-available" not in states


def test_a_line_below_that_was_changed_is_found() -> None:
    """The chain of an agent's own log is held too; the error names the line of the log that holds it."""
    log = answered().log
    lines = log.splitlines(keepends=True)
    at = next(at for at, line in enumerate(lines) if '"kind":"child"' in line and '"kind":"model_response"' in line)
    lines[at] = lines[at].replace("Refund 5", "Refund 9")
    with pytest.raises(PurestepError) as caught:
        project("".join(lines), "otel")
    assert ("log_mismatch", True) == (caught.value.code, re.match(r"line \d+: ", caught.value.message) is not None)


def test_no_deeper_than_the_core() -> None:
    """Lines within lines are read no further than agents can be below one another."""

    def lines(depth: int) -> list[str]:
        head, found = "", list[str]()

        def add(line: dict[str, Any]) -> None:
            nonlocal head
            text = json.dumps(line, separators=(",", ":"))
            found.append(text)
            head = chained(head, text.encode())

        add({"seq": 0, "kind": "run_started", "schema_version": SCHEMA_VERSION, "agent": {}, "run_id": "r"})
        call = {"call_id": "call_1", "tool_name": "x", "arguments": {}, "key": "k"}
        add({"seq": 1, "kind": "tool_call", **call, "prev": head})
        for line in lines(depth - 1) if depth else ():
            add({"seq": len(found), "kind": "child", "call_id": "call_1", "line": json.loads(line)})
        return found

    assert [] != project("\n".join(lines(2)) + "\n", "ag-ui")
    with pytest.raises(PurestepError) as caught:
        project("\n".join(lines(3)) + "\n", "ag-ui")
    assert ("invalid_log", True) == (caught.value.code, "at most 2 levels deep" in caught.value.message)


def test_a_projection_that_was_changed_below_is_refused_or_goes_on() -> None:
    """Facts of an ending stand in no walk between lines, and forms of agents that nobody called are no defect."""
    run = asked()
    opened = json.loads(purestep.project_log(json.dumps({"form": "otel"})))["projection"]
    projection = json.loads(purestep.project_log(json.dumps({"projection": opened, "log": run.log})))["projection"]
    forged = json.loads(json.dumps(projection))
    forged["walk"]["below"]["call_1"]["acts"] = {}
    answer = json.loads(purestep.project_log(json.dumps({"projection": forged})))
    assert ("invalid_input", "/projection/walk/below/call_1/acts") == (answer["error"]["code"], answer["error"]["path"])
    projection["fold"]["below"]["call_9"] = projection["fold"]["below"]["call_1"]
    assert "events" in json.loads(purestep.project_log(json.dumps({"projection": projection})))


def test_an_explanation_has_those_of_the_agents() -> None:
    """Each agent's run is explained as its own log is."""
    run = answered()
    told = json.loads(purestep.explain_log(run.log))
    assert [("call_1", "lead"), ("call_2", "search")] == [(each["call_id"], each["agent"]) for each in told["agents"]]
    (desk,) = told["agents"][0]["explanation"]["agents"]
    assert ["refund"] == [each["tool"] for each in desk["explanation"]["calls"]]
    lines = [json.loads(line) for line in run.log.splitlines()]
    own = [line["line"] for line in lines if line["kind"] == "child" and line["call_id"] == "call_2"]
    assert [line["seq"] for line in own if line["kind"] == "final_answer"] == [
        told["agents"][1]["explanation"]["answers"][0]["seq"]
    ]


def test_a_hand_off_is_told_and_names_the_agent_from_then_on() -> None:
    """Events and spans name who has the conversation; a span that is open keeps its name, the next has the other."""
    desk = {"agent": {"instructions": "You refund."}, "hand_off": True}
    run = TreeDriver({"name": "front", "agents": {"desk": desk}}, at=1000)
    run.send(said(call("desk")))
    run.send(said(final("Hello.")))
    run.send({"type": "user_message", "content": "And now?"})
    run.send(said(final("Hello again.")))
    told = [each["value"] for each in project(run.log, "ag-ui") if each.get("name") == "purestep.agent_changed"]
    assert [each["handed_to"] for each in told] == ["desk"]
    names = [span["name"] for span in project(run.log, "otel") if span["name"].startswith("invoke_agent")]
    assert names == ["invoke_agent desk", "invoke_agent desk"]
