"""What a provider sends beside text and calls and wants back with them: its reasoning, and signatures of it.

Thinking models refuse a tool's result when the message that called the tool comes back without its reasoning (DeepSeek,
Kimi, GLM: `reasoning_content`; OpenRouter and MiniMax: `reasoning_details`; Gemini: `extra_content` of a call, which
holds a signature). The parts are put together and kept as they are; nothing here or elsewhere in the core reads them.
"""

from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from ..bounds import MAX_REPLY_PARTS
from .growing import NO_TEXT, GrowingText, grown, whole

_TEXTS: Final = ("reasoning_content", "reasoning")
"""Members of a message that are text, and come in pieces."""

_LISTS: Final = ("reasoning_details", "thinking_blocks")
"""Members of a message that are lists of typed parts, which come in pieces too."""

_GROWING: Final = ("text", "summary", "thinking", "data")
"""Members of such a part whose pieces are put behind one another; of the others the last one counts."""

WHOLE: Final = "extra_content"
"""A member of messages and of calls that comes in one piece."""


class ReplyPart(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One typed part of a list while its pieces come."""

    of: str
    rest: dict[str, Any] = {}
    texts: dict[str, GrowingText] = {}

    def continues(self, of: str, piece: dict[str, Any]) -> bool:
        """Tell whether a piece belongs to this part: the same place and type and, without numbers, not signed yet."""
        if self.of != of or any(self.rest.get(name) != piece.get(name) for name in ("index", "type")):
            return False
        return "index" in piece or not self.rest.get("signature")


class ProviderParts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The parts of a reply so far."""

    texts: dict[str, GrowingText] = {}
    lists: tuple[ReplyPart, ...] = ()
    content: Any = None

    def __bool__(self) -> bool:
        return bool(self.texts or self.lists or self.content is not None)


NO_PARTS: Final = ProviderParts()


def with_parts(parts: ProviderParts, message: dict[str, Any]) -> tuple[ProviderParts, str]:
    """Give the parts with those of one message or piece of one, and the text that this added.

    What has another form than expected is left out: it is nobody's fault that would stop a run.
    """
    added = ""
    for name in _TEXTS:
        piece = message.get(name)
        if isinstance(piece, str) and piece:
            text, came = grown(parts.texts.get(name, NO_TEXT), piece)
            parts, added = replace(parts, texts={**parts.texts, name: text}), added + came
    for name in _LISTS:
        pieces = message.get(name)
        for piece in pieces if isinstance(pieces, list) else ():
            if isinstance(piece, dict):
                lists, came = _with_piece(parts.lists, name, piece)
                parts, added = replace(parts, lists=lists), added + came
    content = message.get(WHOLE)
    return (replace(parts, content=content) if content else parts), added


def _with_piece(lists: tuple[ReplyPart, ...], of: str, piece: dict[str, Any]) -> tuple[tuple[ReplyPart, ...], str]:
    place = next((at for at in reversed(range(len(lists))) if lists[at].continues(of, piece)), None)
    if place is None and len(lists) >= MAX_REPLY_PARTS:
        return lists, ""
    part, added = ReplyPart(of=of) if place is None else lists[place], ""
    texts, rest = dict(part.texts), dict(part.rest)
    for name, value in piece.items():
        if name in _GROWING and isinstance(value, str):
            texts[name], came = grown(texts.get(name, NO_TEXT), value)
            added += came
        elif value is not None or name not in rest:
            rest[name] = value
    read = ReplyPart(of=of, rest=rest, texts=texts)
    return ((*lists, read) if place is None else (*lists[:place], read, *lists[place + 1 :])), added


def extra_of(parts: ProviderParts, calls: tuple[Any, ...]) -> dict[str, Any] | None:
    """Give the parts as members of the message that they came with, those of its calls included; None for none.

    calls: what came with each call, None for nothing.
    """
    extra: dict[str, Any] = {name: whole(text) for name, text in parts.texts.items()}
    for part in parts.lists:
        texts = {name: whole(text) for name, text in part.texts.items()}
        extra.setdefault(part.of, []).append({**part.rest, **texts})
    if parts.content is not None:
        extra[WHOLE] = parts.content
    if any(call is not None for call in calls):
        extra["tool_calls"] = [{} if call is None else {WHOLE: call} for call in calls]
    if "reasoning_details" in extra:
        extra.pop("reasoning", None)  # the same in plain words, from the same server
    return extra or None
