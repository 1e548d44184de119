"""Models that choose among what the conversation holds: by constraint, or by the scores of choices."""

from tools.vectors.observations import Scenario, call, final, native, results, said, user

STEPS: dict[str, Scenario] = {
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
            said(call("order_status", '{"number":6}')),
        ],
    ),
    "scored-guess": (
        "scored",
        [user("my order 77815 please"), said("refund", scores={"order_status": -3.5, "order_refund": -0.0625, "": -9})],
    ),
    "grounded": (
        "grounded",
        [user("Fetch https://a.example/ and https://b.example/x?y=%20"), said(call("fetch_page", '{"url":"some"}'))],
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
            user("Refund 25 for order 1042 on March 18, 2026"),
            said(call("refund", '{"order":7}')),
            said(call("refund", '{"order":1042,"due":"2026-03-18"}')),
        ],
    ),
    "tool-choice-grounded": (
        "grounded",
        [user("Fetch https://a.example/", tool_choice={"tool": "fetch_page"}), said(call("calculator", "{}"))],
    ),
}
