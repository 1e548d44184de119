"""Calls whose effect is in doubt, or seen by nobody."""

from tools.vectors.observations import SILENT, WIPE, Scenario, call, failure, final, native, results, said, user

STEPS: dict[str, Scenario] = {
    "unknown-outcome-fails": ("wiper", [user("q"), said(WIPE), {"type": "resumed", "at": 7}, user("again")]),
    "silent-act": (
        "actor",
        [
            user("q"),
            said("[" + ",".join([call("remove", f'{{"at":{number}}}') for number in range(5)]) + "]"),
            results(*[(f"call_{number}", output) for number, output in enumerate(SILENT, 1)]),
            said(call("remove", "{}")),
            results(("call_6", "it was lost")),
        ],
    ),
    "silent-act-native": (
        "actor-native",
        [
            user("q"),
            native(*[("remove", f'{{"at":{number}}}') for number in range(5)]),
            results(*[(f"call_{number}", output) for number, output in enumerate(SILENT, 1)]),
            said("Removed."),
        ],
    ),
    "same-effect": (
        "wiper",
        [
            user("q"),
            said(f"[{WIPE},{WIPE}]"),
            {"type": "approvals", "approvals": [{"call_id": "call_2", "key": "$call_2", "approved": False}]},
            results(("call_1", None)),
            said(final('"Wiped."')),
            user("Once more"),
            said(WIPE),
            failure("call_3", "stopped", "interrupted"),
            said(WIPE),
            {"type": "approvals", "approvals": [{"call_id": "call_4", "key": "$call_4", "approved": True}]},
            results(("call_4", None)),
            said(call("wipe", '{"disk":"B"}')),
        ],
    ),
    "effect-in-doubt": (
        "wiper",
        [
            user("q"),
            said(WIPE),
            failure("call_1", "the disk did not answer", "io"),
            said(WIPE),
            {"type": "approvals", "approvals": [{"call_id": "call_2", "key": "$call_2", "approved": True}]},
            failure("call_2", "no disk", "invalid_arguments"),
            said(call("wipe", '{"disk":"B"}')),
            {"type": "cancel"},
            user("Once more"),
            said(call("wipe", '{"disk":"B","part":null}')),
            {"type": "approvals", "approvals": [{"call_id": "call_4", "key": "$call_4", "approved": True}]},
            results(("call_4", "gone")),
            said(final('"Wiped."')),
            user("And again"),
            said(call("wipe", '{"disk":"B"}')),
        ],
    ),
}
