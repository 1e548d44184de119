"""Google's Gemini API: the events of a reply, and what it refuses.

Source: Gemini API reference, `models.streamGenerateContent`, version v1beta; the guides on function calling and on
thought signatures.
"""

from __future__ import annotations

from typing import Any

from tests.hosts.wires.protocol import Protocol, first_fault, name_faults, schema_faults, signature, stream_of
from tests.hosts.wires.replies import CACHED, PROMPT, THOUGHT, WRITTEN, Said, pieces
from tests.hosts.wires.vendor_types import type_faults


def faults_of(body: dict[str, Any], given: list[str]) -> str:
    """Return what the API says of a body."""
    declared = [each for tool in body.get("tools") or () for each in tool["functionDeclarations"]]
    return first_fault(
        type_faults("google", body),
        _content_faults(body["contents"], given),
        name_faults([each["name"] for each in declared]),
        schema_faults([each["parametersJsonSchema"] for each in declared]),
    )


def _content_faults(contents: list[dict[str, Any]], given: list[str]) -> str:
    """Return what is wrong with contents: a turn of calls has as many results right after it, by their names."""
    if not contents:
        return "* GenerateContentRequest.contents: contents is not specified"
    due: list[str] = []
    for content in contents:
        if content["role"] not in ("user", "model"):
            return "Please use a valid role: user, model."
        parts = content["parts"]
        if not parts or not all(map(_has_data, parts)):
            return "Unable to submit request because it must have a text parameter or other data in its parts"
        if [part["functionResponse"]["name"] for part in parts if "functionResponse" in part] != due:
            return (
                "Please ensure that the number of function response parts is equal to the number of function call "
                "parts of the function call turn."
            )
        calls = [part for part in parts if "functionCall" in part]
        due = [part["functionCall"]["name"] for part in calls]
        if calls and given and calls[0].get("thoughtSignature") not in given:
            return f"Function call `{due[0]}` is missing a `thought_signature`"
    return "Please ensure that a function call turn comes right before its response" if due else ""


def _has_data(part: dict[str, Any]) -> bool:
    return bool(part.get("text")) or not part.keys().isdisjoint(("functionCall", "functionResponse", "inlineData"))


_REASONS = {"stop": "STOP", "tool_calls": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY"}


def _events(said: Said, number: int) -> bytes:
    parts: list[dict[str, Any]] = [{"text": piece, "thought": True} for piece in pieces(said.thought)]
    parts += [{"text": piece} for piece in pieces(said.text)]
    for at, call in enumerate(said.calls):
        signed = {"thoughtSignature": signature(number)} if said.thought and at == 0 else {}
        parts.append({"functionCall": {"name": call.name, "args": call.value}, **signed})
    counts = {
        "promptTokenCount": PROMPT, "cachedContentTokenCount": CACHED, "thoughtsTokenCount": THOUGHT,
        "candidatesTokenCount": WRITTEN - THOUGHT, "totalTokenCount": PROMPT + WRITTEN,
    }  # fmt: skip
    events = [_event([part], counts) for part in parts]
    return stream_of([*events, _event([{"text": ""}], counts, _REASONS[said.reason])])


def _event(parts: list[dict[str, Any]], counts: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    ended = {} if reason is None else {"finishReason": reason}
    candidate = {"content": {"parts": parts, "role": "model"}, "index": 0, **ended}
    return {"candidates": [candidate], "usageMetadata": counts, "modelVersion": "gemini-test-1", "responseId": "r-1"}


def _refusal(status: int, message: str) -> dict[str, Any]:
    name = {404: "NOT_FOUND"}.get(status, "INVALID_ARGUMENT")
    return {"error": {"code": status, "message": message, "status": name}}


GEMINI = Protocol(
    path=r"/v1beta/models/gemini-test-1[a-z-]*:streamGenerateContent\?alt=sse\Z",
    key=lambda headers: headers.get("x-goog-api-key"),
    faults=faults_of,
    events=_events,
    refusal=_refusal,
    wrong_key=400,
)
