"""The calls of one turn together: what they wait for, and what the model gets once all have their result."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from msgspec.structs import replace

from ..agent import corrections
from ..draft import (
    Draft,
    bound_cuts,
    effects_after,
    is_open,
    is_reading,
    is_searching,
    note_acts,
    note_fault,
    note_said,
    note_span_text,
    note_success,
    note_values,
    say_results,
    with_results,
)
from ..values import CorrectionEvent, Pending, Phase
from .checking import advice_on_output, conclude_answer, own_calls
from .ending import fail
from .hand_offs import hand_over
from .limits import ANSWER_GUARDRAIL, ask, ask_after, before_model, clear, correct, past_deadline
from .skill_calls import execute_skills

_STATUS: Final = attrgetter("status")


def waiting_phase(calls: Sequence[Pending]) -> Phase:
    """Return the phase that a turn's calls wait in; `model` when all have their result or are skills.

    A call that asks waits until the others have run.
    """
    statuses = [*map(_STATUS, calls)]
    if "approval" in statuses:
        return "approval"
    if "run" in statuses:
        return "tools"
    return "approval" if "asks" in statuses else "model"


def advance_calls(draft: Draft, calls: tuple[Pending, ...]) -> None:
    """Move the run to the phase that its calls wait in: to a person, to the tools, or with all results to the model.

    The deadline is checked when a person, who may take long, has approved calls; not between two results, since a
    replay takes results one by one.
    """
    phase = waiting_phase(calls)
    if phase == "model":
        finish_or_execute(draft, calls)
        return
    approved = phase == "tools" and draft.state.phase == "approval"
    draft.state = replace(
        draft.state, pending=calls, phase=phase, exchange=replace(draft.state.exchange, reason="", cause="")
    )
    excess = past_deadline(draft) if approved else None
    if excess is not None:
        fail(draft, excess.code, excess.message, excess.detail)


def finish_or_execute(draft: Draft, calls: tuple[Pending, ...]) -> None:
    """Execute the skills of a turn whose tools have their results; give the model all results once they are there."""
    settled = execute_skills(draft, calls) if "skill" in [call.status for call in calls] else calls
    if settled is not None:
        finish_batch(draft, settled)


def finish_batch(draft: Draft, calls: tuple[Pending, ...]) -> None:
    """Tell the model all results of the turn, in call order, with the feedback on failed ones.

    Calls of checks have none that it reads; those of an answer decide about it.
    """
    if draft.state.exchange.judged is not None:
        conclude_answer(draft, draft.state.exchange.judged, calls)
        return
    all_calls, calls = calls, own_calls(calls)
    recent, looping = with_results(draft, calls)
    feedback, withheld = "", draft.state.exchange.withheld
    if looping is not None and draft.agent.dialect.is_taught:
        # Words that it was not taught it would tell the user: its grammar leaves it no such call instead.
        withheld = tuple(sorted({*withheld, looping.tool}))
    elif looping is not None:
        feedback = corrections.repeated_call(looping.tool, None if is_open(draft, looping) else looping.text)
    say_results(draft, calls, {}, feedback)
    note_acts(draft, calls)
    effects = effects_after(draft.agent, draft.state, calls)
    succeeded = _succeeded(draft, calls)
    draft.state = replace(
        draft.state,
        pending=(),
        exchange=replace(
            draft.state.exchange,
            problems=(),
            recent=recent,
            succeeded=succeeded,
            effects=effects,
            withheld=withheld,
        ),
    )
    searches = draft.agent.search is not None
    told = [call for call in calls if not is_searching(draft.agent, call.tool)] if searches else calls
    for call in told if draft.agent.keeps_spans else ():
        note_span_text(draft, draft.agent.dialect.abridge(call.text))
    bound_cuts(draft)
    for call in told:
        note_said(draft, call.text)
        note_values(draft, call.text)
    rejected = _first(calls, "guardrail", "postcondition")
    if rejected is not None:
        correct(
            draft,
            rejected.fault,
            rejected.text,
            spoken=True,
            named=(rejected.tool,),
            check=rejected.rejected_by,
            advice=advice_on_output(all_calls, rejected),
        )
        return
    if draft.state.exchange.corrections and any(call.ok for call in calls):
        clear(draft, "guardrail", "postcondition", ANSWER_GUARDRAIL)
    if draft.state.exchange.negotiated is not None and any(call.ok for call in calls) and looping is None:
        note_success(draft, results=True)
    if draft.agent.hand_offs:
        hand_over(draft, calls)
    _ask_on(draft, calls, looping, feedback)


def _ask_on(draft: Draft, calls: tuple[Pending, ...], looping: Pending | None, feedback: str) -> None:
    """Ask the model after results that none of the checks rejected, with tools withheld where calls repeat."""
    forbidden = _first(calls, "forbidden")
    failed = tuple([call.tool for call in calls if not call.ok and not call.fault])
    if forbidden is None and looping is None:
        if draft.state.exchange.withheld:
            draft.exchange = replace(draft.state.exchange, withheld=())
        if failed:
            ask_after(draft, "tool_results", "", ("tool_failed",), failed)
        else:
            ask(draft, "tool_results")
        return
    if before_model(draft) is None:
        text = feedback or (forbidden.text if forbidden else "")
        draft.derived(CorrectionEvent(cause="repeated_call", attempt=2 if forbidden else 1, content=text))
    if draft.agent.options.rules:
        note_fault(draft, "repeated_call")
    noted = ("tool_failed", "repeated_call") if failed else ("repeated_call",)
    ask_after(draft, "correction", "repeated_call", noted, tuple([call.tool for call in calls]))


def _succeeded(draft: Draft, calls: Sequence[Pending]) -> tuple[str, ...]:
    """Return the names of the tools that have had an accepted result in this exchange, sorted."""
    before, agent = draft.state.exchange.succeeded, draft.agent
    given = [call.tool for call in calls if call.ok and call.tool not in before]
    new = [tool for tool in given if not (is_reading(agent, tool) or is_searching(agent, tool))]
    return tuple(sorted({*before, *new})) if new else before


def _first(calls: Sequence[Pending], *faults: str) -> Pending | None:
    for call in calls:
        if call.fault in faults:
            return call
    return None
