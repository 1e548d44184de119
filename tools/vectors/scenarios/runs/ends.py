"""How runs stop and go on: limits, cancelling, interruption, errors of a model, forms without a definition."""

from tools.vectors.observations import (
    ADD_CALL,
    FORTY_TWO,
    Scenario,
    failure,
    final,
    model_error,
    native,
    results,
    said,
    user,
)

STEPS: dict[str, Scenario] = {
    "cancelled": ("adder", [user("q"), said(ADD_CALL), {"type": "cancel", "reason": "enough"}, user("go on")]),
    "interrupted-reading": (
        "reader",
        [
            user("q"),
            said(ADD_CALL),
            *[{"type": "resumed", "at": at} for at in range(7, 10)],
            {"type": "approvals", "approvals": [{"call_id": "call_1", "key": "$call_1", "approved": True}]},
            results(("call_1", 42)),
            said(final('"42"')),
        ],
    ),
    "interrupted": (
        "pairs",
        [
            user("q"),
            native(("shell", '{"command":"ls"}'), ("add_numbers", '{"a":1,"b":2}'), ("add_numbers", '{"a":1,"b":3}')),
            {"type": "approvals", "approvals": [{"call_id": "call_1", "key": "$call_1", "approved": True}]},
            {"type": "resumed", "at": 7},
            {
                "type": "approvals",
                "approvals": [
                    {"call_id": "call_1", "key": "$call_1", "approved": True},
                    {"call_id": "call_2", "key": "$call_2", "approved": False, "reason": "enough"},
                ],
            },
            failure("call_1", "stopped", "interrupted"),
            {"type": "cancel", "reason": "Ctrl-C"},
        ],
    ),
    "model-errors": (
        "adder",
        [user("q"), *[{"type": "model_error", "code": "unavailable", "message": "slow", "retryable": True}] * 3],
    ),
    "timeouts": (
        "adder",
        [user("q"), *[{"type": "model_error", "code": "timeout", "message": "slow", "retryable": True}] * 2],
    ),
    "server-asks-to-wait": ("adder", [user("q"), model_error("rate_limit", 2500), said(final('"42"'))]),
    "server-asks-for-too-long": ("adder", [user("q"), model_error("rate_limit", 3_600_000), {"type": "cancel"}]),
    "escalation": ("models", [user("q"), said("prose"), said("prose")]),
    "tags": (
        "tags",
        [
            user("q"),
            said('So: [TOOL_CALL]{"name":"add_numbers","args":{"a":1,"b":2}}[/TOOL_CALL]'),
            FORTY_TWO,
            said("3"),
        ],
    ),
    "bare-definition": (
        "bare",
        [
            user("q"),
            said('{"tool":"add_numbers","a":1,"b":2}'),
            FORTY_TWO,
            said('{"tool":"add_numbers","a":1'),
            said("3"),
        ],
    ),
    "auto": (
        "auto",
        [user("q"), said('{"name":"add_numbers","arguments":{"a":1,"b":2}}'), FORTY_TWO, said(final('"3"'))],
    ),
    "no-definition": (
        "none",
        [user("hi"), said('{"tool":"any","x":[1,2.0,null]}'), results(("call_1", "a result")), said(" ok ")],
    ),
}
