"""One chat completion put together from the chunks of a stream, or from a whole one, its shape checked on the way.

Servers differ: calls that nobody numbered, ids that are numbers, arguments that are objects, reports without
choices. What says nothing (null, "", 0, [] and {}) is taken for left out; what has another shape is named as a flaw.
"""

from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from purestep.bounds import MAX_RESPONSE_ID_CHARS, MAX_SAFE_INTEGER
from purestep.errors import PurestepError
from purestep.json_text import clean_text, decode_cut_json, encode, to_bytes
from purestep.values import Count, ModelOutput, NativeCall, NativeFunction, Usage

from ..bounds import MAX_REPLY_CHARS, MAX_REPLY_CHOICES
from .call_pieces import CallSoFar, calls_in_order, with_calls
from .confidence import TokenSums, with_tokens
from .finish_reasons import GOOD_ENDS, reason_of
from .flaws import Flaw, NoCompletion, expected
from .growing import NO_TEXT, GrowingText, ended, grown, whole
from .provider_parts import NO_PARTS, ProviderParts, extra_of, with_parts
from .scores import first_token

DONE: Final = "[DONE]"
"""What stands in the place of a chunk when a server says that its reply is complete."""


class Completion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A completion so far. size: the characters of text, arguments and parts. error: the server's own, as JSON."""

    text: GrowingText = NO_TEXT
    calls: tuple[CallSoFar, ...] = ()
    parts: ProviderParts = NO_PARTS
    size: Count = 0
    finish_reason: str | None = None
    usage: Usage | None = None
    model: str = ""
    response_id: str = ""
    is_complete: bool = False
    speaker: Count | None = None
    """The choice whose text is taken."""
    is_refused: bool = False
    """Whether the text is the model's refusal, which OpenAI sends under a name of its own."""
    first_token: tuple[tuple[str, float], ...] = ()
    """What may have been the first token, with the probability of each, where the server says it."""
    sums: TokenSums | None = None
    """The log-probabilities of its tokens, where the run asked for them."""
    error: str = ""
    flaw: Flaw | None = None
    odd: Flaw | None = None
    """What the first value that is no chunk lacks: a ping of a proxy, or a failure in a form of the server's own."""

    @property
    def has_ended(self) -> bool:
        """Whether nothing that may still come matters."""
        return self.is_complete or bool(self.error) or self.flaw is not None

    @property
    def has_begun(self) -> bool:
        """Whether anything that the model generated has come."""
        return self.size > 0 or bool(self.calls or self.first_token)


class Came(NamedTuple):
    """What a chunk added that can be shown: of the text, and of the reasoning that came beside it."""

    text: str = ""
    reasoning: str = ""


NOTHING_CAME: Final = Came()


def completed(so_far: Completion, chunk: str | bytes) -> tuple[Completion, Came]:
    """Return the completion after one chunk, or a whole completion, and what it added."""
    if so_far.has_ended:
        return so_far, NOTHING_CAME
    if chunk in (DONE, b"[DONE]"):
        return replace(so_far, is_complete=True), NOTHING_CAME
    try:
        return _with_chunk(so_far, _decoded(to_bytes(chunk)))
    except NoCompletion as wrong:
        return replace(so_far, flaw=wrong.flaw), NOTHING_CAME


def extended(so_far: Completion, piece: str | bytes) -> tuple[Completion, Came]:
    """Return the completion after one more piece of its text, and what it added."""
    if so_far.has_ended:
        return so_far, NOTHING_CAME
    try:
        text, added = grown(so_far.text, expected(str, piece or "", "content"))
        return replace(so_far, text=text, size=_counted(so_far, len(added))), Came(added)
    except NoCompletion as wrong:
        return replace(so_far, flaw=wrong.flaw), NOTHING_CAME


def _decoded(data: bytes) -> Any:
    try:
        return decode_cut_json(data)
    except PurestepError as error:
        if error.code == "invalid_utf8":
            raise NoCompletion("bytes that are not UTF-8", syntax=True) from None
        text = data.decode("utf-8", "replace")
        raise NoCompletion(f"{len(text)} characters that are not JSON", syntax=True) from None


def _with_chunk(so_far: Completion, chunk: Any) -> tuple[Completion, Came]:
    if (odd := _odd(chunk)) is not None:
        # Whether it was a failure shows what follows: a reply that has its end was none.
        return replace(so_far, odd=so_far.odd or odd), NOTHING_CAME
    record = expected(dict, chunk, "the reply")
    if record.get("error"):
        return replace(so_far, error=encode(record).decode()), NOTHING_CAME
    # Usage and filter reports come as chunks without choices.
    choices = expected(list, record.get("choices") or [], "choices")
    model = record.get("model")
    reported = replace(
        so_far,
        model=clean_text(model) if isinstance(model, str) else so_far.model,
        response_id=so_far.response_id or _response_id(record.get("id")),
        usage=_told(record) or so_far.usage,
    )
    text, reasoning = "", ""
    for position, choice in enumerate(choices):
        given = expected(dict, choice, f"choices[{position}]")
        number = given.get("index")
        number = number if type(number) is int and 0 <= number < MAX_REPLY_CHOICES else position
        reported, came = _with_choice(reported, given, number)
        text, reasoning = text + came.text, reasoning + came.reasoning
    return reported, Came(text, reasoning) if choices else NOTHING_CAME


_OF_CHUNKS: Final = ("choices", "usage", "error")
"""The members of which a chunk of a chat completion has one; hosts read a named event by them too."""


def _odd(chunk: object) -> Flaw | None:
    """Return what a value lacks that is no chunk; None for a chunk."""
    try:
        record = expected(dict, chunk, "the reply")
        if not any(name in record for name in _OF_CHUNKS):
            expected(list, None, "choices")
    except NoCompletion as wrong:
        return wrong.flaw
    return None


def _with_choice(so_far: Completion, choice: dict[str, Any], number: int) -> tuple[Completion, Came]:
    """Return the completion with a choice: calls of any, and the text of the first that has one.

    One choice is asked for; gateways send what a model said and what it called as two.
    """
    delta = choice.get("delta")
    message = expected(dict, delta or choice.get("message") or {}, "the message")
    entries = expected(list, message.get("tool_calls") or [], "tool_calls")
    if entries:
        calls, added = with_calls(so_far.calls, entries, number, is_whole=not delta)
        so_far = replace(so_far, calls=calls, size=_counted(so_far, added))
    refusal = expected(str, message.get("refusal") or "", "refusal")
    if refusal:
        so_far = replace(so_far, is_refused=True)
    so_far = _with_reason(so_far, choice.get("finish_reason"))
    said = _text(message.get("content") or "") + refusal
    if said and so_far.speaker is None:
        so_far = replace(so_far, speaker=number)
    if so_far.speaker not in (None, number):
        return so_far, NOTHING_CAME
    if not so_far.first_token and choice.get("logprobs"):
        so_far = replace(so_far, first_token=first_token(choice["logprobs"]))
    parts, unseen = with_parts(so_far.parts, message)
    if unseen.chars or parts is not so_far.parts:
        so_far = replace(so_far, parts=parts, size=_counted(so_far, unseen.chars))
    text, grew = grown(so_far.text, said)
    if so_far.sums is not None:
        so_far = replace(so_far, sums=with_tokens(so_far.sums, choice.get("logprobs"), has_text=bool(grew)))
    return replace(so_far, text=text, size=_counted(so_far, len(grew))), Came(grew, unseen.reasoning)


def _with_reason(so_far: Completion, given: object) -> Completion:
    """Return the completion with why it ended; of several reasons the one that is no good end stays."""
    if given is None:
        return so_far
    reason = reason_of(clean_text(expected(str, given, "finish_reason")))
    if reason == "stop" and so_far.is_refused:
        reason = "content_filter"
    return so_far if so_far.finish_reason not in (None, *GOOD_ENDS) else replace(so_far, finish_reason=reason)


def _text(content: object) -> str:
    """Return the text of a message, also where it is a list of typed parts (Mistral); what is no text has no place."""
    if not isinstance(content, list):
        return expected(str, content, "content")
    parts = [part for part in content if isinstance(part, dict) and part.get("type") == "text"]
    return "".join([expected(str, part.get("text") or "", "a part of content") for part in parts])


def _counted(so_far: Completion, added: int) -> int:
    size = so_far.size + added
    if size > MAX_REPLY_CHARS:
        raise NoCompletion(f"the reply passed {MAX_REPLY_CHARS} characters and did not end", retryable=False)
    return size


def _told(record: dict[str, Any]) -> Usage | None:
    """Return what a chunk tells of tokens; llama.cpp tells beside them what its cache had."""
    usage, timed = _usage(record.get("usage")), _timed(record.get("timings"))
    if usage is None or timed is None or usage.cached_tokens is not None:
        return usage or timed
    return replace(usage, cached_tokens=timed.cached_tokens)


_CACHED: Final = ("prompt_cache_hit_tokens", "cache_read_input_tokens")
"""Where servers say what their cache had which do not say it as OpenAI does: DeepSeek; Databricks and LiteLLM."""

_WRITTEN: Final = "cache_creation_input_tokens"
"""Where LiteLLM says what was written into a cache."""


def _usage(value: object) -> Usage | None:
    if not isinstance(value, dict):
        return None
    cached = [_detail(value, "prompt_tokens_details", "cached_tokens"), *[_count(value.get(name)) for name in _CACHED]]
    prompt, completion = _count(value.get("prompt_tokens")), _count(value.get("completion_tokens"))
    written = _detail(value, "prompt_tokens_details", "cache_write_tokens")
    reasoning = _detail(value, "completion_tokens_details", "reasoning_tokens")
    if reasoning and _count(value.get("total_tokens")) == (prompt or 0) + (completion or 0) + reasoning:
        completion = (completion or 0) + reasoning  # xAI counts it beside the output, others as a part of it
    usage = Usage(
        prompt_tokens=prompt,
        completion_tokens=completion,
        cached_tokens=next((count for count in cached if count is not None), None),
        reasoning_tokens=reasoning,
        cache_write_tokens=_count(value.get(_WRITTEN)) if written is None else written,
    )
    return None if usage == Usage() else usage


def _timed(value: object) -> Usage | None:
    """Return the tokens so far, as llama.cpp tells them beside each token: a stopped reply has no other count."""
    if not isinstance(value, dict):
        return None
    read, cached = _count(value.get("prompt_n")), _count(value.get("cache_n"))
    written = _count(value.get("predicted_n"))
    if read is None or written is None:
        return None
    return Usage(prompt_tokens=read + (cached or 0), completion_tokens=written, cached_tokens=cached)


def _response_id(value: object) -> str:
    given = clean_text(value) if isinstance(value, str) else ""
    return given if len(given) <= MAX_RESPONSE_ID_CHARS else ""


def _detail(usage: dict[str, Any], group: str, name: str) -> int | None:
    """Return a count that OpenAI nests in a group, and other servers write beside the others."""
    details = usage.get(group)
    nested = _count(details.get(name)) if isinstance(details, dict) else None
    return nested if nested is not None else _count(usage.get(name))


def _count(value: object) -> int | None:
    return value if type(value) is int and 0 <= value <= MAX_SAFE_INTEGER else None


def without_halves(completion: Completion) -> tuple[Completion, str]:
    """Return the completion whose text is over, and what that added to it."""
    if not completion.text.half:
        return completion, ""
    text, added = ended(completion.text)
    return replace(completion, text=text), added


def output_of(completion: Completion) -> ModelOutput:
    """Return the observation of a completion that is over."""
    text = whole(completion.text)
    in_order = calls_in_order(completion.calls)
    calls = tuple(_native(call) for call in in_order)
    return ModelOutput(
        content=None if calls and not text else text,
        tool_calls=calls or None,
        finish_reason=completion.finish_reason,
        usage=completion.usage,
        model=completion.model or None,
        response_id=completion.response_id or None,
        extra=extra_of(completion.parts, tuple(call.extra for call in in_order)),
    )


def _native(call: CallSoFar) -> NativeCall:
    function = NativeFunction(name=call.name, arguments=whole(call.arguments))
    return NativeCall(id=call.id or f"call_{call.index}", type="function", function=function)
