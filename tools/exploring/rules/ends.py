"""Answers, cancellations and phases."""

import re
from typing import Final

import msgspec
from msgspec import UNSET

from purestep import (
    AgentChanged,
    CallModel,
    Cancel,
    Done,
    Failed,
    InvokeTool,
    ModelOutput,
    RequestApproval,
    accepted_observations,
    current_decision,
)

from ..book import Act, canonical
from ..policy import is_bad_answer
from .made import Made


def answers_are_answers(made: Made) -> str | None:
    """Check that a run is done only with an answer that the model gave."""
    decision, move = made.step.decision, made.move
    if not isinstance(decision, Done) or isinstance(move.observation, AgentChanged):
        return None
    if made.after.owed:
        return "an answer rests on a rejected output"
    # Negotiation may have left the envelope, which is plain text then.
    said = (move.answer, move.observation.content) if isinstance(move.observation, ModelOutput) else ()
    if not move.answer or decision.answer not in said:
        return f"the answer is {decision.answer!r}, which is not what the model answered"
    if made.policy.cites and (wrong := _miscited(move.answer, made.after.accepted)):
        return wrong
    return "the answer breaks a check" if is_bad_answer(made.policy, move.answer) else None


def acts_are_told(made: Made) -> str | None:
    """Check that an ending has the calls that may have changed something, in order, and its line has them too.

    Those that the core did not begin are refused ones, if they are there at all.
    """
    decision = made.step.decision
    if not isinstance(decision, Done | Failed):
        return None
    known, told = made.after.acts, decision.acts
    if told is UNSET:
        may_act = any(not (tool.reads or tool.checks) for tool in made.policy.tools.values())
        return f"an ending has no acts, and {known} were made" if known or may_act else None
    acts = [Act(act.call_id, act.tool, canonical(act.params), act.status) for act in told]
    if [act for act in acts if act in known] != list(known):
        return f"the acts are {acts}, and {known} were made"
    if any(act.status != "refused" for act in acts if act not in known):
        return f"the acts are {acts}, and only {known} were made"
    ends = not (made.move.late or isinstance(made.move.observation, AgentChanged))  # else it had ended before
    if ends and made.lines[-1].get("acts") != list(msgspec.to_builtins(told)):
        return f"the acts are {acts}, and the log's last line is {made.lines[-1]}"
    return None


def _miscited(answer: str, accepted: tuple[int, ...]) -> str | None:
    """Tell what is wrong with what an answer cites: it names none of the accepted results, or one that is none."""
    cited = {int(number) for number in re.findall("[0-9]+", answer)}
    if accepted and not cited:
        return f"the answer cites none of the results {accepted}"
    return None if cited <= set(accepted) else f"the answer cites {cited}, and the results are {accepted}"


def cancel_ends(made: Made) -> str | None:
    """Check that a cancelled run has ended, and says so."""
    decision = made.step.decision
    if isinstance(made.move.observation, Cancel) and not (
        isinstance(decision, Failed) and decision.code == "cancelled"
    ):
        return "a cancelled run goes on"
    return None


_PHASES: Final[dict[type, tuple[str, tuple[str, ...]]]] = {
    CallModel: ("model", ("model_output", "model_error", "user_message", "agent_changed", "cancel")),
    RequestApproval: ("approval", ("approvals", "user_message", "agent_changed", "cancel")),
    InvokeTool: ("tools", ("tool_results", "tool_pending", "resumed", "user_message", "agent_changed", "cancel")),
    Done: ("done", ("user_message", "agent_changed")),
    Failed: ("failed", ("user_message", "agent_changed")),
}


def phases_fit(made: Made) -> str | None:
    """Check that the phase fits the decision, what it accepts is what is documented, and it can be asked for again."""
    state, decision = made.step.state, made.step.decision
    phase, accepted = _PHASES[type(decision)]
    if state.phase != phase:
        return f"the phase is {state.phase} with the decision {phase}"
    if made.after.away and "tool_results" not in accepted:
        accepted = (*accepted, "tool_results")
    if accepted_observations(state) != accepted:
        return f"the phase {phase} accepts {accepted_observations(state)}"
    return None if current_decision(state) == decision else "asked for again, the decision is another one"
