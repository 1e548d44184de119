"""A model that gave nothing: a narrower prompt, another try after a wait, a larger model, or a failure that says why.

Retries are decided here and nowhere else: hosts ask once and wait as the decision says, and every wait is logged.
"""

from msgspec.structs import replace

from ..agent import corrections
from ..draft import Draft, leave_out, refuse_prompt, takes_all
from ..values import (
    Decided,
    ModelError,
    WindowState,
    error_event_of,
    is_aside,
    is_planning,
    most_retries,
    retry_wait_ms,
)
from .ending import fail
from .limits import ask
from .plan_output import go_without_plan
from .scores import end_scoring, is_scoring
from .skill_output import take_skill_error
from .summary_output import go_without_summary


def consume_model_error(draft: Draft, error: ModelError) -> None:
    """Log the error and recover where it allows that, a bounded number of times."""
    draft.fact(error_event_of(error))
    if is_scoring(draft.agent, draft.state):
        end_scoring(draft)
        return
    if error.refused is not None and leave_out(draft, error.refused):
        if not is_aside(draft.exchange):
            ask(draft, "retry")
        return
    if draft.exchange.skill is not None:
        take_skill_error(draft, error, draft.exchange.skill)
        return
    if draft.exchange.summing is not None:
        go_without_summary(draft, corrections.shown(error.code))
        return
    if draft.exchange.plan is not None and is_planning(draft.exchange):
        go_without_plan(draft, draft.exchange.plan, corrections.shown(error.code))
        return
    draft.exchange = replace(draft.exchange, model_errors=draft.exchange.model_errors + 1)
    if error.code == "overflow":
        _recover_overflow(draft, error)
    elif error.retryable and draft.exchange.model_errors <= most_retries(error):
        attempt = draft.exchange.model_errors
        wait_ms = retry_wait_ms(attempt, error.retry_after_ms, draft.head)
        ask(draft, "retry", decided=Decided(reason="retry", wait_ms=wait_ms, attempt=attempt))
    else:
        _fail(draft, error)


def _recover_overflow(draft: Draft, error: ModelError) -> None:
    if draft.window.sent is not None:
        refuse_prompt(draft)
        ask(draft, "retry")
        return
    narrower = _narrower(draft.window)
    if narrower is not None:
        draft.window = narrower
        ask(draft, "retry")
    elif (larger := _larger_window(draft)) is not None:
        draft.window = replace(draft.window, model=larger, level=0)
        ask(draft, "escalate")
    else:
        _fail(draft, error)


def _narrower(window: WindowState) -> WindowState | None:
    """Return the window with the next narrower prompt that drops anything, or None."""
    if window.level < 1 and window.user_at > window.kept_from:
        return replace(window, level=1, kept_from=window.user_at)
    if window.level < 2 and window.turn_at > window.user_at + 1:  # noqa: PLR2004 (levels, see WindowState.level)
        return replace(window, level=2)
    return replace(window, level=3) if window.level < 3 and window.preamble > 1 else None  # noqa: PLR2004


def _larger_window(draft: Draft) -> int | None:
    models, current = draft.agent.definition.models, draft.window.model
    if not models:
        return None
    have = models[current].window_tokens or 0
    for index in range(current + 1, len(models)):
        offered = models[index].window_tokens
        if (offered is None or offered > have) and takes_all(draft.agent, draft.state, index):
            return index
    return None


def _fail(draft: Draft, error: ModelError) -> None:
    said = f": {corrections.shown(error.message)}" if error.message else ""
    fail(
        draft,
        "model_error",
        f"the model gave no answer ({corrections.shown(error.code)}){said}",
        {"code": corrections.shown(error.code)},
    )
