"""The two ends of an exchange: an answer, or a failure that says why."""

from typing import Any

from msgspec import UNSET

from ..agent import corrections as words
from ..values import Cancel, Cancelled, Failure, FinalAnswer, Problem, RunFailed
from .draft import Draft
from .messages import say_results


def finish(draft: Draft, answer: str, data: Any = UNSET, problems: tuple[Problem, ...] = ()) -> None:
    """End with an answer, its data, and what was changed in them."""
    draft.derived(FinalAnswer(content=answer, data=data, problems=problems))
    _end(draft, phase="done", answer=answer, data=None if data is UNSET else data, problems=problems)


def fail(draft: Draft, code: str, message: str, detail: dict[str, Any] | None = None) -> None:
    """End without an answer; calls still pending get the result that they did not run."""
    _close_pending(draft, message)
    draft.derived(RunFailed(code=code, message=message, detail=detail))
    _end(draft, phase="failed", failure=Failure(code=code, message=message, detail=detail))


def _end(draft: Draft, **members: Any) -> None:
    """Leave the state with its end, and without what only counted on the way there."""
    draft.update(reason="", cause="", wait_ms=0, corrections={}, recent=(), refused=(), withheld=(), **members)


def _close_pending(draft: Draft, message: str) -> None:
    open_calls = [call for call in draft.state.pending if call.status != "done"]
    if draft.state.pending:
        say_results(draft, {call.call_id: words.not_run(call.tool, message) for call in open_calls})
        draft.update(pending=())


def consume_cancel(draft: Draft, observation: Cancel) -> None:
    """Stop the run in any phase that waits."""
    draft.fact(Cancelled(reason=observation.reason))
    why = f": {words.shown(observation.reason)}" if observation.reason else ""
    fail(draft, "cancelled", f"the run was cancelled{why}")
