"""The definitions of the scenarios, by name."""

from typing import Any

from .specs import (
    ADD,
    BILLING_TOOLS,
    CARRIED_TOOLS,
    CHECKED_TOOLS,
    FIND,
    SCORED_TOOLS,
    SEEK,
    SHELL,
    TOOLS,
)

AGENTS: dict[str, dict[str, Any] | None] = {
    "none": None,
    "envelope": {"name": "clerk", "instructions": "You are a clerk. \u00c4\u00d6\u00dc \U0001f600", "tools": TOOLS},
    "adder": {"tools": [ADD]},
    "gentle": {
        "tools": [ADD, FIND, SHELL],
        "policies": [{"use": "coerce"}],
        "answer_schema": {"type": "object", "properties": {"sum": {"type": "number"}}, "required": ["sum"]},
    },
    "tags": {"dialect": "tool_tags", "tools": [ADD]},
    "costly": {"tools": [SEEK]},
    "bare": {"dialect": "bare", "tools": [ADD]},
    "native": {"dialect": "native", "tools": [ADD, FIND], "sampling": {"temperature": 0.5, "max_tokens": 64}},
    "pairs": {"dialect": "native", "tools": [ADD, SHELL], "limits": {"max_parallel": 2}},
    "auto": {"dialect": "auto", "tools": [ADD]},
    "reader": {"tools": [{**ADD, "annotations": {"readOnlyHint": True}, "checks": ["plausibility"]}]},
    "careful": {"tools": [ADD], "checks": ["planning", "echo"]},
    "actor": {
        "tools": [{"name": "remove", "annotations": {"readOnlyHint": False}, "checks": [{"not": {"pattern": "lost"}}]}],
    },
    "actor-native": {"dialect": "native", "tools": [{"name": "remove", "annotations": {"readOnlyHint": False}}]},
    "checked": {"tools": CHECKED_TOOLS, "limits": {"max_corrections": 2}},
    "cited": {
        "tools": [{"name": "find", "max_output_chars": 40}],
        "answer_schema": {"type": "object", "properties": {"people": {"type": "array"}}, "required": ["people"]},
        "checks": [
            {"schema": {"properties": {"people": {"minItems": 1}}}, "message": "name one"},
            {"not": {"pattern": "Eve"}},
        ],
    },
    "waker": {
        "tools": [
            {
                "name": "set_alarm",
                "description": "Set an alarm.",
                "parameters": {"type": "object", "properties": {"time": {"type": "string"}}, "required": ["time"]},
                "annotations": {"readOnlyHint": False, "idempotentHint": True},
                "approval": "auto",
            }
        ]
    },
    "biller-cited": {"tools": BILLING_TOOLS, "checks": ["values"]},
    "biller-citing": {"tools": BILLING_TOOLS, "checks": ["values", "citations"]},
    "wiper": {
        "tools": [{"name": "wipe", "annotations": {"destructiveHint": True}, "approval": "auto"}],
        "approval": {"unknown_outcome": "fail"},
    },
    "opened": {"dialect": "hermes_json", "tools": [ADD], "models": [{"name": "m", "reasoning": "opened"}]},
    "strict": {
        "tools": [ADD],
        "checks": ["planning", {"use": "obligation", "tools": ["add_numbers"]}],
        "limits": {"max_turns": 6, "max_corrections": 2, "max_tool_calls": 3, "deadline_ms": 1000},
        "answer_schema": {"type": "object", "properties": {"sum": {"type": "number"}}, "required": ["sum"]},
    },
    "models": {
        "tools": [ADD],
        "models": [
            {"name": "small", "window_tokens": 2048, "supports": ["json_schema"]},
            {"name": "large", "window_tokens": 8192, "supports": []},
        ],
        "limits": {"max_corrections": 0, "max_output_tokens": 50},
    },
    "scored": {
        "tools": SCORED_TOOLS,
        "models": [{"name": "m", "carry": "ground", "supports": ["json_schema", "scores"]}],
        "sampling": {"temperature": 0},
    },
    "grounded": {"tools": CARRIED_TOOLS, "models": [{"name": "m", "carry": "ground", "supports": ["json_schema"]}]},
    "grounded-native": {"dialect": "native", "tools": CARRIED_TOOLS, "models": [{"name": "m", "carry": "ground"}]},
    "grounded-declared": {
        "tools": [
            {
                "name": "refund",
                "parameters": {
                    "type": "object",
                    "properties": {
                        "order": {"type": "integer", "x-source": "number"},
                        "due": {"type": "string", "x-source": "date"},
                    },
                    "required": ["order"],
                },
            }
        ],
        "models": [{"name": "m", "carry": "ground", "supports": ["json_schema"]}],
    },
    "grounded-clock": {
        "tools": [*CARRIED_TOOLS, {"name": "now", "annotations": {"readOnlyHint": True}}],
        "checks": ["citations"],
        "tool_choice": {"tool": "now"},
        "models": [{"name": "m", "carry": "ground", "supports": ["grammar"]}],
    },
    "negotiated": {
        "tools": [ADD, *CARRIED_TOOLS],
        "policies": [{"use": "negotiation"}],
        "models": [{"name": "small", "supports": ["json_schema"]}, {"name": "large"}],
    },
    "negotiated-plan": {
        "tools": [ADD, *CARRIED_TOOLS],
        "policies": [
            {
                "use": "negotiation",
                "rules": [
                    {"cause": "unknown_tool", "count": 2, "move": "plan"},
                    {"cause": "unknown_tool", "count": 3, "move": "model"},
                ],
            }
        ],
        "models": [{"name": "small", "supports": ["json_schema"]}, {"name": "large"}],
    },
    "negotiated-window": {
        "dialect": "native",
        "tools": CARRIED_TOOLS,
        "policies": [
            {
                "use": "negotiation",
                "rules": [
                    {"cause": "unread", "move": "dialect"},
                    {"cause": "unknown_tool", "move": "examples"},
                    {"cause": "rejected_result", "move": "carry"},
                    {"cause": "repeated_call", "move": "carry", "to": "ground"},
                    {"cause": "no_answer", "move": "dialect", "to": "hermes_json", "count": 2},
                ],
            }
        ],
        "models": [{"name": "small", "window_tokens": 4000}],
    },
    "chosen": {"tools": [ADD, FIND], "tool_choice": "required"},
    "chosen-native": {"dialect": "native", "tools": [ADD, FIND], "tool_choice": {"tool": "find"}},
    "narrow": {"tools": [{"name": "read"}], "models": [{"name": "m", "window_tokens": 2400}]},
    "keeping": {
        "tools": [{"name": "read"}],
        "policies": [
            {"use": "history", "keep_exchanges": 1, "slack": 1, "pin": "first", "results": [{}], "reasoning": "latest"}
        ],
    },
    "keeping-two": {
        "tools": [{"name": "read"}],
        "policies": [{"use": "history", "keep_exchanges": 2, "slack": 0}],
    },
    "keeping-native": {
        "dialect": "native",
        "tools": [{"name": "read"}],
        "policies": [
            {"use": "history", "slack": 0, "results": [{"tools": ["read"], "then": "drop"}], "reasoning": "latest"},
        ],
    },
    "long": {"tools": [{"name": "read", "max_output_chars": 40}], "policies": [{"use": "read_output"}]},
    "long-native": {
        "dialect": "native",
        "tools": [{"name": "read", "max_output_chars": 40}],
        "policies": [{"use": "read_output"}],
    },
    "summing": {
        "tools": [{"name": "read"}],
        "models": [{"name": "m", "window_tokens": 1600}],
        "policies": [{"use": "summary", "max_tokens": 90}],
        "sampling": {"temperature": 0},
    },
    "priced": {
        "tools": [{"name": "read"}],
        "models": [{"name": "m", "price": {"input": 2_000_000, "cached_input": 500_000, "output": 8_000_000}}],
        "limits": {"max_turns": 4, "max_cost": 9000, "final_answer": True},
    },
    "priced-by-length": {
        "models": [
            {
                "name": "m",
                "price": [
                    {"above": 9000, "input": 9_000_000, "output": 45_000_000, "unit": "USD"},
                    {
                        "input": 3_000_000,
                        "output": 15_000_000,
                        "cached_input": 300_000,
                        "cache_write": 3_750_000,
                        "unit": "USD",
                    },
                    {
                        "above": 2000,
                        "input": 6_000_000,
                        "output": 22_500_000,
                        "cached_input": 600_000,
                        "unit": "USD",
                    },
                ],
            }
        ],
        "limits": {"max_cost": 90_000},
    },
}
