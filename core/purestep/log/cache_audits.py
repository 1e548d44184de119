"""What a server's prompt cache could have had of each request of a run, and what was billed again.

A cache holds the beginning of a request: the tools, the schema of the output, then the messages. So two requests are
compared part by part, and the first part that differs is where it ends. Why it differs stands in the log: every move
that changes what was sent before has a line. Requests of agents, and those beside the conversation, such as a skill's,
are compared with those of their own kind.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from ..agent import FIND_TOOLS, Agent
from ..json_text import encode
from ..steps import open_decisions
from ..values import (
    AgentChangedEvent,
    CallModel,
    ChildLine,
    CorrectionEvent,
    Decided,
    Event,
    Message,
    ModelErrorEvent,
    ModelResponse,
    RunState,
    SkillEnded,
    Switched,
    Usage,
    UserMessageEvent,
    event_below,
    is_derived,
    prompt_messages,
    sent_message,
)
from ..window import TokenCounter, message_tokens
from .cached_parts import AuditedRequest, SentParts, common_parts, compared
from .lines import LogLines, LogText
from .replayer import LogReplayer, read_line

_ASIDE: Final = ("summary", "plan", "choice")
"""The reasons of requests that are no part of the conversation."""
_OF_MESSAGES: Final = ("history", "prompt", "summary", "no_summary", "overflow")
"""The causes that change no tool and no schema."""
_DEFINITION: Final = "agent_changed"
"""The cause that another definition is."""
_LATEST_TURN: Final = 2
"""The level of a window from which on no turn but the latest is sent, since the server had no room for more."""
_OFFER_CAUSES: Final = ("repeated_call", "answer_schema")
"""The corrections after which other tools are offered, or another schema."""


def cache_audit(log: LogText) -> tuple[AuditedRequest, ...]:
    """Compare each request of a recorded run with the one before; raises as `replay`."""
    replayer, events = LogReplayer(), list[Event]()
    before: dict[tuple[str, str], SentParts] = {}
    found: list[AuditedRequest] = []
    for number, line in LogLines(log):
        event = read_line(number, line)
        answered = _answered(event, replayer.state) if not is_derived(event) else None
        if answered is not None and replayer.agent is not None:
            decision = _asked(replayer.agent, replayer.state, answered.state.run_id)
            if decision is not None:
                agent, messages = _of_run(replayer, answered.state.run_id)
                lane = (answered.state.run_id, decision.skill or (decision.reason if decision.reason in _ASIDE else ""))
                sent = _sent(agent, decision, messages, answered, len(events))
                found.append(_audited(number, answered, sent, before.get(lane), decision, events))
                before[lane] = sent
        replayer.take(number, line)
        events.append(event)
    return tuple(found)


class _AskedModel(NamedTuple):
    """A model's output or error, the run that it is for, and the calls down to that: their names and their ids."""

    state: RunState
    path: tuple[str, ...]
    call_ids: tuple[str, ...]
    reply: ModelResponse | ModelErrorEvent


def _answered(event: Event, state: RunState) -> _AskedModel | None:
    call_ids, inner = _placed(event)
    path: tuple[str, ...] = ()
    for call_id in call_ids:
        call = next((call for call in state.pending if call.call_id == call_id), None)
        if call is None or call.child is None:
            return None
        state, path = call.child, (*path, call.tool)
    if not isinstance(inner, ModelResponse | ModelErrorEvent):
        return None
    return _AskedModel(state, path, call_ids, inner)


def _placed(event: Event) -> tuple[tuple[str, ...], Event]:
    """Return the innermost event of a line, and the ids of the calls down to it."""
    call_ids: tuple[str, ...] = ()
    while isinstance(event, ChildLine):
        call_ids, event = (*call_ids, event.call_id), event_below(event)
    return call_ids, event


def _asked(agent: Agent, state: RunState, run_id: str) -> CallModel | None:
    for decision in open_decisions(agent, state):
        own = state.run_id if isinstance(decision, CallModel) and decision.run_id is UNSET else None
        if isinstance(decision, CallModel) and run_id in (own, decision.run_id):
            return decision
    return None


def _of_run(replayer: LogReplayer, run_id: str) -> tuple[Agent, Sequence[Message]]:
    """Return the agent and the transcript of a run, or of one below."""
    assert replayer.agent is not None  # a model was asked
    if run_id == replayer.state.run_id:
        return replayer.agent, replayer.messages
    agent = _agent_of(replayer.agent, replayer.state, run_id)
    assert agent is not None  # the run goes on
    return agent, replayer.children[run_id]


def _agent_of(agent: Agent, state: RunState, run_id: str) -> Agent | None:
    for call in state.pending:
        if call.child is not None:
            below = agent.below(call)
            found = below if call.child.run_id == run_id else _agent_of(below, call.child, run_id)
            if found is not None:
                return found
    return None


def _sent(agent: Agent, decision: CallModel, messages: Sequence[Message], answered: _AskedModel, at: int) -> SentParts:
    # What an output in text is held to is no part of a prompt.
    heads = [decision.tools, decision.response_format] if agent.dialect.native_tools else []
    head = [b"" if part is UNSET else bytes(part) for part in heads]
    prompt = prompt_messages(decision, messages)
    counter: TokenCounter = agent.counter
    return SentParts(
        parts=[*head, *[encode(sent_message(message)) for message in prompt]],
        tokens=[*[counter.text(part.decode()) if part else 0 for part in head], *_sizes(prompt, counter)],
        head=len(head),
        prompt_tokens=None if (usage := _usage(answered.reply)) is None else usage.prompt_tokens,
        at=at,
        once=_offered_for(decision, answered.state),
    )


def _offered_for(decision: CallModel, state: RunState) -> str:
    """Return the correction for whose sake other tools are offered for a while, or another schema once."""
    if decision.cause == "answer_schema":
        return "answer_schema"
    return "repeated_call" if state.exchange.withheld else ""


def _sizes(prompt: Sequence[Message], counter: TokenCounter) -> Iterator[int]:
    return (message_tokens(message, counter) for message in prompt)


def _audited(
    line: int,
    answered: _AskedModel,
    sent: SentParts,
    before: SentParts | None,
    decision: CallModel,
    events: Sequence[Event],
) -> AuditedRequest:
    common, usage = common_parts(before, sent), _usage(answered.reply)
    cause = "" if before is not None and common == len(before.parts) else "start"
    if before is not None and cause:
        is_offer = sent.head > common
        is_narrow = answered.state.window.level >= _LATEST_TURN and not is_offer
        cause = "overflow" if is_narrow else _cause(events[before.at :], answered.call_ids, before.once, is_offer)
    return replace(compared(line, sent, before, common, cause, usage), path=answered.path, model=decision.model or "")


def _usage(reply: ModelResponse | ModelErrorEvent) -> Usage | None:
    return reply.usage if isinstance(reply, ModelResponse) else None


def _cause(events: Sequence[Event], call_ids: tuple[str, ...], once: str, is_offer: bool) -> str:
    """Return what the lines since the request before say of why it is another one; `unknown` where they do not.

    once: why the one before had other tools or another schema. is_offer: these differ.
    """
    causes = list(_causes(events, call_ids))
    found = [cause for cause in causes if cause not in _OF_MESSAGES] if is_offer else causes
    if _DEFINITION in found:
        return _DEFINITION  # which stays, whatever came after it
    return found[-1] if found else (once if is_offer else "") or "unknown"


def _causes(events: Sequence[Event], call_ids: tuple[str, ...]) -> Iterator[str]:
    for place, event in map(_placed, events):
        if place != call_ids:
            continue
        match event:
            case Switched(what=what):
                yield what
            case AgentChangedEvent():
                yield _DEFINITION
            case ModelErrorEvent(code="overflow"):
                yield "overflow"
            case Decided(reason="final_answer"):
                yield "final_answer"
            case SkillEnded(skill=skill) if skill == FIND_TOOLS:
                yield FIND_TOOLS
            case CorrectionEvent(cause=cause) if cause in _OFFER_CAUSES:
                yield cause
            case UserMessageEvent(tool_choice=choice):
                yield "user_message" if choice is None else "tool_choice"
