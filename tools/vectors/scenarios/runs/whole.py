"""Scenarios of the whole-state form."""

from tools.vectors.observations import ADD_CALL, FORTY_TWO, WholeScenario, final, results, said, user

WHOLE: dict[str, WholeScenario] = {
    "whole-bare": (
        "List files",
        "none",
        [
            {"model_output": '{"tool":"shell","command":"ls"}'},
            {"observation": results(("call_1", "a.txt b.txt"))},
            {"model_output": "Two files."},
            {"model_output": "Once more."},
            {"observation": user("And now?")},
        ],
    ),
    "whole-later": (
        "List files",
        "none",
        [{"observation": {**said('{"tool":"shell","command":"ls"}'), "at": 2}}],
    ),
    "whole-inconclusive": (
        "List files",
        "none",
        [
            {"model_output": "I will list \u00fc the files.\n"},
            {"model_output": '{"tool":"shell","command":"ls"'},
            {"model_output": "```json\n{"},
            {"observation": results(("call_1", "a.txt"))},
            {"model_output": ""},
            {"model_output": '{"tool":7}'},
        ],
    ),
    "whole-talk": ("List files", "none", [{"model_output": "Let me see."}, {"model_output": "Now I will do it."}]),
    "whole-unreported": ("q", "none", [{"model_output": '{"tool":"t"}'}, {"model_output": "Done by the host."}]),
    "whole-envelope": (
        "Add \u6f22 \ud83d",
        "envelope",
        [{"model_output": ADD_CALL}, {"observation": FORTY_TWO}, {"model_output": final('"42"')}],
    ),
}
