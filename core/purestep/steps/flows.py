"""Information flow in a run: what the user said, what results hold, and which calls a person sees for that.

What is known is kept over the whole run, since the transcript is: a page that was read in an earlier exchange may still
tell the model what to do.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..agent import Agent
from ..agent import corrections as words
from ..bounds import MAX_FLOW_RESULT_CHARS, MAX_FLOW_RESULTS, MAX_FLOW_RESULTS_CHARS, MAX_FLOW_SAID_CHARS
from ..flow import OPEN, edited_origins, has_words, trace, unframed
from ..text import fold
from ..values import (
    ArgumentOrigin,
    Content,
    FlowState,
    FlowVerdict,
    KnownResult,
    Message,
    Pending,
    RunState,
    parts_of,
    text_of,
)
from .draft import Draft
from .read_on import is_reading, known_cut


class JudgedFlow(Struct, frozen=True):
    """What the rules say of a call, the labels that its arguments carry, and where each came from."""

    then: FlowVerdict = "allow"
    labels: tuple[str, ...] = ()
    origins: tuple[ArgumentOrigin, ...] = ()


_NOTHING = JudgedFlow()


def note_words(draft: Draft, said: str, *, with_data: bool = False) -> None:
    """Keep what the user has said, the latest where it is long; of one very long message the beginning and the end.

    with_data: whether other texts or files came along with it, which are open whatever the tools are.
    """
    if draft.agent.flow.is_active or draft.state.flow is not None or with_data:
        before = draft.state.flow or FlowState()
        draft.state = replace(draft.state, flow=replace(before, said=_joined(before.said, said)))


def _joined(before: str, said: str) -> str:
    text = fold(said)
    if len(text) > MAX_FLOW_SAID_CHARS:
        half = MAX_FLOW_SAID_CHARS // 2
        text = f"{text[: half - 1]}\n{text[-half:]}"
    return f"{before}\n{text}"[-MAX_FLOW_SAID_CHARS:] if before else text


def judge_flow(draft: Draft, tool: str, params: dict[str, Any]) -> JudgedFlow:
    """Give what becomes of a call for what flows into its arguments."""
    flow, rules = draft.state.flow, draft.agent.flow
    if flow is None or not _has_labels(flow):
        return _NOTHING
    traced = trace(flow, rules.said_params(tool, params), rules.names_of(tool))
    verdicts = {rules.verdict(tool, origin) for origin in traced.origins if origin.labels}
    then: FlowVerdict = "deny" if "deny" in verdicts else "ask" if "ask" in verdicts else "allow"
    return JudgedFlow(then, traced.labels, traced.shown)


def _has_labels(flow: FlowState) -> bool:
    return bool(flow.read or flow.lost) or any(result.labels for result in flow.results)


def origins_of(draft: Draft, tool: str, params: dict[str, Any]) -> tuple[ArgumentOrigin, ...]:
    """Give where the arguments of a call came from, for a person who is asked about it; none without rules on that."""
    flow, rules = draft.state.flow, draft.agent.flow
    return () if flow is None else trace(flow, rules.said_params(tool, params), rules.names_of(tool)).shown


def flow_reason(call: Pending) -> str:
    """Give why a person is asked about a call that a rule on flows holds back."""
    return words.flow_reason(call.labels, labelled_paths(call.origins))


def labelled_paths(origins: Iterable[ArgumentOrigin]) -> tuple[str, ...]:
    """Give the places of the arguments that carry labels."""
    return tuple([origin.path for origin in origins if origin.labels])


def note_edit(draft: Draft, call: Pending, params: dict[str, Any]) -> tuple[ArgumentOrigin, ...]:
    """Give the origins of arguments that a person has edited; what the person wrote counts as said by the user."""
    if draft.state.flow is None:
        return call.origins
    names = draft.agent.flow.names_of(call.tool)
    origins, texts = edited_origins(call.params, params, call.origins, names)
    if texts:
        note_words(draft, "\n".join(texts))
    return origins


def result_labels(agent: Agent, state: RunState, call: Pending) -> tuple[str, ...]:
    """Give the labels of what a call gives: its tool's, its arguments', and those of the output that it reads on in."""
    of_tool, reads_on = agent.flow.labels_of(call.tool), is_reading(agent, call.tool)
    if not (of_tool or call.labels or reads_on):
        return ()
    labels = {*of_tool, *call.labels}
    entry = known_cut(state, call.params["call_id"]) if reads_on else None
    if entry is not None:
        labels.update(agent.flow.labels_of(entry.tool))
        if state.flow is not None:
            labels.update(state.flow.lost, *_known_labels(state.flow, entry.call_id))
    return tuple(sorted(labels))


def _known_labels(flow: FlowState, call_id: str) -> list[tuple[str, ...]]:
    return [result.labels for result in flow.results if result.call_id == call_id]


def note_result(draft: Draft, call: Pending, labels: tuple[str, ...]) -> None:
    """Keep the beginning of what a call gave, with its labels; what no longer fits is lost."""
    if draft.state.flow is None:
        return
    known = KnownResult(call.call_id, call.tool, fold(call.text[:MAX_FLOW_RESULT_CHARS]), labels)
    keep_result(draft, known, call.text)


def keep_result(draft: Draft, known: KnownResult, text: str) -> None:
    """Keep the beginning of a result; text: the whole of it."""
    flow = draft.state.flow
    if flow is not None and text:
        draft.state = replace(draft.state, flow=_with_result(flow, known, text))


def _with_result(flow: FlowState, known: KnownResult, text: str) -> FlowState:
    labels = known.labels
    lost = {*flow.lost, *(labels if len(text) > MAX_FLOW_RESULT_CHARS else ())}
    results, left = (*flow.results, known), MAX_FLOW_RESULTS_CHARS
    kept: list[KnownResult] = []
    for result in reversed(results):
        left -= len(result.text)
        if left < 0 or len(kept) == MAX_FLOW_RESULTS:
            left = -1
            lost.update(result.labels)
        else:
            kept.append(result)
    read = {*flow.read, *(labels if has_words(text) or not known.call_id else ())}
    return replace(flow, results=tuple(reversed(kept)), read=tuple(sorted(read)), lost=tuple(sorted(lost)))


def note_attachments(draft: Draft, content: Content) -> None:
    """Keep that the model reads images or files, whose text is not known here: any value may come from them."""
    if parts_of(content):
        draft.state = replace(draft.state, flow=with_unknown(draft.state.flow))


def with_unknown(flow: FlowState | None) -> FlowState:
    """Give what is known once open text was read that nothing is known of."""
    flow = flow or FlowState()
    return replace(flow, read=tuple(sorted({*flow.read, OPEN})), lost=tuple(sorted({*flow.lost, OPEN})))


def adopted_flow(agent: Agent, messages: Sequence[Message]) -> FlowState | None:
    """Give what a run knows that begins with another program's messages.

    After the first output of a model a user's message may hold a tool's result, whose source nobody knows. What a
    message frames as data was not said by the user either: it came along, as `data` of an observation does.
    """
    told = [unframed(text_of(message.content)) for message in messages if message.role == "user"]
    along = "\n\n".join([text for _, framed in told for text in framed])
    attached = any(parts_of(message.content) for message in messages)
    if not (agent.flow.is_active or attached or along):
        return None
    roles = [message.role for message in messages]
    first = next((at for at, role in enumerate(roles) if role in ("assistant", "tool")), len(roles))
    flow = FlowState(said=_joined("", "\n".join([said for said, _ in told[: roles[:first].count("user")]])))
    if first < len(roles):
        flow = _unsure(agent, flow, *((OPEN,) if along else ()))
    if along:
        flow = _with_result(flow, KnownResult("", "", fold(along[:MAX_FLOW_RESULT_CHARS]), (OPEN,)), along)
    return with_unknown(flow) if attached else flow


def edited_flow(agent: Agent, flow: FlowState | None) -> FlowState | None:
    """Give what is known once a host has edited the messages: they may hold anything now."""
    return None if flow is None else _unsure(agent, flow)


def flow_under(before: Agent, after: Agent, state: RunState) -> FlowState | None:
    """Give what is known once another definition holds, whose rules may give other labels to results of before.

    What a tool gave that anybody may write stays in the transcript, also if the new definition has no such tool.
    """
    flow = state.flow
    has_read = bool(state.calls and before.flow.labels) or (flow is not None and _has_labels(flow))
    if not (after.flow.is_active or has_read):
        return None
    return _unsure(after, FlowState(said="" if flow is None else flow.said), *((OPEN,) if has_read else ()))


def _unsure(agent: Agent, flow: FlowState, *more: str) -> FlowState:
    labels = tuple(sorted({*agent.flow.labels, *more}))
    return replace(flow, read=labels, lost=labels)


def flow_fits(agent: Agent, state: RunState) -> bool:
    """Tell whether a state keeps what the rules on flows need, as a step keeps it, and nothing where there are none."""
    flow = state.flow
    if flow is None:
        return not ((agent.flow.is_active or state.attachments) and state.messages)
    chars = [len(result.text) for result in flow.results]
    bounded = (
        len(flow.said) <= MAX_FLOW_SAID_CHARS
        and len(chars) <= MAX_FLOW_RESULTS
        and sum(chars) <= MAX_FLOW_RESULTS_CHARS
        and max(chars, default=0) <= MAX_FLOW_RESULT_CHARS
    )
    labels = (flow.read, flow.lost, *[result.labels for result in flow.results])
    # What came along with a user message, or was read under another definition, is open whatever the tools are.
    known = OPEN in flow.read or (agent.flow.is_active and not state.attachments)
    return known and bounded and all(_labels_fit(agent, each) for each in labels)


def _labels_fit(agent: Agent, labels: tuple[str, ...]) -> bool:
    return not labels or (list(labels) == sorted(set(labels)) and (agent.flow.labels | {OPEN}).issuperset(labels))


def wrong_origin(agent: Agent, state: RunState, call: Pending) -> str | None:
    """Name the member of a call that says of its arguments' origins what no step can have said."""
    if call.labels and not _labels_fit(agent, call.labels):
        return "labels"
    if state.flow is not None:
        return None if all(_labels_fit(agent, origin.labels) for origin in call.origins) else "origins"
    return "origins" if call.origins else "flows" if call.flows else None
