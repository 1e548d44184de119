"""A plan that came: its steps are put to the smaller model one by one; without one the larger model takes over."""

from msgspec.structs import replace

from ..agent import corrections
from ..dialects import Sample
from ..draft import PLAN, Draft, say_step, steps_in, with_model, wrong_steps
from ..values import ModelOutput, Plan, Reading, Switched
from .aside_output import words_aside
from .limits import ask


def take_plan(draft: Draft, output: ModelOutput, reading: Reading, plan: Plan) -> None:
    """Put the first step to the smaller model; or have the larger one go on itself. The output counts as a turn."""
    text, problem = words_aside(draft, output, reading)
    steps = steps_in(text)
    wrong = problem or wrong_steps(steps)
    if wrong:
        draft.exchange = replace(draft.exchange, plan=None)
        _note(draft, "no_plan", wrong)
        ask(draft, "escalate", draft.exchange.cause)
        return
    draft.window = with_model(draft.window, plan.model)
    draft.exchange = replace(draft.exchange, plan=Plan(steps=steps))
    _note(draft, PLAN, "written")
    draft.say("assistant", draft.agent.dialect.write(Sample(answer=corrections.plan(steps))))
    say_step(draft)
    ask(draft, "step")


def go_without_plan(draft: Draft, plan: Plan, why: str) -> None:
    """Go on with the smaller model, where the larger one gave nothing."""
    draft.window = with_model(draft.window, plan.model)
    draft.exchange = replace(draft.exchange, plan=None)
    _note(draft, "no_plan", why)
    ask(draft, "switch", draft.exchange.cause)


def next_step(draft: Draft) -> None:
    """Take an answer as what a step came to, and ask for the next one, which has corrections of its own.

    What failed in the step before stays in the prompt, with its answer.
    """
    plan, kept = draft.exchange.plan, draft.exchange.negotiated
    assert plan is not None  # the caller has looked
    negotiated = None if kept is None else replace(kept, failed_at=0)
    draft.exchange = replace(draft.exchange, plan=replace(plan, at=plan.at + 1), negotiated=negotiated, corrections={})
    say_step(draft)
    ask(draft, "step")


def _note(draft: Draft, what: str, cause: str) -> None:
    draft.derived(Switched(what=what, cause=cause, to=draft.agent.definition.models[draft.window.model].name))
