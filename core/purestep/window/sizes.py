"""The sizes of messages, and the bounded list of parts that a run keeps of them."""

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from ..bounds import (
    ATTACHMENT_TOKENS,
    FILE_TOKEN_BYTES,
    IMAGE_TOKENS,
    KEPT_OUTPUT_CHARS,
    MAX_SENT_CUTS,
    MAX_SENT_PARTS,
    MIN_FILE_TOKENS,
    MIN_SAVED_TOKENS,
)
from ..json_text import encode
from ..values import AttachedPart, Message, OutputCut, PartKind, SentAttachment, SentPart, kind_of, parts_of, text_of
from .token_counters import TokenCounter

Parts = tuple[SentPart, ...]


class OutputPlace(Struct, frozen=True, gc=False):
    """Where a tool output stands: code points [begin, end) of the message with that index in the transcript."""

    message: int
    begin: int
    end: int


def message_tokens(message: Message, counter: TokenCounter) -> int:
    """Return the tokens of a message with what chat templates write around it."""
    tokens = counter.message + counter.text(text_of(message.content)) if message.content else counter.message
    tokens += sum([_part_tokens(part) for _, part in parts_of(message.content)])
    extra = dict(message.extra) if isinstance(message.extra, dict) else {}
    if message.tool_calls:
        # Chat templates write JSON with a space after each comma and colon.
        calls = encode(extra.pop("tool_calls", message.tool_calls)).decode()
        tokens += counter.text(calls.replace('":', '": ').replace(',"', ', "'))
    if extra:
        tokens += counter.text(encode(extra).decode())
    return tokens


def _part_tokens(part: AttachedPart) -> int:
    return attachment_tokens(kind_of(part), part.bytes)


def attachment_tokens(kind: PartKind, size: int) -> int:
    """Return the tokens that an image or a file of so many bytes is counted as, whatever is in it.

    Of text at most one for each byte, as tokenizers that read bytes make; of other files and images what is common.
    """
    match kind:
        case "image":
            return ATTACHMENT_TOKENS + IMAGE_TOKENS
        case "text":
            return ATTACHMENT_TOKENS + size
        case "file" | "audio":
            return ATTACHMENT_TOKENS + max(MIN_FILE_TOKENS, size // FILE_TOKEN_BYTES)


def _about(part: AttachedPart) -> str:
    return "" if part.call_id is None else f"{part.media_type}, {part.bytes} bytes"


def with_attachments(
    known: tuple[SentAttachment, ...], messages: Sequence[Message], start: int
) -> tuple[SentAttachment, ...]:
    """Return the attachments with those of messages that follow, the first of which has the index `start`."""
    after = known[-1].message if known else -1
    new = [
        SentAttachment(message=at, part=index, kind=kind_of(part), tokens=_part_tokens(part), about=_about(part))
        for at, message in enumerate(messages, start)
        if at > after and isinstance(message.content, tuple)  # most are a text, which has none
        for index, part in parts_of(message.content)
    ]
    return (*known, *new) if new else known


def with_messages(
    parts: Parts,
    messages: Sequence[Message],
    outputs: Sequence[OutputPlace],
    start: int,
    alone: tuple[int, ...],
    counter: TokenCounter,
) -> Parts:
    """Return the parts with messages appended, the first of which has the index `start`; their number stays bounded.

    alone: the indices of the user's message, of a summary, and of others that are not counted together with any.
    """
    user_at, _, *more = alone
    grown = list(parts)
    for index, message in enumerate(messages, start):
        tokens, cuts = message_tokens(message, counter), _cuts(message, index, outputs, counter)
        if grown and index != user_at and message.role != "assistant":
            last = grown[-1]
            grown[-1] = replace(last, end=index + 1, tokens=last.tokens + tokens, cuts=last.cuts + cuts)
        else:
            grown.append(SentPart(begin=index, end=index + 1, tokens=tokens, opens=index == user_at, cuts=cuts))
    _bound_cuts(grown)
    while len(grown) > MAX_SENT_PARTS + len(more) and _merge_smallest(grown, alone):
        pass
    return tuple(grown)


def _cuts(message: Message, index: int, outputs: Sequence[OutputPlace], counter: TokenCounter) -> tuple[OutputCut, ...]:
    """Return what of the tool outputs in a message can be left out later."""
    cuts = []
    for place in outputs:
        begin = place.begin + KEPT_OUTPUT_CHARS
        if place.message == index and begin < place.end and message.content:
            saved = counter.text(_first_text(message)[begin : place.end]) - MIN_SAVED_TOKENS // 2
            if saved >= MIN_SAVED_TOKENS:
                cuts.append(OutputCut(message=index, begin=begin, end=place.end, saved=saved))
    return tuple(cuts)


def _first_text(message: Message) -> str:
    """Return the text in which tool outputs stand; what the user adds may follow it as parts."""
    return text_of(message.content[:1] if isinstance(message.content, tuple) else message.content)


def _bound_cuts(parts: list[SentPart]) -> None:
    """Keep the newest cuts; an output that has been shortened stays so, or the prompt would change."""
    left = MAX_SENT_CUTS - sum([len(part.cuts) for part in parts if part.shortened])
    for at in range(len(parts) - 1, -1, -1):
        part = parts[at]
        if part.cuts and not part.shortened:
            kept = part.cuts[max(0, len(part.cuts) - left) :] if left > 0 else ()
            left -= len(kept)
            if len(kept) < len(part.cuts):
                parts[at] = replace(part, cuts=kept)


def _merge_smallest(parts: list[SentPart], alone: tuple[int, ...]) -> bool:
    """Count the two neighbours that are smallest together as one part; the newest two stay alone, too."""
    best, smallest = -1, 0
    for at, (left, right) in enumerate(pairwise(parts[:-2])):
        if _may_merge(left, right, alone) and (best < 0 or left.tokens + right.tokens < smallest):
            best, smallest = at, left.tokens + right.tokens
    if best < 0:
        return False
    left, right = parts[best : best + 2]
    parts[best : best + 2] = [
        replace(
            left,
            end=right.end,
            tokens=left.tokens + right.tokens,
            cuts=left.cuts + right.cuts,
            shortened=left.shortened or right.shortened,
        )
    ]
    return True


def _may_merge(left: SentPart, right: SentPart, alone: tuple[int, ...]) -> bool:
    """Whether two parts are neighbours that are dropped together: in one exchange, or both whole exchanges."""
    alike = left.shortened == right.shortened or not left.cuts or not right.cuts
    together = not right.opens or left.opens
    return alike and together and left.end == right.begin and left.begin not in alone and right.begin not in alone
