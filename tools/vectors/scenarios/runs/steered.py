"""Messages in the middle of a run: while the model, a person or tools are waited for, then an answer or a failure."""

from tools.vectors.observations import ADD_CALL, FORTY_TWO, Scenario, final, model_error, native, results, said, user

STEPS: dict[str, Scenario] = {
    "steered": (
        "pairs",
        [
            user("q"),
            user("In euros."),
            native(("shell", '{"command":"ls"}'), ("add_numbers", '{"a":1,"b":2}')),
            user("Be quick."),
            {"type": "approvals", "approvals": [{"call_id": "call_1", "key": "$call_1", "approved": True}]},
            user("And kind.", 7),
            results(("call_2", 3)),
            results(("call_1", "a.txt")),
            said("It is 3."),
        ],
    ),
    "steered-in-text": ("adder", [user("q"), said(ADD_CALL), user("In words."), FORTY_TWO, said(final('"two"'))]),
    "steered-correction": ("adder", [user("q"), user("Be quick."), said("{"), said(final('"42"'))]),
    "steered-retry": (
        "adder",
        [user("q"), user("Be quick."), model_error("rate_limit", 2500), user("Please."), said(final('"42"'))],
    ),
    "steered-answer": (
        "adder",
        [
            user("q"),
            said(ADD_CALL),
            FORTY_TWO,
            user("And 1 more?"),
            user("Or 2?"),
            said(final('"42"')),
            said(final('"44"')),
        ],
    ),
    "steered-failure": (
        "adder",
        [user("q"), said(ADD_CALL), user("Stop that."), {"type": "cancel"}, user("Go on.")],
    ),
    "steered-choice": (
        "adder",
        [user("q"), user("Answer.", tool_choice="none"), said(ADD_CALL), FORTY_TWO, said(ADD_CALL)],
    ),
    "steered-too-often": ("adder", [user("q"), *[user(f"{number}.") for number in range(17)]]),
    "steered-at-length": ("adder", [user("q"), user("x" * 32_000), user("y")]),
    "steered-to-a-strange-tool": ("adder", [user("q"), user("Go.", tool_choice={"tool": "stray"})]),
}
"""Runs of the delta form."""
