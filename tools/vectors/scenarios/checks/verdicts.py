"""What judges an output or an answer: checks, schemas, counts of repeats and plans."""

from tools.vectors.observations import ADD_CALL, FORTY_TWO, Scenario, call, failure, final, results, said, user

STEPS: dict[str, Scenario] = {
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
    "numbers": (
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
    "combined-checks": (
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
    "answer-checks": (
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
    "planning": ("careful", [user("q"), said(final('"I will now add them."')), said(final('"42"'))]),
    "obligation": (
        "strict",
        [user("q", 0), said(final('{"sum":42}'), 1), said(ADD_CALL, 2), FORTY_TWO, said(final('{"sum":42}'), 3)],
    ),
    "answer-form": (
        "strict",
        [user("q", 0), said(ADD_CALL, 1), FORTY_TWO, said(final('"42"'), 2), said(final('{"sum":"x"}'), 3)],
    ),
    "echoed": (
        "careful",
        [user("Please add them up!"), said(final('"please ADD them up! "')), said(final('"Which?"'))],
    ),
    "nothing-named": (
        "adder",
        [user("Please add them up!"), said(ADD_CALL), results(("call_1", "ok")), said(final('"Please add them up!"'))],
    ),
}
