"""What a model is sent: forced tools, extra members, windows, outputs read on, summaries, prices."""

from .observations import ADD_CALL, Scenario, call, failure, final, native, reads, results, said, user

PROMPTS: dict[str, Scenario] = {
    "echoed": ("adder", [user("Please add them up!"), said(final('"please ADD them up"')), said(final('"Which?"'))]),
    "echoed-example": (
        "adder",
        [user("Which numbers do you know?"), said(final('"2 + 3 = 5"')), said(final('"Those that you name."'))],
    ),
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
    "tool-choice-carried": (
        "routed",
        [
            user("What is 17 plus 25?", tool_choice="none"),
            said(final('"42"')),
            user("Good day", tool_choice="required"),
            {"type": "cancel"},
            user("\u00c4pfel?", tool_choice={"tool": "note_add"}),
        ],
    ),
    "tool-choice-grounded": (
        "grounded",
        [user("Fetch https://a.example/", tool_choice={"tool": "fetch_page"}), said(call("calculator", "{}"))],
    ),
    "window": (
        "narrow",
        [
            user("What do they say?"),
            *reads("The first \u6f22 " + "word " * 700, "0123456789" * 30, "end " * 420, "\u00fc" * 250, "z"),
            said(final('"Much."')),
            user("go on " * 700),
        ],
    ),
    "window-counted": (
        "narrow",
        [
            user("Read"),
            *reads("a " * 300, "b " * 300, usage={"prompt_tokens": 500, "completion_tokens": 4}),
            {"type": "model_error", "code": "overflow"},
            said(final('"Read."'), usage={"prompt_tokens": 3000}),
        ],
    ),
    "read-on": (
        "long",
        [
            user("Read"),
            said(call("read", "{}")),
            results(("call_1", "\u00fc\U0001f600" * 60)),
            said(call("read_output", '{"call_id":"call_1","from":40}')),
            results(("call_2", "\u00fc\U0001f600" * 20)),
            said(call("read_output", '{"call_id":"call_1","from":120}')),
            said(call("read_output", '{"call_id":"call_2","from":0}')),
            said(final('"Read."')),
            user("And now?"),
        ],
    ),
    "read-on-native": (
        "long-native",
        [
            user("Read"),
            native(("read", "{}"), ("read", '{"at":2}')),
            results(("call_1", {"text": "\u00fc" * 50}), ("call_2", "short")),
            native(("read_output", '{"call_id":"call_1","from":40}'), ("read", '{"at":3}')),
            results(("call_3", "\u00fc" * 21), ("call_4", "end")),
        ],
    ),
    "summary": (
        "summing",
        [
            user("What do they say?"),
            *reads("The first \u6f22 " + "word " * 200, "0123456789" * 30, "end " * 190),
            said("They say \u6f22, digits and the end.", usage={"prompt_tokens": 900, "completion_tokens": 12}),
            said(call("read", '{"at":4}')),
            results(("call_4", "more " * 200)),
            {"type": "model_error", "code": "unavailable", "retryable": True},
            said(final('"Much."')),
        ],
    ),
    "budgets": (
        "priced",
        [
            user("Read"),
            *reads("one", "two", "three", usage={"prompt_tokens": 999, "cached_tokens": 500, "completion_tokens": 7}),
            said(final('"So far: one, two, three."')),
        ],
    ),
}
