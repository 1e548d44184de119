"""What judges an output or an answer: guardrails, postconditions, schemas, counts of repeats and plans."""

from .observations import ADD_CALL, FORTY_TWO, SILENT, WIPE, Scenario, call, failure, final, native, results, said, user

JUDGED: dict[str, Scenario] = {
    "guardrail": (
        "reader",
        [
            user("q"),
            said(call("add_numbers", '{"a":1,"b":2}')),
            results(("call_1", "total 0")),
            said(call("add_numbers", '{"a":1,"b":3}')),
            results(("call_2", " \n")),
        ],
    ),
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
    "silent-act-carried": (
        "actor-carried",
        [
            each
            for number, output in enumerate(SILENT, 1)
            for each in (user("Save a note: buy milk"), results((f"call_{number}", output)))
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
    "postcondition": (
        "envelope",
        [user("q"), said(call("find", '{"query":"x"}')), results(("call_1", ["a secret", "b"]))],
    ),
    "counts": (
        "checked",
        [
            user("q"),
            said(call("list_files", "{}")),
            results(("call_1", "total 8\na.txt\n\nb.txt")),
            said(call("list_items", "{}")),
            results(("call_2", {"a": 1})),
            said(call("list_files", "{}")),
            results(("call_3", "total 7079928")),
            said(call("list_files", "{}")),
            results(("call_4", "a\r\nb\r\nc\r\nd")),
            said(call("list_items", "{}")),
            results(("call_5", [])),
        ],
    ),
    "compared-values": (
        "checked",
        [
            user("q"),
            said(call("pay", '{"limit":0.3}')),
            results(("call_1", {"paid": 0.3})),
            said(call("pay", '{"limit":9007199254740992}')),
            results(("call_2", {"paid": 9007199254740993})),
            said(call("pay", '{"limit":1}')),
            results(("call_3", {"cost": 1})),
            said(call("pay", '{"limit":2}')),
            results(("call_4", {"paid": "1"})),
        ],
    ),
    "occurring-values": (
        "checked",
        [
            user("Write to \u00c4NNE Lee and to 17 others"),
            said(call("find_people", "{}")),
            results(("call_1", {"people": ["\u00e4nne lee", [17]]})),
            said(call("find_people", "{}")),
            results(("call_2", {"people": ["Ann", 7]})),
            said(call("list_items", "{}")),
            results(("call_3", {"note": "also\nAnn, no. 7"})),
            said(call("find_people", "{}")),
            results(("call_4", {"people": ["Ann", 7]})),
            said(call("find_people", "{}")),
            results(("call_5", {"people": [None]})),
        ],
    ),
    "values-beyond-the-bound": (
        "checked",
        [user("word " * 1700), said(call("find_people", "{}")), results(("call_1", {"people": ["Eve"]}))],
    ),
    "combined-postconditions": (
        "checked",
        [
            user("q"),
            said(call("probe", "{}")),
            results(("call_1", "it is down for 10 s")),
            said(call("probe", "{}")),
            results(("call_2", "it is down for 100 s")),
            said(call("probe", "{}")),
            results(("call_3", "it is up")),
        ],
    ),
    "answer-postconditions": (
        "cited",
        [
            user("Who works with Bob?"),
            said(call("find", "{}")),
            results(("call_1", [{"name": "Ann"}])),
            said(final('{"people":["Ann","Eve"]}')),
            said(final('{"people":["Ann"]}')),
            user("And who works with Eve?"),
            said(final('{"people":["Ann"]}')),
            said(final('{"people":[]}')),
        ],
    ),
    "output-schema": ("envelope", [user("q"), said(call("find", '{"query":"x"}')), results(("call_1", "no list"))]),
    "cut-output": ("envelope", [user("q"), said(call("find", '{"query":"x"}')), results(("call_1", ["ab"] * 60))]),
    "tool-failure": (
        "adder",
        [user("q"), said(ADD_CALL), failure("call_1", "no such number", "execution"), said(final('"Sorry."'))],
    ),
    "repeats": (
        "adder",
        [user("q"), said(ADD_CALL), FORTY_TWO, said(ADD_CALL), results(("call_2", 42)), said(ADD_CALL), said(ADD_CALL)],
    ),
    "planning": ("adder", [user("q"), said(final('"I will now add them."')), said(final('"42"'))]),
    "obligation": (
        "strict",
        [user("q", 0), said(final('{"sum":42}'), 1), said(ADD_CALL, 2), FORTY_TWO, said(final('{"sum":42}'), 3)],
    ),
    "answer-form": (
        "strict",
        [user("q", 0), said(ADD_CALL, 1), FORTY_TWO, said(final('"42"'), 2), said(final('{"sum":"x"}'), 3)],
    ),
}
