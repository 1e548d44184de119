"""What a provider sends beside text and calls and wants back with them: its reasoning, and signatures of it.

Thinking models refuse a tool's result when the message that called the tool comes back without its reasoning (DeepSeek,
Kimi, GLM: `reasoning_content`; OpenRouter and MiniMax: `reasoning_details`; Gemini: `extra_content` of a call, which
holds a signature). The parts are put together and kept as they are; nothing here or elsewhere in the core reads them
for an answer or a call. What of them is text can be shown while it comes.
"""

from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from purestep.values import READABLE, REASONING_LISTS, REASONING_TEXTS

from ..bounds import MAX_REPLY_PARTS
from .growing import NO_TEXT, GrowingText, grown, whole

_GROWING: Final = (*READABLE, "data")
"""Members of a typed part whose pieces are put behind one another; of the others the last one counts. `data` is
encrypted."""

WHOLE: Final = "extra_content"
"""A member of messages and of calls that comes in one piece."""


class ReplyPart(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One typed part of a list while its pieces come."""

    of: str
    rest: dict[str, Any] = {}
    texts: dict[str, GrowingText] = {}

    def continues(self, of: str, piece: dict[str, Any]) -> bool:
        """Whether a piece belongs to this part: the same place and type and, without numbers, not signed yet."""
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


class Added(NamedTuple):
    """What a piece added. chars: of all texts. reasoning: what a reader can be shown of them, once.

    The same reasoning may come under several names; what is encrypted or signed is for the server alone.
    """

    chars: int = 0
    reasoning: str = ""

    def plus(self, came: str, *, is_readable: bool) -> "Added":
        """Return this with a text more of the same member."""
        return Added(self.chars + len(came), self.reasoning + came if is_readable else self.reasoning)

    def or_else(self, other: "Added") -> "Added":
        """Return this with another member, whose reasoning counts if this has none."""
        return Added(self.chars + other.chars, self.reasoning or other.reasoning)


NOTHING_ADDED: Final = Added()


def with_parts(parts: ProviderParts, message: dict[str, Any]) -> tuple[ProviderParts, Added]:
    """Return the parts with those of one message or piece of one, and the text that this added.

    What has another form than expected is left out: it is nobody's fault that would stop a run.
    """
    added = NOTHING_ADDED
    for name in REASONING_TEXTS:
        piece = message.get(name)
        if isinstance(piece, str) and piece:
            text, came = grown(parts.texts.get(name, NO_TEXT), piece)
            parts = replace(parts, texts={**parts.texts, name: text})
            added = added.or_else(Added(len(came), came))
    for name in REASONING_LISTS:
        pieces = message.get(name)
        of_list = NOTHING_ADDED
        for piece in pieces if isinstance(pieces, list) else ():
            if isinstance(piece, dict):
                lists, of_list = _with_piece(parts.lists, name, piece, of_list)
                parts = replace(parts, lists=lists)
        added = added.or_else(of_list)
    content = message.get(WHOLE)
    return (replace(parts, content=content) if content else parts), added


def _with_piece(
    lists: tuple[ReplyPart, ...], of: str, piece: dict[str, Any], added: Added
) -> tuple[tuple[ReplyPart, ...], Added]:
    place = next((at for at in reversed(range(len(lists))) if lists[at].continues(of, piece)), None)
    if place is None and len(lists) >= MAX_REPLY_PARTS:
        return lists, added
    part = ReplyPart(of=of) if place is None else lists[place]
    texts, rest = dict(part.texts), dict(part.rest)
    for name, value in piece.items():
        if name in _GROWING and isinstance(value, str):
            texts[name], came = grown(texts.get(name, NO_TEXT), value)
            added = added.plus(came, is_readable=name in READABLE)
        elif value is not None or name not in rest:
            rest[name] = value
    read = ReplyPart(of=of, rest=rest, texts=texts)
    return ((*lists, read) if place is None else (*lists[:place], read, *lists[place + 1 :])), added


def extra_of(parts: ProviderParts, calls: tuple[Any, ...]) -> dict[str, Any] | None:
    """Return the parts as members of the message that they came with, those of its calls included; None for none.

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
