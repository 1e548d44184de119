"""One chat completion put together from the chunks of a stream, or from a whole one, its shape checked on the way.

Servers differ: calls that nobody numbered, ids that are numbers, arguments that are objects, reports without
choices. What says nothing (null, "", 0, [] and {}) is taken for left out; what has another shape is named as a flaw.
"""

from typing import Any, Final, NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from purestep.bounds import MAX_RESPONSE_ID_CHARS, MAX_SAFE_INTEGER
from purestep.errors import PurestepError
from purestep.json_text import clean_text, decode_cut_json, encode, to_bytes
from purestep.values import Count, ModelOutput, NativeCall, NativeFunction, Usage

from ..bounds import MAX_REPLY_CALLS, MAX_REPLY_CHARS
from .confidence import TokenSums, with_tokens
from .growing import NO_TEXT, GrowingText, ended, grown, whole
from .provider_parts import NO_PARTS, WHOLE, ProviderParts, extra_of, with_parts
from .scores import first_token

Kind = TypeVar("Kind", dict[str, Any], list[Any], str)

DONE: Final = "[DONE]"
"""What stands in the place of a chunk when a server says that its reply is complete."""


class CallSoFar(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """One call while its pieces come."""

    index: Count
    id: str = ""
    name: str = ""
    arguments: GrowingText = NO_TEXT
    extra: Any = None


class Flaw(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """Why what came is no chat completion. syntax: it is no JSON. retryable: asking again may help."""

    message: str
    retryable: bool = True
    syntax: bool = False


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
    is_refused: bool = False
    """Whether the text is the model's refusal, which OpenAI sends under a name of its own."""
    first_token: tuple[tuple[str, float], ...] = ()
    """What may have been the first token, with the probability of each, where the server says it."""
    sums: TokenSums | None = None
    """The log-probabilities of its tokens, where the run asked for them."""
    error: str = ""
    flaw: Flaw | None = None

    @property
    def has_ended(self) -> bool:
        """Whether nothing that may still come matters."""
        return self.is_complete or bool(self.error) or self.flaw is not None

    @property
    def has_begun(self) -> bool:
        """Whether anything that the model generated has come."""
        return self.size > 0 or bool(self.calls or self.first_token)


class _NoCompletion(Exception):
    """Raised where a chunk has another shape; never leaves `completed`."""

    def __init__(self, message: str, *, retryable: bool = True, syntax: bool = False) -> None:
        super().__init__(message)
        self.flaw = Flaw(message=message, retryable=retryable, syntax=syntax)


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
    except _NoCompletion as wrong:
        return replace(so_far, flaw=wrong.flaw), NOTHING_CAME


def extended(so_far: Completion, piece: str | bytes) -> tuple[Completion, Came]:
    """Return the completion after one more piece of its text, and what it added."""
    if so_far.has_ended:
        return so_far, NOTHING_CAME
    try:
        text, added = grown(so_far.text, _of(str, piece or "", "content"))
        return replace(so_far, text=text, size=_counted(so_far, len(added))), Came(added)
    except _NoCompletion as wrong:
        return replace(so_far, flaw=wrong.flaw), NOTHING_CAME


def _decoded(data: bytes) -> Any:
    try:
        return decode_cut_json(data)
    except PurestepError as error:
        if error.code == "invalid_utf8":
            raise _NoCompletion("bytes that are not UTF-8", syntax=True) from None
        text = data.decode("utf-8", "replace")
        raise _NoCompletion(f"{len(text)} characters that are not JSON", syntax=True) from None


def _with_chunk(so_far: Completion, chunk: Any) -> tuple[Completion, Came]:
    record = _of(dict, chunk, "the reply")
    if record.get("error"):
        return replace(so_far, error=encode(record).decode()), NOTHING_CAME
    # Usage and filter reports come as chunks without choices.
    reports = "choices" in record or "usage" in record
    choices = _of(list, record.get("choices") or ([] if reports else None), "choices")
    model = record.get("model")
    reported = replace(
        so_far,
        model=clean_text(model) if isinstance(model, str) else so_far.model,
        response_id=so_far.response_id or _response_id(record.get("id")),
        usage=_told(record) or so_far.usage,
    )
    return _with_choice(reported, _of(dict, choices[0], "choices[0]")) if choices else (reported, NOTHING_CAME)


def _with_choice(so_far: Completion, choice: dict[str, Any]) -> tuple[Completion, Came]:
    message = _of(dict, choice.get("delta") or choice.get("message") or {}, "the message")
    reason = choice.get("finish_reason")
    refusal = _of(str, message.get("refusal") or "", "refusal")
    if refusal:
        so_far = replace(so_far, is_refused=True)
    if reason == "stop" and so_far.is_refused:
        reason = "content_filter"
    if reason is not None:
        so_far = replace(so_far, finish_reason=clean_text(_of(str, reason, "finish_reason")))
    if not so_far.first_token and choice.get("logprobs"):
        so_far = replace(so_far, first_token=first_token(choice["logprobs"]))
    for position, call in enumerate(_of(list, message.get("tool_calls") or [], "tool_calls")):
        so_far = _with_call(so_far, _of(dict, call, "a tool call"), position)
    parts, unseen = with_parts(so_far.parts, message)
    if unseen.chars or parts is not so_far.parts:
        so_far = replace(so_far, parts=parts, size=_counted(so_far, unseen.chars))
    text, added = grown(so_far.text, _text(message.get("content") or "") + refusal)
    if so_far.sums is not None:
        so_far = replace(so_far, sums=with_tokens(so_far.sums, choice.get("logprobs"), has_text=bool(added)))
    return replace(so_far, text=text, size=_counted(so_far, len(added))), Came(added, unseen.reasoning)


def _text(content: object) -> str:
    """Return the text of a message, also where it is a list of typed parts (Mistral); what is no text has no place."""
    if not isinstance(content, list):
        return _of(str, content, "content")
    parts = [part for part in content if isinstance(part, dict) and part.get("type") == "text"]
    return "".join([_of(str, part.get("text") or "", "a part of content") for part in parts])


def _with_call(so_far: Completion, delta: dict[str, Any], position: int) -> Completion:
    index = _index(so_far, delta, position)
    before = next((call for call in so_far.calls if call.index == index), CallSoFar(index=index))
    function = _of(dict, delta.get("function") or {}, "a tool call's function")
    given = function.get("arguments") or ""
    arguments, added = grown(before.arguments, _written(given))
    call = replace(
        before,
        id=before.id or _call_id(delta),
        name=before.name or clean_text(_of(str, function.get("name") or "", "a function's name")),
        arguments=arguments,
        extra=delta.get(WHOLE) or before.extra,
    )
    others = tuple([known for known in so_far.calls if known.index != index])
    return replace(so_far, calls=(*others, call), size=_counted(so_far, len(added)))


def _written(arguments: object) -> str:
    """Return arguments as text, also those that came as the object itself."""
    return encode(arguments).decode() if isinstance(arguments, dict) else _of(str, arguments, "arguments")


def _index(so_far: Completion, delta: dict[str, Any], position: int) -> int:
    """Return which call a piece belongs to; a new id opens a new call, also where a server numbers none."""
    given, call_id = delta.get("index"), _call_id(delta)
    index = position if given is None else given
    if type(index) is not int or not 0 <= index < MAX_REPLY_CALLS:
        raise _NoCompletion(f"a tool call has an index that is no number from 0 to {MAX_REPLY_CALLS - 1}")
    known = {call.index: call.id for call in so_far.calls}
    if call_id and known.get(index) and known[index] != call_id:
        index = next((at for at, other in known.items() if other == call_id), len(known))
    elif given is None and not call_id and known:
        index = max(known)
    if index >= MAX_REPLY_CALLS:
        raise _NoCompletion(f"the reply holds more than {MAX_REPLY_CALLS} tool calls", retryable=False)
    return index


def _call_id(delta: dict[str, Any]) -> str:
    call_id = delta.get("id")
    return str(call_id) if isinstance(call_id, int) else clean_text(_of(str, call_id or "", "a tool call's id"))


def _counted(so_far: Completion, added: int) -> int:
    size = so_far.size + added
    if size > MAX_REPLY_CHARS:
        raise _NoCompletion(f"the reply passed {MAX_REPLY_CHARS} characters and did not end", retryable=False)
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
    in_order = sorted(completion.calls, key=lambda call: call.index)
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


_EXPECTED: Final = {dict: "an object", list: "a list", str: "text"}


def _of(kind: type[Kind], value: object, what: str) -> Kind:
    """Return a value that is of the kind expected."""
    if isinstance(value, kind):
        return value
    raise _NoCompletion(f"{what} is {_kind(value)}; expected {_EXPECTED[kind]}")


def _kind(value: object) -> str:
    match value:
        case None:
            return "missing"
        case bool():
            return "a truth value"
        case int() | float():
            return "a number"
        case str():
            return "text"
        case list():
            return "a list"
        case _:
            return "an object"
