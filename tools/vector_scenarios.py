"""The scenarios of the conformance vectors, as data."""

from typing import Any

ADD: dict[str, Any] = {
    "name": "add_numbers",
    "description": "Add two numbers.",
    "parameters": {
        "type": "object",
        "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
        "required": ["a", "b"],
        "additionalProperties": False,
    },
    "examples": [{"query": "What is 2 plus 3?", "arguments": {"a": 2, "b": 3}, "result": 5, "answer": "2 + 3 = 5"}],
}
FIND: dict[str, Any] = {
    "name": "find",
    "description": "Find records.",
    "parameters": {
        "type": "object",
        "properties": {
            "query": {"type": "string", "minLength": 1, "pattern": "^\\S"},
            "limit": {"type": "integer", "minimum": 1, "maximum": 10},
            "kind": {"enum": ["person", "place", None]},
            "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
            "where": {"$ref": "#/$defs/place"},
        },
        "required": ["query"],
        "$defs": {"place": {"type": "object", "properties": {"city": {"type": "string"}}}},
    },
    "output_schema": {"type": "array"},
    "max_output_chars": 80,
    "postconditions": [{"excludes": "secret", "message": "a secret came out"}],
}
SHELL: dict[str, Any] = {
    "name": "shell",
    "description": "Run a command.",
    "parameters": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
    "annotations": {"destructiveHint": True},
}
SEEK: dict[str, Any] = {
    "name": "seek",
    "parameters": {"type": "object", "properties": {"text": {"type": "string", "pattern": "(?:a?){1500}b"}}},
}
ERASE: dict[str, Any] = {"name": "erase", "parameters": {"type": "object"}, "approval": "deny"}
TOOLS = [SHELL, FIND, ERASE, ADD]


def _taking(name: str, description: str, reads: bool, **properties: Any) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    tool = {"name": name, "description": description, "parameters": parameters}
    return {**tool, "annotations": {"readOnlyHint": True}} if reads else tool


CARRIED_TOOLS = [
    _taking("calculator", "Compute the value of an arithmetic expression.", True, expression={"type": "string"}),
    _taking("note_add", "Save a note.", False, note={"type": "string"}),
    _taking("get_weather", "Get the weather", True, city={"type": "string"}),
    _taking("fetch_page", "Fetch a web page.", True, url={"type": "string", "x-source": "url"}),
]

SCORED_TOOLS = [
    _taking("order_status", "Look up an order", True, number={"type": "integer"}),
    _taking("order_refund", "Pay an order back", False, number={"type": "integer"}),
    _taking("mail_log", "List what was sent to an address", True, to={"type": "string", "format": "email"}),
]


ORDERED_TOOLS = [
    {
        "name": "refund_order",
        "description": "Refund an order",
        "parameters": {
            "type": "object",
            "properties": {"order_id": {"type": "string"}, "amount": {"type": "number"}},
            "required": ["order_id", "amount"],
        },
    },
    {
        "name": "send_email",
        "description": "Send an email",
        "parameters": {
            "type": "object",
            "properties": {"to": {"type": "string"}, "subject": {"type": "string"}, "body": {"type": "string"}},
            "required": ["to", "subject", "body"],
        },
    },
]
CHECKED_TOOLS = [
    {"name": "list_files", "postconditions": [{"not_metadata": True}, {"lines": {"min": 2, "max": 3}}]},
    {"name": "list_items", "postconditions": [{"items": {"min": 1, "max": 2}}]},
    {
        "name": "pay",
        "parameters": {"type": "object", "properties": {"limit": {"type": "number"}}},
        "postconditions": [{"compare": {"left": "/output/paid", "is": "at_most", "right": "/arguments/limit"}}],
    },
    {
        "name": "find_people",
        "postconditions": [{"occurs": {"values": "/output/people", "in": ["question", "results"]}}],
    },
    {
        "name": "probe",
        "postconditions": [
            {"any": [{"contains": "up"}, {"all": [{"contains": "down"}, {"not": {"pattern": "[0-9]{3} s"}}]}]}
        ],
    },
]
BILLING_TOOLS = [
    {**_taking("delete_invoice", "Delete an invoice.", False, number={"type": "integer"}),
     "annotations": {"readOnlyHint": False, "idempotentHint": True}},
    {**_taking("send_invoice", "Send an invoice.", False, number={"type": "integer"}),
     "annotations": {"readOnlyHint": False, "idempotentHint": True}},
    _taking("get_invoice", "Get an invoice.", True, number={"type": "integer"}),
]  # fmt: skip
AGENTS: dict[str, dict[str, Any] | None] = {
    "none": None,
    "envelope": {"name": "clerk", "instructions": "You are a clerk. \u00c4\u00d6\u00dc \U0001f600", "tools": TOOLS},
    "adder": {"tools": [ADD]},
    "gentle": {
        "tools": [ADD, FIND, SHELL],
        "coerce": True,
        "answer_schema": {"type": "object", "properties": {"sum": {"type": "number"}}, "required": ["sum"]},
    },
    "tags": {"dialect": "tool_tags", "tools": [ADD]},
    "costly": {"tools": [SEEK]},
    "bare": {"dialect": "bare", "tools": [ADD]},
    "native": {"dialect": "native", "tools": [ADD, FIND], "sampling": {"temperature": 0.5, "max_tokens": 64}},
    "pairs": {"dialect": "native", "tools": [ADD, SHELL], "limits": {"max_parallel": 2}},
    "auto": {"dialect": "auto", "tools": [ADD]},
    "reader": {"tools": [{**ADD, "annotations": {"readOnlyHint": True}}]},
    "actor": {
        "tools": [{"name": "remove", "annotations": {"readOnlyHint": False}, "postconditions": [{"excludes": "lost"}]}],
    },
    "actor-native": {"dialect": "native", "tools": [{"name": "remove", "annotations": {"readOnlyHint": False}}]},
    "actor-carried": {
        "tools": [{**CARRIED_TOOLS[1], "annotations": {"readOnlyHint": False}}],
        "models": [{"name": "m", "carry": "route"}],
    },
    "checked": {"tools": CHECKED_TOOLS, "guardrails": [], "limits": {"max_corrections": 2}},
    "cited": {
        "tools": [{"name": "find", "max_output_chars": 40}],
        "answer_schema": {"type": "object", "properties": {"people": {"type": "array"}}, "required": ["people"]},
        "answer_postconditions": [
            {"occurs": {"values": "/output/people", "in": ["question", "results"]}},
            {"compare": {"left": "/output/people", "is": "not_equal", "right": {"value": []}}, "message": "name one"},
        ],
    },
    "biller": {"tools": BILLING_TOOLS},
    "biller-cited": {"tools": BILLING_TOOLS, "guardrails": ["claims", "values"]},
    "wiper": {
        "tools": [{"name": "wipe", "annotations": {"destructiveHint": True}, "approval": "auto"}],
        "approval": {"unknown_outcome": "fail"},
    },
    "opened": {"dialect": "hermes_json", "tools": [ADD], "models": [{"name": "m", "reasoning": "opened"}]},
    "strict": {
        "tools": [ADD],
        "guardrails": ["plausibility", "planning", {"name": "obligation", "tools": ["add_numbers"]}],
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
    "routed": {"tools": CARRIED_TOOLS, "models": [{"name": "m", "carry": "route", "supports": ["json_schema"]}]},
    "scored": {
        "tools": SCORED_TOOLS,
        "models": [{"name": "m", "carry": "route", "supports": ["json_schema", "scores"]}],
        "sampling": {"temperature": 0},
    },
    "ordered": {"tools": ORDERED_TOOLS, "models": [{"name": "m", "carry": "route", "supports": ["json_schema"]}]},
    "grounded": {"tools": CARRIED_TOOLS, "models": [{"name": "m", "carry": "ground", "supports": ["json_schema"]}]},
    "negotiated": {
        "tools": [ADD, *CARRIED_TOOLS],
        "negotiation": True,
        "models": [{"name": "small", "supports": ["json_schema"]}, {"name": "large"}],
    },
    "negotiated-window": {
        "dialect": "native",
        "tools": CARRIED_TOOLS,
        "negotiation": [
            {"cause": "unread", "move": "dialect"},
            {"cause": "unknown_tool", "move": "narrow"},
            {"cause": "rejected_result", "move": "carry"},
            {"cause": "repeated_call", "move": "carry", "to": "route"},
            {"cause": "no_answer", "move": "dialect", "to": "hermes_json", "count": 2},
        ],
        "models": [{"name": "small", "window_tokens": 4000}],
    },
    "chosen": {"tools": [ADD, FIND], "tool_choice": "required"},
    "chosen-native": {"dialect": "native", "tools": [ADD, FIND], "tool_choice": {"tool": "find"}},
    "narrow": {"tools": [{"name": "read"}], "models": [{"name": "m", "window_tokens": 2400}]},
    "long": {"tools": [{"name": "read", "max_output_chars": 40}], "read_output": True},
    "long-native": {"dialect": "native", "tools": [{"name": "read", "max_output_chars": 40}], "read_output": True},
    "summing": {
        "tools": [{"name": "read"}],
        "models": [{"name": "m", "window_tokens": 1600}],
        "summary": {"max_tokens": 90},
        "sampling": {"temperature": 0},
    },
    "priced": {
        "tools": [{"name": "read"}],
        "models": [{"name": "m", "price": {"input": 2_000_000, "cached_input": 500_000, "output": 8_000_000}}],
        "limits": {"max_turns": 4, "max_cost": 9000, "warn_at_percent": 50, "final_answer": True},
    },
}


def user(content: str, at: int | None = None, **members: Any) -> dict[str, Any]:
    """Give a user message."""
    return {"type": "user_message", "content": content, **members} | ({} if at is None else {"at": at})


def said(content: str | None, at: int | None = None, **members: Any) -> dict[str, Any]:
    """Give a model output."""
    return {"type": "model_output", "content": content, **members} | ({} if at is None else {"at": at})


def call(tool: str, arguments: str) -> str:
    """Give an envelope whose arguments are this JSON."""
    return f'{{"kind":"tool_call","tool_name":"{tool}","arguments":{arguments}}}'


def final(content: str) -> str:
    """Give an envelope that answers with this JSON."""
    return f'{{"kind":"final","content":{content}}}'


def results(*entries: tuple[str, Any]) -> dict[str, Any]:
    """Give successful results by call id."""
    return {
        "type": "tool_results",
        "results": [{"call_id": call_id, "ok": True, "output": output} for call_id, output in entries],
    }


def failure(call_id: str, error: str, kind: str) -> dict[str, Any]:
    """Give a failed result."""
    entry = {"call_id": call_id, "ok": False, "error": error, "error_kind": kind}
    return {"type": "tool_results", "results": [entry]}


def model_error(code: str, retry_after_ms: int, **members: Any) -> dict[str, Any]:
    """Give a retryable model error with the wait that the server asks for."""
    asked = {"retryable": True, "retry_after_ms": retry_after_ms}
    return {"type": "model_error", "code": code, "message": "busy", **asked, **members}


def native(*calls: tuple[str, str]) -> dict[str, Any]:
    """Give a model output with native calls."""
    entries = [
        {"id": f"x{number}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for number, (name, arguments) in enumerate(calls)
    ]
    return {"type": "model_output", "content": None, "tool_calls": entries, "finish_reason": "tool_calls"}


ADD_CALL = call("add_numbers", '{"a":17,"b":25}')
ADD_TEXTS = call("add_numbers", '{"a":"17","b":"2.5e1"}')
FIND_NUMBER = call("find", '{"query":7,"limit":10}')
SILENT = (None, "", "ok", "\U0001f44d", "\u597d\u7684")
WIPE = call("wipe", '{"disk":"A"}')
FORTY_TWO = results(("call_1", 42))


def _reads(*outputs: str, **members: Any) -> list[dict[str, Any]]:
    """Give calls that read, each with its output; the arguments differ, so that none repeats another."""
    turns = []
    for number, output in enumerate(outputs, 1):
        turns += [said(call("read", f'{{"at":{number}}}'), **members), results((f"call_{number}", output))]
    return turns


DELTA: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "claim-without-call": (
        "biller",
        [
            user("Please delete invoice 12"),
            said(final('"Invoice 12 is gone."')),
            said(final('"I have deleted invoice 12."')),
            user("L\u00f6sche Rechnung 12"),
            said(final('"Erledigt."')),
            said(call("delete_invoice", '{"number":12}')),
            results(("call_1", "ok")),
            said(final('"Die Rechnung 12 ist gel\u00f6scht."')),
            user("Did you delete it?"),
            said(final('"Yes, I have deleted invoice 12."')),
        ],
    ),
    "claim-in-part": (
        "biller",
        [
            user("Delete invoice 12 and send invoice 13"),
            said(call("delete_invoice", '{"number":12}')),
            results(("call_1", None)),
            said(final('"I deleted invoice 12 and sent invoice 13."')),
            said(call("send_invoice", '{"number":13}')),
            failure("call_2", "no address", "execution"),
            said(final('"I deleted invoice 12. Invoice 13 could not be sent."')),
        ],
    ),
    "claim-of-another-item": (
        "biller",
        [
            user("Supprime la facture 13, s'il te pla\u00eet"),
            said(call("delete_invoice", '{"number":12}')),
            results(("call_1", "\U0001f44d")),
            said(final('"La facture 13 a \u00e9t\u00e9 supprim\u00e9e."')),
            said(final('"\u00a1Listo! La factura 13 est\u00e1 borrada."')),
            user("\u00bfY la 14? Borra la factura 14"),
            said(final('"No he podido borrar la factura 14."')),
        ],
    ),
    "value-of-no-result": (
        "biller-cited",
        [
            user("What is the total of invoice 12?"),
            said(call("get_invoice", '{"number":12}')),
            results(("call_1", {"total": 940.5, "due": "2026-01-15"})),
            said(final('"It is 904.50, due on January 15."')),
            said(final('"It is 940.50, due on January 15."')),
        ],
    ),
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
    "echoed": ("adder", [user("Please add them up!"), said(final('"please ADD them up"')), said(final('"Which?"'))]),
    "tool-choice": (
        "chosen",
        [
            user("q"),
            said(final('"42"')),
            said(ADD_CALL),
            failure("call_1", "no such number", "execution"),
            said(ADD_CALL),
            results(("call_2", 42)),
            said(final('"42"')),
            user("And what is it called?", tool_choice={"tool": "find"}),
            said(ADD_CALL),
            said(call("find", '{"query":"forty"}')),
            results(("call_4", [])),
            said(final('"It has no name."')),
            user("Thanks", tool_choice="none"),
            said(ADD_CALL),
            said(final('"You are welcome."')),
            user("Bye", tool_choice="auto"),
            said(final('"Bye."')),
            user("?", tool_choice={"tool": "fnd"}),
        ],
    ),
    "native-extra": (
        "native",
        [
            user("What is 1 plus 2?"),
            {
                **native(("add_numbers", '{"a":1,"b":2}')),
                "extra": {"reasoning_content": "S\u00f8, 1 and 2", "n": [1.5, 12345678901234567890, None]},
            },
            results(("call_1", 3)),
            said("3", extra="any JSON"),
        ],
    ),
    "tool-choice-native": (
        "chosen-native",
        [
            user("q"),
            native(("add_numbers", '{"a":1,"b":2}')),
            native(("find", '{"query":"x"}')),
            failure("call_2", "down", "io"),
            native(("add_numbers", '{"a":1,"b":2}')),
            results(("call_3", 3)),
            said("Three."),
            user("Say it again", tool_choice="none"),
            native(("add_numbers", '{"a":1,"b":2}')),
            said("Three."),
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
    "tool-choice-grounded": (
        "grounded",
        [user("Fetch https://a.example/", tool_choice={"tool": "fetch_page"}), said(call("calculator", "{}"))],
    ),
    "window": (
        "narrow",
        [
            user("What do they say?"),
            *_reads("The first \u6f22 " + "word " * 700, "0123456789" * 30, "end " * 420, "\u00fc" * 250, "z"),
            said(final('"Much."')),
            user("go on " * 700),
        ],
    ),
    "window-counted": (
        "narrow",
        [
            user("Read"),
            *_reads("a " * 300, "b " * 300, usage={"prompt_tokens": 500, "completion_tokens": 4}),
            {"type": "model_error", "code": "overflow"},
            said(final('"Read."'), usage={"prompt_tokens": 3000}),
        ],
    ),
    "read-on": (
        "long",
        [
            user("Read"),
            said(call("read", "{}")),
            results(("call_1", "\u00fc\U0001f600" * 60)),
            said(call("read_output", '{"call_id":"call_1","from":40}')),
            results(("call_2", "\u00fc\U0001f600" * 20)),
            said(call("read_output", '{"call_id":"call_1","from":120}')),
            said(call("read_output", '{"call_id":"call_2","from":0}')),
            said(final('"Read."')),
            user("And now?"),
        ],
    ),
    "read-on-native": (
        "long-native",
        [
            user("Read"),
            native(("read", "{}"), ("read", '{"at":2}')),
            results(("call_1", {"text": "\u00fc" * 50}), ("call_2", "short")),
            native(("read_output", '{"call_id":"call_1","from":40}'), ("read", '{"at":3}')),
            results(("call_3", "\u00fc" * 21), ("call_4", "end")),
        ],
    ),
    "summary": (
        "summing",
        [
            user("What do they say?"),
            *_reads("The first \u6f22 " + "word " * 200, "0123456789" * 30, "end " * 190),
            said("They say \u6f22, digits and the end.", usage={"prompt_tokens": 900, "completion_tokens": 12}),
            said(call("read", '{"at":4}')),
            results(("call_4", "more " * 200)),
            {"type": "model_error", "code": "unavailable", "retryable": True},
            said(final('"Much."')),
        ],
    ),
    "budgets": (
        "priced",
        [
            user("Read"),
            *_reads("one", "two", "three", usage={"prompt_tokens": 999, "cached_tokens": 500, "completion_tokens": 7}),
            said(final('"So far: one, two, three."')),
        ],
    ),
    "argument-over-budget": (
        "costly",
        [user("Find it", 5), said(call("seek", '{"text":"' + "a" * 1200 + '"}'), 6), said(final('"I cannot."'), 9)],
    ),
    "answered": ("envelope", [user("Add 17 and 25", 5), said(ADD_CALL, 6), FORTY_TWO, said(final('"It is 42."'), 9)]),
    "second-exchange": (
        "adder",
        [user("Add 17 and 25"), said(ADD_CALL), FORTY_TWO, said(final('"42"')), user("Thanks"), said(final('"Bye"'))],
    ),
    "fenced": ("adder", [user("q"), said(f"Sure:\n```json\n{ADD_CALL}\n```\nDone."), FORTY_TWO]),
    "number-forms": ("adder", [user("q"), said(call("add_numbers", '{"b":2.50e1,"a":17.0}'))]),
    "float-arguments": ("adder", [user("q"), said(call("add_numbers", '{"a":0.1,"b":1e-7}'))]),
    "large-numbers": ("adder", [user("q"), said(call("add_numbers", '{"a":12345678901234567890,"b":1e21}'))]),
    "parse-error": ("adder", [user("q"), said("I do not know."), said("Really not.")]),
    "broken-json": ("adder", [user("q"), said('{"kind":"final","content":"a" "b"}'), said(final('"ok then"'))]),
    "truncated": ("adder", [user("q"), said('{"kind":"final","content":"It i', finish_reason="length")]),
    "opened-reasoning": ("opened", [user("q"), said("I add, then"), said("I add.</think>It is 3.")]),
    "cut-call": (
        "auto",
        [user("q"), said('<tool_call>{"name":"add_numbers","arguments":{"a":1,"b":2}}', finish_reason="length")],
    ),
    "noted-call": ("auto", [user("q"), said('{"name":"add_numbers","arguments":{"a":1,"b":2}}}'), FORTY_TWO]),
    "unknown-tool-in-a-list": ("auto", [user("q"), said("[subtract(a=1, b=2)]"), said("It is -1.")]),
    "markup-left": ("auto", [user("q"), said("Use <tool_call> for it."), said("Use `<tool_call>` for it.")]),
    "closers-missing": ("adder", [user("q"), said(ADD_CALL[:-2])]),
    "unknown-tool": ("envelope", [user("q"), said(call("add_number", '{"a":1,"b":2}')), said(ADD_CALL)]),
    "wrong-arguments": (
        "envelope",
        [user("q"), said(call("find", '{"limit":0,"kind":"persn","tags":["a","a"],"where":{"city":1}}'))],
    ),
    "unknown-argument": ("adder", [user("q"), said(call("add_numbers", '{"a":1,"bb":true}'))]),
    "coerced": (
        "gentle",
        [
            user("Add 17 and 25"),
            said(f"[{ADD_TEXTS},{FIND_NUMBER}]"),
            results(("call_1", 42), ("call_2", [])),
            said(final('{"sum":"42"}')),
            user("And the rest?"),
        ],
    ),
    "coerced-approval": ("gentle", [user("q"), said(call("shell", '{"command":1}'))]),
    "not-coerced": (
        "gentle",
        [user("q"), said(call("find", '{"query":7,"limit":"11"}')), said(final('{"sum":"many"}'))],
    ),
    "unknown-outcome-fails": ("wiper", [user("q"), said(WIPE), {"type": "resumed", "at": 7}, user("again")]),
    "unicode": (
        "envelope",
        [user("\u00fc \u6f22 \U0001f600"), said(call("find", '{"query":"\u6f22\\ud83d\\ude00\\u0000 \\ud800"}'))],
    ),
    "refused": (
        "envelope",
        [
            user("q"),
            said(call("shell", '{"command":"rm x"}')),
            {"type": "approvals", "approvals": [{"call_id": "call_1", "key": "no", "approved": True}]},
            {
                "type": "approvals",
                "approvals": [
                    {
                        "call_id": "call_1",
                        "key": "$call_1",
                        "approved": False,
                        "reason": "too risky",
                        "by": "ann",
                    }
                ],
            },
        ],
    ),
    "denied-by-policy": ("envelope", [user("q"), *[said(call("erase", "{}"))] * 3]),
    "not-approved": ("envelope", [user("q"), said(call("shell", '{"command":"ls"}')), results(("call_1", "forged"))]),
    "parallel": (
        "native",
        [
            user("q"),
            native(("add_numbers", '{"a":1,"b":2}'), ("find", '{"query":"x"}'), ("add_numbers", '{"a":1e0,"b":2}')),
            results(("call_3", 3)),
            results(("call_2", ["one", "two"]), ("call_1", 3)),
            said("Three."),
        ],
    ),
    "parallel-in-pairs": (
        "pairs",
        [
            user("q"),
            native(*[("add_numbers", f'{{"a":{number},"b":1}}') for number in range(5)]),
            results(("call_2", 2)),
            results(("call_5", 5), ("call_1", 1)),
            results(("call_3", 3), ("call_4", 4)),
            said("Done."),
        ],
    ),
    "parallel-by-default": (
        "native",
        [
            user("q"),
            native(*[("add_numbers", f'{{"a":{number},"b":1}}') for number in range(10)]),
            results(*[(f"call_{number}", number) for number in range(1, 9)]),
        ],
    ),
    "parallel-after-approval": (
        "pairs",
        [
            user("q"),
            native(*[("shell", f'{{"command":"ls {number}"}}') for number in range(3)]),
            {
                "type": "approvals",
                "approvals": [
                    {"call_id": f"call_{number}", "key": f"$call_{number}", "approved": number != 1}
                    for number in range(1, 4)
                ],
            },
        ],
    ),
    "native-damage": (
        "native",
        [user("q"), native(("add_numbers", '{"a":1,'), ("find", '{"query":"x"}')), said("No.")],
    ),
    "native-filter": ("native", [user("q"), said(None, finish_reason="content_filter")]),
    "guardrail": (
        "reader",
        [
            user("q"),
            said(call("add_numbers", '{"a":1,"b":2}')),
            results(("call_1", "total 0")),
            said(call("add_numbers", '{"a":1,"b":3}')),
            results(("call_2", " \n")),
        ],
    ),
    "silent-act": (
        "actor",
        [
            user("q"),
            said("[" + ",".join([call("remove", f'{{"at":{number}}}') for number in range(5)]) + "]"),
            results(*[(f"call_{number}", output) for number, output in enumerate(SILENT, 1)]),
            said(call("remove", "{}")),
            results(("call_6", "it was lost")),
        ],
    ),
    "silent-act-native": (
        "actor-native",
        [
            user("q"),
            native(*[("remove", f'{{"at":{number}}}') for number in range(5)]),
            results(*[(f"call_{number}", output) for number, output in enumerate(SILENT, 1)]),
            said("Removed."),
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
    "same-effect": (
        "wiper",
        [
            user("q"),
            said(f"[{WIPE},{WIPE}]"),
            {"type": "approvals", "approvals": [{"call_id": "call_2", "key": "$call_2", "approved": False}]},
            results(("call_1", None)),
            said(final('"Wiped."')),
            user("Once more"),
            said(WIPE),
            failure("call_3", "stopped", "interrupted"),
            said(WIPE),
            {"type": "approvals", "approvals": [{"call_id": "call_4", "key": "$call_4", "approved": True}]},
            results(("call_4", None)),
            said(call("wipe", '{"disk":"B"}')),
        ],
    ),
    "postcondition": (
        "envelope",
        [user("q"), said(call("find", '{"query":"x"}')), results(("call_1", ["a secret", "b"]))],
    ),
    "counts": (
        "checked",
        [
            user("q"),
            said(call("list_files", "{}")),
            results(("call_1", "total 8\na.txt\n\nb.txt")),
            said(call("list_items", "{}")),
            results(("call_2", {"a": 1})),
            said(call("list_files", "{}")),
            results(("call_3", "total 7079928")),
            said(call("list_files", "{}")),
            results(("call_4", "a\r\nb\r\nc\r\nd")),
            said(call("list_items", "{}")),
            results(("call_5", [])),
        ],
    ),
    "compared-values": (
        "checked",
        [
            user("q"),
            said(call("pay", '{"limit":0.3}')),
            results(("call_1", {"paid": 0.3})),
            said(call("pay", '{"limit":9007199254740992}')),
            results(("call_2", {"paid": 9007199254740993})),
            said(call("pay", '{"limit":1}')),
            results(("call_3", {"cost": 1})),
            said(call("pay", '{"limit":2}')),
            results(("call_4", {"paid": "1"})),
        ],
    ),
    "occurring-values": (
        "checked",
        [
            user("Write to \u00c4NNE Lee and to 17 others"),
            said(call("find_people", "{}")),
            results(("call_1", {"people": ["\u00e4nne lee", [17]]})),
            said(call("find_people", "{}")),
            results(("call_2", {"people": ["Ann", 7]})),
            said(call("list_items", "{}")),
            results(("call_3", {"note": "also\nAnn, no. 7"})),
            said(call("find_people", "{}")),
            results(("call_4", {"people": ["Ann", 7]})),
            said(call("find_people", "{}")),
            results(("call_5", {"people": [None]})),
        ],
    ),
    "values-beyond-the-bound": (
        "checked",
        [user("word " * 1700), said(call("find_people", "{}")), results(("call_1", {"people": ["Eve"]}))],
    ),
    "combined-postconditions": (
        "checked",
        [
            user("q"),
            said(call("probe", "{}")),
            results(("call_1", "it is down for 10 s")),
            said(call("probe", "{}")),
            results(("call_2", "it is down for 100 s")),
            said(call("probe", "{}")),
            results(("call_3", "it is up")),
        ],
    ),
    "answer-postconditions": (
        "cited",
        [
            user("Who works with Bob?"),
            said(call("find", "{}")),
            results(("call_1", [{"name": "Ann"}])),
            said(final('{"people":["Ann","Eve"]}')),
            said(final('{"people":["Ann"]}')),
            user("And who works with Eve?"),
            said(final('{"people":["Ann"]}')),
            said(final('{"people":[]}')),
        ],
    ),
    "output-schema": ("envelope", [user("q"), said(call("find", '{"query":"x"}')), results(("call_1", "no list"))]),
    "cut-output": ("envelope", [user("q"), said(call("find", '{"query":"x"}')), results(("call_1", ["ab"] * 60))]),
    "tool-failure": (
        "adder",
        [user("q"), said(ADD_CALL), failure("call_1", "no such number", "execution"), said(final('"Sorry."'))],
    ),
    "repeats": (
        "adder",
        [user("q"), said(ADD_CALL), FORTY_TWO, said(ADD_CALL), results(("call_2", 42)), said(ADD_CALL), said(ADD_CALL)],
    ),
    "planning": ("adder", [user("q"), said(final('"I will now add them."')), said(final('"42"'))]),
    "obligation": (
        "strict",
        [user("q", 0), said(final('{"sum":42}'), 1), said(ADD_CALL, 2), FORTY_TWO, said(final('{"sum":42}'), 3)],
    ),
    "answer-form": (
        "strict",
        [user("q", 0), said(ADD_CALL, 1), FORTY_TWO, said(final('"42"'), 2), said(final('{"sum":"x"}'), 3)],
    ),
    "deadline": ("strict", [user("q", 0), said(ADD_CALL, 1001)]),
    "budget": ("strict", [user("q"), said("[" + ",".join([ADD_CALL] * 4) + "]")]),
    "cancelled": ("adder", [user("q"), said(ADD_CALL), {"type": "cancel", "reason": "enough"}, user("go on")]),
    "interrupted": (
        "pairs",
        [
            user("q"),
            native(("shell", '{"command":"ls"}'), ("add_numbers", '{"a":1,"b":2}'), ("add_numbers", '{"a":1,"b":3}')),
            {"type": "approvals", "approvals": [{"call_id": "call_1", "key": "$call_1", "approved": True}]},
            {"type": "resumed", "at": 7},
            {
                "type": "approvals",
                "approvals": [
                    {"call_id": "call_1", "key": "$call_1", "approved": True},
                    {"call_id": "call_2", "key": "$call_2", "approved": False, "reason": "enough"},
                ],
            },
            failure("call_1", "stopped", "interrupted"),
            {"type": "cancel", "reason": "Ctrl-C"},
        ],
    ),
    "model-errors": (
        "adder",
        [user("q"), *[{"type": "model_error", "code": "unavailable", "message": "slow", "retryable": True}] * 3],
    ),
    "timeouts": (
        "adder",
        [user("q"), *[{"type": "model_error", "code": "timeout", "message": "slow", "retryable": True}] * 2],
    ),
    "server-asks-to-wait": ("adder", [user("q"), model_error("rate_limit", 2500), said(final('"42"'))]),
    "server-asks-for-too-long": ("adder", [user("q"), model_error("rate_limit", 3_600_000), {"type": "cancel"}]),
    "wait-within-the-deadline": (
        "strict",
        [user("q", 0), model_error("unavailable", 700, at=300), said(ADD_CALL, 1000)],
    ),
    "wait-past-the-deadline": ("strict", [user("q", 0), model_error("unavailable", 701, at=300)]),
    "overflow-of-an-unknown-window": (
        "adder",
        [
            user("q"),
            said(final('"a"')),
            user("Add 17 and 25"),
            said(ADD_CALL),
            FORTY_TWO,
            *[{"type": "model_error", "code": "overflow", "message": "too long"}] * 4,
        ],
    ),
    "overflow": (
        "models",
        [
            user("q"),
            said(ADD_CALL),
            FORTY_TWO,
            *[{"type": "model_error", "code": "overflow", "message": "too long"}] * 3,
            said("prose", usage={"prompt_tokens": 5, "completion_tokens": 60}),
        ],
    ),
    "escalation": ("models", [user("q"), said("prose"), said("prose")]),
    "tags": (
        "tags",
        [
            user("q"),
            said('So: [TOOL_CALL]{"name":"add_numbers","args":{"a":1,"b":2}}[/TOOL_CALL]'),
            FORTY_TWO,
            said("3"),
        ],
    ),
    "bare-definition": (
        "bare",
        [
            user("q"),
            said('{"tool":"add_numbers","a":1,"b":2}'),
            FORTY_TWO,
            said('{"tool":"add_numbers","a":1'),
            said("3"),
        ],
    ),
    "auto": (
        "auto",
        [user("q"), said('{"name":"add_numbers","arguments":{"a":1,"b":2}}'), FORTY_TWO, said(final('"3"'))],
    ),
    "no-definition": (
        "none",
        [user("hi"), said('{"tool":"any","x":[1,2.0,null]}'), results(("call_1", "a result")), said(" ok ")],
    ),
    "turn-limit": ("none", [user("hi"), *[said("")] * 3]),
}

WHOLE: dict[str, tuple[str, str, list[dict[str, Any]]]] = {
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
