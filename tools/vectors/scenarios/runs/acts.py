"""Acts beside each ending: every status, every way to end, and answers after which nothing was changed."""

from typing import Any

from tools.vectors.observations import Scenario, WholeScenario, call, failure, final, results, said, user

_TO: dict[str, Any] = {"type": "object", "properties": {"to": {"type": "string"}, "text": {"type": "string"}}}
_TOOLS: list[dict[str, Any]] = [
    {"name": "look", "annotations": {"readOnlyHint": True}},
    {"name": "note", "parameters": _TO, "annotations": {"readOnlyHint": False, "destructiveHint": False}},
    {"name": "send", "parameters": _TO, "annotations": {"destructiveHint": True}, "approval": "auto"},
    {"name": "ask", "parameters": _TO, "approval": "ask"},
    {"name": "banned", "parameters": _TO, "approval": "deny"},
    {"name": "checked", "parameters": _TO, "checks": [{"not": {"pattern": "lost"}}]},
]
AGENTS: dict[str, dict[str, Any] | None] = {
    "acting": {"tools": _TOOLS},
    "acting-native": {"tools": _TOOLS, "dialect": "native", "policies": [{"use": "read_output"}]},
    "looking": {"tools": _TOOLS[:1]},
}

_SEND = call("send", '{"to":"ada@example.com","text":"Hi"}')


def _many(tool: str, texts: range) -> str:
    return "[" + ",".join([call(tool, f'{{"text":"{number}"}}') for number in texts]) + "]"


STEPS: dict[str, Scenario] = {
    "acts-none": (
        "acting",
        [user("q"), said(call("look", "{}")), results(("call_1", "a")), said(final('"I sent it."'))],
    ),
    "acts-no-tool": (
        "looking",
        [user("q"), said(call("look", "{}")), results(("call_1", "a")), said(final('"Sent."'))],
    ),
    "acts-each-status": (
        "acting",
        [
            user("q"),
            said(f"[{_SEND},{call('note', '{}')},{call('ask', '{}')},{call('banned', '{}')},{call('look', '{}')}]"),
            {"type": "approvals", "approvals": [{"call_id": "call_3", "key": "$call_3", "approved": False}]},
            results(("call_1", "sent"), ("call_5", "a")),
            failure("call_2", "disk full", "io"),
            said(call("note", '{"text":"b"}')),
            failure("call_6", "stopped", "interrupted"),
            said(call("checked", '{"to":"b"}')),
            results(("call_7", "it was lost")),
            said(call("checked", '{"to":"c"}')),
            results(("call_8", "fine")),
            said(final('"Done."')),
            user("And now?"),
            said(final('"Nothing more."')),
        ],
    ),
    "acts-edited": (
        "acting",
        [
            user("q"),
            said(call("ask", '{"to":"a"}')),
            {
                "type": "approvals",
                "approvals": [{"call_id": "call_1", "key": "$call_1", "approved": True, "params": {"to": "b"}}],
            },
            results(("call_1", "sent")),
            said(final('"Sent."')),
        ],
    ),
    "acts-cancelled": (
        "acting",
        [user("q"), said(f"[{_SEND},{call('note', '{}')}]"), results(("call_2", "a")), {"type": "cancel"}],
    ),
    "acts-run-again": (
        "acting",
        [
            user("q"),
            said(_SEND),
            {"type": "resumed"},
            {"type": "approvals", "approvals": [{"call_id": "call_1", "key": "$call_1", "approved": True}]},
            failure("call_1", "no such box", "execution"),
            said(final('"It could not be sent."')),
            user("q"),
            said(call("note", "{}")),
            {"type": "resumed"},
            {"type": "approvals", "approvals": [{"call_id": "call_2", "key": "$call_2", "approved": False}]},
            said(final('"Noted."')),
        ],
    ),
    "acts-barred": (
        "acting",
        [
            user("q"),
            said(call("banned", "{}")),
            said(call("banned", "{}")),
            said(call("banned", "{}")),
        ],
    ),
    "acts-long": (
        "acting",
        [
            user("q"),
            said(call("note", f'{{"to":"ada@example.com","text":"{"long " * 300}"}}')),
            results(("call_1", "ok")),
            said(final('"Noted."')),
        ],
    ),
    "acts-many": (
        "acting",
        [
            user("q"),
            *[
                observation
                for turn in range(5)
                for observation in (
                    said(_many("note", range(8 * turn, 8 * turn + 8))),
                    results(*[(f"call_{number}", number) for number in range(8 * turn + 1, 8 * turn + 9)]),
                )
            ],
            said(final('"Noted."')),
        ],
    ),
    "acts-native": (
        "acting-native",
        [
            user("q"),
            said(None, tool_calls=[{"id": "a", "function": {"name": "send", "arguments": '{"to":"a"}'}}]),
            results(("call_1", "sent")),
            said("Sent."),
        ],
    ),
    "acts-changed": (
        "acting",
        [
            user("q"),
            said(f"[{_SEND},{call('note', '{}')}]"),
            results(("call_1", "sent")),
            {"type": "agent_changed", "agent": AGENTS["looking"]},
            said(final('"Sent."')),
            user("And now?"),
            said(final('"Nothing more."')),
        ],
    ),
}

WHOLE: dict[str, WholeScenario] = {
    "acts-bare": (
        "Send it",
        "none",
        [
            {"model_output": '{"tool":"send","to":"ada"}'},
            {"observation": results(("call_1", "it is sent"))},
            {"model_output": '{"tool":"note","text":"sent"}'},
            {"model_output": "It is sent."},
            {"observation": user("And now?")},
            {"model_output": "Nothing more."},
        ],
    ),
}
