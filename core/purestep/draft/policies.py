"""The policies of a definition within a step: told what came, and asked about calls, answers and tools."""

from collections.abc import Sequence
from typing import Any

from ..agent import Agent
from ..bounds import MAX_CHECK_STEPS
from ..errors import PurestepError
from ..policy import (
    AnswerProposed,
    AnswerRejection,
    ApprovalSeen,
    CallJudgement,
    CallProposed,
    ExchangeBegun,
    KeptStates,
    MessagesSeen,
    OutputSeen,
    PolicyFact,
    ResultSeen,
    TranscriptChanged,
)
from ..schema import render
from ..values import Approval, ArgumentOrigin, Confidence, DataText, Message, Pending, Problem, RunState, VerdictEvent
from .draft import Draft, source_tool


def kept_states(draft: Draft) -> KeptStates:
    """Return what the policies keep at this point of the step."""
    return draft.agent.policies.read(draft.state.policies) if draft.kept is None else draft.kept


def wants_facts(draft: Draft) -> bool:
    """Whether anybody is told what comes: most definitions have no policy, and then nothing is made for it."""
    return draft.agent.policies.has_hooks or draft.told is not None


def begin_policies(draft: Draft, text: str, data: Sequence[DataText], *, attached: bool) -> None:
    """Tell the policies that a user message begins an exchange, or that one came in the middle of it."""
    tell_policies(draft, ExchangeBegun(text=text, data=tuple(data), attached=attached, at=draft.at))


def tell_policies(draft: Draft, fact: ExchangeBegun | PolicyFact) -> None:
    """Tell the policies what came."""
    if draft.told is not None:
        draft.told.append((draft.state.run_id, fact))
    if draft.agent.policies.has_hooks:
        draft.kept = draft.agent.policies.told(kept_states(draft), fact)


def tell_result(draft: Draft, call: Pending) -> None:
    """Tell the policies what a call gave."""
    if wants_facts(draft):
        tool = source_tool(draft.agent, draft.state, call)
        fact = ResultSeen(call_id=call.call_id, tool=tool, params=call.params, ok=call.ok, text=call.text, at=draft.at)
        tell_policies(draft, fact)


def tell_output(draft: Draft, text: str, confidence: Confidence | None) -> None:
    """Tell the policies what the model said, and how sure it was."""
    tell_policies(draft, OutputSeen(text=text, confidence=confidence, at=draft.at))


def tell_approval(draft: Draft, call: Pending, approval: Approval, params: dict[str, Any]) -> None:
    """Tell the policies what a person answered; params: those that the call is made with."""
    if wants_facts(draft):
        fact = ApprovalSeen(
            call_id=call.call_id,
            tool=call.tool,
            params=call.params,
            approved=approval.approved,
            edited=params if params != call.params else None,
            at=draft.at,
        )
        tell_policies(draft, fact)


def policies_under(before: Agent, after: Agent, state: RunState) -> dict[str, str]:
    """Return what the policies of another definition keep once that one holds."""
    policies = after.policies
    if not policies.has_hooks:
        return {}
    return policies.written(policies.after(before.policies, state.policies))


def edited_policies(agent: Agent, state: RunState) -> dict[str, str]:
    """Return what the policies keep once a host has edited the messages."""
    policies = agent.policies
    if not policies.has_hooks:
        return {}
    return policies.written(policies.observed(policies.read(state.policies), TranscriptChanged(by="host")))


def adopted_policies(agent: Agent, messages: Sequence[Message]) -> dict[str, str]:
    """Return what the policies keep of a run that begins with another program's messages."""
    policies = agent.policies
    return policies.written(policies.observed({}, MessagesSeen(messages=tuple(messages)))) if policies.has_hooks else {}


def origins_of(draft: Draft, call: Pending) -> tuple[ArgumentOrigin, ...]:
    """Return where the arguments of a call came from, for a person who is asked about it again."""
    tool = draft.agent.tools.get(call.tool)
    if tool is None or not draft.agent.policies.has_hooks:
        return ()
    proposed = CallProposed(
        call_id=call.call_id, tool=call.tool, params=call.params, acts=tool.may_act, asked=True, at=draft.at
    )
    return draft.agent.policies.judged(kept_states(draft), proposed).origins


def judge_call(draft: Draft, call: CallProposed) -> CallJudgement:
    """Return what the policies say of a call, its arguments changed and checked again where one mends them."""
    judgement = draft.agent.policies.judged(kept_states(draft), call)
    if judgement.fixes and judgement.params is not None:
        issues = draft.agent.tools[call.tool].parameters.check(judgement.params, MAX_CHECK_STEPS)
        if issues:
            names = ", ".join([name for name, _ in judgement.fixes])
            raise PurestepError(
                "policy_failed", f"arguments that {names} gave do not fit: {render(issues[0], 'argument')}"
            )
    if judgement.then == "refuse":
        draft.derived(VerdictEvent(verdict="reject", check=judgement.by, call_id=call.call_id, reason=judgement.text))
    return judgement


def fix_problems(judgement: CallJudgement) -> tuple[Problem, ...]:
    """Return what policies have changed in the arguments, as the decision and the log name it."""
    return tuple([Problem(code="policy", message=f"{name}: {note}") for name, note in judgement.fixes])


def answer_rejection(draft: Draft, text: str, data: Any) -> AnswerRejection | None:
    """Return what the first policy says that sends an answer back or refuses it."""
    if not draft.agent.policies.has_hooks:
        return None
    proposed = AnswerProposed(text=text, data=data, at=draft.at)
    return draft.agent.policies.rejected(kept_states(draft), proposed)


def withheld_by_policies(agent: Agent, state: RunState, withheld: tuple[str, ...]) -> tuple[str, ...]:
    """Return the tools that are not offered, those that policies leave out among them."""
    if not agent.policies.narrows():
        return withheld
    shown = agent.specs(withheld, model=state.window.model, found=state.exchange.found)
    offered = tuple([name for name in shown if name in agent.tools])
    left = agent.policies.left(agent.policies.read(state.policies), offered)
    return tuple(sorted({*withheld, *[name for name in offered if name not in left]}))
