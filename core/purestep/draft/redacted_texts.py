"""What comes from outside, with the texts hidden that a definition wants in no state and no log."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from ..agent import Agent, corrections
from ..redaction import Hidden, Redaction, revealed
from ..values import (
    Approvals,
    Cancel,
    Content,
    Message,
    ModelError,
    ModelOutput,
    NativeCall,
    Observation,
    RunState,
    TextPart,
    ToolPending,
    ToolResult,
    ToolResults,
    UserMessage,
)

Observed = TypeVar("Observed", bound=Observation)


class Redacted(Struct, Generic[Observed], frozen=True, kw_only=True):
    """An observation without the texts that are hidden, and these by what stands for them: a host's secret to keep."""

    observation: Observed
    hidden: dict[str, str]


class NotRun(Struct, frozen=True, kw_only=True):
    """The result of a call that is not run, without its id."""

    ok: bool
    error: str
    error_kind: str


class Revealed(Struct, frozen=True, kw_only=True):
    """The arguments that a tool is given, or its result where it cannot be run: a hidden text is not known any more."""

    params: dict[str, Any]
    result: NotRun | UnsetType = UNSET


def redacted(redaction: Redaction, state: RunState, observation: Observation) -> Observation:
    """Return an observation as the steps see it; it stays as it is where a host has hidden all before."""
    hidden: Observation = _without(Hidden(redaction, state.run_id), _tools_of(state), observation)
    return hidden


def redact(
    agent: Agent, state: RunState | None, observation: Observed, salt: str, hidden: Mapping[str, str]
) -> Redacted[Observed]:
    """Return an observation as the steps see it, and all texts that are hidden now."""
    if agent.redaction is None:
        return Redacted(observation=observation, hidden=dict(hidden))
    hider = Hidden(agent.redaction, salt, hidden)
    after = _without(hider, {} if state is None else _tools_of(state), observation)
    return Redacted(observation=after, hidden=hider.texts)


def reveal(agent: Agent, tool: str, params: dict[str, Any], hidden: Mapping[str, str]) -> Revealed:
    """Return the arguments of a call as its tool is given them: with hidden texts only where the definition says so."""
    if agent.redaction is None or tool not in agent.redaction.reveal:
        return Revealed(params=params)
    given, unknown = revealed(params, hidden)
    if not unknown:
        return Revealed(params=given)
    return Revealed(
        params=params,
        result=NotRun(ok=False, error=corrections.hidden_text_lost(unknown[0]), error_kind="invalid_arguments"),
    )


def redacted_text(agent: Agent, run_id: str, text: str) -> str:
    """Return the words of a user, without the texts that are hidden."""
    return text if agent.redaction is None else Hidden(agent.redaction, run_id).text(text)


def redacted_messages(agent: Agent, run_id: str, messages: Iterable[Message]) -> list[Message]:
    """Return messages that were said before, without the texts that are hidden."""
    if agent.redaction is None:
        return list(messages)
    hider = Hidden(agent.redaction, run_id)
    return [
        replace(
            message,
            content=_content(hider, message.content) if isinstance(message.content, str | tuple) else message.content,
            tool_calls=_calls(hider, message.tool_calls) if message.tool_calls else message.tool_calls,
            extra=hider.value(message.extra),
        )
        for message in messages
    ]


def _tools_of(state: RunState) -> dict[str, str]:
    return {call.call_id: call.tool for call in (*state.run.late, *state.pending)}


def _without(hider: Hidden, tools: Mapping[str, str], observation: Any) -> Any:
    match observation:
        case UserMessage(content=content, data=data):
            texts = tuple(
                [replace(each, text=hider.text(each.text), name=_maybe(hider.text, each.name)) for each in data]
            )
            return replace(observation, content=_content(hider, content), data=texts)
        case ToolPending(note=note):
            return replace(observation, note=_maybe(hider.text, note))
        case ModelOutput(content=content, tool_calls=calls, extra=extra):
            return replace(
                observation,
                content=_maybe(hider.text, content),
                tool_calls=_maybe(lambda given: _calls(hider, given), calls),
                extra=hider.value(extra),
            )
        case ToolResults(results=results):
            return replace(
                observation, results=tuple([_result(hider, tools.get(each.call_id, ""), each) for each in results])
            )
        case Approvals(approvals=approvals):
            answers = [
                replace(each, params=hider.value(each.params), reason=_maybe(hider.text, each.reason))
                for each in approvals
            ]
            return replace(observation, approvals=tuple(answers))
        case ModelError(message=message):
            return replace(observation, message=hider.text(message))
        case Cancel(reason=reason):
            return replace(observation, reason=_maybe(hider.text, reason))
        case _:
            return observation


def _maybe(change: Callable[[Any], Any], value: Any) -> Any:
    return None if value is None else change(value)


def _content(hider: Hidden, content: Content) -> Content:
    if isinstance(content, str):
        return hider.text(content)
    return tuple(
        [replace(part, text=hider.text(part.text)) if isinstance(part, TextPart) else part for part in content]
    )


def _calls(hider: Hidden, calls: tuple[NativeCall, ...]) -> tuple[NativeCall, ...]:
    return tuple(
        [
            replace(call, function=replace(call.function, arguments=hider.value(call.function.arguments)))
            for call in calls
        ]
    )


def _result(hider: Hidden, tool: str, result: ToolResult) -> ToolResult:
    output = hider.output(tool, msgspec.to_builtins(result.output))
    asks = result.asks
    if asks is not None:
        asks = replace(asks, message=hider.text(asks.message), form=hider.value(asks.form))
    return replace(result, output=output, error=_maybe(hider.text, result.error), asks=asks)
