"""What servers do not take: it is in no later request of their model, and a second refusal is no reason to go on."""

from msgspec import UNSET, Raw, UnsetType

from purestep import CallModel, ModelError
from purestep.values import text_of

from .made import Made


def refused_is_left_out(made: Made) -> str | None:
    """Check that no request has what the server of its model has refused."""
    decision = made.step.decision
    if not isinstance(decision, CallModel):
        return None
    known = [member for model, member in made.after.not_taken if model == (decision.model or "")]
    # Tools that are refused after an output end the run, and are asked with again.
    said = made.move.observation.refused if isinstance(made.move.observation, ModelError) else None
    known = [member for member in known if member == said or member not in ("tools", "tool_schemas")]
    tools, sampling = _text(decision.tools), _text(decision.sampling)
    parts = {
        "temperature": "temperature" in sampling,
        "tools": bool(decision.tools),
        "system_role": decision.system != "user",
        "tool_schemas": "minLength" in tools,
    }
    kept = next((member for member in known if parts.get(member)), None)
    if kept is not None:
        return f"the model is asked with {kept}, which its server has refused"
    left = decision.without or ()
    if (missing := next((member for member in known if member not in left), None)) is not None:
        return f"the request does not say that it goes without {missing}"
    taught = decision.messages or ()
    if said == "tools" and not any("look" in text_of(message.content or "") for message in taught):
        return "nobody tells the model of the tools"
    return None


def _text(part: Raw | UnsetType) -> str:
    return "" if part is UNSET else bytes(part).decode()


def refused_once(made: Made) -> str | None:
    """Check that the same refusal a second time does not have the same model asked again."""
    observation, decision = made.move.observation, made.step.decision
    if not isinstance(observation, ModelError) or observation.refused is None or not isinstance(decision, CallModel):
        return None
    same = made.book.not_taken.count((made.before.model, observation.refused))
    most = 2 if observation.refused == "tool_schemas" else 1  # then the tools themselves
    if same > most and (decision.model or "") == made.before.model:
        return f"the model is asked again after {same} refusals of {observation.refused}"
    return None
