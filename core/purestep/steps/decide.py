"""The decision that a state asks for: read off the state alone, so it can be asked for again at any time."""

from typing import Any, assert_never

from msgspec import UNSET
from msgspec.structs import replace

from ..agent import Agent, corrections
from ..draft import (
    OUTCOME_UNKNOWN,
    choice_now,
    cuts_sent,
    grammar_now,
    grounded_offer,
    handed_out,
    lead_of,
    may_read_on,
    negotiated_prompt,
    part_of,
    plan_offer,
    sent_parts,
    step_asked,
    summary_call,
    told_acts,
    withheld_by_policies,
    without_plan_requests,
    without_refused,
)
from ..values import (
    ApprovalCall,
    CallModel,
    Decision,
    Done,
    Failed,
    InvokeSkill,
    InvokeTool,
    Message,
    Pending,
    RequestApproval,
    RunState,
    ToolCall,
    is_aside,
    is_planning,
)
from ..window import Entry, prompt_entries
from .asked_forms import FORM_ASKED
from .calls import approval_reason
from .scores import is_scoring, scoring_call
from .skill_calls import skill_call


def open_decisions(agent: Agent, state: RunState) -> tuple[Decision, ...]:
    """Return all that a run and the agents that it calls ask of the host: its own first, then theirs in call order.

    An agent's name its place: the agents down to it, and its run.
    """
    below = [
        replace(
            decision,
            path=(call.tool, *(() if decision.path is UNSET else decision.path)),
            run_id=call.child.run_id if decision.run_id is UNSET else decision.run_id,
        )
        for call in state.pending
        if call.child is not None
        for decision in open_decisions(agent.below(call), call.child)
        if not isinstance(decision, Done | Failed | InvokeSkill)  # a run below that has ended is none any more
    ]
    waits_below = state.phase == "tools" and not _with_host(agent, state)
    return tuple(below) if waits_below else (own_decision(agent, state), *below)


def decide(agent: Agent, state: RunState) -> Decision:
    """Return the next act that the run asks of its host, the first of all; its dicts and lists are the state's own."""
    return open_decisions(agent, state)[0] if agent.agents else own_decision(agent, state)


def own_decision(agent: Agent, state: RunState) -> Decision:
    """Return what the run itself asks of its host, whatever the agents ask that it calls."""
    match state.phase:
        case "model":
            call = _call_model(agent, state)
            if state.run.refused_members or agent.refuses or agent.system_roles or agent.has_sent_forms:
                call = without_refused(agent, state, call)
            if call.model in agent.extra_models:
                call = replace(call, extra_model=agent.extra_models[call.model])
            if state.window.history is not None and state.window.history.reasoning_from:
                call = replace(call, extra_from=state.window.history.reasoning_from)
            return sent_parts(agent, state, call) if state.window.attachments else call
        case "tools":
            return _invoke(agent, state)
        case "approval":
            return _request_approval(state)
        case "done":
            data: Any = state.exchange.data if agent.answer is not None and not state.exchange.question else UNSET
            return Done(
                answer=state.exchange.answer or "",
                data=data,
                problems=state.exchange.problems or UNSET,
                citations=state.exchange.citations or UNSET,
                question=state.exchange.question,
                acts=told_acts(state),
                acts_left_out=state.exchange.acts_left_out,
            )
        case "failed":
            return _failed(state)
        case _:
            assert_never(state.phase)


def _call_model(agent: Agent, state: RunState) -> CallModel:
    if state.exchange.skill is not None:
        return skill_call(agent, state, state.exchange.skill)
    if state.exchange.summing is not None:
        return without_plan_requests(state, summary_call(agent, state, state.exchange.summing))
    if state.run.carried is not None and is_scoring(agent, state):
        return scoring_call(agent, state)
    messages: tuple[Message, ...] = ()
    agent = agent.asked(state)
    if is_planning(state.exchange):
        offer = plan_offer(agent, state)
    elif state.run.carried is None:
        withheld = (
            agent.every_tool if state.exchange.final else withheld_by_policies(agent, state, state.exchange.withheld)
        )
        offer = agent.offer(
            state.window.model,
            withheld,
            choice_now(agent, state),
            reads=may_read_on(agent, state),
            answers_again=state.exchange.cause == "answer_schema",
            plain=agent.sends_plain(state),
            found=state.exchange.found,
        )
    else:
        offer = grounded_offer(agent, state, state.run.carried)
    prompt = prompt_of(agent, state)
    run = state.run
    changes = state.exchange.negotiated is not None or run.changed or run.refused_members or run.plan_requests
    if changes or agent.has_own_head:
        messages, prompt = negotiated_prompt(agent, state, prompt)
    models = agent.definition.models
    return CallModel(
        prompt=prompt,
        reason=state.exchange.reason,
        messages=messages or UNSET,
        cause=state.exchange.cause or UNSET,
        model=models[state.window.model].name if models else UNSET,
        tools=offer.tools,
        tool_choice=offer.tool_choice,
        response_format=offer.response_format,
        grammar=grammar_now(agent, state, offer.grammar),
        sampling=offer.sampling,
        wait_ms=state.exchange.wait_ms or UNSET,
        problems=state.exchange.problems or UNSET,
        logprobs=wants_confidence(agent, state),
    )


def wants_confidence(agent: Agent, state: RunState) -> bool:
    """Whether the host is asked how sure the model is of its next output, where that is one of the conversation."""
    is_turn = not is_aside(state.exchange)
    return agent.policies.wants_confidence and is_turn and agent.tells_confidence(state.window.model)


def prompt_of(agent: Agent, state: RunState) -> tuple[Entry, ...]:
    """Return which messages are sent: ranges [from, to) into the transcript, and messages with outputs shortened."""
    if state.window.sent is not None:
        return prompt_entries(lead_of(agent, state), state.window.sent.parts, corrections.left_out, cuts_sent(state))
    lead = (0, lead_of(agent, state))
    if state.window.level > 1 and state.window.turn_at:
        turn_at, asked = state.window.turn_at, step_asked(state)
        step = (asked - 1, asked + 1) if 0 < asked < turn_at else (0, 0)  # after what came of the one before
        return _joined(lead, (state.window.user_at, state.window.user_at + 1), step, (turn_at, state.messages))
    return _joined(lead, (state.window.kept_from, state.messages))


def _joined(*ranges: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    joined: list[tuple[int, int]] = []
    for begin, end in ranges:
        if begin == end:
            continue
        if joined and joined[-1][1] == begin:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((begin, end))
    return tuple(joined)


def _with_host(agent: Agent, state: RunState) -> tuple[Pending, ...]:
    """Return the calls that the host is to run; those of agents have their own decisions."""
    due = handed_out(state.pending, agent.max_parallel)
    return tuple([call for call in due if call.child is None]) if agent.agents else due


def _invoke(agent: Agent, state: RunState) -> InvokeTool | InvokeSkill:
    """Hand out the first calls without a result, so that a host that runs all of them at once keeps the limit."""
    due = _with_host(agent, state) if agent.agents else handed_out(state.pending, agent.max_parallel)
    handed: list[ToolCall] = []
    for call in due:  # no comprehension: it would be a function of its own, and keep what it names in cells
        part = UNSET if agent.reader is None else part_of(agent, state, call)
        handed.append(
            ToolCall(
                call_id=call.call_id,
                tool=call.tool,
                params=call.params,
                key=call.key,
                part=part,
                checks=call.checks or UNSET,
                problems=call.problems or UNSET,
                answer=call.answer or UNSET,
                handle=call.handle or UNSET,
            )
        )
    calls, first = tuple(handed), due[0]
    if first.skill:
        return InvokeSkill(
            skill=first.tool,
            params=first.params,
            call_id=first.call_id,
            key=first.key,
            calls=calls[:1],
            problems=state.exchange.problems or UNSET,
        )
    return InvokeTool(
        tool=first.tool,
        params=first.params,
        call_id=first.call_id,
        key=first.key,
        calls=calls,
        problems=state.exchange.problems or UNSET,
    )


def _request_approval(state: RunState) -> RequestApproval:
    return RequestApproval(
        calls=tuple(_approval_call(call) for call in state.pending if call.status in ("approval", "asks")),
        problems=state.exchange.problems or UNSET,
    )


def _approval_call(call: Pending) -> ApprovalCall:
    if call.asks is not None:
        reason, note = FORM_ASKED, call.asks.message
    else:
        reason = OUTCOME_UNKNOWN if call.unknown else approval_reason(call)
        note = "" if call.unknown or call.again else call.note
    return ApprovalCall(
        call_id=call.call_id,
        tool=call.tool,
        params=call.params,
        key=call.key,
        reason=reason,
        note=note or UNSET,
        problems=call.problems or UNSET,
        origins=call.origins or UNSET,
        form=UNSET if call.asks is None else call.asks.form,
    )


def _failed(state: RunState) -> Failed:
    failure = state.exchange.failure
    assert failure is not None  # a failed state without it is refused by check_state
    return Failed(
        code=failure.code,
        message=failure.message,
        detail=failure.detail or UNSET,
        acts=told_acts(state),
        acts_left_out=state.exchange.acts_left_out,
    )
