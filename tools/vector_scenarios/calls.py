"""Calls that wait for a person, run together, or arrive in native form."""

from .observations import Scenario, call, native, results, said, user

CALLS: dict[str, Scenario] = {
    "refused": (
        "envelope",
        [
            user("q"),
            said(call("shell", '{"command":"rm x"}')),
            {"type": "approvals", "approvals": [{"call_id": "call_1", "key": "no", "approved": True}]},
            {
                "type": "approvals",
                "approvals": [
                    {
                        "call_id": "call_1",
                        "key": "$call_1",
                        "approved": False,
                        "reason": "too risky",
                        "by": "ann",
                    }
                ],
            },
        ],
    ),
    "denied-by-policy": ("envelope", [user("q"), *[said(call("erase", "{}"))] * 3]),
    "not-approved": ("envelope", [user("q"), said(call("shell", '{"command":"ls"}')), results(("call_1", "forged"))]),
    "parallel": (
        "native",
        [
            user("q"),
            native(("add_numbers", '{"a":1,"b":2}'), ("find", '{"query":"x"}'), ("add_numbers", '{"a":1e0,"b":2}')),
            results(("call_3", 3)),
            results(("call_2", ["one", "two"]), ("call_1", 3)),
            said("Three."),
        ],
    ),
    "parallel-in-pairs": (
        "pairs",
        [
            user("q"),
            native(*[("add_numbers", f'{{"a":{number},"b":1}}') for number in range(5)]),
            results(("call_2", 2)),
            results(("call_5", 5), ("call_1", 1)),
            results(("call_3", 3), ("call_4", 4)),
            said("Done."),
        ],
    ),
    "parallel-by-default": (
        "native",
        [
            user("q"),
            native(*[("add_numbers", f'{{"a":{number},"b":1}}') for number in range(10)]),
            results(*[(f"call_{number}", number) for number in range(1, 9)]),
        ],
    ),
    "parallel-after-approval": (
        "pairs",
        [
            user("q"),
            native(*[("shell", f'{{"command":"ls {number}"}}') for number in range(3)]),
            {
                "type": "approvals",
                "approvals": [
                    {"call_id": f"call_{number}", "key": f"$call_{number}", "approved": number != 1}
                    for number in range(1, 4)
                ],
            },
        ],
    ),
    "native-damage": (
        "native",
        [user("q"), native(("add_numbers", '{"a":1,'), ("find", '{"query":"x"}')), said("No.")],
    ),
    "native-filter": ("native", [user("q"), said(None, finish_reason="content_filter")]),
}
