"""Runs in the compact dialect: calls, questions and answers, with arguments that are copied from the conversation."""

from typing import Any

from tools.vectors.observations import Scenario, failure, results, said, user
from tools.vectors.specs import ADD

_SEND: dict[str, Any] = {
    "name": "send_mail",
    "description": "Send a mail to one address. It is sent at once and cannot be taken back.",
    "parameters": {
        "type": "object",
        "properties": {
            "body": {"type": "string", "x-purestep": {"compose": True}},
            "copies": {"type": "array", "items": {"type": "string"}},
            "options": {"type": "object", "properties": {"urgency": {"enum": ["low", "high"]}}},
            "to": {"type": "string"},
        },
        "required": ["to", "body"],
    },
    "approval": "ask",
}
_MODEL: dict[str, Any] = {"name": "small", "supports": ["grammar", "spans"]}
_WEIGHTS: dict[str, Any] = {"sha256": "0" * 64, "adapter": {"name": "small-tools", "sha256": "1" * 64}}

AGENTS: dict[str, dict[str, Any]] = {
    "compact": {"dialect": "compact", "tools": [ADD, _SEND], "models": [{**_MODEL, **_WEIGHTS}]},
    "copies": {"dialect": "hermes_json", "tools": [_SEND], "models": [_MODEL]},
    "compact-narrow": {"dialect": "compact", "tools": [ADD], "models": [{"name": "small", "window_tokens": 1024}]},
    "compact-schema": {
        "dialect": "compact",
        "tools": [ADD],
        "models": [{"name": "small", "supports": ["json_schema"]}],
        "answer_schema": {"type": "object", "properties": {"sum": {"type": "number"}}, "required": ["sum"]},
    },
}
_ADD_CALL = '{"tool": "add_numbers", "args": {"a": 17, "b": 25}}'

STEPS: dict[str, Scenario] = {
    "compact-answered": (
        "compact",
        [
            user("What is 17 plus 25?", 5),
            said(_ADD_CALL, 6),
            results(("call_1", {"sum": 42})),
            said('{"answer": "42"}'),
        ],
    ),
    "compact-asked": (
        "compact",
        [
            user("Mail Zoe"),
            said('{"ask": "Which address has \\"Zoe\\"?"}'),
            user("zoe@example.com, \u660e\u5929 \U0001f600"),
        ],
    ),
    "copied-in-a-family": ("copies", [user("Mail Zoe at zoe@example.com"), said("Which text?"), user("At noon.")]),
    "compact-long-result": (
        "compact-narrow",
        [user("q"), said(_ADD_CALL), results(("call_1", [{"id": number, "sum": 42} for number in range(200)]))],
    ),
    "compact-failed-call": (
        "compact",
        [user("q"), said(_ADD_CALL), failure("call_1", "busy", "io"), said('{"answer": "That failed: busy."}')],
    ),
    "compact-corrected": ("compact", [user("q"), said('{"tool": "add_numbers", "args": {"a": 1}}'), said("No.")]),
    "compact-long-text": ("compact", [user('Write to \\ "Zoe" ' + "and so on " * 100 + "at noon")]),
    "compact-schema": (
        "compact-schema",
        [user("q"), said('{"ask": "Of what?"}'), user("r"), said('{"answer": {"sum": 3}}')],
    ),
}
