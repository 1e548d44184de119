"""What a run may use: turns, calls, corrections, time, money, tokens of an argument."""

from typing import Any

from tools.vectors.observations import ADD_CALL, Scenario, call, final, model_error, reads, said, user

_READ: dict[str, Any] = {"call_id": "call_2", "ok": True, "output": "two"}
_DEAR = {"prompt_tokens": 4500}
_ALLOWED = {"type": "approvals", "approvals": [{"call_id": "call_2", "key": "$call_2", "approved": True}]}


def _asking(usage: dict[str, int]) -> dict[str, Any]:
    """The result of a call that asks a person after it has had the model asked."""
    return {"call_id": "call_2", "ok": False, "asks": {"message": "Go on?", "form": {"type": "object"}}, "usage": usage}


STEPS: dict[str, Scenario] = {
    "deadline": ("strict", [user("q", 0), said(ADD_CALL, 1001)]),
    "budget": ("strict", [user("q"), said("[" + ",".join([ADD_CALL] * 4) + "]")]),
    "wait-within-the-deadline": (
        "strict",
        [user("q", 0), model_error("unavailable", 700, at=300), said(ADD_CALL, 1000)],
    ),
    "wait-past-the-deadline": ("strict", [user("q", 0), model_error("unavailable", 701, at=300)]),
    "turn-limit": ("none", [user("hi"), *[said("")] * 3]),
    "budgets": (
        "priced",
        [
            user("Read"),
            *reads("one", "two", "three", usage={"prompt_tokens": 999, "cached_tokens": 500, "completion_tokens": 7}),
            said(final('"So far: one, two, three."')),
        ],
    ),
    "prices-by-length-and-cache": (
        "priced-by-length",
        [
            user("Short"),
            said(final('"1"'), usage={"prompt_tokens": 2000, "cached_tokens": 500, "cache_write_tokens": 300}),
            user("Long"),
            said(final('"2"'), usage={"prompt_tokens": 2001, "cached_tokens": 500, "cache_write_tokens": 9999}),
            user("Longer"),
            said(final('"3"'), usage={"prompt_tokens": 9001, "cached_tokens": 9001, "completion_tokens": 1}),
            user("Untold"),
            said(final('"4"')),
            user("Dear"),
            said("", usage={"prompt_tokens": 9001, "completion_tokens": 300}),
        ],
    ),
    "model-asked-by-a-tool": (
        "priced",
        [
            user("Read"),
            *reads("one"),
            said(call("read", "{}")),
            {"type": "tool_results", "results": [_asking({"prompt_tokens": 1000, "completion_tokens": 100})]},
            _ALLOWED,
            {"type": "tool_results", "results": [{**_READ, "usage": {"prompt_tokens": 1000}}]},
            said(final('"So far: one."')),
        ],
    ),
    "model-asked-by-a-tool-past-the-budget": (
        "priced",
        [
            user("Read"),
            said(call("read", "{}")),
            {"type": "tool_results", "results": [{"call_id": "call_1", "ok": True, "output": 1, "usage": _DEAR}]},
        ],
    ),
    "argument-over-budget": (
        "costly",
        [user("Find it", 5), said(call("seek", '{"text":"' + "a" * 1200 + '"}'), 6), said(final('"I cannot."'), 9)],
    ),
}
