"""Models that are carried: routed, scored, grounded, and changed by negotiation."""

from .observations import FORTY_TWO, Scenario, call, failure, final, native, results, said, user

CARRIED: dict[str, Scenario] = {
    "carried": (
        "routed",
        [
            user("Was ist 17 plus 25, und notiere das Ergebnis"),
            FORTY_TWO,
            results(("call_2", {"saved": "\u00fc", "at": [1]})),
            user("\u0427\u0442\u043e \u044d\u0442\u043e? \u5929\u6c14"),
            said(final('"Nichts."')),
            user("Paris near London, what is the weather like? " + "\u00c4\u00d6" * 3000),
            said("prose"),
            said(call("get_weather", '{"city":"London"}')),
            {"type": "tool_results", "results": [{"call_id": "call_3", "ok": False, "error": "no station"}]},
            said(call("get_weather", '{"city":"Paris"}')),
        ],
    ),
    "carried-series": (
        "routed",
        [
            user("What's the weather in Paris, New York and London?"),
            results(("call_1", "sunny")),
            results(("call_2", "rain")),
            results(("call_3", "fog")),
            user("weather in Oslo or Bergen"),
        ],
    ),
    "carried-talk": (
        "routed",
        [
            user("What's the weather in Paris, and tell me a joke"),
            results(("call_1", "sunny")),
            said(final('"Ha."')),
            user("Don't fetch https://a.example/"),
            said(final('"I leave it."')),
            user("No busques https://a.example/ y calculator 1 + 2"),
            said(final('"No."')),
            user("I love the weather in summer"),
            said(final('"So do I."')),
            user("Ne note pas cela, mais weather in Oslo"),
        ],
    ),
    "carried-guess": (
        "routed",
        [
            user("any note about milk to save?"),
            {"type": "approvals", "approvals": [{"call_id": "call_1", "key": "$call_1", "approved": False}]},
        ],
    ),
    "scored": (
        "scored",
        [
            user("my order 77815 please"),
            said("status", scores={"order_status": -0.25, "order_refund": -2.5, "": -4.125}),
            results(("call_1", "on its way")),
            user("my order 5 please"),
            said("x", scores={"order_status": -0.25, "other": 3, "": "low"}),
            said(call("order_status", '{"number":5}')),
            results(("call_2", "late")),
            user("anything for ann@example.org"),
            said("none", scores={"mail_log": -0.5, "": -1.5}),
            said(final('"Nothing."')),
            user("my order 6 please"),
            {"type": "model_error", "code": "refused", "message": "no logit_bias"},
            said(final('"So."')),
        ],
    ),
    "scored-guess": (
        "scored",
        [user("my order 77815 please"), said("refund", scores={"order_status": -3.5, "order_refund": -0.0625, "": -9})],
    ),
    "carried-orders": (
        "ordered",
        [
            user("Please refund order \u00c4-1042"),
            user("25 \u20ac"),
            results(("call_1", "refunded")),
            user("don\u2019t refund 25 for order 7"),
            said(final('"As you wish."')),
            user("I'd like to send ann@example.org an email that I am late"),
            said(call("send_email", '{"to":"ann@example.org","subject":"Late","body":"I am late"}')),
            {"type": "approvals", "approvals": [{"call_id": "call_2", "key": "$call_2", "approved": True}]},
        ],
    ),
    "grounded": (
        "grounded",
        [user("Fetch https://a.example/ and https://b.example/x?y=%20"), said(call("fetch_page", '{"url":"some"}'))],
    ),
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
    "negotiated-narrow": (
        "negotiated",
        [
            user("What is the weather in Z\u00fcrich?"),
            said(call("weather", '{"city":"Z\u00fcrich"}')),
            said(call("fetch", "{}")),
            said(call("get_weather", '{"town":1}')),
            said(call("get_weather", '{"town":2}')),
        ],
    ),
    "negotiated-route": (
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
            failure("call_3", "no such page", "execution"),
            said(call("fetch_page", '{"url":"https://b.example/"}')),
            failure("call_4", "no such page", "execution"),
            results(("call_5", "a line\n" * 2000)),
        ],
    ),
}
