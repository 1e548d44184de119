"""The replies and faults of the conformance vectors, as data: chunks as servers send them, and how they end."""

import json
from collections.abc import Iterator
from typing import Any

import purestep
from tools.vectors.record import Vector, called, compact


def delta(**members: Any) -> str:
    """Return a chunk of a streamed completion."""
    return json.dumps({"choices": [{"delta": members}]})


def piece(arguments: Any, call_id: Any = None, name: str | None = None, **index: Any) -> str:
    """Return a chunk with a piece of a tool call."""
    function = {"arguments": arguments} | ({"name": name} if name else {})
    return delta(tool_calls=[{"function": function, **index} | ({} if call_id is None else {"id": call_id})])


def end(kind: str = "ended", **members: Any) -> dict[str, Any]:
    """Return how a reply ended."""
    return {"type": "reply_end", "kind": kind, **members}


STOP = '{"choices":[{"delta":{},"finish_reason":"stop"}]}'
WHOLE_REPLY = (
    '{"model":"big","choices":[{"message":{"content":"Hello"},"finish_reason":"stop"}],"usage":{"prompt_tokens":5}}'
)
ERROR = '{"error":{"code":400,"type":"exceed_context_size_error","n_ctx":8,"n_prompt_tokens":9}}'
DETAILS = (
    '{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":8,"prompt_tokens_details":{"cached_tokens":4},'
    '"completion_tokens_details":{"reasoning_tokens":3},"cached_tokens":1}}'
)
# As DeepSeek tells what its cache had, xAI the reasoning beside the output, and llama.cpp its cache beside the usage.
HITS = '{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":8,"prompt_cache_hit_tokens":6,"total_tokens":17}}'
BESIDE = (
    '{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":8,"total_tokens":20,'
    '"completion_tokens_details":{"reasoning_tokens":3},"prompt_tokens_details":{"cache_write_tokens":2}}}'
)
TIMED = (
    '{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":8},'
    '"timings":{"prompt_n":4,"cache_n":5,"predicted_n":8}}'
)
REPORT = '{"choices":[],"usage":{"prompt_tokens":true,"completion_tokens":2}}'
HALVES = ('{"choices":[{"delta":{"content":"a\\ud83c"}}]}', '{"choices":[{"delta":{"content":"\\udf89b\\ud83c"}}]}')
PING = '{"type":"ping"}'
SHELL = '{"tool":"shell","command":"ls"}'

# By name: whether a run waits, the chunks of each feeding, and how the reply ended.
REPLIES: dict[str, tuple[bool, list[list[str]], dict[str, Any] | None]] = {
    "text": (True, [[delta(role="assistant"), delta(content="Gr\u00fc\u00df")], [delta(content="e")], [STOP]], None),
    "whole": (True, [[WHOLE_REPLY, "[DONE]"]], end()),
    "no-finish-reason": (False, [[delta(content="Hello"), "[DONE]"]], None),
    "ping": (True, [[PING, delta(content="Hello")], [PING, STOP, "[DONE]"]], end()),
    "ping-and-no-end": (False, [[delta(content="Hello"), PING, "[DONE]"]], end(source="The server")),
    "cut": (True, [[delta(content="Hello")]], end(source="The server")),
    "broken": (True, [[delta(content="Hello"), STOP]], end("cut")),
    "goes-on": (True, [[delta(content=SHELL)], [delta(content=" and more \U0001f600")], [delta(content="!")]], None),
    "breaks-after-the-stop": (True, [[delta(content=SHELL)]], end("cut")),
    "halves": (False, [[HALVES[0]], [HALVES[1], STOP]], None),
    "calls": (
        False,
        [[piece('{"a":', "x", "add", index=0), piece("{}", "y", "now", index=1)], [piece("1}", index=0), STOP]],
        None,
    ),
    "calls-not-numbered": (False, [[piece('{"a":', 7, "add"), piece("1}"), piece({"b": 2}, "y", "sub"), STOP]], None),
    "details": (False, [[delta(content="x"), DETAILS, STOP]], None),
    "cache-hits": (False, [[delta(content="x"), HITS, STOP]], None),
    "reasoning-beside": (False, [[delta(content="x"), BESIDE, STOP]], None),
    "cache-beside-usage": (False, [[delta(content="x"), TIMED, STOP]], None),
    "reports": (False, [[delta(content="x"), REPORT, STOP]], None),
    "error-in-stream": (True, [[delta(content="He"), ERROR, delta(content="llo")]], end()),
    "error-text-in-stream": (True, [['{"error":"gone"}']], end(source="The server")),
    "no-json": (True, [["{"]], end(media_type="text/html")),
    "no-object": (True, [["[]"]], end()),
    "odd-content": (True, [['{"choices":[{"delta":{"content":5}}]}']], end(library="webllm")),
    "interrupted": (True, [[delta(content="a"), '{"choices":[{"delta":{},"finish_reason":"abort"}]}']], None),
    "own-output": (True, [[delta(content="Hello")]], {"type": "model_output", "content": "Hello"}),
    "own-error": (True, [], {"type": "model_error", "code": "refused", "message": "no"}),
}


def status(code: int, error: Any = None, **members: Any) -> dict[str, Any]:
    """Return an error reply over HTTP."""
    body = "" if error is None else json.dumps({"error": error})
    return end("status", source="The server", status=code, body=body, **members)


def thrown(library: str, name: str, message: str = "", **members: Any) -> dict[str, Any]:
    """Return an error of a library."""
    return end("thrown", source="The model here", library=library, name=name, message=message, **members)


STATUSES = (400, 401, 403, 404, 408, 409, 422, 429, 500, 503, 504)
VLLM = "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens"
EARLIER, LATER = "Thu, 29 Feb 2024 23:59:29 GMT", "Thu, 29 Feb 2024 23:59:59 GMT"
WEBLLM = "number of prompt tokens: 5000; context window size: 4096"

FAULTS: dict[str, dict[str, Any]] = {
    **{f"status-{code}": status(code, {"message": "so it is."}) for code in STATUSES},
    "status-404-other-end": status(404, {"message": "so it is."}, base_end=""),
    "overflow-by-code": status(400, {"code": "context_length_exceeded", "message": "too long"}),
    "overflow-of-llama-cpp": status(400, {"type": "exceed_context_size_error", "n_ctx": 8, "n_prompt_tokens": 9}),
    "overflow-of-vllm": status(400, {"message": VLLM}),
    "overflow-of-ollama": status(500, {"message": "the input length exceeds the context length"}),
    "overflow-of-tgi": status(422, "`inputs` must have less than 1024 tokens"),
    "refuses-by-param": status(400, {"message": "no", "param": "tools[0].function.parameters"}),
    "refuses-by-words": status(400, {"message": "gemma does not support tools"}),
    "refuses-what-it-names": status(422, {"message": "include: Extra inputs are not permitted"}, sent=["include"]),
    "refuses-what-was-not-sent": status(422, {"message": "include: Extra inputs are not permitted"}, sent=["a"]),
    "refuses-by-template": status(500, {"message": "System role not supported"}),
    "no-quota": status(429, {"code": "insufficient_quota"}),
    "no-credit": status(402, {"message": "Insufficient credits"}),
    "overloaded": status(529, {"type": "overloaded_error", "message": "Overloaded"}),
    "no-key": status(401, {"message": "no key"}, key_name="GROQ_API_KEY"),
    "key": status(401, {"message": "bad key sk-1"}, secret="sk-1", key_name="the option apiKey"),
    "key-with-an-invisible-character": status(400, {"message": "key sk\u200b-1 \u00a0 is\nodd"}, secret="sk-1"),
    "address": status(400, "http://h:80/v1 (h) is down", hide=["h:80", "h"]),
    "retry-after": status(429, headers={"retry-after": "1.5"}),
    "retry-after-ms": status(503, headers={"retry-after": "9", "retry-after-ms": "250"}),
    "retry-after-date": status(503, headers={"retry-after": LATER, "date": EARLIER}),
    "retry-after-past": status(503, headers={"retry-after": EARLIER, "date": LATER}),
    "retry-after-nothing": status(503, headers={"retry-after": "soon"}),
    "should-retry": status(400, headers={"x-should-retry": "true", "retry-after": "1"}),
    "should-not-retry": status(500, headers={"x-should-retry": "false", "retry-after": "1"}),
    "body-of-no-json": end("status", status=500, body="<html>Traceback"),
    "long-words": status(400, {"message": "x" * 400}),
    "timeout": end("timeout", source="The server"),
    "timeout-here": end("timeout", library="llama.cpp", limit_ms=1500),
    "unreachable": end("unreachable", source="The server", name="ConnectError", advice="Or is it asleep?"),
    "insecure": end("insecure", source="The server", message="the certificate has expired"),
    "unusable": end("unusable", source="The server", name="ImportError"),
    "too-long": end("too_long", source="The server", limit_bytes=4194304),
    "not-utf8": end("not_utf8", source="The server"),
    "stopped": end("stopped"),
    "not-loaded": end("not_loaded", message="There is no such model."),
    "not-fetched": end("not_fetched", message="The connection ended early."),
    "webllm-overflow": thrown("webllm", "ContextWindowSizeExceededError", WEBLLM),
    "webllm-device": thrown("webllm", "Error", "The WebGPU device was lost"),
    "webllm-not-loaded": thrown("webllm", "ModelNotLoadedError"),
    "webllm-refused": thrown("webllm", "SeedTypeError", "seed must be an integer"),
    "webllm-other": thrown("webllm", "", "what is this"),
    "wllama-overflow": thrown("wllama", "Error", "the context size is exceeded"),
    "wllama-memory": thrown("wllama", "RuntimeError", "unreachable"),
    "wllama-refused": thrown("wllama", "Error", "Failed to start inference"),
    "transformers-overflow": thrown(
        "transformers", "ContextWindowSizeExceededError", "prompt tokens: 300; context window size: 256"
    ),
    "transformers-memory": thrown("transformers", "RuntimeError", "unreachable"),
    "transformers-other": thrown("transformers", "Error", "no such input"),
    "prompt-api-overflow": thrown("prompt_api", "QuotaExceededError", "too large", used=9000, window=6144),
    "prompt-api-refused": thrown("prompt_api", "NotSupportedError", "no"),
    "prompt-api-other": thrown("prompt_api", "UnknownError", "no"),
}

BODY = {
    "model": "big", "stream": True, "stream_options": {"include_usage": True}, "stop": ["</s>", "\n"],
    "temperature": 0, "top_p": 0.9, "min_p": None, "max_tokens": 64, "samplers": [], "logit_bias": [["a", 100]],
    "cache_prompt": True, "long": "x" * 257, "response_format": {"type": "json_schema", "json_schema": {}},
    "grammar": "", "stop_lists": [["a"]], "tools": [], "messages": [],
}  # fmt: skip
ROLE = '{"id":"chatcmpl-1","model":"big-1","choices":[{"delta":{"role":"assistant","content":""}}]}'
COUNTED = (
    '{"id":"chatcmpl-2","choices":[{"delta":{"content":"' + SHELL.replace('"', '\\"') + '"}}],'
    '"usage":{"prompt_tokens":9,"completion_tokens":4}}'
)
TIMED = '{"choices":[{"delta":{"reasoning_content":"Hm"}}],"timings":{"prompt_n":9,"cache_n":3,"predicted_n":1}}'
CANCEL = {"type": "cancel", "reason": "interrupted"}

# By name: what the host tells when it opens, the chunks with when they came, and how the reply ended.
TIMED_REPLIES: dict[str, tuple[dict[str, Any], list[tuple[int, list[str]]], dict[str, Any] | None]] = {
    "timed": ({"request": BODY, "at": 1000}, [(1100, [ROLE]), (1200, [delta(content="Hello"), STOP])], None),
    "timed-empty": ({"request": {}, "at": 0}, [(1100, [ROLE, STOP])], None),
    "timed-stop": (
        {"request": {"grammar": "root ::= x"}, "at": 1000},
        [(1100, [COUNTED]), (1200, [delta(content="!")])],
        None,
    ),
    "timed-cut": ({"at": 1000}, [(1100, [TIMED])], end("cut")),
    "timed-cancel": ({"request": {"model": "m"}, "at": 1000}, [(1100, [ROLE, TIMED])], CANCEL),
    "timed-cancel-at-once": ({"at": 1000}, [], CANCEL),
    "timed-own-output": ({"at": 1000}, [(1100, [TIMED])], {"type": "model_output", "content": "", "asked_at": 5}),
}

BAD_CALLS: list[tuple[str, list[str]]] = [
    ("reply-of-two", ['{"state":{},"reply":{}}']),
    ("reply-chunks-without-reply", ['{"chunks":[]}']),
    ("reply-without-its-text", ['{"reply":{"chars":3},"text":"ab"}']),
    ("reply-text-with-a-time", ['{"reply":{},"text":"","at":1}']),
    ("reply-odd-request", ['{"request":[]}']),
    ("reply-odd-time", ['{"at":-1}']),
    ("reply-odd-end", ['{"reply":{},"text":"","end":{"type":"reply_end","kind":"none such"}}']),
]


def vectors() -> Iterator[Vector]:
    """Open each reply, feed it its chunks and close it; then read each fault."""
    message = {"type": "user_message", "content": "q"}
    waiting = json.loads(purestep.run_agent_step(compact({"run_id": "reply", "observation": message})))["state"]
    run = {"state": waiting, "model": "asked"}
    for name, (has_run, feedings, ended) in REPLIES.items():
        yield from _reply(name, run if has_run else {}, [{"chunks": chunks} for chunks in feedings], ended)
    for name, (opening, timed, ended) in TIMED_REPLIES.items():
        yield from _reply(name, {**run, **opening}, [{"chunks": chunks, "at": at} for at, chunks in timed], ended)
    for name, fault in FAULTS.items():
        yield called(f"fault/{name}", "read_model_fault", compact(fault))
    for name, args in BAD_CALLS:
        yield called(f"reply/{name}", "receive_model_reply", *args)


def _reply(
    name: str, opening: dict[str, Any], feedings: list[dict[str, Any]], ended: dict[str, Any] | None
) -> Iterator[Vector]:
    vector, text = called(f"reply/{name}/open", "receive_model_reply", compact(opening)), ""
    yield vector
    for number, fed in enumerate(feedings, 1):
        given = {"reply": json.loads(vector.output)["reply"], **fed}
        vector = called(f"reply/{name}/{number}", "receive_model_reply", compact(given))
        text += json.loads(vector.output).get("text", "")
        yield vector
    given = {"reply": json.loads(vector.output)["reply"], "text": text} | ({} if ended is None else {"end": ended})
    yield called(f"reply/{name}/close", "receive_model_reply", compact(given))
