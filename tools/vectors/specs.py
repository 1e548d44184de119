"""The tools of the scenarios."""

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
    "checks": [{"not": {"pattern": "secret"}, "message": "a secret came out"}],
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


def taking(name: str, description: str, reads: bool, **properties: Any) -> dict[str, Any]:
    """Return a tool with these required arguments; reads: whether it only reads."""
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    tool = {"name": name, "description": description, "parameters": parameters}
    return {**tool, "annotations": {"readOnlyHint": True}} if reads else tool


CARRIED_TOOLS = [
    taking("calculator", "Compute the value of an arithmetic expression.", True, expression={"type": "string"}),
    taking("note_add", "Save a note.", False, note={"type": "string"}),
    taking("get_weather", "Get the weather", True, city={"type": "string"}),
    taking("fetch_page", "Fetch a web page.", True, url={"type": "string", "x-source": "url"}),
]

SCORED_TOOLS = [
    taking("order_status", "Look up an order", True, number={"type": "integer"}),
    taking("order_refund", "Pay an order back", False, number={"type": "integer"}),
    taking("mail_log", "List what was sent to an address", True, to={"type": "string", "format": "email"}),
]
CHECKED_TOOLS = [
    {"name": "list_files", "checks": ["not_metadata", {"pattern": "\\S[^\\n]*\\n+[^\\n]*\\S"}]},
    {"name": "list_items", "checks": [{"schema": {"minItems": 1, "maxItems": 2, "maxProperties": 2}}]},
    {"name": "pay", "checks": [{"schema": {"properties": {"paid": {"type": "number"}}, "required": ["paid"]}}]},
    {
        "name": "probe",
        "checks": [{"any": [{"pattern": "up"}, {"not": {"pattern": "[0-9]{3} s"}}]}],
    },
]
BILLING_TOOLS = [
    {**taking("delete_invoice", "Delete an invoice.", False, number={"type": "integer"}),
     "annotations": {"readOnlyHint": False, "idempotentHint": True}},
    {**taking("send_invoice", "Send an invoice.", False, number={"type": "integer"}),
     "annotations": {"readOnlyHint": False, "idempotentHint": True}},
    taking("get_invoice", "Get an invoice.", True, number={"type": "integer"}),
]  # fmt: skip
