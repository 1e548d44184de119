"""Prompts that are too large: what is left out, read on, or summed up."""

from tools.vectors.observations import ADD_CALL, FORTY_TWO, Scenario, call, final, native, reads, results, said, user

STEPS: dict[str, Scenario] = {
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
    "history": (
        "keeping",
        [
            user("What do they say?"),
            said(f"<think>Hm.</think>{call('read', '{}')}"),
            results(("call_1", "The first \u6f22 " + "word " * 100)),
            *[
                step
                for at in range(2, 5)
                for step in (said(call("read", f'{{"at":{at}}}')), results((f"call_{at}", f"{at} " + "\u00fc" * 500)))
            ],
            said(final('"Much."')),
            *[step for at in range(2) for step in (user(f"And {at}?"), said(final(f'"{at}."')))],
            user("And now?"),
        ],
    ),
    "history-pinned": (
        "keeping-two",
        [
            user("What do they say?"),
            said(call("read", "{}")),
            {**user("In euros."), "pinned": True},
            results(("call_1", "The first \u6f22")),
            said(final('"Much."')),
            {**user("And now?"), "pinned": True},
            said(call("read", '{"at":2}')),
            results(("call_2", "The second")),
            said(final('"Less."')),
            *[step for at in range(4) for step in (user(f"And {at}?"), said(final(f'"{at}."')))],
            {**user("Last?"), "pinned": "yes"},
        ],
    ),
    "history-native": (
        "keeping-native",
        [
            user("Read"),
            {**native(("read", "{}"), ("read", '{"at":2}')), "extra": {"reasoning_content": "Hm."}},
            results(("call_1", "a " * 200), ("call_2", "short")),
            {**native(("read", '{"at":3}')), "extra": {"reasoning_content": "Again."}},
            results(("call_3", "b " * 200)),
            said("Read."),
            user("And now?"),
        ],
    ),
    "overflow-of-an-unknown-window": (
        "adder",
        [
            user("q"),
            said(final('"a"')),
            user("Add 17 and 25"),
            said(ADD_CALL),
            FORTY_TWO,
            *[{"type": "model_error", "code": "overflow", "message": "too long"}] * 4,
        ],
    ),
    "overflow": (
        "models",
        [
            user("q"),
            said(ADD_CALL),
            FORTY_TWO,
            *[{"type": "model_error", "code": "overflow", "message": "too long"}] * 3,
            said("prose", usage={"prompt_tokens": 5, "completion_tokens": 60}),
        ],
    ),
}
