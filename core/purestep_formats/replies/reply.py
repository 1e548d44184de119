"""One reply while it is generated: the text to show, when its rest cannot change the decision, and its result."""

from typing import Any, Final, TypeVar, overload

from msgspec import Struct
from msgspec.structs import replace

from purestep.agent import agent_by_digest
from purestep.entry import Stream, close_stream, feed, is_one_object, open_stream
from purestep.steps import OWN_STATES, check_state, choices_of, wants_confidence
from purestep.values import (
    Cancel,
    Count,
    ModelError,
    ModelOutput,
    RequestParameters,
    RunState,
    ScoredChoice,
    StreamEvent,
    StreamReasoning,
    StreamStop,
)

from .completion import Completion, completed, extended, output_of, without_halves
from .confidence import TokenSums, confidence_of
from .faults import ReplyEnd, fault_of
from .growing import whole
from .parameters import request_parameters
from .scores import scores_of

Value = TypeVar("Value")

_EMPTY: Final = Completion()
_WEIGHED: Final = Completion(sums=TokenSums())
_ENDED: Final = ReplyEnd()

Observed = ModelOutput | ModelError | Cancel
"""What becomes of a reply: an output, an error, or a run that was stopped with it."""


class Reply(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """Where a reply is.

    stream: the filter of the run that waits for it; None without a run. asked: the model that was asked. chars: the
    characters of its text. stop_at: how many of them matter, once that is certain. is_shown: whether the host shows
    anything of it. unread: a text that the filter reads once more comes, since it has no stop before its end.
    """

    stream: Stream | None = None
    asked: str = ""
    chars: Count = 0
    stop_at: Count | None = None
    completion: Completion = _EMPTY
    choices: tuple[ScoredChoice, ...] = ()
    """What the run asked to have scored: nothing of the text is shown then."""
    request: RequestParameters | None = None
    asked_at: Count | None = None
    first_token_at: Count | None = None
    is_shown: bool = True
    unread: str = ""

    @property
    def is_over(self) -> bool:
        """Whether the host is to end the model or stop reading: more of the reply would change nothing.

        A model that ends by itself at the stop is let: its finish reason and token count come after its text.
        """
        return self.completion.has_ended or self.is_settled

    @property
    def is_settled(self) -> bool:
        """Whether the model continued after the stop: the result is certain, however the reply ends."""
        return self.stop_at is not None and self.chars > self.stop_at


def open_reply(
    state: RunState | None = None,
    model: str = "",
    request: dict[str, Any] | None = None,
    at: int | None = None,
    *,
    is_shown: bool = True,
) -> Reply:
    """Return the reply that a run waits for, before anything of it has come; pure.

    Error codes: `unknown_agent`, `invalid_state`.

    state: the run's, in the phase `model`; without one nothing is filtered, and the reply is only put together.
    model: the name of the model that the host asks, for a run whose definition names none. request: the body that is
    sent, without messages and tools: what of it are parameters is kept in the log. at: the host's clock, in
    milliseconds, as the request is sent. is_shown: whether the host looks at the events; without, an output that
    comes whole costs a fraction.
    """
    stream: Stream | None = None
    choices: tuple[ScoredChoice, ...] = ()
    completion = _EMPTY
    if state is not None:
        agent = agent_by_digest(state.agent)
        if not OWN_STATES.gave(state):
            check_state(agent, state)
        choices = choices_of(agent, state)
        stream = None if choices else open_stream(state)
        completion = _WEIGHED if wants_confidence(agent, state) else _EMPTY
        models = agent.definition.models
        model = models[state.window.model].name if models else model
    return Reply(
        stream=stream,
        asked=model,
        completion=completion,
        choices=choices,
        request=None if request is None else request_parameters(request),
        asked_at=at,
        is_shown=is_shown,
    )


def feed_reply(
    reply: Reply, chunk: str | bytes, at: int | None = None, *, is_text: bool = False
) -> tuple[Reply, tuple[StreamEvent, ...]]:
    """Return the reply after a chunk, and what may be shown now; pure and never raises on what a server sent.

    chunk: the JSON text of one chunk of a chat completion or of a whole one, or `[DONE]`. Chunks that come after the
    reply is over are let pass. at: the host's clock when it came; that of the first token is kept. is_text: the chunk
    is the next piece of the text itself, of a model that gives no chunks. Error codes: `unknown_agent`,
    `input_too_large`.
    """
    completion, came = extended(reply.completion, chunk) if is_text else completed(reply.completion, chunk)
    is_first = at is not None and reply.first_token_at is None and completion.has_begun
    first_token_at = at if is_first else reply.first_token_at
    thought = _thought(reply, came.reasoning) if came.reasoning else ()
    following, events = _filtered(reply, completion, came.text, first_token_at)
    return following, (*thought, *events)


def _thought(reply: Reply, reasoning: str) -> tuple[StreamReasoning, ...]:
    """Return the event of reasoning that came beside the text, where anything of this reply is shown."""
    is_shown = reply.stream is not None and not reply.stream.silent and reply.stop_at is None
    return (StreamReasoning(reasoning=reasoning),) if is_shown else ()


def _filtered(
    reply: Reply, completion: Completion, added: str, first_token_at: int | None
) -> tuple[Reply, tuple[StreamEvent, ...]]:
    """Return the reply with its completion after a chunk, and what of the text that it added may be shown."""
    chars, stream = reply.chars + len(added), reply.stream if added and reply.stop_at is None else None
    waits = stream is not None and not (reply.is_shown or reply.chars) and is_one_object(stream, added)
    unread = added if waits else reply.unread
    following = replace(reply, completion=completion, chars=chars, first_token_at=first_token_at, unread=unread)
    return (following, ()) if stream is None or waits else _read_on(following, added)


def _read_on(reply: Reply, added: str) -> tuple[Reply, tuple[StreamEvent, ...]]:
    assert reply.stream is not None  # the callers have looked
    stream, events = feed(reply.stream, reply.unread + added)
    return _until_stop(replace(reply, stream=stream, unread=""), events)


def _until_stop(reply: Reply, events: tuple[StreamEvent, ...]) -> tuple[Reply, tuple[StreamEvent, ...]]:
    """Note where the text stops to matter; what else came with it stands after the stop."""
    for number, event in enumerate(events, 1):
        if isinstance(event, StreamStop):
            return replace(reply, stop_at=event.at), events[:number]
    return reply, events


@overload
def close_reply(reply: Reply, end: Cancel) -> tuple[Cancel, tuple[StreamEvent, ...]]: ...


@overload
def close_reply(
    reply: Reply, end: ReplyEnd | ModelOutput | ModelError = _ENDED
) -> tuple[ModelOutput | ModelError, tuple[StreamEvent, ...]]: ...


@overload
def close_reply(reply: Reply, end: ReplyEnd | Observed) -> tuple[Observed, tuple[StreamEvent, ...]]: ...


def close_reply(reply: Reply, end: ReplyEnd | Observed = _ENDED) -> tuple[Observed, tuple[StreamEvent, ...]]:
    """Return the observation of a finished reply, and the events that remain; pure.

    end: how the reply ended, as the host saw it; or the observation that a model made itself; or the one that stops the
    run while the reply comes. The observation has what the reply tells and it does not say itself: what was asked and
    when, the provider's id, and the tokens counted so far. The text up to the stop counts also where the model went on
    or the connection broke after it: nothing was missing.
    """
    if isinstance(end, Cancel):
        return _with_facts(end, reply), ()
    observation, events = _closed(reply, end)
    return _with_facts(_weighed(observation, reply.completion), reply), events


def _weighed(observation: ModelOutput | ModelError, completion: Completion) -> ModelOutput | ModelError:
    """Return an output with how sure the model was, where its tokens were told."""
    if completion.sums is None or not isinstance(observation, ModelOutput) or observation.confidence is not None:
        return observation
    has_calls = bool(observation.tool_calls)
    return replace(
        observation, confidence=None if has_calls else confidence_of(completion.sums, observation.content or "")
    )


def _with_facts(observation: Observed, reply: Reply) -> Observed:
    return replace(
        observation,
        usage=_known(observation.usage, reply.completion.usage),
        response_id=_known(observation.response_id, reply.completion.response_id or None),
        request=_known(observation.request, reply.request),
        asked_at=_known(observation.asked_at, reply.asked_at),
        first_token_at=_known(observation.first_token_at, reply.first_token_at),
    )


def _known(said: Value | None, told: Value | None) -> Value | None:
    return told if said is None else said


def _closed(
    reply: Reply, end: ReplyEnd | ModelOutput | ModelError
) -> tuple[ModelOutput | ModelError, tuple[StreamEvent, ...]]:
    completion, added = without_halves(reply.completion)
    events: tuple[StreamEvent, ...] = ()
    if added:
        reply, events = _filtered(reply, completion, added, reply.first_token_at)
    observation = _told(completion, end, reply.choices) if isinstance(end, ReplyEnd) else end
    if reply.unread:
        if isinstance(observation, ModelOutput):
            return observation, events  # nothing of it stands after a stop
        reply, events = _read_on(reply, "")
    if reply.stream is not None and reply.stop_at is None:
        was_cut = isinstance(observation, ModelError) or observation.finish_reason == "length"
        reply, held_back = _until_stop(reply, close_stream(reply.stream, truncated=was_cut))
        events += held_back
    if reply.stop_at is None or (isinstance(observation, ModelOutput) and not reply.is_settled):
        return observation, events
    content = whole(completion.text)[: reply.stop_at]
    return ModelOutput(content=content, finish_reason="stop", model=reply.asked or None), events


def _told(completion: Completion, end: ReplyEnd, choices: tuple[ScoredChoice, ...]) -> ModelOutput | ModelError:
    fault = fault_of(completion, end)
    if fault is not None:
        return fault
    output = output_of(completion)
    return replace(output, scores=scores_of(completion.first_token, choices)) if choices else output
