"""The scenarios of the conformance vectors on confidence, as data: calls of which the model was not sure."""

import json
from collections.abc import Iterator
from typing import Any

import purestep
from tools.vectors.observations import Scenario, call, final, results, said, user
from tools.vectors.record import Vector, called, compact

_TEXT = {"type": "string"}
_STOCK = {
    "name": "stock_get",
    "parameters": {"type": "object", "properties": {"sku": _TEXT}, "required": ["sku"]},
    "annotations": {"readOnlyHint": True},
}
_MAIL = {
    "name": "mail",
    "parameters": {"type": "object", "properties": {"to": _TEXT, "text": _TEXT, "copies": {"type": "integer"}}},
}
_MODEL = {"name": "small", "supports": ["json_schema", "logprobs"]}

AGENTS: dict[str, dict[str, Any]] = {
    "unsure": {"tools": [_STOCK, _MAIL], "models": [_MODEL], "policies": [{"use": "confidence"}]},
    "unsure-acting": {
        "tools": [_STOCK, _MAIL],
        "models": [_MODEL],
        "policies": [{"use": "confidence", "version": 1, "below": -0.05, "then": "ask", "acting": "ask"}],
    },
    "unsure-trusting": {
        "tools": [_STOCK, {**_MAIL, "approval": "auto"}],
        "models": [_MODEL],
        "policies": [{"use": "confidence", "acting": "ask"}],
    },
    "unsure-untold": {"tools": [_STOCK, _MAIL], "models": [{"name": "small"}], "policies": [{"use": "confidence"}]},
    "unsure-answers": {
        "tools": [_STOCK, _MAIL],
        "models": [_MODEL],
        "policies": [{"use": "confidence", "answers_below": -1.5}],
    },
}

_READ = call("stock_get", '{"sku":"TX-880"}')
_SENT = call("mail", '{"to":"ann","text":"It is late.\\nB.","copies":2}')


def _sure(text: str, branch: float, name: float, args: float = -1.5) -> dict[str, Any]:
    return said(text, confidence={"branch": branch, "name": name, "args": args})


def _answer(approved: bool, **members: Any) -> dict[str, Any]:
    entry = {"call_id": "call_1", "key": "$call_1", "approved": approved, **members}
    return {"type": "approvals", "approvals": [entry]}


STEPS: dict[str, Scenario] = {
    "unsure-approved": (
        "unsure",
        [
            user("How many TX-880 are there?"),
            _sure(_READ, -0.2, -0.11),
            _answer(True),
            results(("call_1", 12)),
            _sure(final("There are 12."), -0.01, 0, -2.25),
        ],
    ),
    "unsure-refused-in-other-words": (
        "unsure",
        [
            user("How many are there?"),
            _sure(_READ, -0.2, -0.4),
            _answer(False, reason="no, TX-881"),
            _sure(call("stock_get", '{"sku":"TX-881"}'), 0, -0.3),
        ],
    ),
    "unsure-edited": (
        "unsure",
        [
            user("How many are there?"),
            _sure(_READ, -4, 0),
            _answer(True, params={"sku": "TX-881"}),
            results(("call_1", 12)),
            _sure(final("There are 12."), -0.01, 0, -0.5),
        ],
    ),
    "unsure-untold-acts": ("unsure-untold", [user("Write to Ann."), said(_SENT)]),
    "unsure-untold-reads": ("unsure-untold", [user("How many TX-880 are there?"), said(_READ)]),
    "unsure-acting": ("unsure-acting", [user("Write to Ann."), _sure(_SENT, 0, -0.004999)]),
    "unsure-trusting": ("unsure-trusting", [user("Write to Ann."), _sure(_SENT, -0.0, -0.15)]),
    "unsure-trusting-below": ("unsure-trusting", [user("Write to Ann."), _sure(_SENT, -0.2, -0.15)]),
    "unsure-answer": (
        "unsure-answers",
        [
            user("How many TX-880 are there?"),
            _sure(final("Seventeen.\n"), -0.01, 0, -1.51),
            user("Look it up."),
            _sure(_READ, 0, 0, -9),
            results(("call_1", 12)),
            _sure(final("There are 12."), -0.01, 0, -1.5),
        ],
    ),
    "unsure-rounded": ("unsure", [user("How many?"), _sure(_READ, -0.104, -0.196001, -123456.789)]),
    "unsure-positive": ("unsure", [user("How many?"), _sure(_READ, 0.5, 0)]),
    "unsure-no-number": ("unsure", [user("How many?"), said(_READ, confidence={"branch": "0", "name": 0, "args": 0})]),
    "unsure-in-part": ("unsure", [user("How many?"), said(_READ, confidence={"branch": 0})]),
}

EXPLAINED = ("unsure-approved",)

_CHUNKS = [
    ('{"', -1e-7), ("tool", -0.098), ('":', 0), (' "', -0.002), ("stock", -0.25), ("_", 0), ("get", -0.01), ('",', 0),
    (' "', 0), ("args", 0), ('":', 0), (' {"', 0), ("sku", -0.5), ('":', 0), (' "', 0), ("TX", -0.75), ('"}}', -0.01),
]  # fmt: skip
_ODD = {**dict(_CHUNKS), "tool": None}
"""The same tokens, one of which has no logarithm."""


def _chunk(token: str, logprob: Any) -> str:
    told = {"content": [{"token": token, "logprob": logprob}]}
    return compact({"choices": [{"delta": {"content": token}, "logprobs": told}]})


def vectors() -> Iterator[Vector]:
    """Put together replies whose tokens come with log-probabilities, in two feedings each."""
    agent = {**AGENTS["unsure"], "dialect": "compact"}
    begun = {"agent": agent, "run_id": "r", "observation": user("How many TX are there?")}
    state = json.loads(purestep.run_agent_step(compact(begun)))["state"]
    for name, chunks in (("told", _CHUNKS), ("odd", [(token, _ODD[token]) for token, _ in _CHUNKS])):
        yield called(f"unsure-reply-{name}/agent", "load_agent", compact(agent))
        vector = called(f"unsure-reply-{name}/open", "receive_model_reply", compact({"state": state}))
        text = ""
        for number, part in enumerate((chunks[:6], chunks[6:]), 1):
            yield vector
            given = {"reply": json.loads(vector.output)["reply"], "chunks": [_chunk(*each) for each in part]}
            vector = called(f"unsure-reply-{name}/{number}", "receive_model_reply", compact(given))
            text += json.loads(vector.output).get("text", "")
        yield vector
        ended = {"reply": json.loads(vector.output)["reply"], "text": text}
        yield called(f"unsure-reply-{name}/close", "receive_model_reply", compact(ended))
