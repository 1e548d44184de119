"""Plans: asked for once, what they come to is no act and no answer, and the run's answer is that of the last step."""

from purestep import CallModel, Done, ModelOutput

from .made import Made
from .steering import said_for_user


def plan_acts_on_nothing(made: Made) -> str | None:
    """Check that what a larger model says when it is asked for a plan has the model asked again, or ends the run."""
    if made.move.steps is None:
        return None
    kind = type(made.step.decision).__name__
    return f"a plan led to {kind}" if kind in ("InvokeTool", "RequestApproval", "Done") else None


def steps_are_asked(made: Made) -> str | None:
    """Check that each step is asked by its number, in the order of the plan, and that only the last one's answer ends.

    A model that was told to answer now has no further step.
    """
    book, move, said = made.after, made.move, said_for_user(made.step)
    if not book.steps or not isinstance(move.observation, ModelOutput):
        return "a step is asked without a plan" if "Step " in said else None
    ends_step = bool(move.answer or move.steps)
    if isinstance(made.step.decision, Done):
        due = book.steps_done < book.steps and book.turns < made.policy.max_turns
        return f"the run was answered after {book.steps_done} of {book.steps} steps" if due else None
    if ends_step and isinstance(made.step.decision, CallModel) and made.step.decision.reason == "step":
        number = book.steps_done + 1
        return None if f"Step {number} of {book.steps}: " in said else f"the step {number} is not what is asked"
    return None


def planned_once(made: Made) -> str | None:
    """Check that an exchange has one plan at most, whatever its rules are."""
    written = [move for move in made.after.moves if move.startswith("plan for written ")]
    asked = [move for move in made.after.moves if move.startswith("plan for ")]
    return f"a plan was asked for after one: {asked}" if written and asked[-1] not in written else None


def plan_request_is_sent_once(made: Made) -> str | None:
    """Check that no other prompt has the two messages that asked for a plan, also in later exchanges."""
    decision, past = made.step.decision, made.after.requests
    if not isinstance(decision, CallModel) or decision.reason == "skill":
        return None
    if decision.reason == "plan":
        past = past[:-1]
    asked = {each for end in past for each in (end - 2, end - 1)}
    sent = [each for entry in decision.prompt if isinstance(entry, tuple) for each in range(*entry)]
    return "the request for a plan is sent again" if asked & {*sent} else None
