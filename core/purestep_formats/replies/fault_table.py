"""The table of model faults: how each is recognised, its code, and the message with what to do.

Codes are those of `model_error`: `overflow`, `timeout`, `rate_limit`, `unavailable`, `refused`. In the words,
`{source}` is the server or model, `{said}` its own words, `{status}` the HTTP status, `{name}` an error's name,
`{base_end}` what the base URL usually ends in.
Sources: RFC 9110 section 15; OpenAI API, error codes; llama.cpp's server; vLLM; Ollama; text-generation-inference.
"""

import re
from functools import cache
from typing import Final

from msgspec import Struct

CHECK_URL: Final = "Check the base URL{base_end}."
LATER: Final = "Try again, or raise the time limit if the model is slow."
AGAIN: Final = "Try again."


class Fault(Struct, frozen=True):
    """One row: what a fault means, and what tells it.

    retryable: asking again may help. statuses, from_status: HTTP statuses that it may have, listed or from one up.
    types: what a server's `error.type` or `error.code` is. names: the names of a library's error. pattern: what its
    words hold, whatever their case. sizes: finds the groups `used` and `limit`, tokens, in them.
    """

    code: str
    retryable: bool
    words: str
    statuses: tuple[int, ...] = ()
    from_status: int = 0
    types: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    pattern: str = ""
    sizes: str = ""


_TOO_LONG: Final = "|".join(
    (
        r"maximum context length (?:is|of) \d",  # OpenAI, vLLM, Mistral
        r"exceeds? (?:the )?(?:available |maximum )?context (?:size|window|length)",  # llama.cpp, Ollama
        r"context (?:size|window|length) (?:was |has been )?exceeded",
        r"longer than the model's context length",  # SGLang
        r"input token count .{0,40}exceeds the maximum",  # Gemini
        r"prompt is too long",  # Anthropic
        r"reduce the length of the (?:messages|prompt|input)",  # Groq
        r"`inputs` (?:must have less than \d+ tokens|tokens \+ `max_new_tokens` must be)",  # text-generation-inference
        r"loaded with context length of only",  # LM Studio
    )
)
_SIZES: Final = r"maximum context length (?:is|of) (?P<limit>\d{1,9})(?: tokens)?(?:\D{1,80}(?P<used>\d{1,9}))?"
_OVERFLOW: Final = "The prompt{used} does not fit the model's window{limit}. Shorten it or use a larger window."
_KEY: Final = "{source} {key_said} ({status}). {check_key}"

SERVER: Final = (
    Fault("overflow", False, _OVERFLOW, types=("exceed_context_size_error", "context_length_exceeded"), sizes=_SIZES),
    # Not at every status: a 429 can speak of a prompt's length too, and passes.
    Fault("overflow", False, _OVERFLOW, statuses=(400, 413, 422, 500), pattern=_TOO_LONG, sizes=_SIZES),
    Fault("unavailable", False, _KEY, statuses=(401, 403)),
    Fault("unavailable", False, _KEY, statuses=(400,), pattern=r"\bAPI key\b"),  # Google
    Fault(
        "rate_limit",
        False,
        "{source} wants to be paid ({status}){said}.",
        statuses=(400,),
        pattern=r"credit balance is too low",  # Anthropic
    ),
    Fault(
        "unavailable",
        False,
        "{source} found no such address or model (404){said}. Check the base URL{base_end} and the model's name.",
        statuses=(404,),
    ),
    Fault(
        "timeout",
        True,
        "{source} ran out of time ({status}){said}. Try again or raise the time limit.",
        statuses=(408, 504),
    ),
    Fault(
        "unavailable",
        True,
        "{source} is busy with another request (409){said}. Wait a moment and try again.",
        statuses=(409,),
    ),
    Fault(
        "rate_limit",
        False,
        "{source} wants to be paid (402){said}. The account has no credit left.",
        statuses=(402,),  # OpenRouter, DeepSeek
    ),
    Fault(
        "rate_limit",
        False,
        "{source} takes no more requests now (429){said}. The account has no quota left.",
        statuses=(429,),
        types=("insufficient_quota",),
    ),
    Fault(
        "rate_limit",
        True,
        "{source} takes no more requests now (429){said}. Wait a moment and try again.",
        statuses=(429,),
    ),
    Fault(
        "unavailable",
        True,
        "{source} is overloaded (529){said}. Wait a moment and try again.",
        statuses=(529,),  # Anthropic
    ),
    Fault(
        "unavailable", True, "{source} failed ({status}){said}. Try again later or look at its log.", from_status=500
    ),
    Fault("refused", False, "{source} refused the request ({status}){said}. Check the model and its options."),
)
"""What a server says, by the first row that fits; the last fits all."""

REFUSING: Final = (400, 404, 415, 422, 501)
"""The statuses of a request that a server does not take as it is."""

MESSAGE_ROLES: Final = (
    "message_roles",
    r"roles must alternate|"  # templates of Mistral, Gemma, Llama 2
    r"unexpected role .{0,2}user\b.{0,2} after role .{0,2}tool\b",  # Mistral
)

CALL_IDS: Final = (
    "call_ids",
    r"tool call ids? .{0,100}length (?:of )?9\b",  # mistral-common, templates of Mistral
)

TEMPLATE: Final = (
    ("tools", r"tools param requires"),  # llama.cpp without --jinja
    ("system_role", r"system role not supported"),  # templates of Gemma
    MESSAGE_ROLES,
    CALL_IDS,
)
"""What a server's own failure (500) says of a request that its model's chat template does not take."""

SYSTEM_ROLE: Final = (
    "system_role",
    r"system role not supported|does not support .{0,2}system\b",
)
TOOL_SCHEMAS: Final = (
    "tool_schemas",
    r"invalid schema for function|"  # OpenAI
    r"\btools?[.\[]\d+[\].][\w.\[\]]{0,200}?(?:parameters|schema)|"  # OpenAI, Anthropic, Google
    r"function_declarations\[\d+\]\.parameters",  # Google
)

MEMBERS: Final = (
    SYSTEM_ROLE,
    MESSAGE_ROLES,
    CALL_IDS,
    TOOL_SCHEMAS,
    ("cache_control", r"^(?:\S*[.])?cache_control\b"),  # Anthropic, with the path to it: `tools.0.cache_control: ...`
    ("response_format", r"function calling with a response mime type"),  # Google
    ("parallel_tool_calls", r"parallel[ _]tool[ _]calls"),
    ("tool_choice", r"tool[ _-]choice"),  # vLLM: `"auto" tool choice requires ...`
    ("tools", r"\btools?\b|function[ _]call"),  # Ollama, OpenRouter: "... tool use"
    (
        "response_format",
        r"response[ _]format|json[ _]schema|structured[ _]output|guided[ _](?:json|decoding)|"
        r"\boutput_config\b|"  # Anthropic
        r"response_?(?:json_?)?schema|response_?mime_?type",  # Google
    ),
    ("grammar", r"\bgrammar\b"),
    ("top_logprobs", r"\btop_logprobs\b"),
    ("logprobs", r"\blog_?probs\b"),
    ("stream_options", r"\bstream_options\b"),
    ("stream", r"\bstreaming\b.{0,40}\bnot (?:supported|allowed|available)"),
    ("strict", r"[\"'`]strict[\"'`]|\.strict\b"),
    ("reasoning_effort", r"\breasoning_effort\b"),
    ("max_tokens", r"\bmax_tokens\b"),
    ("temperature", r"\btemperature\b"),
    ("top_p", r"\btop_p\b"),
    ("top_k", r"\btop_k\b"),
    ("min_p", r"\bmin_p\b"),
    ("seed", r"\bseed\b"),
    ("stop", r"[\"'`]stop[\"'`]|\bparameter:? stop\b"),
    ("presence_penalty", r"\bpresence_penalty\b"),
    ("frequency_penalty", r"\bfrequency_penalty\b"),
    ("repeat_penalty", r"\brepeat(?:ition)?_penalty\b"),
)
"""Members of a request that a server may not take, and what its words call each.

Sources: OpenAI API reference, chat completions and Responses; Anthropic API reference, errors; error texts of Google,
vLLM, Ollama, OpenRouter, Groq, LM Studio, llama.cpp.
"""

NAMED: Final = (
    r"(?:unknown|unsupported|unrecogni[sz]ed|unexpected|invalid|disallowed) (?:request |body )?"
    r"(?:parameter|argument|field|property|key|member|option|name)s?(?: supplied| provided| name)?:? ?[\"'`]?"
    r"(?P<after>(?-i:[a-z][a-z0-9_]{2,63}))\b|"
    r"(?<![\w.])(?:body\.)?(?P<before>(?-i:[a-z][a-z0-9_]{2,63}))[\"'`]?:? (?:extra inputs are not permitted|"
    r"(?<!extra inputs )(?:is|are) not (?:supported|permitted|allowed|implemented|available))"
)
"""How servers name any other member. Sources: OpenAI, pydantic (vLLM and many more), FastAPI, serde, Go's decoder."""

PATHS: Final = (TOOL_SCHEMAS, ("response_format", r"^text\.format\b"))
"""The members that a server's `param` says otherwise, with a path into the request. Source: OpenAI API reference."""

STATUS_OF_TYPE: Final = {
    "rate_limit_exceeded": 429,
    "rate_limit_error": 429,
    "insufficient_quota": 429,
    "overloaded_error": 503,
    "invalid_prompt": 400,
    "invalid_request_error": 400,
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
}
"""The status that an error in mid-stream stands for where it names none; 500 for others.

Sources: OpenAI API reference, Responses, `error.code`; Anthropic API reference, errors.
"""

_FAILED: Final = Fault("unavailable", True, "{source} failed ({name}){said}. Try again.")

_BROKEN: Final = Fault(
    "unavailable",
    True,
    "{source} broke down ({name}){said}. Try again: it will be loaded anew.",
    names=("RuntimeError",),
    pattern=r"\((?:abort|oom)\)|memory",
)

_PROMPT_AND_WINDOW: Final = r"prompt tokens: (?P<used>\d{1,9}).{0,200}?window size: (?P<limit>\d{1,9})"

LIBRARIES: Final[dict[str, tuple[Fault, ...]]] = {
    "webllm": (
        Fault("overflow", False, _OVERFLOW, names=("ContextWindowSizeExceededError",), sizes=_PROMPT_AND_WINDOW),
        Fault(
            "unavailable",
            False,
            "{source} lost the graphics card. This is mostly for want of memory: close other pages, or choose a "
            "smaller model.",
            names=("DeviceLostError",),
            pattern="device (?:was |is )?lost",
        ),
        Fault(
            "unavailable",
            True,
            "{source} is not loaded any more. Try again: it will be loaded.",
            names=("EngineNotLoadedError", "ModelNotLoadedError", "WorkerEngineModelNotLoadedError"),
        ),
        Fault(
            "refused",
            False,
            "{source} refused the request ({name}){said}. Check the model and its options.",
            names=(
                "AttentionSinkSizeError",
                "ConfigValueError",
                "ContentTypeError",
                "CustomResponseFormatError",
                "CustomSystemPromptError",
                "DependencyError",
                "GrammarMatcherInitError",
                "InvalidResponseFormatError",
                "InvalidResponseFormatGrammarError",
                "InvalidStreamOptionsError",
                "MessageOrderError",
                "MinValueError",
                "NonNegativeError",
                "RangeError",
                "SeedTypeError",
                "SpecifiedModelNotFoundError",
                "StreamingCountError",
                "SystemMessageOrderError",
                "UnclearModelToUseError",
                "UnsupportedFieldsError",
                "UnsupportedModelIdError",
                "UnsupportedRoleError",
                "UserMessageContentErrorForNonVLM",
            ),
        ),
        _FAILED,
    ),
    "wllama": (
        Fault("overflow", False, _OVERFLOW, pattern="context (?:size|window)"),
        _BROKEN,
        Fault(
            "refused",
            False,
            "{source} refused the request{said}. Check the constraint and the messages.",
            pattern="failed to start inference|grammar|schema|template",
        ),
        _FAILED,
    ),
    "transformers": (
        Fault("overflow", False, _OVERFLOW, names=("ContextWindowSizeExceededError",), sizes=_PROMPT_AND_WINDOW),
        _BROKEN,
        _FAILED,
    ),
    "prompt_api": (
        Fault("overflow", False, _OVERFLOW, names=("QuotaExceededError",)),
        Fault(
            "refused",
            False,
            "{source} refused the request ({name}){said}. Check the schema, the language and the messages.",
            names=("NotSupportedError", "NotReadableError", "SyntaxError", "TypeError"),
        ),
        _FAILED,
    ),
}
"""What a library that runs a model in the host throws, by the first row that fits."""

KINDS: Final = {
    "cut": Fault("unavailable", True, "{source} ended its reply early, after {size} characters. {later}"),
    "broken": Fault(
        "unavailable",
        True,
        "{source} ended its reply with the reason {reason}, which is no good end, after {size} characters. {later}",
    ),
    "timeout": Fault("timeout", True, "{source} did not finish in time; {size} characters had come. {later}"),
    "too_slow": Fault("timeout", False, "{source} did not finish in {seconds} seconds. Ask for fewer tokens."),
    "unreachable": Fault(
        "unavailable", True, "{source} cannot be reached ({name}). Is it running, and is the base URL right?"
    ),
    "insecure": Fault(
        "unavailable",
        False,
        "{source} was reached, but not securely: {message}. Check that https and the host's name are right, and "
        "that its certificate is valid.",
    ),
    "unusable": Fault("unavailable", False, "{source} could not be asked ({name}). " + CHECK_URL),
    "stopped": Fault("unavailable", False, "The generation was stopped."),
    "not_loaded": Fault("unavailable", False, "{message}"),
    "not_fetched": Fault("unavailable", True, "{message}"),
}
"""What the host itself saw, by its kind."""


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Return a row's pattern, made ready when it is first needed: most runs meet no fault."""
    return re.compile(pattern, re.ASCII | re.IGNORECASE | re.DOTALL)
