"""The inputs of the conformance vectors of `complete_agent`, as data: definitions and what a host knows."""

import json
from typing import Any

from tools.vectors.specs import ADD, FIND

PROFILE: dict[str, Any] = {
    "name": "small",
    "dialect": "hermes_json",
    "supports": ["grammar"],
    "carry": "ground",
    "window_tokens": 4096,
    "figures": {"right": 4, "seconds": 1.5},
}
_HOST = {"tools": [ADD], "profile": PROFILE}
_TAUGHT = {
    "name": "small",
    "dialect": "compact",
    "supports": ["grammar", "spans"],
    "sha256": "5" * 64,
    "adapter": {"name": "tools", "sha256": "a" * 64},
}
_PRICED = {"name": "small", "price": [{"input": 2_000_000}, {"above": 200_000, "input": 4_000_000}]}
_ASKS = {"rules_of": {"approval": {"tools": {ADD["name"]: "ask"}, "unknown_outcome": "fail"}}}

_TEAM = {
    "tools": [{"agent": {"tools": [{"name": "send", "inputSchema": {"type": "object"}}]}, "as": "clerk"}],
    "agents": {"desk": {"tools": [{"name": "send", "approval": "auto"}]}},
}
_READ = {"name": "read", "inputSchema": {"type": "object"}, "annotations": {"openWorldHint": False}}
_SEND = {"name": "send", "parameters": {"type": "object", "properties": {"to": {"type": "string"}}}}
_LOOSE = {
    "tools": [_READ, {**_SEND, "annotations": {"destructiveHint": True}}],
    "policies": [
        {
            "use": "flow",
            "rules": [{"from": "open", "to": "send", "then": "allow"}, {"from": "model", "to": "*", "then": "ask"}],
        }
    ],
}
_STRICT = {
    "tools": [{"name": "read", "labels": ["secret"]}, _SEND],
    "policies": [{"use": "flow", "rules": [{"from": "secret", "to": "send/to", "then": "deny"}]}],
}

_UNSURE = [{"use": "confidence", "below": -0.2, "acting": "ask"}]

COMPLETED: dict[str, tuple[str, str]] = {
    f"complete-{name}": (json.dumps(definition), json.dumps(host))
    for name, definition, host in (
        ("empty", {}, _HOST),
        ("nothing-known", {"sampling": {"seed": 9007199254740993, "temperature": 0.1}}, {}),
        ("tools-of-its-own", {"tools": [FIND]}, _HOST),
        ("level-of-its-own", {"models": [{"name": "small", "carry": "off"}]}, _HOST),
        ("dialect-of-its-own", {"dialect": "native"}, _HOST),
        ("another-model", {"models": [{"name": "large"}, {"name": "small"}]}, _HOST),
        ("taught", {}, {"profile": _TAUGHT}),
        ("unsure", {}, {"profile": {**_TAUGHT, "policies": _UNSURE}}),
        (
            "unsure-in-its-own-way",
            {"policies": [{"use": "coerce"}, {"use": "confidence", "below": -1}]},
            {"profile": {**_TAUGHT, "policies": _UNSURE}},
        ),
        ("unsure-beside-others", {"policies": [{"use": "coerce"}]}, {"profile": {**_TAUGHT, "policies": _UNSURE}}),
        ("sure", {"policies": []}, {"profile": {**_TAUGHT, "policies": _UNSURE}}),
        ("unsure-in-another-dialect", {"dialect": "native"}, {"profile": {**_TAUGHT, "policies": _UNSURE}}),
        ("weights-alone", {"dialect": "native"}, {"profile": _TAUGHT}),
        ("weights-of-its-own", {"models": [{"name": "small", "sha256": "b" * 64}]}, {"profile": _TAUGHT}),
        (
            "price",
            {},
            {"profile": {"name": "small", "price": {"input": 2_000_000, "output": 8_000_000, "unit": "USD"}}},
        ),
        ("price-of-its-own", {"models": [{"name": "small", "price": {}}]}, {"profile": _PRICED}),
        ("price-of-another", {"models": [{"name": "large"}]}, {"profile": _PRICED}),
        ("off", {"name": "a"}, {"profile": {"name": "small", "carry": "off"}}),
        ("no-definition", [1], _HOST),
        ("wrong-profile", {}, {"profile": {"name": "small", "carry": "much"}}),
        ("wrong-part", {}, {"models": []}),
        ("looser-rule", {"tools": [{**ADD, "approval": "auto"}]}, _ASKS),
        (
            "stricter-rule",
            {"approval": {"tools": {ADD["name"]: "deny"}, "unknown_outcome": "fail"}},
            {**_HOST, **_ASKS},
        ),
        ("looser-hints", {"tools": [{**ADD, "annotations": {"readOnlyHint": True}}]}, {"rules_of": {"tools": [ADD]}}),
        ("looser-flow", _LOOSE, {"rules_of": _STRICT}),
        (
            "looser-trust",
            {
                "tools": [{**ADD, "approval": "auto"}, {**_SEND, "approval": "auto"}, {"name": "read"}],
                "approval": {"default": "auto", "tools": {"read": "ask"}},
            },
            {"rules_of": {"tools": [{**_SEND, "approval": "auto"}], "policies": _UNSURE}},
        ),
        ("wrong-rules", {}, {"rules_of": {"tools": 1}}),
        ("looser-agents", _TEAM, {"rules_of": {"agents": {"desk": {"tools": [{**_SEND, "approval": "ask"}]}}}}),
        ("wrong-agent", {"agents": {"desk": {"tools": 1}}}, {"rules_of": {}}),
        ("agents-ask-before-acting", _TEAM, {"asks_before_acting": True}),
        (
            "asks-before-acting",
            {
                "tools": [ADD, {**_SEND, "approval": "auto"}, {"name": "read", "annotations": {"readOnlyHint": True}}],
                "approval": {"tools": {ADD["name"]: "deny"}},
            },
            {"asks_before_acting": True},
        ),
        ("asks-before-acting-of-none", {"name": "a"}, {"asks_before_acting": True}),
    )
}

CALLS = {name: ("complete_agent", *args) for name, args in COMPLETED.items()}
