"""Outputs that are read: forms, damage, wrong arguments, coerced ones."""

from tools.vectors.observations import (
    ADD_CALL,
    ADD_TEXTS,
    FIND_NUMBER,
    FORTY_TWO,
    Scenario,
    call,
    final,
    results,
    said,
    user,
)

STEPS: dict[str, Scenario] = {
    "answered": ("envelope", [user("Add 17 and 25", 5), said(ADD_CALL, 6), FORTY_TWO, said(final('"It is 42."'), 9)]),
    "second-exchange": (
        "adder",
        [user("Add 17 and 25"), said(ADD_CALL), FORTY_TWO, said(final('"42"')), user("Thanks"), said(final('"Bye"'))],
    ),
    "fenced": ("adder", [user("q"), said(f"Sure:\n```json\n{ADD_CALL}\n```\nDone."), FORTY_TWO]),
    "number-forms": ("adder", [user("q"), said(call("add_numbers", '{"b":2.50e1,"a":17.0}'))]),
    "float-arguments": ("adder", [user("q"), said(call("add_numbers", '{"a":0.1,"b":1e-7}'))]),
    "large-numbers": ("adder", [user("q"), said(call("add_numbers", '{"a":12345678901234567890,"b":1e21}'))]),
    "parse-error": ("adder", [user("q"), said("I do not know."), said("Really not.")]),
    "broken-json": ("adder", [user("q"), said('{"kind":"final","content":"a" "b"}'), said(final('"ok then"'))]),
    "truncated": ("adder", [user("q"), said('{"kind":"final","content":"It i', finish_reason="length")]),
    "opened-reasoning": ("opened", [user("q"), said("I add, then"), said("I add.</think>It is 3.")]),
    "tags-of-reasoning-in-an-answer": (
        "auto",
        [user("How do models mark a thought?"), said("They write <think> and </think>:\n<think>\nI add.\n</think>\n3")],
    ),
    "cut-call": (
        "auto",
        [user("q"), said('<tool_call>{"name":"add_numbers","arguments":{"a":1,"b":2}}', finish_reason="length")],
    ),
    "noted-call": ("auto", [user("q"), said('{"name":"add_numbers","arguments":{"a":1,"b":2}}}'), FORTY_TWO]),
    "unknown-tool-in-a-list": ("auto", [user("q"), said("[subtract(a=1, b=2)]"), said("It is -1.")]),
    "markup-left": ("auto", [user("q"), said("Use <tool_call> for it."), said("Use `<tool_call>` for it.")]),
    "closers-missing": ("adder", [user("q"), said(ADD_CALL[:-2])]),
    "unknown-tool": ("envelope", [user("q"), said(call("add_number", '{"a":1,"b":2}')), said(ADD_CALL)]),
    "wrong-arguments": (
        "envelope",
        [user("q"), said(call("find", '{"limit":0,"kind":"persn","tags":["a","a"],"where":{"city":1}}'))],
    ),
    "unknown-argument": ("adder", [user("q"), said(call("add_numbers", '{"a":1,"bb":true}'))]),
    "coerced": (
        "gentle",
        [
            user("Add 17 and 25"),
            said(f"[{ADD_TEXTS},{FIND_NUMBER}]"),
            results(("call_1", 42), ("call_2", [])),
            said(final('{"sum":"42"}')),
            user("And the rest?"),
        ],
    ),
    "not-coerced": (
        "gentle",
        [user("q"), said(call("find", '{"query":7,"limit":"11"}')), said(final('{"sum":"many"}'))],
    ),
    "unicode": (
        "envelope",
        [user("\u00fc \u6f22 \U0001f600"), said(call("find", '{"query":"\u6f22\\ud83d\\ude00\\u0000 \\ud800"}'))],
    ),
}
