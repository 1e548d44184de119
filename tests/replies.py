"""What a scripted model says, in the form in which its request asks for it.

Scripts are written in the envelope. A request with `response_format` gets it as it stands; any other is asked natively,
and gets calls apart from the text, and plain words for an answer.
"""

import json
from typing import Any


def as_asked(said: str, request: dict[str, Any]) -> dict[str, Any]:
    """Return the members of the assistant's message for a request."""
    if "response_format" in request:
        return {"content": said}
    try:
        value = json.loads(said)
    except ValueError:
        return {"content": said}
    parts = value if isinstance(value, list) else [value]
    if any("kind" not in part for part in parts):
        return {"content": said}
    calls = [_call(at, part) for at, part in enumerate(parts) if part["kind"] == "tool_call"]
    return {"content": None, "tool_calls": calls} if calls else {"content": parts[0]["content"]}


def _call(at: int, part: dict[str, Any]) -> dict[str, Any]:
    function = {"name": part["tool_name"], "arguments": json.dumps(part["arguments"], ensure_ascii=False)}
    return {"index": at, "id": f"call-{at}", "type": "function", "function": function}
