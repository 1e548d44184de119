"""A server of Google's Gemini API: its events, and its refusals of what is out of order or not signed by it."""

import json
import re
from typing import Any
from urllib.parse import urlsplit

KEY = "AIza-secret-123456"
SIGNATURE = "c2lnbmVkIQ=="
THOUGHT = "The tool knows: S\u00f8."
MODEL = "gemini-test-1"
_PATHS = [f"/{version}/models/{MODEL}:streamGenerateContent" for version in ("v1", "v1beta")]
_COUNTS = {"promptTokenCount": 15, "totalTokenCount": 40}


def event(*parts: dict[str, Any], reason: str | None = None, **counts: int) -> dict[str, Any]:
    """Return one event of a reply; the API repeats its counts in each."""
    ended = {} if reason is None else {"finishReason": reason}
    candidate = {"content": {"parts": list(parts), "role": "model"}, "index": 0, **ended}
    return {
        "candidates": [candidate],
        "usageMetadata": {**_COUNTS, **counts},
        "modelVersion": MODEL,
        "responseId": "r-1",
    }


CALL = [
    event({"text": THOUGHT[:6], "thought": True}, thoughtsTokenCount=9),
    event({"text": THOUGHT[6:], "thought": True}, thoughtsTokenCount=9),
    event({"text": "I add them."}, thoughtsTokenCount=9, candidatesTokenCount=4),
    event(
        {"functionCall": {"name": "add_numbers", "args": {"a": 17, "b": 25}}, "thoughtSignature": SIGNATURE},
        thoughtsTokenCount=9, candidatesTokenCount=12,
    ),
    event(
        {"text": ""}, reason="STOP", thoughtsTokenCount=9, candidatesTokenCount=12, cachedContentTokenCount=4,
    ),
]  # fmt: skip
ANSWER = [event({"text": "It is "}), event({"text": "42."}, reason="STOP", candidatesTokenCount=5)]


def event_stream(events: list[dict[str, Any]]) -> bytes:
    """Return events as the server writes them."""
    return b"".join(b"data: " + json.dumps(each).encode() + b"\r\n\r\n" for each in events)


class GeminiServer:
    """Calls a tool, and answers once its result has come; keeps the bodies and the paths that came."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.paths: list[str] = []

    def __call__(self, handler: Any, number: int) -> None:
        """Answer one request, or refuse it."""
        body = json.loads(handler.body)
        self.bodies.append(body)
        self.paths.append(handler.path)
        if handler.headers.get("x-goog-api-key") != KEY:
            return _refuse(handler, 400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.")
        url = urlsplit(handler.path)
        if url.path not in _PATHS or "alt=sse" not in url.query:
            return _refuse(handler, 404, "NOT_FOUND", f"{url.path} is not found for API version v1beta")
        contents = [
            {**content, "parts": [_in_camel_case(part) for part in content["parts"]]} for content in body["contents"]
        ]
        wrong = _wrong(contents)
        if wrong:
            return _refuse(handler, 400, "INVALID_ARGUMENT", wrong)
        has_result = any("functionResponse" in part for part in contents[-1]["parts"])
        handler.reply(200, "text/event-stream", event_stream(ANSWER if has_result else CALL))


def _in_camel_case(part: dict[str, Any]) -> dict[str, Any]:
    """Return a part with its members' names in camel case; the API takes them with underscores too."""
    return {re.sub(r"_([a-z])", lambda found: found[1].upper(), name): value for name, value in part.items()}


def _refuse(handler: Any, status: int, name: str, message: str) -> None:
    error = {"error": {"code": status, "message": message, "status": name}}
    handler.reply(status, "application/json; charset=UTF-8", json.dumps(error).encode())


def _wrong(contents: list[dict[str, Any]]) -> str:
    """Return what the API says of contents that it does not take; "" for those that it takes."""
    if not contents:
        return "* GenerateContentRequest.contents: contents is not specified"
    open_calls: list[str] = []
    for content in contents:
        if content["role"] not in ("user", "model"):
            return "Please use a valid role: user, model."
        parts = content["parts"]
        if not parts:
            return "Unable to submit request because it must include at least one parts field"
        results = [part["functionResponse"]["name"] for part in parts if "functionResponse" in part]
        if results != open_calls:
            return (
                "Please ensure that the number of function response parts is equal to the number of function call parts"
                " of the function call turn."
            )
        calls = [part for part in parts if "functionCall" in part]
        if calls and calls[0].get("thoughtSignature") != SIGNATURE:
            return f"Function call `{calls[0]['functionCall']['name']}` is missing a `thought_signature`"
        open_calls = [part["functionCall"]["name"] for part in calls]
    return "Please ensure that function call turn comes before its response" if open_calls else ""
