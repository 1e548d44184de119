"""Skills as they are executed, alone and within runs: what begins them and the observations that follow."""

import json
from collections.abc import Iterator
from typing import Any, Final

from tools.vectors.observations import Scenario, WholeScenario
from tools.vectors.record import Vector, called, compact

_NAMES: Final = {"text": "Anna Kurz wrote to Tom.", "target": "name"}
_MODEL: Final = {"name": "small", "supports": ["grammar"]}


def _begun(params: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"skill": "extract", "params": params, **more}


def _said(content: str) -> dict[str, Any]:
    return {"type": "model_output", "content": content}


_RIGHT: Final = _said('{"name":["Tom","Anna Kurz"]}')
_ERROR: Final = {"type": "model_error", "code": "unavailable", "message": "down", "retryable": True}

SKILLS: Final[dict[str, tuple[dict[str, Any], list[dict[str, Any]]]]] = {
    "names": (_begun(_NAMES), [_RIGHT]),
    "names fenced": (_begun(_NAMES), [_said('Sure:\n```json\n{"name": ["anna kurz"]}\n```')]),
    "malformed, then right": (_begun(_NAMES), [_said("Anna and Tom"), _RIGHT]),
    "malformed twice": (_begun(_NAMES), [_said('{"name":["Tom"'), _said("")]),
    "schema violated twice": (_begun(_NAMES), [_said('{"names":["Tom"]}'), _said('{"name":"Tom"}')]),
    "hallucinated twice": (_begun(_NAMES), [_said('{"name":["Zed"]}'), _said('{"name":["Ann"]}')]),
    "model down": (_begun(_NAMES), [_ERROR, _ERROR, _ERROR]),
    "cancelled": (_begun(_NAMES), [{"type": "cancel", "reason": "enough"}]),
    "after the end": (_begun(_NAMES), [_RIGHT, _RIGHT]),
    "entities": (
        _begun({"text": "Anna Kurz of Nordwind GmbH left Bern.", "target": "entity"}, model={"name": "m"}),
        [_said('{"entity":{"people":["Anna Kurz"],"organizations":["Nordwind GmbH"],"locations":["Bern"]}}')],
    ),
    "entities by grammar": (
        _begun({"text": "Anna Kurz of Nordwind GmbH left Bern.", "target": "entity"}, model=_MODEL),
        [],
    ),
    "email": (_begun({"text": "Write to (Bob <bob@mail.example>).", "target": "email"}), []),
    "url": (_begun({"text": "See https://example.org/a_(b), or example.com/x.", "target": "url"}), []),
    "date": (_begun({"text": "From 3.5.2024 to 2024-06-01.", "target": "date"}), []),
    "date with a number left": (
        _begun(
            {"text": "From 7 toukokuuta 2024 to 2024-06-01.", "target": "date"}, model={"name": "m", "supports": []}
        ),
        [_said('{"date":["7 toukokuuta 2024"]}')],
    ),
    "nothing": (_begun({"text": "It rained.", "target": "email"}), []),
    "empty input": (_begun({"text": "", "target": "email"}), []),
    "invalid target": (_begun({"text": "a", "target": "phone"}), []),
    "unknown skill": ({"skill": "summarise", "params": {}}, []),
    "unknown argument": (_begun({**_NAMES, "lang": "en"}), []),
}
"""By name: what begins it, and the observations after that."""


# --- within runs ------------------------------------------------------------------------------------------------

_READ_SKILL: Final = {
    "name": "read_skill",
    "parameters": {"type": "object", "properties": {"name": {"type": "string"}}},
}
_WRITTEN: Final = [{"name": "pdf", "description": "Fill in PDF forms."}, "extract"]
_SHELL: Final = {"name": "shell", "parameters": {"type": "object"}, "approval": "ask"}

AGENTS: Final[dict[str, dict[str, Any]]] = {
    "skilled": {"skills": ["extract"], "tools": [_READ_SKILL]},
    "skilled bare": {"skills": ["extract"], "dialect": "bare"},
    "skilled auto": {"skills": [{"name": "extract"}], "dialect": "auto"},
    "skilled native": {"skills": ["extract"], "dialect": "native"},
    "skilled window": {"skills": ["extract"], "models": [{"name": "small", "window_tokens": 2000}]},
    "skilled short": {"skills": ["extract"], "limits": {"max_turns": 2}},
    "skilled final": {"skills": ["extract"], "limits": {"max_turns": 3, "final_answer": True}},
    "skilled asks": {"skills": ["extract"], "tools": [_SHELL]},
    "written": {"skills": _WRITTEN, "tools": [_READ_SKILL]},
}


def _user(content: str) -> dict[str, Any]:
    return {"type": "user_message", "content": content}


def _call(**arguments: Any) -> str:
    return json.dumps({"kind": "tool_call", "tool_name": "extract", "arguments": arguments})


def _form(skill: str, **arguments: Any) -> dict[str, Any]:
    return _said(json.dumps({"skill": skill, **arguments}))


_CALL: Final = _call(**_NAMES)
_EMAIL: Final = {"text": "To bob@mail.example.", "target": "email"}
_OTHER: Final = '{"kind":"tool_call","tool_name":"read_skill","arguments":{}}'
_RESULT: Final = {"type": "tool_results", "results": [{"call_id": "call_2", "ok": True, "output": "text"}]}
_FINAL: Final = _said('{"kind":"final","content":"Anna wrote to Tom."}')
_NATIVE: Final = {"function": {"name": "extract", "arguments": json.dumps(_EMAIL)}}

STEPS: Final[dict[str, Scenario]] = {
    "skill": ("skilled", [_user("Who?"), _said(_CALL), _RIGHT, _FINAL]),
    "skill-corrected": ("skilled", [_user("Who?"), _said(_CALL), _said("Anna and Tom"), _ERROR, _RIGHT, _FINAL]),
    "skill-malformed": ("skilled", [_user("Who?"), _said(_CALL), _said("Anna and Tom"), _said('{"name":["Tom"')]),
    "skill-misshapen": ("skilled", [_user("Who?"), _said(_CALL), _said('{"names":[]}'), _said('{"name":"Tom"}')]),
    "skill-hallucinated": (
        "skilled",
        [_user("Who?"), _said(_CALL), _said('{"name":["Zed"]}'), _said('{"name":["Al"]}')],
    ),
    "skill-empty": ("skilled", [_user("Who?"), _said(_call(text="", target="name")), _FINAL]),
    "skill-no-target": ("skilled", [_user("Who?"), _said(_call(text="a", target="phone")), _FINAL]),
    "skill-more": ("skilled", [_user("Who?"), _said(_call(**_NAMES, lang="en"))]),
    "skill-and-tools": (
        "skilled",
        [_user("Who?"), _said(f"[{_CALL},{_OTHER},{_call(**_EMAIL)}]"), _RESULT, _RESULT, _RIGHT, _FINAL],
    ),
    "skill-and-person": (
        "skilled asks",
        [
            _user("Who?"),
            _said(f'[{_call(**_EMAIL)},{{"kind":"tool_call","tool_name":"shell","arguments":{{}}}}]'),
            {"type": "approvals", "approvals": [{"call_id": "call_2", "key": "$call_2", "approved": False}]},
            _FINAL,
        ],
    ),
    "skill-down": ("skilled", [_user("Who?"), _said(_CALL), _ERROR, _ERROR, _ERROR, _FINAL]),
    "skill-cancelled": ("skilled", [_user("Who?"), _said(_CALL), {"type": "cancel"}, _user("And?")]),
    "skill-turns": ("skilled short", [_user("Who?"), _said(_CALL), _said("?")]),
    "skill-final": ("skilled final", [_user("Who?"), _said(_CALL), _said("?"), _FINAL]),
    "skill-window": (
        "skilled window",
        [_user("Who?"), _said(_CALL), _RIGHT, _said(_call(text="Al. " * 3000, target="name"))],
    ),
    "skill-bare": ("skilled bare", [_user("Who?"), _form("extract", **_NAMES), _RIGHT, _said("Anna and Tom.")]),
    "skill-bare-cut": ("skilled bare", [_user("Who?"), _said('{"skill":"extract","text":"a')]),
    "skill-auto": ("skilled auto", [_user("Who?"), _form("extract", params=_EMAIL), _said("Bob.")]),
    "skill-unknown": ("skilled auto", [_user("Who?"), _form("summarise", text="a"), _form("extrakt", text="a")]),
    "skill-native": ("skilled native", [_user("Who?"), {**_said(""), "tool_calls": [_NATIVE]}, _said("Bob.")]),
    "skill-written": ("written", [_user("Fill in the form."), _said(_OTHER)]),
}
"""By name: the definition, and the observations."""

WHOLE: Final[dict[str, WholeScenario]] = {
    "whole-skill": (
        "Who?",
        "none",
        [
            {"model_output": '{"skill":"extract","text":"To bob@mail.example.","target":"email"}'},
            {
                "observation": {
                    "type": "tool_results",
                    "results": [{"call_id": "call_1", "ok": True, "output": {"email": ["bob@mail.example"]}}],
                }
            },
            {"model_output": "Bob."},
        ],
    ),
    "whole-skill-unreported": (
        "Who?",
        "none",
        [{"model_output": '{"skill":"anything","a":1}'}, {"model_output": '{"skill":""}'}],
    ),
    "whole-skill-executed": (
        "Who?",
        "skilled",
        [{"model_output": _CALL}, {"observation": _RIGHT}, {"observation": _FINAL}],
    ),
}
"""By name: the question, the definition, and the inputs."""


def vectors() -> Iterator[Vector]:
    """Execute each skill alone, and ask for its last decision again."""
    for name, (given, observations) in SKILLS.items():
        vector = called(f"{name}/begin", "run_skill", compact(given))
        yield vector
        for number, observation in enumerate(observations, 1):
            state = json.loads(vector.output)["state"]
            vector = called(f"{name}/{number}", "run_skill", compact({"state": state, "observation": observation}))
            yield vector
        if "state" in (output := json.loads(vector.output)):
            yield called(f"{name}/again", "run_skill", compact({"state": output["state"]}))
