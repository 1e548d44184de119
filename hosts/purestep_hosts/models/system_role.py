"""The system text under another role, for servers whose models' chat templates have none for it."""

from __future__ import annotations

from typing import Any, Final

_BETWEEN: Final = "\n\n"


def with_system_role(messages: list[dict[str, Any]], role: str) -> list[dict[str, Any]]:
    """Return the messages with that role in place of `system`; roles stay in turn, since templates demand it.

    As `user`, a text and what the user says after it are one message.
    """
    sent: list[dict[str, Any]] = []
    joins = False
    for message in messages:
        is_system = message["role"] == "system"
        named = {**message, "role": role} if is_system else message
        if joins and named["role"] == role:
            sent[-1] = {**named, "content": _joined(sent[-1]["content"], named["content"])}
        else:
            sent.append(named)
        joins = role == "user" and (is_system or (joins and named["role"] == role))
    return sent


def _joined(before: Any, after: Any) -> Any:
    """Return two contents as one: text, or parts where one of them has parts."""
    if isinstance(before, str) and isinstance(after, str):
        return f"{before}{_BETWEEN}{after}"
    return [*_parts(before), *_parts(after)]


def _parts(content: Any) -> list[Any]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
