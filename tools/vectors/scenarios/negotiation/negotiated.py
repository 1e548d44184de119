"""Models that are asked in another way after what they did wrong: another dialect, another level, another model."""

from tools.vectors.observations import Scenario, call, failure, final, native, results, said, user

STEPS: dict[str, Scenario] = {
    "negotiated-dialect": (
        "negotiated",
        [
            user("What is 17 plus 25?"),
            said("I do not know \u00fc."),
            said("Really not."),
            said('[TOOL_CALL]{"name":"add_numbers","args":{"a":17,"b":25}}[/TOOL_CALL]'),
            results(("call_1", 42)),
            said('[TOOL_CALL]{"name":'),
            said('[TOOL_CALL]{"name":'),
            said(final('"It is 42."')),
            user("Thanks"),
        ],
    ),
    "negotiated-ground": (
        "negotiated",
        [
            user("What is the weather in Z\u00fcrich?"),
            said(call("weather", '{"city":"Z\u00fcrich"}')),
            said(call("fetch", "{}")),
            said(call("get_weather", '{"town":1}')),
            said(call("get_weather", '{"town":2}')),
        ],
    ),
    "negotiated-models": (
        "negotiated",
        [
            user("What is the weather in Paris?"),
            said(final('""')),
            said(final('""')),
            said(""),
            said(final('""')),
            results(("call_1", "18 degrees")),
        ],
    ),
    "negotiated-native": (
        "negotiated-window",
        [
            user("Fetch https://a.example/ \U0001f600"),
            native(("fetch_page", '{"url')),
            said(call("fetch_pages", "{}")),
            said(call("fetch_page", '{"url":"https://b.example/"}')),
            failure("call_3", "no page https://b.example/", "execution"),
            said(call("fetch_page", '{"url":"https://b.example/"}')),
            failure("call_4", "no page https://b.example/", "execution"),
            results(("call_5", "a line\n" * 2000)),
        ],
    ),
}
