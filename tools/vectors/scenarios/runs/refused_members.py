"""The scenarios of the conformance vectors on servers that refuse a part of the request, as data."""

from typing import Any

from tools.vectors.observations import Scenario, final, results, said, user

_ADD = {
    "name": "add",
    "parameters": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
    "annotations": {"readOnlyHint": True},
}

AGENTS: dict[str, dict[str, Any]] = {
    "refusing": {
        "dialect": "native",
        "instructions": "Be brief.",
        "tools": [_ADD],
        "sampling": {"max_tokens": 50, "temperature": 0},
    },
    "alternating": {
        "instructions": "Be brief.",
        "tools": [{**_ADD, "annotations": {}, "approval": "auto"}],
        "models": [{"name": "mistral-small", "profile": "server"}],
    },
    "first-model": {"tools": [_ADD], "models": [{"name": "claude-a", "profile": "anthropic"}]},
    "refusing-schema": {
        "tools": [_ADD],
        "models": [{"name": "small", "window_tokens": 2000}, {"name": "large", "window_tokens": 4000}],
    },
    "profiled": {
        "instructions": "Be brief.",
        "tools": [_ADD, {**_ADD, "name": "orders/add one"}],
        "models": [{"name": "gpt-5", "profile": {"name": "openai-chat", "system": "developer"}}],
        "sampling": {"max_tokens": 50, "temperature": 0},
        "answer_schema": {"type": "object", "properties": {"sum": {"type": "integer"}, "note": {"type": "string"}}},
    },
}


def _called(name: str) -> dict[str, Any]:
    function = {"name": name, "arguments": '{"a": 2}'}
    return {"type": "model_output", "tool_calls": [{"id": "c1", "type": "function", "function": function}]}


def _refused(member: str) -> dict[str, Any]:
    return {"type": "model_error", "code": "refused", "message": f"{member} is not taken (400).", "refused": member}


_SIGNED = {"thinking_blocks": [{"type": "thinking", "thinking": "Two.", "signature": "c2lnbg=="}]}
_OTHER_MODEL = {"models": [{"name": "claude-b", "profile": "anthropic"}]}

STEPS: dict[str, Scenario] = {
    "refused-settings": (
        "refusing",
        [
            user("Add 2."),
            _refused("max_tokens"),
            _refused("temperature"),
            _refused("max_completion_tokens"),
            said("It is 2."),
            user("And 3?"),
        ],
    ),
    "refused-tools": (
        "refusing",
        [
            user("Add 2."),
            _refused("tool_choice"),
            said('[TOOL_CALL]{"name":"add","args":{"a":2}}[/TOOL_CALL]'),
            results(("call_1", 4)),
            said("It is 4."),
        ],
    ),
    "refused-schema": ("refusing-schema", [user("Hello"), _refused("response_format"), said(final("Hello."))]),
    "refused-twice": ("refusing", [user("Add 2."), _refused("seed"), _refused("seed")]),
    "refused-messages": ("refusing", [user("Add 2."), _refused("messages")]),
    "refused-before": (
        "refusing",
        [{**user("Add 2."), "refused": ["temperature", "tools", "messages"]}, said("It is 2.")],
    ),
    "refused-forms": (
        "refusing",
        [user("Add 2."), _refused("tool_schemas"), _refused("system_role"), _refused("tool_schemas"), said("It is 2.")],
    ),
    "refused-roles": (
        "refusing",
        [
            user("Add 2."),
            _refused("message_roles"),
            _called("add"),
            user("Be quick."),
            results(("call_1", 4)),
            _refused("message_roles"),
            _refused("message_roles"),
        ],
    ),
    "refused-call-ids": (
        "refusing",
        [user("Add 2."), _called("add"), results(("call_1", 4)), _refused("call_ids"), _refused("call_ids")],
    ),
    "alternating": ("alternating", [user("Add 2."), _called("add"), user("Be quick."), results(("call_1", 4))]),
    "extra-of-another-model": (
        "first-model",
        [
            user("Add 2."),
            {**_called("add"), "extra": _SIGNED},
            {"type": "agent_changed", "agent": {"tools": [_ADD], **_OTHER_MODEL}},
            results(("call_1", 4)),
            said("It is 4."),
        ],
    ),
    "profiled": (
        "profiled",
        [
            user("Add 2."),
            _called("orders_add_one_956274cf"),
            results(("call_1", 4)),
            said('{"sum": 4, "note": null}'),
        ],
    ),
    "refused-oddly": ("refusing", [user("Add 2."), _refused("Tools")]),
}
