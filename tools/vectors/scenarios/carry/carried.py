"""Models that are carried: routed, scored, grounded, and changed by negotiation."""

from tools.vectors.observations import FORTY_TWO, SILENT, Scenario, call, final, results, said, user

STEPS: dict[str, Scenario] = {
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
    "carried-orders": (
        "ordered",
        [
            user("Please refund 25 \u20ac for order A-1042"),
            results(("call_1", "refunded")),
            user("don\u2019t refund 25 for order 7"),
            said(final('"As you wish."')),
            user("I'd like to send ann@example.org an email that I am late"),
            said(call("send_email", '{"to":"ann@example.org","subject":"Late","body":"I am late"}')),
            {"type": "approvals", "approvals": [{"call_id": "call_2", "key": "$call_2", "approved": True}]},
        ],
    ),
    "carried-reserved": (
        "ordered",
        [
            user("Refund 25 euros for order A-1042, aber frag mich vorher"),
            {"type": "approvals", "approvals": [{"call_id": "call_1", "key": "$call_1", "approved": False}]},
            user("refund 25 for order A-7 jutro"),
            {"type": "approvals", "approvals": [{"call_id": "call_2", "key": "$call_2", "approved": True}]},
            results(("call_2", "refunded")),
            user("refund the order of 25 euros"),
            user("number A-9"),
        ],
    ),
    "carried-citations": (
        "routed-citing",
        [
            user("What's the weather in Paris, and tell me a joke"),
            results(("call_1", {"sky": "sunny", "degrees": 21})),
            said(final('"Ha."')),
            user("What's the weather in Paris and London?"),
            results(("call_2", "fog, see [9]")),
            results(("call_3", "rain")),
            said(final('"Fog and rain."')),
            said(final('"Fog [2] and rain [3]."')),
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
    "silent-act-carried": (
        "actor-carried",
        [
            each
            for number, output in enumerate(SILENT, 1)
            for each in (user("Save a note: buy milk"), results((f"call_{number}", output)))
        ],
    ),
}
