"""Runs whose log also holds what decides nothing: how the model was asked, when parts came, and its reasoning."""

from typing import Any

from tools.vectors.observations import Scenario, failure, final, native, results, said, user

_REQUEST = {"model": "big", "temperature": 0.5, "max_tokens": 64, "stop": ["\n\n"], "seed": 7, "logprobs": True}
_ASKED = {"request": _REQUEST, "response_id": "chatcmpl-\u00f8", "asked_at": 1_010, "first_token_at": 1_250}
_USAGE = {"prompt_tokens": 90, "completion_tokens": 12, "cached_tokens": 64, "reasoning_tokens": 4}
_ADD = '<tool_call>{"name":"add_numbers","arguments":{"a":17,"b":25}}</tool_call>'
_HARMONY = "<|channel|>analysis<|message|>Say it.<|end|><|start|>assistant<|channel|>final<|message|>It is 42."


def ended(*entries: tuple[str, int], at: int) -> dict[str, Any]:
    """Return results that ended at these times."""
    given = [{"call_id": call_id, "ok": True, "output": 42, "ended_at": ended_at} for call_id, ended_at in entries]
    return {"type": "tool_results", "results": given, "at": at}


def broken(**members: Any) -> dict[str, Any]:
    """Return the error of a reply that broke off."""
    return {"type": "model_error", "code": "unavailable", "message": "cut", "retryable": True, **members}


_CALLS = native(("add_numbers", '{"a":17,"b":25}'), ("add_numbers", '{"a":40,"b":2}'))

STEPS: dict[str, Scenario] = {
    "recorded": (
        "pairs",
        [
            user("q", 1_000),
            {**_CALLS, **_ASKED, "usage": _USAGE, "extra": {"reasoning_content": "Both at once."}, "at": 1_500},
            ended(("call_2", 1_600), ("call_1", 1_900), at=2_000),
            said("It is 42.", 2_500, response_id="", request={}, asked_at=2_001, first_token_at=2_001),
        ],
    ),
    "recorded-stops": (
        "models",
        [
            user("q", 1_000),
            broken(at=1_100, **_ASKED, usage={"prompt_tokens": 9}),
            {"type": "cancel", "reason": "enough", "at": 1_900, **_ASKED, "usage": {"completion_tokens": 3}},
            user("again", 2_000),
            {"type": "cancel", "at": 2_100},
        ],
    ),
    "recorded-in-a-choice": (
        "scored",
        [
            user("my order 77815 please"),
            {"type": "model_output", "scores": {}, **_ASKED, "request": {"max_tokens": 1, "constraint": "grammar"}},
        ],
    ),
    "recorded-wrongly": (
        "none",
        [
            user("q"),
            said("x", request=[]),
            said("x", request={"a": None}),
            said("x", request={"a": {"b": 1}}),
            said("x", request={"a": [[1]]}),
            said("x", request={f"p{number}": number for number in range(65)}),
            said("x", response_id="x" * 257),
            said("x", response_id=7),
            said("x", asked_at=-1),
            said("x", first_token_at=1.5),
            {"type": "cancel", "usage": {"prompt_tokens": -1}},
            said('{"tool":"add"}'),
            {"type": "tool_results", "results": [{"call_id": "call_1", "ok": True, "ended_at": "now"}]},
        ],
    ),
    "reasoning": (
        "opened",
        [
            user("q", 1_000),
            said(f"First I add.\n</think>\n{_ADD}", 1_500),
            failure("call_1", "busy", "io"),
            said(f"<think>Once more.</think>{_ADD}", 1_600, extra={"reasoning": 5, "reasoning_details": "none"}),
            results(("call_2", 42)),
            said("Now I say it.</think>It is 42.", 1_700),
        ],
    ),
    "reasoning-beside": (
        "auto",
        [
            user("q"),
            said(_ADD, extra={"reasoning_details": [{"type": "reasoning.text", "text": "Add"}, {"summary": "."}, 5]}),
            results(("call_1", 42)),
            said(_HARMONY, extra={"thinking_blocks": [{"thinking": "So. ", "signature": "s"}]}),
        ],
    ),
    "reasoning-rejected": (
        "envelope",
        [
            user("q"),
            said('<think>The secret is 4711.</think>{"kind":"final"'),
            said(f"<think>Answer.</think>{final(chr(34) + 'Fine.' + chr(34))}"),
        ],
    ),
}
"""Runs of the delta form."""

EXPLAINED = tuple(name for name in STEPS if name.startswith("reasoning"))
