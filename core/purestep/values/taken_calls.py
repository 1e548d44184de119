"""A model call as its server takes it: without the members that it refuses, and with what stands for some of them."""

from collections.abc import Sequence
from typing import Any, Final

from msgspec import UNSET, Raw, UnsetType
from msgspec.structs import replace

from ..json_text import decode_json, encode
from .profiles import SYSTEM
from .wire import CallModel

TOKENS: Final = ("max_tokens", "max_completion_tokens")
"""The limit of an output, and what newer models of OpenAI call it. Source: OpenAI API reference, chat completions."""

NEEDED: Final = ("messages", "model")
"""Without these there is no request."""

STRICT: Final = "strict"
"""Stands for the strict form of an answer's schema."""

_PARTS: Final = ("tools", "tool_choice", "response_format", "grammar", "stop")
_LOGPROBS: Final = frozenset({"logprobs", "top_logprobs"})


def as_taken(
    call: CallModel,
    members: Sequence[str],
    role: str | None,
    *,
    apart: str = "",
    id_chars: int | None = None,
    extra: Raw | None = None,
) -> CallModel:
    """Return a call without members; it says so, for what the host would add itself.

    role: of the system text. apart: a word between two messages of the user, where the server's roles alternate.
    id_chars: of the ids of calls, where the server takes no others. extra: of calls by another model.
    """
    role = "user" if SYSTEM in members else role
    if apart:
        call = replace(call, apart=apart)
    if id_chars is not None:
        call = replace(call, call_id_chars=id_chars)
    if extra is not None:
        call = replace(call, call_extra=extra)
    if role is not None:
        call = replace(call, system=role)
    if not members:
        return call
    left_out: dict[str, Any] = {name: UNSET for name in _PARTS if name in members}
    if call.sampling is not UNSET:
        left_out["sampling"] = _sampling(decode_json(bytes(call.sampling)), members)
    if STRICT in members and "response_format" not in left_out and call.response_format is not UNSET:
        left_out["response_format"] = _loose(decode_json(bytes(call.response_format)))
    logprobs = call.logprobs and _LOGPROBS.isdisjoint(members)
    return replace(call, **left_out, logprobs=logprobs, without=tuple(members))


def _loose(form: Any) -> Raw:
    """Return the form of an answer without `strict`."""
    held = form.get("json_schema") if isinstance(form, dict) else None
    if isinstance(held, dict):
        form = {**form, "json_schema": {name: value for name, value in held.items() if name != STRICT}}
    return Raw(encode(form))


def _sampling(given: dict[str, Any], members: Sequence[str]) -> Raw | UnsetType:
    old, new = TOKENS
    names = {old: new} if old in members else {}
    kept = {named: value for name, value in given.items() if (named := names.get(name, name)) not in members}
    return Raw(encode(kept)) if kept else UNSET
