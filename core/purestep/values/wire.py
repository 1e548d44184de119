"""The values that cross the boundary: observations come in, decisions and messages go out.

All are frozen and pure; nothing here knows how they are made or carried out.
Sources: OpenAI chat completions (messages, tool calls, usage), JSON-RPC free form for tool output.
"""

from typing import Annotated, Any, Final, Literal, final

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from ..bounds import (
    MAX_CONFIDENCE_NATS,
    MAX_FORM_MESSAGE_CHARS,
    MAX_FORM_STATE_CHARS,
    MAX_HANDLE_CHARS,
    MAX_NOTE_CHARS,
    MAX_REQUEST_PARAMETERS,
    MAX_RESPONSE_ID_CHARS,
)
from ..json_text import encode
from ..lazy import lazy_decoder
from .content import Content, Count, Data, RefusedMembers, RequestMember, ResultParts
from .reading import REASONING_LISTS, REASONING_TEXTS, Problem
from .sent import ShortenedMessage
from .toolspec import ToolChoice

Millis = Count

ParameterItem = str | int | float | bool
Parameter = ParameterItem | tuple[ParameterItem, ...]
RequestParameters = Annotated[dict[str, Parameter], Meta(max_length=MAX_REQUEST_PARAMETERS)]
"""What a model was asked with beside its messages and tools, by the names of the request that was sent.

`model` is the name that was asked for; `constraint` says what the output was held to: `json_schema`, `json_object` or
`grammar`.
"""

Handle = Annotated[str, Meta(min_length=1, max_length=MAX_HANDLE_CHARS)]
"""By which a host finds a call again that goes on elsewhere: an id of a job or a task."""

ResponseId = Annotated[str, Meta(max_length=MAX_RESPONSE_ID_CHARS)]

LogProbability = Annotated[float, Meta(ge=-MAX_CONFIDENCE_NATS, le=0)]

# --- observations: host to core ---------------------------------------------------------------------------


class Tagged(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="type", gc=False
):
    """What values have in common that are told apart by their `type` and come from a host: no member, and strict.

    The `run_id` that most of them have names a run below, of an agent that was called; without one they are for the
    run itself.
    """


class UserMessage(Tagged, frozen=True, kw_only=True, tag="user_message"):
    """What the user said: it starts a run, a new exchange in a run that has ended, or steers one that goes on.

    `content` is text, or parts of text, images and files, whose bytes stay with the host. In the middle of a run it is
    put before the next model call; the decision stays the same until then. `tool_choice` holds for this exchange, from
    then on, instead of the definition's. `data` are texts that came along and are not the user's: the model reads them
    framed, after the content, and nothing in them counts as said by the user. `refused`, where it begins an exchange:
    members of requests that the model's server has refused in other runs, by what `model_error` says of them.
    `pinned`: the policy `history` never leaves it and its answer out.
    """

    content: Content
    data: Data = ()
    tool_choice: ToolChoice | None = None
    refused: RefusedMembers = ()
    pinned: bool = False
    at: Millis | None = None
    run_id: str | None = None


class NativeFunction(Struct, frozen=True, kw_only=True, gc=False):
    """The function part of an OpenAI tool call; `arguments` is JSON as text."""

    name: str
    arguments: str | dict[str, Any] | None = None


class NativeCall(Struct, frozen=True, kw_only=True, gc=False):
    """One entry of an OpenAI assistant message's `tool_calls`."""

    function: NativeFunction
    id: str | None = None
    type: str = "function"


class Usage(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Tokens that one model call used; other counters of the server are dropped.

    `cached_tokens` are those of the prompt that the server had in its cache, `reasoning_tokens` those of the completion
    that the reasoning took: parts of the counts above, not in addition to them. `cache_write_tokens`, another part of
    the prompt's, are those that the server wrote into its cache, where that has a price of its own.
    """

    prompt_tokens: Count | None = None
    completion_tokens: Count | None = None
    cached_tokens: Count | None = None
    reasoning_tokens: Count | None = None
    cache_write_tokens: Count | None = None


class Confidence(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """How sure a model was of a decision, as the host tells it: sums of natural log-probabilities, to two decimals.

    `branch`: of what it does at all, a call, a question or an answer. `name`: of the name of the tool, 0 without one.
    `args`: of the rest.
    """

    branch: LogProbability
    name: LogProbability
    args: LogProbability


class ModelOutput(Tagged, frozen=True, kw_only=True, tag="model_output"):
    """What the model said, raw; `finish_reason` as OpenAI names it (stop, length, tool_calls, content_filter).

    `scores`: where the decision had `choices`, the log-probability of each by its id. What is no number counts as
    missing, so any JSON is taken here. `confidence`: where the decision had `logprobs` and the host can tell. `extra`:
    what the provider sent beside these and wants back with the message, such as its reasoning; the core keeps it and
    never reads it.

    `request`, `response_id`, `asked_at` and `first_token_at` are kept for those who read the log, and decide nothing:
    the parameters that were sent, the provider's id of the output, and when it was asked for and began to come.
    """

    content: str | None = None
    tool_calls: tuple[NativeCall, ...] | None = None
    finish_reason: str | None = None
    usage: Usage | None = None
    model: str | None = None
    scores: dict[str, Any] | None = None
    confidence: Confidence | None = None
    extra: Any = None
    request: RequestParameters | None = None
    response_id: ResponseId | None = None
    asked_at: Millis | None = None
    first_token_at: Millis | None = None
    at: Millis | None = None
    run_id: str | None = None


class OutputReference(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An output whose bytes stay with the host: their SHA-256 (64 hex digits), media type and number."""

    digest: str
    media_type: str
    bytes: Count


class AskedForm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What a tool asks a person in the middle of its call.

    `form`: the JSON Schema of what is to be filled in, an object. `state`: what the tool wants back with the answer,
    which nobody reads.
    """

    message: Annotated[str, Meta(max_length=MAX_FORM_MESSAGE_CHARS)]
    form: dict[str, Any] = {}
    state: Annotated[str, Meta(max_length=MAX_FORM_STATE_CHARS)] = ""


class FormAnswer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What a person said to a form: `content`, which fits it, where it was filled in; `state` is the question's."""

    accepted: bool
    content: dict[str, Any] = {}
    state: Annotated[str, Meta(max_length=MAX_FORM_STATE_CHARS)] = ""


class ToolResult(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """The result of one tool call: `output` or a `reference` to one when ok, `error` and its kind when not.

    `error_kind` is `invalid_arguments`, `execution` or `io`; or `interrupted`: the call may have run, and nobody knows
    what it did, since it was stopped, ran past its time, or gave a result that cannot be used. `parts`: images and
    files that it gave beside its output, whose bytes the host keeps. `ended_at`: when the call ended, since results
    that come together have one `at`. `asks`, in the place of an output or error: the call has not ended, and
    goes on once a person has answered. `usage`: what the tool had the model at hand use, which counts as its own.
    `key`: the call's, by which a result of another run's call is refused.
    """

    call_id: str
    ok: bool
    output: Any = None
    error: str | None = None
    error_kind: str | None = None
    reference: OutputReference | None = None
    parts: ResultParts = ()
    ended_at: Millis | None = None
    asks: AskedForm | None = None
    usage: Usage | None = None
    key: str | None = None


class ToolResults(Tagged, frozen=True, kw_only=True, tag="tool_results"):
    """Results of any of the pending calls, in any order."""

    results: tuple[ToolResult, ...]
    at: Millis | None = None
    run_id: str | None = None


class Approval(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A person's answer for one call; must name the call's key.

    `params` replaces its arguments; where the call asks (`form`), it is what was filled in.
    """

    call_id: str
    key: str
    approved: bool
    params: dict[str, Any] | None = None
    reason: str | None = None
    by: str | None = None


class Approvals(Tagged, frozen=True, kw_only=True, tag="approvals"):
    """Answers for any of the calls that wait for approval."""

    approvals: tuple[Approval, ...]
    at: Millis | None = None
    run_id: str | None = None


class ModelError(Tagged, frozen=True, kw_only=True, tag="model_error"):
    """The model gave nothing: overflow, timeout, rate_limit, unavailable or refused.

    `retry_after_ms` is how long the server asked clients to wait. `refused`: the member of the request that the server
    names as what it does not take, such as `tools` or `temperature`. The members after it are those of `model_output`,
    of a reply that broke off; they decide nothing, and `usage` counts against no limit.
    """

    code: str
    message: str = ""
    retryable: bool = False
    retry_after_ms: Count | None = None
    refused: RequestMember | None = None
    usage: Usage | None = None
    request: RequestParameters | None = None
    response_id: ResponseId | None = None
    asked_at: Millis | None = None
    first_token_at: Millis | None = None
    at: Millis | None = None
    run_id: str | None = None


class Cancel(Tagged, frozen=True, kw_only=True, tag="cancel"):
    """The user or the host stops the run.

    The members after `reason` are those of `model_output`, of the output that was stopped with it: they decide nothing.
    """

    reason: str | None = None
    usage: Usage | None = None
    request: RequestParameters | None = None
    response_id: ResponseId | None = None
    asked_at: Millis | None = None
    first_token_at: Millis | None = None
    at: Millis | None = None
    run_id: str | None = None


class Resumed(Tagged, frozen=True, kw_only=True, tag="resumed"):
    """The host that ran the calls was stopped, and the run goes on: those handed out may have run."""

    at: Millis | None = None
    run_id: str | None = None


class ToolPending(Tagged, frozen=True, kw_only=True, tag="tool_pending"):
    """A call that was handed out goes on elsewhere; `tool_results` for it come later, in whatever phase.

    `handle`: by which the host finds it again. `note`: what the model is told of it meanwhile.
    """

    call_id: str
    handle: Handle
    note: Annotated[str, Meta(max_length=MAX_NOTE_CHARS)] | None = None
    at: Millis | None = None
    run_id: str | None = None


@final
class AgentChanged(Tagged, frozen=True, kw_only=True, tag="agent_changed"):
    """The run goes on under another definition, which is given whole, as JSON."""

    agent: Raw
    at: Millis | None = None


Observation = (
    UserMessage | ModelOutput | ToolResults | ToolPending | Approvals | ModelError | Cancel | Resumed | AgentChanged
)

# --- transcript --------------------------------------------------------------------------------------------


class Message(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One transcript message, as it is sent to an OpenAI-compatible server.

    The `content` of a user's message may have parts, of which the host sends images and files by their bytes.
    `extra` is what the provider sent with its calls and wants back with them: an object, whose members are sent among
    the message's own, in the place of those with the same name (`sent_message`). `extra_model` is the kind of server
    and the name of the model that gave it, and no other gets it: reasoning comes encrypted or signed for one model.
    """

    role: str
    content: Content | UnsetType | None = UNSET
    tool_calls: tuple[NativeCall, ...] | UnsetType = UNSET
    tool_call_id: str | UnsetType = UNSET
    extra: Any = None
    extra_model: str | UnsetType = UNSET


# --- decisions: core to host -------------------------------------------------------------------------------


class ScoredChoice(Struct, frozen=True, kw_only=True, gc=False):
    """One of the texts that a model may continue with; its first token differs from that of the others."""

    id: str
    text: str


class CallModel(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="call_model", tag_field="type", gc=False):
    """Ask the model with the named messages of the transcript, once `wait_ms` have passed.

    An entry of `prompt` is a range [from, to) of messages that are sent as they are, or one message with cuts.

    `messages`, where they are given, are sent first.

    `tool_choice`, in OpenAI's form, goes with `tools` where the definition or the user message chooses.

    `problems`, with a correction: what of the output could not be read as written.

    `choices`, with the reason `choice`: nothing is to be written; the observation has the `scores` of these texts.

    `logprobs`: the observation has the `confidence` of what is written.

    `without`: members that the model's server has refused, which the host adds to no request of its own accord.

    `system`: the role that messages of the role `system` have for the model's server; for `user`, such a text is one
    message with the user's that follows it, a blank line between them.

    `extra_model`, where it is not `model`: whose `extra` goes with the messages, as they say it.

    `extra_from`: messages of the transcript before this index whose calls have an `extra` are sent without it.

    `apart`: a word of the assistant that is sent between results of tools, or a message of the user, and a message of
    the user after it, since the chat template of the model's server demands that roles alternate.

    `call_id_chars`: the ids of calls are sent as numbers of so many digits, from 1 in the order in which they come.

    `call_extra`: members that go with the first call of each message after the user's last one that has no `extra` of
    the model's own, since its server takes no call without them.

    `skill`, with the reason `skill`: the skill that is executed; `cause` is there once its output was sent back.

    `path` and `run_id`, where an agent that was called asks: the names of the agents down to it, and its run, whose own
    transcript `prompt` names and which the observation names too.
    """

    prompt: tuple[tuple[int, int] | ShortenedMessage, ...]
    reason: str
    skill: str | UnsetType = UNSET
    messages: tuple[Message, ...] | UnsetType = UNSET
    cause: str | UnsetType = UNSET
    model: str | UnsetType = UNSET
    tools: Raw | UnsetType = UNSET
    tool_choice: Raw | UnsetType = UNSET
    response_format: Raw | UnsetType = UNSET
    grammar: str | UnsetType = UNSET
    stop: tuple[str, ...] | UnsetType = UNSET
    sampling: Raw | UnsetType = UNSET
    wait_ms: int | UnsetType = UNSET
    problems: tuple[Problem, ...] | UnsetType = UNSET
    choices: tuple[ScoredChoice, ...] | UnsetType = UNSET
    logprobs: bool = False
    without: tuple[str, ...] | UnsetType = UNSET
    system: str | UnsetType = UNSET
    apart: str | UnsetType = UNSET
    call_id_chars: int | UnsetType = UNSET
    call_extra: Raw | UnsetType = UNSET
    extra_model: str | UnsetType = UNSET
    path: tuple[str, ...] | UnsetType = UNSET
    run_id: str | UnsetType = UNSET
    extra_from: int | UnsetType = UNSET


class OutputPart(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Characters [begin, end) of the tool output that the log holds in the line `seq`."""

    seq: Count
    begin: Count
    end: Count


class ToolCall(Struct, frozen=True, kw_only=True, gc=False):
    """One call that may run now; `key` is its idempotency key, `problems` what was changed in its arguments.

    part: the call is answered from the log, by `read_part`, and no tool is run. answer: what a person said to what the
    call has asked, with which it goes on. checks: the id of the call whose output
    this one judges or the search that it ranks for, or `answer`; the model did not ask for it.
    """

    call_id: str
    tool: str
    params: dict[str, Any]
    key: str
    part: OutputPart | UnsetType = UNSET
    checks: str | UnsetType = UNSET
    problems: tuple[Problem, ...] | UnsetType = UNSET
    answer: FormAnswer | UnsetType = UNSET
    handle: str | UnsetType = UNSET
    """It goes on elsewhere already, and is not run: its result is waited for."""


class InvokeTool(Struct, frozen=True, kw_only=True, tag="invoke_tool", tag_field="type", gc=False):
    """Run the calls, at most `limits.max_parallel` of those without a result, the first ones first.

    `tool`, `params`, `call_id` and `key` mirror the first for hosts that run one at a time. `problems` are what of the
    output was not read as written; a call's own are what was changed in its arguments. `path` and `run_id` as in
    `call_model`.
    """

    tool: str
    params: dict[str, Any]
    call_id: str
    key: str
    calls: tuple[ToolCall, ...]
    problems: tuple[Problem, ...] | UnsetType = UNSET
    path: tuple[str, ...] | UnsetType = UNSET
    run_id: str | UnsetType = UNSET


class InvokeSkill(Struct, frozen=True, kw_only=True, tag="invoke_skill", tag_field="type", gc=False):
    """Execute a skill that the model named, in a run without a definition; its result is a tool result.

    `calls` holds it alone, as a call of the tool with its name. With a definition the core executes its skills itself.
    """

    skill: str
    params: dict[str, Any]
    call_id: str
    key: str
    calls: tuple[ToolCall, ...]
    problems: tuple[Problem, ...] | UnsetType = UNSET


class ArgumentOrigin(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """Where the text of an argument came from: the user's words, data that came along with them, a call's result, or
    the model, which worded it.

    `path`: JSON Pointer into the arguments. `call_id`, `tool`: of the result. `labels`: that the text carries; none
    for text that is trusted.
    """

    path: str
    source: Literal["user", "data", "result", "model"]
    call_id: str = ""
    tool: str = ""
    labels: tuple[str, ...] = ()


class ApprovalCall(Struct, frozen=True, kw_only=True, gc=False):
    """One call that a person must answer for, and why.

    `problems` are what was changed in its arguments; `origins` tell where their text came from. `note`: the question
    in words, which a person is shown in the place of the reason. `form`: the call asks, and this is the JSON Schema of
    the `params` that answer it; a refusal is an answer too. `path`: that of the decision, set by hosts that show calls
    of several agents together.
    """

    call_id: str
    tool: str
    params: dict[str, Any]
    key: str
    reason: str
    note: str | UnsetType = UNSET
    problems: tuple[Problem, ...] | UnsetType = UNSET
    origins: tuple[ArgumentOrigin, ...] | UnsetType = UNSET
    form: dict[str, Any] | UnsetType = UNSET
    path: tuple[str, ...] | UnsetType = UNSET


class RequestApproval(Struct, frozen=True, kw_only=True, tag="request_approval", tag_field="type", gc=False):
    """Ask a person about the calls; nothing of this turn runs before all are answered.

    `problems` are what of the output was not read as written. `path` and `run_id` as in `call_model`; the key of a
    call tells whose it is, so an answer need not name its run.
    """

    calls: tuple[ApprovalCall, ...]
    problems: tuple[Problem, ...] | UnsetType = UNSET
    path: tuple[str, ...] | UnsetType = UNSET
    run_id: str | UnsetType = UNSET


ActStatus = Literal["succeeded", "failed", "refused", "unknown"]
"""Whether the tool ran to its end, said that it failed, was not run, or may have run."""


class Act(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A call of a tool that may act.

    `cut`: `params` has only a part of the arguments, since they are long; the log has all. `path`: the names of the
    agents down to the one that called it.
    """

    call_id: str
    tool: str
    params: dict[str, Any]
    status: ActStatus
    cut: bool = False
    path: tuple[str, ...] = ()


class Citation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A result that an answer cites: its call, and the code points [begin, end) of the answer that name it."""

    call_id: str
    tool: str
    at: tuple[Count, Count]


class Done(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="done", tag_field="type", gc=False):
    """The final answer; `data` is its value where an answer schema was given.

    `problems` are what of the output was not read as written, and what was changed in the data. `citations`: the
    results that it cites, where the definition demands that. `acts`: the calls of the exchange that may have changed
    something, in order; empty where nothing was changed, absent where no tool may act. `acts_left_out`: how many later
    ones there were, past the bound.
    `question`: it asks the user for something, and the next message goes on from there.
    """

    answer: str
    data: Any = UNSET
    problems: tuple[Problem, ...] | UnsetType = UNSET
    citations: tuple[Citation, ...] | UnsetType = UNSET
    question: bool = False
    acts: tuple[Act, ...] | UnsetType = UNSET
    acts_left_out: int = 0


class Failed(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="failed", tag_field="type", gc=False):
    """The run ended without an answer; `code` is stable, `message` is for people, `acts` as beside an answer."""

    code: str
    message: str
    detail: dict[str, Any] | UnsetType = UNSET
    acts: tuple[Act, ...] | UnsetType = UNSET
    acts_left_out: int = 0


class Inconclusive(Struct, frozen=True, kw_only=True, tag="inconclusive", tag_field="type", gc=False):
    """The output was neither a call nor an answer: ask the model again. Whole-state form without a definition only.

    output: what it said. cause: why that is no answer. prompt: the messages to ask with, the last of which says so.
    """

    output: str
    cause: str
    prompt: tuple[tuple[int, int] | ShortenedMessage, ...]


Decision = CallModel | InvokeTool | InvokeSkill | RequestApproval | Done | Failed

_DECISION_DECODER: Final["msgspec.json.Decoder[Decision]"] = lazy_decoder(Decision)
_MESSAGE_DECODER: Final["msgspec.json.Decoder[Message]"] = lazy_decoder(Message)


def returned_extra(extra: Any, calls: tuple[NativeCall, ...]) -> dict[str, Any] | None:
    """Return the `extra` of the message with these calls: what of a provider's parts goes back; None for nothing.

    Only an object has members to give back, and none of them replaces a member that a message has. `tool_calls`, a
    list as long as the calls, holds members of each, which are put beside the call's own.
    """
    if not isinstance(extra, dict):
        return None
    kept = {name: value for name, value in extra.items() if name not in Message.__struct_fields__}
    beside = extra.get("tool_calls")
    if isinstance(beside, list) and len(beside) == len(calls) and any(isinstance(more, dict) for more in beside):
        own: list[dict[str, Any]] = msgspec.json.decode(encode(calls))
        kept["tool_calls"] = [
            {**more, **call} if isinstance(more, dict) else call for call, more in zip(own, beside, strict=True)
        ]
    return kept or None


def answer_extra(extra: Any) -> dict[str, Any] | None:
    """Return the `extra` of a message without calls: what goes back of a provider's parts; None for nothing.

    Reasoning does not: it belongs to the calls that it led to, and some servers refuse it elsewhere.
    """
    kept = returned_extra(extra, ()) or {}
    return {name: value for name, value in kept.items() if name not in (*REASONING_TEXTS, *REASONING_LISTS)} or None


def own_decision(decision: Decision) -> Decision:
    """Return an equal decision that shares no dict and no list with the state it was read off."""
    return decision if isinstance(decision, CallModel) else _DECISION_DECODER.decode(encode(decision))


def own_message(message: Message) -> Message:
    """Return an equal message that shares no dict and no list with the observation it was made of."""
    shares = message.tool_calls is not UNSET or message.extra is not None
    return _MESSAGE_DECODER.decode(encode(message)) if shares else message
