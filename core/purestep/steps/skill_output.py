"""What the model says, or fails to say, while a skill is executed: it goes to the skill, and its result to the call."""

from msgspec.structs import replace

from ..draft import Draft, count_usage
from ..skills import step_skill
from ..values import Decided, ModelError, ModelOutput, SkillProgress
from .batch import advance_calls
from .skill_calls import executed_call, follow, nested_state


def take_skill_output(draft: Draft, output: ModelOutput, progress: SkillProgress) -> None:
    """Have the skill read an output that is logged already; it counts as a turn."""
    if output.usage is not None:
        count_usage(draft, output.usage)
    draft.exchange = replace(draft.exchange, used=replace(draft.exchange.used, turns=draft.exchange.used.turns + 1))
    _go_on(draft, output, progress)


def take_skill_error(draft: Draft, error: ModelError, progress: SkillProgress) -> None:
    """Have the skill take an error that is logged already: it is asked again after a wait, or fails."""
    _go_on(draft, error, progress)


def _go_on(draft: Draft, observation: ModelOutput | ModelError, progress: SkillProgress) -> None:
    call = executed_call(draft.state)
    assert call is not None  # a state without it is refused by check_state
    calls = draft.state.pending
    step = step_skill(nested_state(draft.agent, draft.state, call, progress), observation)
    ended = follow(draft, call, step)
    if ended is None:
        if draft.exchange.skill is not None and isinstance(observation, ModelError):
            draft.derived(Decided(reason="retry", wait_ms=step.state.wait_ms, attempt=step.state.errors))
        return
    draft.exchange = replace(draft.exchange, skill=None)
    advance_calls(draft, tuple([ended if each.call_id == ended.call_id else each for each in calls]))
