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
    "negotiated-plan": (
        "negotiated-plan",
        [
            user("Is Oslo warmer than Z\u00fcrich?"),
            said(call("weather", '{"city":"Oslo"}')),
            said(call("weather", '{"city":"Oslo"}')),
            said("Here:\n1. Get the weather of Oslo.\n2. Get that of Z\u00fcrich\n   with get_weather.\n3. Compare."),
            said(call("get_weather", '{"city":"Oslo"}')),
            results(("call_3", "12 degrees")),
            said(final('"12 degrees in Oslo."')),
            said(call("get_weather", '{"city":"Z\u00fcrich"}')),
            results(("call_4", "20 degrees")),
            said(final('"20 degrees in Z\u00fcrich."')),
            said(final('"No, Z\u00fcrich is warmer."')),
            user("Thanks"),
        ],
    ),
    "negotiated-plan-steered": (
        "negotiated-plan",
        [
            user("Is Oslo warmer than Z\u00fcrich?"),
            said(call("weather", '{"city":"Oslo"}')),
            user("In Fahrenheit, please."),
            said(call("weather", '{"city":"Oslo"}')),
            said("1. Get both.\n2. Compare."),
            said(final('"54 and 68 degrees."')),
            {"type": "model_error", "code": "overflow", "retryable": False},
            {"type": "cancel"},
            user("And Bergen?"),
        ],
    ),
    "negotiated-no-plan": (
        "negotiated-plan",
        [
            user("What is the weather in Paris?"),
            said(call("weather", '{"city":"Paris"}')),
            said(call("weather", '{"city":"Paris"}')),
            said(final('"Get the weather of Paris."')),
            said(call("get_weather", '{"city":"Paris"}')),
            results(("call_3", "18 degrees")),
            said(final('"18 degrees."')),
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
