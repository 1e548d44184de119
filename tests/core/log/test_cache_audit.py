"""What a prompt cache could have had: a prompt only grows between the calls of an exchange, unless a line says why."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import msgspec
import pytest

import purestep
from purestep import Agent, cache_audit
from tests.core.agents import call, final, listed
from tests.core.log.test_change import BEFORE, LOOK, PAY, TOOLS, states
from tests.core.log.test_policy_diff_carried import result
from tests.examples import ARE_ALL_WANTED

WORDS: Final = "one two three four five six seven eight nine ten "
NEGOTIATION: Final = {"use": "negotiation", "rules": [{"on": "parse_error", "after": 2, "move": "examples"}]}


def definitions() -> Iterator[dict[str, Any]]:
    """Yield definitions, each with something that changes what was sent before."""
    base = {"tools": [LOOK, PAY]}
    yield BEFORE
    yield {**base, "dialect": "native"}
    yield {**base, "models": [{"name": "m", "window_tokens": 700}]}
    yield {**base, "models": [{"name": "m", "window_tokens": 700}], "policies": [{"use": "summary", "max_tokens": 60}]}
    yield {**base, "dialect": "native", "limits": {"max_turns": 4, "final_answer": True}}
    yield {**base, "answer_schema": {"type": "object"}, "dialect": "native"}
    yield {**base, "policies": [{"use": "history", "keep_exchanges": 1}]}
    yield {**base, "policies": [{"use": "history", "results": [{"keep": 1}]}]}
    yield {"tools": TOOLS, "tools_offered": 1, "dialect": "native"}
    yield {**base, "models": [{"name": "m"}, {"name": "n"}], "limits": {"max_corrections": 1}}


def said(chance: random.Random, native: bool) -> purestep.ModelOutput:
    """Return what a model says: calls, an answer, or nothing that can be read."""
    name = chance.choice(["look", "look", "pay", "find_tools", "unknown"])
    params = {"query": "pay"} if name == "find_tools" else {"number": chance.randint(1, 2)}
    usage = purestep.Usage(prompt_tokens=1_000, cached_tokens=chance.randint(0, 1_000))
    kind = chance.random()
    if kind < 0.2:
        return purestep.ModelOutput(content=("So it is." if native else final(WORDS)), usage=usage)
    if kind < 0.35:
        return purestep.ModelOutput(content="{" if not native else "", usage=usage)
    if native:
        calls = [{"id": "c", "function": {"name": name, "arguments": json.dumps(params)}}]
        found = {"type": "model_output", "tool_calls": calls, "usage": msgspec.to_builtins(usage)}
        return msgspec.convert(found, purestep.ModelOutput)
    one = call(name, **params)
    return purestep.ModelOutput(content=listed(one, call("look", number=3)) if kind > 0.8 else one, usage=usage)


def random_log(seed: int, definition: dict[str, Any]) -> str:
    """Return the log of a random run."""
    chance, native = random.Random(seed), definition.get("dialect") == "native"
    step = purestep.start(Agent.load(definition), purestep.UserMessage(content="Go"), f"run-{seed}")
    log = step.log
    for _ in range(25):
        decision = step.decision
        observation: purestep.Observation
        match decision:
            case purestep.CallModel() if chance.random() < 0.06:
                observation = purestep.ModelError(
                    code=chance.choice(["overflow", "unavailable"]), message="no", retryable=True
                )
            case purestep.CallModel(reason="summary"):
                observation = purestep.ModelOutput(content="They spoke of numbers.")
            case purestep.CallModel():
                observation = said(chance, native)
            case purestep.InvokeTool(calls=calls):
                observation = result(calls[0].call_id, WORDS * chance.randint(1, 12))
            case purestep.RequestApproval(calls=calls):
                answers = [purestep.Approval(call_id=each.call_id, key=each.key, approved=True) for each in calls]
                observation = purestep.Approvals(approvals=tuple(answers))
            case _:
                choice = chance.choice([None, None, "auto", "none"])
                observation = purestep.UserMessage(content=f"And {WORDS}?", tool_choice=choice)
        step = purestep.step(step.state, observation)
        log += step.log
    return log


def test_a_prompt_only_grows_unless_a_line_says_why() -> None:
    """In ten thousand random runs where all examples are wanted: no request begins otherwise without a cause."""
    causes, most = Counter[str](), 1_000 if ARE_ALL_WANTED else 12
    for definition in definitions():
        for seed in range(most):
            for request in cache_audit(random_log(seed, definition)):
                causes[request.cause] += 1
                assert request.cause != "unknown", (definition, seed, request)
                assert request.common <= request.messages
                assert request.common_tokens <= request.tokens
    wanted = {
        "",
        "start",
        "prompt",
        "find_tools",
        "final_answer",
        "history",
        "overflow",
        "answer_schema",
        "user_message",
    }
    assert wanted <= causes.keys(), causes


def test_agents_below_are_compared_with_their_own_requests() -> None:
    """Each run of an agent begins anew, and grows."""
    log = "".join(step.log for step in states(3))
    found = [(each.path, each.cause) for each in cache_audit(log)]
    assert (("desk",), "start") in found
    assert {""} == {cause for _, cause in found} - {"start"}


def test_what_was_billed_again() -> None:
    """Of what both requests begin with, what the server did not have; and the change of a tool breaks all."""
    step = purestep.start(
        Agent.load({"tools": [LOOK], "dialect": "native"}), purestep.UserMessage(content="Go"), "run-1"
    )
    log = step.log
    calls = [{"id": "c", "function": {"name": "look", "arguments": '{"number":1}'}}]
    asked = {"type": "model_output", "tool_calls": calls, "usage": {"prompt_tokens": 100, "cached_tokens": 0}}
    other = Agent.load({"tools": [LOOK, PAY], "dialect": "native"})
    for observation in (
        msgspec.convert(asked, purestep.ModelOutput),
        result("call_1", "done"),
        msgspec.convert({**asked, "usage": {"prompt_tokens": 150, "cached_tokens": 60}}, purestep.ModelOutput),
        result("call_2", "done"),
        purestep.AgentChanged(agent=msgspec.Raw(other.source)),
        msgspec.convert({**asked, "usage": {"prompt_tokens": 220, "cached_tokens": 0}}, purestep.ModelOutput),
    ):
        step = purestep.step(step.state, observation)
        log += step.log
    first, second, third = cache_audit(log)
    assert ("start", None) == (first.cause, first.billed_again)
    assert ("", 40, first.messages) == (second.cause, second.billed_again, second.common)
    assert ("agent_changed", 0, 0) == (third.cause, third.billed_again, third.common)
    lines = log.splitlines()
    assert {"model_response"} == {json.loads(lines[each.line - 1])["kind"] for each in (first, second, third)}
    projected = json.loads(purestep.project_log(json.dumps({"form": "cache", "log": log})))["events"]
    assert json.loads(msgspec.json.encode(cache_audit(log))) == projected


def test_another_definition_is_the_cause_also_where_the_user_says_more() -> None:
    """It stays, whatever comes after it."""
    agents = [Agent.load({"tools": tools, "dialect": "native"}) for tools in ([LOOK], [LOOK, PAY])]
    step = purestep.start(agents[0], purestep.UserMessage(content="Go"), "run-1")
    log = step.log
    for observation in (
        purestep.ModelOutput(content="Done."),
        purestep.AgentChanged(agent=msgspec.Raw(agents[1].source)),
        purestep.UserMessage(content="And?"),
        purestep.ModelOutput(content="Done."),
    ):
        step = purestep.step(step.state, observation)
        log += step.log
    assert ["start", "agent_changed"] == [each.cause for each in cache_audit(log)]


REQUEST: Final[dict[str, Any]] = {
    "model": "m",
    "messages": [{"role": "system", "content": "You help."}, {"role": "user", "content": "Go"}],
}


def imported(*requests: dict[str, Any]) -> list[tuple[str, int]]:
    """Return the causes and the common messages of recorded requests."""
    text = "\n".join(map(json.dumps, requests))
    return [(each.cause, each.common) for each in purestep.audit_requests(text)]


def test_requests_of_other_programs() -> None:
    """Each is compared with the earlier one that it continues; what differs first is named."""
    more = [*REQUEST["messages"], {"role": "assistant", "content": "Yes."}, {"role": "user", "content": "And?"}]
    longer = {**REQUEST, "messages": more}
    stamped = [{"role": "system", "content": "You help. It is 10:05."}, *more[1:]]
    kinds = [{"type": "function", "function": {"name": "look"}}]
    assert [("start", 0), ("", 2), ("messages", 2)] == imported(
        REQUEST, longer, {**longer, "messages": more[:2] + more[3:]}
    )
    assert [("start", 0), ("system", 0)] == imported(longer, {**longer, "messages": stamped})
    assert [("start", 0), ("system", 0)] == imported(longer, {**longer, "messages": [stamped[0], *longer["messages"]]})
    assert [("start", 0), ("tools", 0)] == imported(longer, {**longer, "tools": kinds})
    assert [("start", 0), ("schema", 0)] == imported(longer, {**longer, "response_format": {"type": "json_object"}})
    assert [("start", 0), ("system", 0)] == imported(
        {**longer, "tools": kinds}, {**longer, "tools": kinds, "messages": stamped}
    )
    assert [("start", 0), ("model", 0), ("", 2)] == imported(REQUEST, {**REQUEST, "model": "n"}, longer)
    others = {"tools": kinds, "messages": [{"role": "user", "content": "Hello"}]}
    assert [("start", 0), ("start", 0), ("", 2)] == imported(REQUEST, others, longer)
    around = [{"request": REQUEST, "usage": {"prompt_tokens": 50}}, {"body": longer, "response": {"usage": {
        "prompt_tokens": 70, "prompt_tokens_details": {"cached_tokens": 30}}}}]  # fmt: skip
    _, second = purestep.audit_requests("\n".join(map(json.dumps, around)))
    assert ("", 20) == (second.cause, second.billed_again)


def audited(*requests: dict[str, Any]) -> purestep.AuditedRequest:
    """Return what is said of the last of recorded requests."""
    return purestep.audit_requests("\n".join(map(json.dumps, requests)))[-1]


def asked(*said: str, system: str = "You help.", **members: Any) -> dict[str, Any]:
    """Return a request in which the user and the assistant speak by turns."""
    turns = [{"role": ("user", "assistant")[at % 2], "content": text} for at, text in enumerate(said)]
    return {"model": "m", "messages": [{"role": "system", "content": system}, *turns], **members}


def test_another_conversation_with_the_same_instructions_is_a_first_one() -> None:
    """Tools, schema, instructions, a greeting, or a word in between make none the same; its own messages do."""
    kinds = [{"type": "function", "function": {"name": "look"}}]
    alone = [asked(f"Question {number}", tools=kinds) for number in range(10)]
    assert ["start"] * 10 == [cause for cause, _ in imported(*alone)]
    greeted = [{**each, "messages": [each["messages"][0], {"role": "assistant", "content": "Hi!"}, each["messages"][1]]}
               for each in alone]  # fmt: skip
    assert ["start"] * 10 == [cause for cause, _ in imported(*greeted)]
    open_ones = [asked("One"), asked("Two"), asked("One", "a", "b"), asked("Two", "a", "b")]
    assert [("start", 0), ("start", 0), ("", 2), ("", 2)] == imported(*open_ones)
    assert "start" == audited(asked("One", "Sure?", "Yes", "Done.", "Thanks"), asked("Yes")).cause


def test_a_conversation_whose_beginning_is_left_out_goes_on() -> None:
    """It has the latest message of the request before, though it begins with another one of the user's."""
    found = audited(asked("One", "a", "Two", "b", "Three"), asked("Two", "b", "Three", "c", "Four"))
    assert ("messages", 1) == (found.cause, found.common)
    job = {"role": "system", "content": "Do it."}
    steps = [{"role": "assistant", "content": "I did."}]
    assert [("start", 0), ("", 1)] == imported({"messages": [job]}, {"messages": [job, *steps]})
    assert ["start", "start"] == [cause for cause, _ in imported({"messages": []}, {"messages": []})]


def test_tools_are_compared_one_by_one() -> None:
    """So those before a new one are kept; other places are other prompts, and a schema comes after them."""
    tools = [{"type": "function", "function": {"name": name}} for name in ("look", "pay")]
    turned = audited(asked("One", tools=tools), asked("One", tools=tools[::-1]))
    assert ("tools", 0) == (turned.cause, turned.common_tokens)
    more = audited(asked("One", tools=tools[:1]), asked("One", tools=tools))
    assert ("tools", True) == (more.cause, more.common_tokens > 0)
    schemas = [{"response_format": {"type": kind}} for kind in ("json_object", "text")]
    assert "schema" == audited(*[asked("One", tools=tools, **schema) for schema in schemas]).cause


def test_no_more_was_billed_again_than_was_not_cached() -> None:
    """A server that had all of a prompt has billed nothing of it again, whatever the estimates say."""
    told = [{"prompt_tokens": 700, "prompt_tokens_details": {"cached_tokens": 0}},
            {"prompt_tokens": 500, "prompt_tokens_details": {"cached_tokens": 500}}]  # fmt: skip
    requests = [asked("One" * 90, "a", "b"), asked("One" * 90)]
    found = [{"request": request, "usage": usage} for request, usage in zip(requests, told, strict=True)]
    assert (0, 500) == ((last := audited(*found)).billed_again, last.cached_tokens)


def test_images_and_files_count_as_those_of_a_run() -> None:
    """Their tokens are not the letters of their bytes; a mark for the cache is no part of the prompt."""
    data = "A" * 400_000
    media = [
        {"type": "text", "text": "What is it?", "cache_control": {"type": "ephemeral"}},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}},
        {"type": "image_url", "image_url": "https://example.com/a.png"},
        {"type": "input_audio", "input_audio": {"data": data, "format": "wav"}},
        {"type": "file", "file": {"file_id": "file-1"}},
        {"type": ["odd"]},
        {"type": "file", "file": 5},
        "odd",
    ]
    first = {"messages": [{"role": "user", "content": media}]}
    marked = [{**media[0], "cache_control": None}, *media[1:]]  # type: ignore[dict-item]
    found = audited(first, {"messages": [{"role": "user", "content": marked}, {"role": "assistant", "content": "A"}]})
    assert ("", 1) == (found.cause, found.common)
    assert 4 * 2_048 + 400_000 * 3 // 4 // 32 < found.common_tokens < 18_500
    plain = [{"name": "f", "input_schema": {}}, {"name": "f", "input_schema": {}, "cache_control": {}}]
    assert "" == audited(*[asked("One", tools=[tool]) for tool in plain]).cause


def test_a_line_that_is_no_request_is_left_out_where_its_error_is_taken() -> None:
    """The others are compared, and know their lines."""
    lines, errors = [json.dumps(REQUEST), "{", "", json.dumps(REQUEST)], list[purestep.PurestepError]()
    found = purestep.audit_requests("\n".join(lines), errors.append)
    assert [(1, "start"), (4, "")] == [(each.line, each.cause) for each in found]
    assert [("invalid_json", "/2")] == [(each.code, each.path) for each in errors]


@pytest.mark.parametrize(
    "usage", [{"prompt_tokens": "many"}, {"prompt_tokens": -5}, {"prompt_tokens_details": {"cached_tokens": 0.5}}, 5]
)
def test_a_bad_usage_is_named(usage: Any) -> None:
    """What is wrong is not the request."""
    for around in ({"usage": usage}, {"response": {"usage": usage}}):
        with pytest.raises(purestep.PurestepError, match="line 1: `usage`"):
            purestep.audit_requests(json.dumps({**REQUEST, **around}))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", "invalid_json"),
        ("[]", "invalid_input"),
        ('{"messages":5}', "invalid_input"),
        ('{"system":"You help.","messages":[]}', "invalid_input"),
    ],
)
def test_lines_that_are_no_requests(text: str, code: str) -> None:
    """The error names the line."""
    with pytest.raises(purestep.PurestepError, match="line 2") as raised:
        purestep.audit_requests(f"{json.dumps(REQUEST)}\n{text}")
    assert code == raised.value.code
