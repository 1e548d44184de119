"""What is hidden before a step: a run from its question to its answer, each kind by its form, and both functions."""

import json
from typing import Any

from tools.vectors.observations import Scenario, call, final, results, said, user
from tools.vectors.record import compact

_KEY = "sk-proj-0123456789abcdefGHIJ"
_MAIL = "bob.miller@mail.example.org"
_CARD = "4111 1111 1111 1111"
_IBAN = "DE89 3704 0044 0532 0130 00"


def _tool(name: str, **members: Any) -> dict[str, Any]:
    return {"name": name, "parameters": {"type": "object", "properties": {"text": {"type": "string"}}}, **members}


def _call(tool: str, text: str) -> str:
    return call(tool, json.dumps({"text": text}))


_REDACTION: dict[str, Any] = {
    "kinds": ["secrets", "emails", "card_numbers", "ibans"],
    "patterns": ["\\bEMP-[0-9]{6}\\b"],
    "outputs": {"look_up": ["/name", "/cards/*/number"]},
    "reveal": ["log_in"],
}
_TOOLS = [_tool("look_up"), _tool("log_in"), _tool("send", approval="ask")]
AGENTS: dict[str, dict[str, Any]] = {"hides": {"tools": _TOOLS, "policies": [{"use": "redaction", **_REDACTION}]}}

_CUSTOMER = {"name": "Bob Miller", "cards": [{"number": 4111111111111111, "rank": 1}, {"number": None}], "mail": _MAIL}

STEPS: dict[str, Scenario] = {
    "hidden": (
        "hides",
        [
            user(f"I am EMP-123456, {_MAIL}. Log in with {_KEY}.", data=[{"text": f"to {_IBAN}", "name": _MAIL}]),
            said(_call("look_up", _MAIL)),
            results(("call_1", _CUSTOMER)),
            user([{"type": "text", "text": f"And {_CARD}"}]),
            said(_call("look_up", "EMP-123456"), extra={"reasoning": f"They are {_MAIL}."}),
            results(("call_2", json.dumps(_CUSTOMER))),
            said(_call("send", f"{_CARD} is theirs")),
            {"type": "approvals", "approvals": [
                {"call_id": "call_3", "key": "$call_3", "approved": True, "params": {"text": _IBAN}, "reason": _MAIL}
            ]},
            {"type": "tool_results", "results": [{"call_id": "call_3", "ok": False, "error": f"no {_MAIL}"}]},
            {"type": "model_error", "code": "unavailable", "message": f"Bearer {_KEY}", "retryable": True},
            said(final(f'"I did not reach {_MAIL}."')),
            user("Again."),
            {"type": "cancel", "reason": f"{_MAIL} asked for it"},
        ],
    ),
}  # fmt: skip

FORMS: dict[str, str] = {
    "keys": f"{_KEY} AKIAIOSFODNN7EXAMPLE ghp_0123456789abcdefghijABCDEFGHIJ012345 ask-0123456789abcdefgh",
    "tokens": "t=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.s5mm-x_y; Authorization: bearer  abcdefgh01234567ijkl",
    "passwords": "DB_PASSWORD=hunter22x password: required postgresql://joe:pa55!w\u00f6rd@db/x",
    "passwords-in-json": "{\\\"secret\\\": \\\"s3cret!!\\\"}",
    "private-key": "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE/+ab==\n-----END RSA PRIVATE KEY-----\nb",
    "private-key-cut": "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz",
    "personal": f"{_MAIL}, {_CARD}; 5500-0000-0000-0004, {_IBAN} AND 4111 1111 1111 1112",
    "own": "EMP-123456 EMP-1234567 xEMP-123456\nEMP-654321",
    "neighbours": f"{_MAIL}{_KEY}",
    "hidden-before": "[hidden email 0123456789abcdef] [hidden email 0123456789ABCDEF] hunter22x",
    "emoji": f"\U0001f600{_MAIL}\U0001f600 {_KEY}\u00e9",
    "nothing": "",
}  # fmt: skip

_KNOWN = {"[hidden secret 0123456789abcdef]": "hunter22x"}


def _calls() -> dict[str, tuple[str, dict[str, Any]]]:
    """Return the function and the input of each vector of the two functions."""
    agent = AGENTS["hides"]
    forms = {
        f"form/{name}": {"agent": agent, "observation": user(text), "salt": "s", "hidden": _KNOWN}
        for name, text in FORMS.items()
    }
    redacted: dict[str, dict[str, Any]] = {
        **forms,
        "without-salt": {"agent": agent, "observation": user(_MAIL)},
        "without-redaction": {"agent": {}, "observation": user(_MAIL)},
        "bare": {"observation": user(_MAIL)},
        "long-salt": {"agent": agent, "observation": user(_MAIL), "salt": "s" * 257},
        "no-observation": {"agent": agent},
        "unknown-member": {"agent": agent, "observation": user("a"), "pepper": "p"},
    }
    asked = {"agent": agent, "params": {"text": "use [hidden secret 0123456789abcdef]", "n": [1, None]}}
    revealed: dict[str, dict[str, Any]] = {
        "revealed": {**asked, "tool": "log_in", "hidden": _KNOWN},
        "not-revealed": {**asked, "tool": "send", "hidden": _KNOWN},
        "lost": {**asked, "tool": "log_in"},
        "nothing-hidden": {"agent": agent, "tool": "log_in", "params": {"text": "a"}},
        "no-tool": {**asked},
    }
    return {
        **{name: ("redact_observation", given) for name, given in redacted.items()},
        **{name: ("reveal_params", given) for name, given in revealed.items()},
    }


_REFUSED: dict[str, dict[str, Any]] = {
    "kind": {"kinds": ["names"]},
    "pattern": {"patterns": ["(a"]},
    "back-reference": {"patterns": ["(a)\\1"]},
    "tool": {"outputs": {"gone": ["/a"]}},
    "pointer": {"outputs": {"look_up": ["a"]}},
    "no-pointer": {"outputs": {"look_up": []}},
    "reveal": {"reveal": ["gone"]},
    "member": {"hide": []},
    "many": {"patterns": ["a"] * 33},
}
_WRONG = {
    f"agent-redaction-{name}": {"tools": _TOOLS, "policies": [{"use": "redaction", **redaction}]}
    for name, redaction in _REFUSED.items()
}

CALLS = {
    **{name: (function, compact(given)) for name, (function, given) in _calls().items()},
    **{name: ("load_agent", compact(definition)) for name, definition in _WRONG.items()},
}
EXPLAINED = tuple(STEPS)
