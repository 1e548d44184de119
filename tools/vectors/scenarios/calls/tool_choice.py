"""What a model is sent: forced tools, extra members, windows, outputs read on, summaries, prices."""

from tools.vectors.observations import ADD_CALL, Scenario, call, failure, final, native, results, said, user

STEPS: dict[str, Scenario] = {
    "tool-choice": (
        "chosen",
        [
            user("q"),
            said(final('"42"')),
            said(ADD_CALL),
            failure("call_1", "no such number", "execution"),
            said(ADD_CALL),
            results(("call_2", 42)),
            said(final('"42"')),
            user("And what is it called?", tool_choice={"tool": "find"}),
            said(ADD_CALL),
            said(call("find", '{"query":"forty"}')),
            results(("call_4", [])),
            said(final('"It has no name."')),
            user("Thanks", tool_choice="none"),
            said(ADD_CALL),
            said(final('"You are welcome."')),
            user("Bye", tool_choice="auto"),
            said(final('"Bye."')),
            user("?", tool_choice={"tool": "fnd"}),
        ],
    ),
    "native-extra": (
        "native",
        [
            user("What is 1 plus 2?"),
            {
                **native(("add_numbers", '{"a":1,"b":2}')),
                "extra": {"reasoning_content": "S\u00f8, 1 and 2", "n": [1.5, 12345678901234567890, None]},
            },
            results(("call_1", 3)),
            said("3", extra="any JSON"),
        ],
    ),
    "native-extra-of-calls": (
        "native",
        [
            user("What is 1 plus 2, and 3 plus 4?"),
            {
                **native(("add_numbers", '{"a":1,"b":2}'), ("add_numbers", '{"a":3,"b":4}')),
                "extra": {"role": "system", "tool_calls": [{"extra_content": {"n": 1.50}, "id": "other"}, None]},
            },
            results(("call_1", 3), ("call_2", 7)),
            said("3 and 7", extra={"reasoning_content": "Both are there."}),
        ],
    ),
    "tool-choice-native": (
        "chosen-native",
        [
            user("q"),
            native(("add_numbers", '{"a":1,"b":2}')),
            native(("find", '{"query":"x"}')),
            failure("call_2", "down", "io"),
            native(("add_numbers", '{"a":1,"b":2}')),
            results(("call_3", 3)),
            said("Three."),
            user("Say it again", tool_choice="none"),
            native(("add_numbers", '{"a":1,"b":2}')),
            said("Three."),
        ],
    ),
}
