"""What a run keeps of the size of its prompt: estimated tokens of the parts that are sent, in a bounded number."""

from typing import Annotated

from msgspec import Meta, Struct

from ..bounds import MAX_TOKEN_RATIO
from .content import Content, Count, PartKind, TextPart, text_of


class OutputCut(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """What of one tool output is left out once its part is shortened; `saved` is the estimated tokens.

    `begin` and `end` count code points of the content of the message with that index.
    """

    message: Count
    begin: Count
    end: Count
    saved: Count


class SentPart(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """Messages [begin, end) that are sent or dropped together: the user's, or an output with its results.

    `opens`: it begins an exchange. `cuts` are its outputs that can be shortened, `shortened` tells that they are.
    """

    begin: Count
    end: Count
    tokens: Count
    opens: bool = False
    cuts: tuple[OutputCut, ...] = ()
    shortened: bool = False


class SentAttachment(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """An image or a file of the transcript: its message, its index among the parts, and its estimated tokens.

    `left_out`: a notice is sent in its place, so that the prompt fits. `about`: of a tool's result, its media type and
    size, which a model that is not sent it is told; empty for what a user sends.
    """

    message: Count
    part: Count
    kind: PartKind
    tokens: Count
    left_out: bool = False
    about: str = ""


class Sent(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """The parts of the transcript after the preamble that are sent, and what the model's own counts say of them.

    `ratio`: per mille by which estimates are raised, from `usage.prompt_tokens`. `room`: tokens that a prompt may
    have after the server refused a longer one; 0 as declared. `counted`: the tokens of the latest prompt by the model's
    own count, as long as prompts only append to it; `since`: the estimate of what was appended. `summary`: the index
    at which the part begins that sums up what was left out; it stands after the task and is dropped last. `known`:
    messages before this index are in a part, or were asked apart from the conversation.
    """

    parts: tuple[SentPart, ...] = ()
    ratio: Annotated[int, Meta(ge=1000, le=MAX_TOKEN_RATIO)] = 1000
    room: Count = 0
    counted: Count = 0
    since: Count = 0
    summary: Count = 0
    known: Count = 0
    pinned: tuple[Count, ...] = ()
    """Messages, each the first of its part, that stay when others are left out."""


class HistoryCut(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """What of one message a rule of the policy `history` leaves out: of a result of `tool`, or reasoning where "".

    `begin` and `end` count code points of its text, `parts` are its images and files [from, to), `saved` is in
    estimated tokens. `done`: it is left out.
    """

    message: Count
    begin: Count
    end: Count
    saved: Count
    tool: str = ""
    parts: tuple[Count, Count] = (0, 0)
    done: bool = False


class HistoryState(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What the rules of the policy `history` count, and what they have left out.

    `exchanges`: where the latest begin, as many as are counted. `cuts`: in the order of their messages. Messages before
    `kept_from` are not sent, but for pinned ones; those before `reasoning_from` are sent without their reasoning.
    """

    exchanges: tuple[Count, ...] = ()
    cuts: tuple[HistoryCut, ...] = ()
    kept_from: Count = 0
    reasoning_from: Count = 0


class ShortenedMessage(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The message `index` of the transcript, sent with some of its content replaced.

    Each cut is [begin, end, text]: the code points from `begin` to before `end` are replaced by the text. The cuts are
    in order and do not overlap. Where the content has parts, they are cuts of the first, which is text. Each entry of
    `parts` is [index, text]: the part with that index is replaced by the text.
    """

    index: int
    cuts: tuple[tuple[int, int, str], ...]
    parts: tuple[tuple[int, str], ...] = ()

    def apply(self, content: Content) -> Content:
        """Return the content with its cuts made and its parts replaced."""
        if isinstance(content, str):
            return self._cut(content)
        texts = dict(self.parts)
        if self.cuts:
            texts[0] = self._cut(text_of(content[:1]))
        return tuple([TextPart(text=texts[at]) if at in texts else part for at, part in enumerate(content)])

    def _cut(self, content: str) -> str:
        pieces: list[str] = []
        at = 0
        for begin, end, text in self.cuts:
            pieces += (content[at:begin], text)
            at = end
        return "".join([*pieces, content[at:]])
