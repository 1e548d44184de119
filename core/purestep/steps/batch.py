"""The calls of one turn as a whole: where they stand, and what the model gets once all have their result."""

from msgspec.structs import replace

from ..agent import corrections as words
from ..json_text import call_signature
from ..values import CorrectionEvent, Pending, Phase
from .draft import Draft
from .ending import fail
from .limits import ask, before_model, clear, correct, past_deadline
from .messages import say_results
from .repeats import record_result


def advance_calls(draft: Draft) -> None:
    """Go where the pending calls lead: to a person, to the tools, or with all results to the model."""
    phase: Phase | None = None
    for call in draft.state.pending:
        if call.status == "approval":
            phase = "approval"
            break
        if call.status == "run":
            phase = "tools"
    if phase is None:
        finish_batch(draft)
        return
    # Looked at where calls are set free by a person, who may take long; not between results, since a log is
    # folded result by result.
    freed = phase == "tools" and draft.state.phase == "approval"
    excess = past_deadline(draft) if freed else None
    if excess is not None:
        fail(draft, excess.code, excess.message, excess.detail)
        return
    draft.state = replace(draft.state, phase=phase, reason="", cause="")


def finish_batch(draft: Draft) -> None:
    """Give the model all results of the turn, in call order, with whatever feedback they call for."""
    calls = draft.state.pending
    # The same call twice in one turn counts once: the model has not seen its result yet.
    distinct: dict[str, Pending] = {}
    for call in calls:
        if not call.fault:
            distinct.setdefault(call_signature(call.tool, call.params), call)
    looping = [call for signature, call in distinct.items() if record_result(draft, call, signature)]
    feedback = "\n".join(words.repeated_call(call.tool, call.text) for call in looping[:1])
    say_results(draft, {}, feedback)
    draft.update(pending=(), succeeded=_succeeded(draft, calls))
    rejected = next((call for call in calls if call.fault in ("guardrail", "postcondition")), None)
    if rejected is not None:
        correct(draft, rejected.fault, rejected.text, spoken=True)
        return
    if any(call.ok for call in calls) and draft.state.corrections:
        clear(draft, "guardrail", "postcondition")
    forbidden = next((call for call in calls if call.fault == "forbidden"), None)
    if forbidden is not None or looping:
        if before_model(draft) is None:
            _log_repeat(draft, feedback or (forbidden.text if forbidden else ""), 2 if forbidden else 1)
        ask(draft, "correction", "repeated_call")
        return
    draft.update(withheld=())
    ask(draft, "tool_results")


def _succeeded(draft: Draft, calls: tuple[Pending, ...]) -> tuple[str, ...]:
    return tuple(sorted({*draft.state.succeeded, *(call.tool for call in calls if call.ok)}))


def _log_repeat(draft: Draft, text: str, attempt: int) -> None:
    draft.derived(CorrectionEvent(cause="repeated_call", attempt=attempt, content=text))
