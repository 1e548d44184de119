"""Calls that wait for a person, run together, or arrive in native form."""

from tools.vectors.observations import Scenario, native, results, said, user

STEPS: dict[str, Scenario] = {
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
    "native-damage": (
        "native",
        [user("q"), native(("add_numbers", '{"a":1,'), ("find", '{"query":"x"}')), said("No.")],
    ),
    "native-filter": ("native", [user("q"), said(None, finish_reason="content_filter")]),
}
