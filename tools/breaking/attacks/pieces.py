"""Calls in pieces, as servers of every kind send them, and what a run's history then says to a strict server."""

import json
import random
import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

import purestep
import purestep_formats

from ..attack import Attack

_TOOL: Final = {
    "name": "weather",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    "annotations": {"readOnlyHint": True},
}
_NAMES: Final = ("weather", "now", "find_all", "get", "get_all")
_ODD_NAMES: Final = ("weather<|channel|>x", "functions.weather", "Wetter holen", "\u5929\u6c23", "", "a" * 200, "get\n")
_ODD_ARGUMENTS: Final = (
    '{"city": "Os',
    "[1]",
    '"Oslo"',
    "",
    "null",
    "{'city': 'Oslo'}",
    '{"city":"Oslo"}}',
    "nan",
    "{}x",
)
_OFTEN, _SOMETIMES, _SELDOM = 0.6, 0.3, 0.15
_REASONS: Final = ("stop", "tool_calls", "function_call", "tool_use", "eos")
_TAKEN: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def _text(chance: random.Random) -> str:
    return "".join(chance.choice('aZ09 {}[]":,\\\u00e9\u4e2d\U0001f600\n') for _ in range(chance.randint(0, 8)))


def _parts(chance: random.Random, text: str) -> list[str]:
    """Return a text cut anywhere."""
    cuts = sorted(chance.randint(0, len(text)) for _ in range(chance.randint(0, 4)))
    return [part for begin, end in zip([0, *cuts], [*cuts, len(text)], strict=True) if (part := text[begin:end])]


def _pieces(chance: random.Random, calls: list[tuple[str, str]]) -> Iterator[list[dict[str, Any]]]:
    """Yield the entries of each message of a stream, by the ways of one server."""
    is_numbered, identifies = chance.random() < _OFTEN, chance.choice(["never", "first", "each", "anew"])
    repeats, cuts_name = chance.random() < _SOMETIMES, chance.random() < _SOMETIMES
    if chance.random() < _SELDOM and identifies != "anew":
        yield [{"function": {"name": name, "arguments": arguments}} for name, arguments in calls]
        return
    anew = 0
    for index, (name, arguments) in enumerate(calls):
        names = _parts(chance, name) if cuts_name and not repeats and (is_numbered or identifies != "anew") else [name]
        functions = [{"name": part} for part in names]
        functions += [{"arguments": part, **({"name": name} if repeats else {})} for part in _parts(chance, arguments)]
        if not cuts_name and len(functions) > 1 and chance.random() < _OFTEN:
            functions[:2] = [{**functions[0], **functions[1]}]
        for at, function in enumerate(functions):
            piece: dict[str, Any] = {"function": function, **({"index": index} if is_numbered else {})}
            if identifies == "each" or (identifies == "first" and not at):
                piece["id"] = f"call_{index}"
            elif identifies == "anew" and not (repeats or (cuts_name and at < len(names))):
                anew += 1
                piece["id"] = f"new_{anew}"
            yield [piece]


def put_together(chance: random.Random) -> str | None:
    """Stream calls as some server does; what is read of them must be what was sent."""
    calls = [
        (chance.choice(_NAMES), json.dumps({key: _text(chance) for key in chance.sample("abc", chance.randint(0, 2))}))
        for _ in range(chance.randint(1, 4))
    ]
    reply = purestep_formats.open_reply(purestep.start(None, purestep.UserMessage(content="Hi"), "r").state)
    chunks: list[dict[str, Any]] = [{"delta": {"tool_calls": entries}} for entries in _pieces(chance, calls)]
    if chance.random() < _SOMETIMES:
        chunks = [{"delta": {"content": "I look."}}, *chunks]
    for chunk in [*chunks, {"delta": {}, "finish_reason": chance.choice(_REASONS)}]:
        reply, _ = purestep_formats.feed_reply(reply, json.dumps({"choices": [{"index": 0, **chunk}]}))
    output, _ = purestep_formats.close_reply(reply)
    if not isinstance(output, purestep.ModelOutput):
        return f"{calls} came as an error: {output.message}"
    read = [(call.function.name, call.function.arguments) for call in output.tool_calls or ()]
    return None if read == calls else f"{calls} was read as {read} from {chunks}"


def strictly_taken(chance: random.Random) -> str | None:
    """Make a native run of odd outputs, often after odd messages; no prompt of it may be one that a server refuses."""
    alternates = chance.random() < _SOMETIMES
    models = [{"name": "m", "profile": {"roles": "alternate"}}] if alternates else []
    agent = {"tools": [_TOOL], "dialect": "native", "models": models}
    given: dict[str, Any] = {"agent": agent, "run_id": "r", "observation": _SAID}
    if chance.random() < _SOMETIMES:
        given["history"] = _odd_history(chance)
    messages: list[dict[str, Any]] = []
    for _ in range(chance.randint(2, 10)):
        step = json.loads(purestep.run_agent_step(json.dumps(given)))
        if "error" in step:
            return f"an output was refused: {step['error']}"
        messages += step["messages"]
        decision = step["decision"]
        if decision["type"] == "call_model":
            sent = _sent(decision, messages)
            if (wrong := refusal(sent, alternates=alternates)) is not None:
                return f"{wrong}: {sent}"
            observation = _odd_output(chance)
        elif decision["type"] == "invoke_tool" and chance.random() < _SOMETIMES:
            observation = _SAID
        elif decision["type"] == "invoke_tool":
            results = [{"call_id": call["call_id"], "ok": True, "output": "sun"} for call in decision["calls"]]
            observation = {"type": "tool_results", "results": results}
        else:
            observation = _SAID
        given = {"state": step["state"], "observation": observation}
    return None


_SAID: Final = {"type": "user_message", "content": "How is the weather in Oslo?"}


def _sent(decision: dict[str, Any], messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the messages of a decision as hosts send them."""
    asked = msgspec.json.decode(json.dumps(decision), type=purestep.CallModel)
    transcript = msgspec.convert(messages, list[purestep.Message])
    return [purestep.sent_message(each) for each in purestep.prompt_messages(asked, transcript)]


def _odd_history(chance: random.Random) -> list[dict[str, Any]]:
    """Return messages as other programs keep them: names, ids and orders that no server takes."""
    history: list[dict[str, Any]] = []
    for _ in range(chance.randint(0, 5)):
        match chance.randint(0, 2):
            case 0:
                history.append({"role": chance.choice(["user", "assistant"]), "content": _text(chance)})
            case _:
                calls = _odd_output(chance).get("tool_calls") or []
                results = chance.sample(calls, chance.randint(0, len(calls)))
                history.append({"role": "assistant", "content": chance.choice([None, "", "Hm."]), "tool_calls": calls})
                history += [{"role": "tool", "tool_call_id": call["id"], "content": "sun"} for call in results]
    return [*history, {"role": "assistant", "content": "Well."}]


def _odd_output(chance: random.Random) -> dict[str, Any]:
    match chance.randint(0, 4):
        case 0:
            return chance.choice([{"type": "cancel"}, {"type": "model_error", "code": "refused"}])
        case 1:
            return {
                "type": "model_output",
                "content": chance.choice(["", " \n", "\x85", "\u3000", None, _text(chance), "Sun."]),
            }
        case _:
            calls = [
                {
                    "id": chance.choice(["", "a", "a", "b"]),
                    "type": "function",
                    "function": {
                        "name": chance.choice((*_NAMES, *_ODD_NAMES)),
                        "arguments": chance.choice((*_ODD_ARGUMENTS, '{"city": "Oslo"}', _text(chance))),
                    },
                }
                for _ in range(chance.randint(1, 3))
            ]
            return {"type": "model_output", "tool_calls": calls, "content": chance.choice([None, "", "I look."])}


def refusal(messages: list[dict[str, Any]], *, alternates: bool = False) -> str | None:
    """Return why a strict server refuses messages: vLLM and llama-server read arguments, others names, ids and roles.

    alternates: the template takes no words of the user after results either, as Mistral's.
    """
    before = ""
    waiting: list[str] = []
    known: list[str] = []
    for message in messages:
        for call in message.get("tool_calls") or ():
            if not _is_object(call["function"]["arguments"]):
                return "the arguments of a past call are no JSON object"
            if not _TAKEN.fullmatch(call["function"]["name"]):
                return "the name of a past call does not match the pattern"
        if (wrong := _misplaced(message, waiting, known)) is not None:
            return wrong
        if alternates and message["role"] == "user" and before == "tool":
            return "words of the user follow results"
        has_text = bool((message.get("content") or "").strip())
        if message["role"] == "assistant" and not has_text and not message.get("tool_calls"):
            return "an assistant message has neither text nor calls"
        if message["role"] == before in ("user", "assistant"):
            return f"two messages of the {before} follow each other"
        before = message["role"]
    return None


def _misplaced(message: dict[str, Any], waiting: list[str], known: list[str]) -> str | None:
    """Return why calls and results do not belong together; waiting: ids of calls without a result, which it changes."""
    if message["role"] == "tool":
        if message["tool_call_id"] not in waiting:
            return "a result is of no call before it"
        waiting.remove(message["tool_call_id"])
        return None
    if waiting:
        return "a call has no result"
    waiting += [call["id"] for call in message.get("tool_calls") or ()]
    if len(set(waiting)) < len(waiting) or not set(waiting).isdisjoint(known):
        return "two calls have one id"
    known += waiting
    return None


def _is_object(text: Any) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, TypeError):
        return False


ATTACKS: Final = (
    Attack(
        name="call-pieces",
        promise="Calls that a server streams in pieces are read as it sent them, or not at all.",
        trial=put_together,
        least=50,
    ),
    Attack(
        name="strict-histories",
        promise="The history that goes back to a server is one that a strict server takes.",
        trial=strictly_taken,
        least=50,
    ),
)
