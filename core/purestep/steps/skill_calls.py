"""Calls that the core executes as skills: one at a time, in call order, once all tools of the turn have their results.

The model is asked with the skill's own messages, not with the transcript, and what it says goes into no later prompt.
Each of its outputs counts as a turn of the run. What the skill gives is the result of its call, as a tool's is.
"""

from typing import Any

from msgspec import Raw
from msgspec.structs import replace

from ..agent import Agent, corrections
from ..bounds import DEFAULT_MAX_OUTPUT_CHARS, MAX_SKILL_OUTPUT_TOKENS, SCHEMA_VERSION
from ..checks import output_text
from ..draft import (
    Draft,
    is_searching,
    note_accepted,
    note_citable,
    note_fault,
    output_chars,
    result_chars,
    room_of,
)
from ..json_text import encode
from ..skills import SKILLS, SkillState, SkillStep, begin_skill, is_consistent, step_skill
from ..values import (
    CallModel,
    CorrectionEvent,
    Done,
    ModelSpec,
    Pending,
    RunState,
    SkillEnded,
    SkillFault,
    SkillProgress,
    SkillStarted,
    text_of,
)
from ..window import prompt_tokens
from .ending import fail
from .hand_offs import handing_over
from .limits import before_model
from .tool_searches import search_tools

SKILL = "skill"


def is_skill(agent: Agent, name: str) -> bool:
    """Whether calls with that name are executed by the core."""
    return name in agent.executed


def refuses_input(name: str, params: dict[str, Any]) -> bool:
    """Whether a skill names what is wrong with its arguments itself, as its result, so that none is corrected."""
    return name in SKILLS and SKILLS[name].check_input(params) is not None


def executed_call(state: RunState) -> Pending | None:
    """Return the call that is the next one, or the one at hand, to be executed as a skill."""
    for call in state.pending:
        if call.status == SKILL:
            return call
    return None


def execute_skills(draft: Draft, calls: tuple[Pending, ...]) -> tuple[Pending, ...] | None:
    """Execute the skills of a turn until the model is to be asked; gives the calls once all have their result.

    None where the model is asked, or the run has failed at a limit.
    """
    while True:
        draft.state = replace(draft.state, pending=calls, phase="model", exchange=replace(draft.exchange, skill=None))
        call = executed_call(draft.state)
        if call is None:
            return calls
        _log_start(draft, call)
        if is_searching(draft.agent, call.tool):
            calls = _with(calls, search_tools(draft, call))
            continue
        if call.tool in draft.agent.hand_offs:
            calls = _with(calls, handing_over(draft, call))
            continue
        draft.exchange = replace(draft.exchange, skill=SkillProgress())
        begun = begin_skill(call.tool, call.params, _model(draft.agent, draft.state))
        ended = follow(draft, call, begun)
        if ended is None:
            return None
        calls = _with(calls, ended)


def _with(calls: tuple[Pending, ...], ended: Pending) -> tuple[Pending, ...]:
    return tuple([ended if call.call_id == ended.call_id else call for call in calls])


def _log_start(draft: Draft, call: Pending) -> None:
    """Log that a skill begins; what was not read as written stands in a `tool_call` line if there is one."""
    first = draft.state.pending[0].call_id == call.call_id
    alone = first and all(is_skill(draft.agent, each.tool) or each.checks for each in draft.state.pending)
    problems = (*(draft.exchange.problems if alone else ()), *call.problems)
    draft.derived(SkillStarted(call_id=call.call_id, skill=call.tool, params=call.params, problems=problems))


def follow(draft: Draft, call: Pending, step: SkillStep) -> Pending | None:
    """Go on after a step of a skill: ask the model, or give the call with its result.

    None where the model is asked, or the run has failed at a limit.
    """
    if not isinstance(step.decision, CallModel):
        return _ended(draft, call, step)
    excess = before_model(draft, step.state.wait_ms)
    keeps_last = draft.agent.limits.final_answer
    if keeps_last and (excess is not None or draft.exchange.used.turns + 1 >= draft.agent.max_turns):
        return _settled(draft, call, SkillFault("budget", "too few model calls are left for it"))
    if excess is not None:
        fail(draft, excess.code, excess.message, excess.detail)
        return None
    if _passes_window(draft.agent, draft.state, step.decision):
        return _settled(draft, call, SkillFault("model_error", "the text is too long for the model's window"))
    state, cause = step.state, step.decision.cause or ""
    if cause and not state.errors:
        draft.derived(CorrectionEvent(cause=cause, attempt=state.outputs, content=_last_words(step.decision)))
    progress = SkillProgress(
        outputs=state.outputs,
        errors=state.errors,
        wait_ms=state.wait_ms,
        fault=state.fault,
        refused=state.refused,
    )
    draft.state = replace(
        draft.state, phase="model", exchange=replace(draft.exchange, skill=progress, reason=SKILL, cause=cause)
    )
    return None


def _last_words(decision: CallModel) -> str:
    return text_of(decision.messages[-1].content) if decision.messages else ""


def _passes_window(agent: Agent, state: RunState, decision: CallModel) -> bool:
    room = None if state.window.sent is None else room_of(agent, state)
    if room is None or state.window.sent is None:
        return False
    return prompt_tokens(decision.messages or (), agent.counter) * state.window.sent.ratio > room * 1000


def _ended(draft: Draft, call: Pending, step: SkillStep) -> Pending:
    if isinstance(step.decision, Done):
        data = step.decision.data
        draft.derived(SkillEnded(call_id=call.call_id, skill=call.tool, ok=True, output=data))
        before = result_chars(draft)
        note_accepted(draft, data)
        note_citable(draft, replace(call, ok=True), before)
        return replace(call, status="done", ok=True, text=_shown(draft, output_text(data)))
    assert step.state.fault is not None  # a skill that failed says why
    return _settled(draft, call, step.state.fault)


def _settled(draft: Draft, call: Pending, fault: SkillFault) -> Pending:
    """Return the call of a skill that failed, with what the model reads of that."""
    draft.derived(
        SkillEnded(call_id=call.call_id, skill=call.tool, ok=False, error=fault.message, error_kind=fault.kind)
    )
    if draft.agent.options.rules and fault.kind not in ("model_error", "budget"):
        note_fault(draft, "tool_failed")
    return replace(call, status="done", ok=False, text=f"{_shown(draft, fault.message)} ({fault.kind})")


def _shown(draft: Draft, text: str) -> str:
    limit, state = DEFAULT_MAX_OUTPUT_CHARS, draft.state
    if state.window.sent is not None:
        limit = output_chars(draft, text, limit)
    return corrections.cut_output(text, limit)


# --- the nested call, as the state holds it -----------------------------------------------------------------


def _model(agent: Agent, state: RunState) -> ModelSpec | None:
    """Return the model that is asked now."""
    models = agent.definition.models
    return models[state.window.model] if models else None


def nested_state(agent: Agent, state: RunState, call: Pending, progress: SkillProgress) -> SkillState:
    """Return the state of the skill that a run executes."""
    return SkillState(
        schema_version=SCHEMA_VERSION,
        skill=call.tool,
        params=call.params,
        phase="model",
        model=_model(agent, state),
        outputs=progress.outputs,
        errors=progress.errors,
        wait_ms=progress.wait_ms,
        fault=progress.fault,
        refused=progress.refused,
    )


def skill_call(agent: Agent, state: RunState, progress: SkillProgress) -> CallModel:
    """Return the decision that asks the model for the output of a skill."""
    call = executed_call(state)
    assert call is not None  # a state without it is refused by check_state
    decision = step_skill(nested_state(agent, state, call, progress)).decision
    assert isinstance(decision, CallModel)
    room = None if state.window.sent is None else room_of(agent, state)
    window = agent.definition.models[state.window.model].window_tokens if agent.definition.models else None
    if room is None or window is None:
        return decision
    most = max(1, min(MAX_SKILL_OUTPUT_TOKENS, window - room))
    return _with_tokens(decision, most)


def _with_tokens(decision: CallModel, most: int) -> CallModel:
    return replace(decision, sampling=Raw(encode({"max_tokens": most, "temperature": 0})))


def skill_fits(agent: Agent, state: RunState) -> bool:
    """Whether a state that executes skills does so as a step does."""
    call, progress = executed_call(state), state.exchange.skill
    if progress is None:
        return call is None or state.phase in ("approval", "tools")
    if call is None or state.phase != "model" or state.exchange.reason != SKILL or state.exchange.summing is not None:
        return False
    return is_skill(agent, call.tool) and is_consistent(nested_state(agent, state, call, progress))
