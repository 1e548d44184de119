"""Tool calls: known, valid, not repeated, approved where needed, within limits; only then handed out."""

from typing import Any, Final, final

from msgspec import Struct
from msgspec.structs import replace

from ..agent import Agent, CompiledTool, corrections
from ..bounds import MAX_CHECK_STEPS
from ..draft import (
    BY_POLICY,
    SAME_EFFECT,
    Draft,
    answer_native,
    doubles_effect,
    effect_signature,
    fix_problems,
    forbid,
    is_barred,
    is_searching,
    is_unsettled,
    judge_call,
    known_cut,
    may_read_on,
    note_success,
    offer_named,
    remember_refusal,
    remembered,
    was_refused,
    wrong_origin,
)
from ..errors import closest
from ..json_text import call_key, call_signature
from ..policy import CallJudgement, CallProposed
from ..schema import Issue, Schema, coerce, render_coercion
from ..values import ApprovalRequestEvent, Pending, Problem, ReadCall, ToolCallEvent, repaired
from .batch import finish_or_execute, waiting_phase
from .checking import checks_after
from .ending import fail
from .limits import before_calls, clear, correct
from .rankings import begin_rankings
from .skill_calls import refuses_input

APPROVAL_REASON = "the approval policy asks a person about this tool"


def approval_reason(call: Pending) -> str:
    """Return why a person is asked about a call: it repeats an effect, a rule holds it back, or the policy says so."""
    if call.again:
        return SAME_EFFECT
    if call.asked_by:
        return call.reason
    return APPROVAL_REASON


_ALLOWED: Final = CallJudgement()


@final
class RejectedTurn(Struct, frozen=True):
    """Why a turn's calls are sent back."""

    cause: str
    text: str
    named: tuple[str, ...]
    """The tool that was called, or that may have been meant."""


def take_calls(draft: Draft, calls: tuple[ReadCall, ...], native_ids: tuple[str, ...]) -> None:
    """Check all calls of a turn; hand them out together, or send the whole turn back and run none.

    native_ids: the calls' ids in the transcript, where it holds them apart from the text.
    """
    pending: list[Pending] = []
    effects: set[str] = set()
    state, number = draft.state, len(calls)
    ordinal, steps = state.run.calls - number, MAX_CHECK_STEPS // number
    for call in calls:
        ordinal += 1
        checked = _checked(draft, call, ordinal, steps, effects)
        if type(checked) is RejectedTurn:
            text = offer_named(draft, checked.named) + checked.text
            spoken = answer_native(draft, native_ids, text)
            correct(draft, checked.cause, text, spoken=spoken, named=checked.named)
            return
        pending.append(checked)
    if state.exchange.corrections:
        clear(draft, "unknown_tool", "invalid_arguments")
    if state.exchange.negotiated is not None:
        note_success(draft)
    _hand_out(draft, tuple(pending))


def _checked(draft: Draft, call: ReadCall, ordinal: int, steps: int, before: set[str]) -> Pending | RejectedTurn:
    """Return a call with its key and status: due, waiting for a person, or closed without being run.

    A call of no tool, or with arguments that do not fit, sends the turn back. before: the effects of the turn's calls
    before this one, to which its own is added.
    """
    agent, state = draft.agent, draft.state
    executed = call.tool in agent.executed
    if call.skill and not agent.is_open and not executed:
        return RejectedTurn("unknown_tool", corrections.unknown_skill(call.tool, tuple(agent.skills)), ())
    tool = agent.called.get(call.tool)
    if tool is agent.reader and not (state.exchange.cut or may_read_on(agent, state)):
        tool = None
    if executed and is_searching(agent, call.tool) and not agent.defers(state.window.model):
        tool, executed = None, False
    fitted = _fitted(draft, call, tool, steps, executed=executed)
    if not isinstance(fitted, tuple):
        return fitted
    params, problems = fitted
    judgement = _ALLOWED
    if agent.policies.has_hooks and tool is not None and tool is not agent.reader and not executed:
        proposed = CallProposed(
            call_id=f"call_{ordinal}",
            tool=call.tool,
            params=params,
            acts=tool.may_act,
            asked=tool.approval == "ask",
            trusted=tool.is_trusted,
            at=draft.at,
        )
        judgement = judge_call(draft, proposed)
        params, problems = judgement.params or params, (*problems, *fix_problems(judgement))
    signature = call_signature(call.tool, params)
    again = tool is not None and tool.acts_once and _doubles(draft, tool, params, before)
    asked = again or judgement.then == "ask" or (tool is not None and tool.approval == "ask")
    pending = Pending(
        call_id=f"call_{ordinal}",
        tool=call.tool,
        params=params,
        key=call_key(state.run_id, ordinal, signature),
        status="skill" if executed else "approval" if asked else "run",
        problems=problems,
        again=again,
        skill=call.skill and agent.is_open,
    )
    if judgement is not _ALLOWED:
        origins = judgement.origins if pending.status == "approval" else ()
        pending = replace(pending, origins=origins)
        if judgement.then == "ask":
            pending = replace(pending, asked_by=judgement.by, reason=judgement.text, note=judgement.note)
    return _closed_or_due(draft, pending, tool, signature, judgement)


def _doubles(draft: Draft, tool: CompiledTool, params: dict[str, Any], before: set[str]) -> bool:
    effect = effect_signature(tool, params)
    again = doubles_effect(draft.state, tool, effect, before) or is_unsettled(draft.state, tool, effect)
    before.add(effect)
    return again


def _fitted(
    draft: Draft, call: ReadCall, tool: CompiledTool | None, steps: int, *, executed: bool
) -> tuple[dict[str, Any], tuple[Problem, ...]] | RejectedTurn:
    """Return the arguments as they are run with, and what was changed to make them fit; or why they send the turn back.

    executed: by the core itself, as a skill.
    """
    agent = draft.agent
    if executed and refuses_input(call.tool, call.params):
        return call.params, ()  # the skill says itself what is wrong, and of which kind that is
    if tool is None and agent.is_open:
        return call.params, ()
    if tool is None:
        near = closest(call.tool, tuple(agent.tools))
        offered = tuple(agent.specs(model=draft.state.window.model, found=draft.state.exchange.found))
        text = corrections.unknown_tool(call.tool, offered, near)
        return RejectedTurn("unknown_tool", text, (near,) if near else ())
    params: Any = call.params
    problems: tuple[Problem, ...] = ()
    issues = tool.parameters.check(call.params, steps)
    if issues and agent.options.coerces:
        params, problems, issues = coerce_to_schema(tool.parameters, call.params, issues, steps)
    if issues:
        return RejectedTurn("invalid_arguments", corrections.invalid_arguments(call.tool, issues), (call.tool,))
    wrong = wrong_origin(draft, call.tool, params) if agent.samples or draft.state.run.carried is not None else None
    return (params, problems) if wrong is None else RejectedTurn("invalid_arguments", wrong, (call.tool,))


def _closed_or_due(
    draft: Draft, call: Pending, tool: CompiledTool | None, signature: str, judgement: CallJudgement
) -> Pending | RejectedTurn:
    """Return a call closed without being run where it was refused before, or a rule denies it."""
    if is_barred(draft.state, signature):
        return closed(call, corrections.forbidden_call(call.tool, was_refused(draft.state, signature)), "forbidden")
    if tool is not None and tool.approval == "deny":
        return closed(call, corrections.denied_call(call.tool), "refused")
    if judgement.then == "refuse":
        return closed(call, judgement.text, BY_POLICY)
    return _reading(draft, call) if tool is not None and tool is draft.agent.reader else call


def _reading(draft: Draft, call: Pending) -> Pending | RejectedTurn:
    """Return a call that reads on in an output, closed where it would begin past the end."""
    entry = known_cut(draft.state, call.params["call_id"])
    if entry is None:
        known = [each.call_id for each in draft.state.exchange.cut]
        return RejectedTurn("invalid_arguments", corrections.not_cut(call.params["call_id"], known), ())
    if call.params["from"] < entry.chars:
        return call
    return closed(call, corrections.past_end(entry.call_id, entry.chars), "")


def coerce_to_schema(
    schema: Schema, value: Any, issues: tuple[Issue, ...], steps: int = MAX_CHECK_STEPS
) -> tuple[Any, tuple[Problem, ...], tuple[Issue, ...]]:
    """Return a value that does not fit with its types coerced, what was changed, and no issues; or as it was.

    A definition has to allow type coercion, and what fits as it was written is never coerced.
    """
    coerced, coercions = coerce(schema, value, steps)
    if not coercions:
        return value, (), issues
    return coerced, tuple(repaired(corrections.shown(render_coercion(each))) for each in coercions), ()


def closed(call: Pending, text: str, fault: str) -> Pending:
    """Return the call with a result made by the core: it never runs."""
    return replace(call, status="done", text=text, fault=fault)


def _hand_out(draft: Draft, pending: tuple[Pending, ...]) -> None:
    """Hand out the calls that are due, all or, past a limit, none; the others have their result already."""
    agent, state = draft.agent, draft.state
    exchange = state.exchange
    due = [call for call in pending if call.status != "done"]
    # No call begins whose output, or after it the answer, could not be checked any more.
    reserved = checks_after(agent, due) if agent.inner_tools else 0
    number = len(due) if agent.search is None else _counted(agent, due)
    excess = before_calls(draft, number + reserved) if due else None
    if excess is not None and excess.code == "budget" and agent.limits.final_answer:
        pending, due, number, excess = tuple([_without_budget(call) for call in pending]), [], 0, None
    phase, begun = waiting_phase(pending), exchange.used.tool_calls + (0 if excess else number)
    draft.state = replace(
        state,
        pending=pending,
        phase=phase,
        exchange=replace(exchange, reason="", cause="", used=replace(exchange.used, tool_calls=begun)),
    )
    if len(due) < len(pending) and _ends_in_loop(draft, pending):
        return
    if excess is not None:
        fail(draft, excess.code, excess.message, excess.detail)
        return
    notes = state.exchange.problems
    for call in due:
        if call.status != "skill":
            _log_call(draft, call, notes)
            notes = ()
    if agent.search is not None and agent.search.ranking is not None:
        pending = begin_rankings(draft, agent.search.ranking, pending)
        phase = waiting_phase(pending)
        draft.state = replace(draft.state, pending=pending, phase=phase)
    if phase == "model":
        finish_or_execute(draft, pending)


def _counted(agent: Agent, due: list[Pending]) -> int:
    """Return how many calls count as such: those that search for tools do not."""
    return len([call for call in due if not is_searching(agent, call.tool)])


def _without_budget(call: Pending) -> Pending:
    """Return a call that is past the budget of calls with the result that it was not run."""
    return (
        call
        if call.status == "done"
        else closed(call, corrections.not_run(call.tool, "too few calls are left"), "refused")
    )


def _ends_in_loop(draft: Draft, pending: tuple[Pending, ...]) -> bool:
    """Note the calls that are not run; tells whether one of them was forbidden before and so ended the run."""
    for call in pending:
        signature = call_signature(call.tool, call.params)
        known = remembered(draft.state.exchange.recent, signature) if call.fault == "forbidden" else None
        if known is not None and known.stage > 1:
            if was_refused(draft.state, signature):
                fail(draft, "denied", "the model keeps making a call that was refused")
            else:
                fail(draft, "repeated_call", "the model keeps repeating the same call, also after it was told not to")
            return True
    for call in pending:
        if call.fault == "forbidden":
            forbid(draft, call)
        elif call.fault == "refused":
            remember_refusal(draft, call)
    return False


def _log_call(draft: Draft, call: Pending, notes: tuple[Problem, ...]) -> None:
    """Log a call; notes: what of the output was not read as written, for the turn's first."""
    problems = (*notes, *call.problems)
    draft.derived(
        ToolCallEvent(call_id=call.call_id, tool_name=call.tool, arguments=call.params, key=call.key, problems=problems)
    )
    if call.status == "approval":
        draft.derived(
            ApprovalRequestEvent(
                call_id=call.call_id,
                tool_name=call.tool,
                key=call.key,
                reason=approval_reason(call),
                policy="" if call.again else call.asked_by,
                note="" if call.again else call.note,
            )
        )
