"""Carried models: arguments held to what the conversation holds, tools chosen by scores, and the one move left."""

from tools.vectors.observations import Scenario, call, final, native, results, said, user

STEPS: dict[str, Scenario] = {
    "scored": (
        "scored",
        [
            user("my order 77815 please"),
            said("status", scores={"order_status": -0.25, "order_refund": -2.5, "mail_log": -6, "": -4.125}),
            said(call("order_status", '{"number":77815}')),
            results(("call_1", "on its way")),
            said(final('"It is on its way."')),
            user("my order 5 please"),
            said("x", scores={"order_status": -0.25, "other": 3, "": "low"}),
            said(call("order_status", '{"number":5}')),
            results(("call_2", "late")),
            said(final('"Late."')),
            user("hello"),
            said("none", scores={"order_status": -3, "order_refund": -4, "mail_log": -0.5, "": -0.5}),
            said(final('"Hello."')),
            user("my order 6 please"),
            {"type": "model_error", "code": "refused", "message": "no logit_bias"},
            said(call("order_status", '{"number":6}')),
        ],
    ),
    "one-call": (
        "grounded-clock",
        [
            user("What time is it?"),
            results(("call_1", "12:00")),
            said(final('"It is 12:00 [1]."')),
            user("Fetch https://a.example/x", tool_choice="auto"),
            said(call("fetch_page", '{"url":"https://a.example/x"}')),
            results(("call_2", {"at": "2026-03-18", "links": ["https://b.example/\u00fc", "www.c.example"]})),
            said(final('"Two links [2]."')),
        ],
    ),
    "grounded": (
        "grounded",
        [
            user("Fetch https://a.example/ and https://b.example/x?y=%20"),
            said(call("get_weather", '{"city":"some city"}')),
            said(call("fetch_page", '{"url":"some"}')),
        ],
    ),
    "grounded-native": (
        "grounded-native",
        [
            user("Fetch https://a.example/x, \u00fc"),
            native(("fetch_page", '{"url":"https://a.example.org/x"}')),
            native(("fetch_page", '{"url":"http://a.example/x"}')),
            results(("call_2", "See https://b.example/ next.")),
            native(("fetch_page", '{"url":"https://b.example/"}')),
            results(("call_3", "Nothing.")),
            said("Nothing is there."),
            user("And https://c.example/?"),
            native(("fetch_page", '{"url":"https://d.example/"}')),
            native(("fetch_page", '{"url":"https://d.example/"}')),
        ],
    ),
    "grounded-declared": (
        "grounded-declared",
        [
            user("Refund 25 for order 1042 on 2026-03-18"),
            said(call("refund", '{"order":7}')),
            said(call("refund", '{"order":1042,"due":"2026-03-18"}')),
        ],
    ),
    "tool-choice-grounded": (
        "grounded",
        [user("Fetch https://a.example/", tool_choice={"tool": "fetch_page"}), said(call("calculator", "{}"))],
    ),
}
