"""What a policy is, what it is told, and what it may say."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec import Struct

from ..values import ArgumentOrigin, Confidence, DataText, Message, ToolSpec

Policy = Callable[[Any, Mapping[str, ToolSpec]], Any]
"""A policy: a class, or a function that gives an object with hooks, for some options and the tools of a definition.

It has the attributes `name` (text) and `version` (an integer from 1); `Options` (a `msgspec.Struct` type that reads
what the definition gives beside `use` and `version`; without it nothing may be given); and `State` (a frozen
`msgspec.Struct` type with a default for every member: what it keeps between hooks; without it `kept` is None).
With `wants_confidence = True` the model is asked how sure it is, where its host can tell.
"""


class ExchangeBegun(Struct, frozen=True, kw_only=True):
    """A user message: its text, the texts that came along and are not the user's, and whether images or files did.

    `at`: ms since 1970 by the host's clock, here and in all that follows; None where the host gave none.
    """

    text: str
    data: tuple[DataText, ...] = ()
    attached: bool = False
    at: int | None = None


class ResultSeen(Struct, frozen=True, kw_only=True):
    """What a call gave: `text` is the whole of what the model may read of it; `ok` whether the tool succeeded.

    `tool`: for a part of an output that was read on in, the tool that gave the output.
    """

    call_id: str
    tool: str
    params: dict[str, Any]
    ok: bool
    text: str
    at: int | None = None


class OutputSeen(Struct, frozen=True, kw_only=True):
    """What the model said, as it came; `confidence`: how sure it was, None where that is not known."""

    text: str
    confidence: Confidence | None = None
    at: int | None = None


class ApprovalSeen(Struct, frozen=True, kw_only=True):
    """A person's answer about a call; `edited`: the arguments that the person wrote instead of `params`."""

    call_id: str
    tool: str
    params: dict[str, Any]
    approved: bool
    edited: dict[str, Any] | None = None
    at: int | None = None


class MessagesSeen(Struct, frozen=True, kw_only=True):
    """Messages that another program kept, with which the run begins."""

    messages: tuple[Message, ...]


class TranscriptChanged(Struct, frozen=True, kw_only=True):
    """What is known of the messages is not all: the host edited them, or the policy comes with another definition."""

    by: Literal["host", "definition"]


PolicyFact = ResultSeen | OutputSeen | ApprovalSeen | MessagesSeen | TranscriptChanged


class CallProposed(Struct, frozen=True, kw_only=True):
    """A call that the model wants: valid, not yet handed out.

    `acts`: whether its tool may change something. `asked`: whether a person is asked for another reason.
    `trusted`: whether the definition says that calls of its tool run unasked (`auto`).
    """

    call_id: str
    tool: str
    params: dict[str, Any]
    acts: bool
    asked: bool = False
    trusted: bool = False
    at: int | None = None


class AnswerProposed(Struct, frozen=True, kw_only=True):
    """An answer that nothing else has rejected; `data`: as the answer's schema reads it, else its text."""

    text: str
    data: Any
    at: int | None = None


class ToolsOffered(Struct, frozen=True, kw_only=True):
    """The names of the tools that the model is about to be offered, sorted.

    What a policy leaves out is not shown; a model that calls it all the same is refused by the hook `call` alone.
    """

    tools: tuple[str, ...]


class Allow(Struct, frozen=True, kw_only=True, tag="allow"):
    """The call may be made; `origins`: where its arguments came from, for a person who is asked for another reason."""

    origins: tuple[ArgumentOrigin, ...] = ()


class Ask(Struct, frozen=True, kw_only=True, tag="ask"):
    """A person has to say yes first; `reason`: a sentence that the person reads.

    `note`: the question in words, where there is one; the person reads it in the place of the reason.
    """

    reason: str
    note: str = ""
    origins: tuple[ArgumentOrigin, ...] = ()


class Refuse(Struct, frozen=True, kw_only=True, tag="refuse"):
    """The call is not made now, or the answer is none; `text`: what the model, or of an answer a person, reads instead.

    The same call is judged anew when it comes again. With the same text again it counts as one that repeats its result.
    A refused answer ends the run with the failure `answer_refused`: asking the model once more would not mend it.
    """

    text: str


class Fix(Struct, frozen=True, kw_only=True, tag="fix"):
    """The call is made with other arguments, which must fit the tool; `note`: what was changed, for the log."""

    params: dict[str, Any]
    note: str


class Correct(Struct, frozen=True, kw_only=True, tag="correct"):
    """The answer is sent back once; `text`: what the model reads."""

    text: str


PolicyVerdict = Allow | Ask | Refuse | Fix
