"""Messages in the middle of a run: what stands is not changed by them, and the model's next call has them."""

from purestep import CallModel, Done, Failed, Step

from .made import Made
from .skills import asks_within_skill


def said_for_user(step: Step) -> str:
    """Return what a step adds to the transcript for the user."""
    return "\n".join([str(message.content or "") for message in step.messages if message.role == "user"])


def steering_waits(made: Made) -> str | None:
    """Check that a message in the middle of a run is logged, and leaves decision and transcript as they were."""
    if not made.move.steers:
        return None
    if made.step.decision != made.last or made.step.messages:
        return "a message in the middle of a run changed what is waited for"
    return None if [line["kind"] for line in made.lines] == ["user_message"] else "the log has more than the message"


def steering_is_told(made: Made) -> str | None:
    """Check that the model is asked with what the user said meanwhile, once, and not before its calls have results."""
    decision, queued = made.step.decision, [message.content for message in made.before.queued]
    said = [content for content in queued if content in said_for_user(made.step)]
    logged = ["steered" for line in made.lines if line.get("reason") == "steered" and line["kind"] == "decided"]
    if made.move.steers or made.move.late or not queued:
        return "messages were put that nobody has sent" if logged else None
    if isinstance(decision, Done):
        return "the run is done, and not what the user said meanwhile"
    asks = isinstance(decision, CallModel) and not asks_within_skill(decision) and decision.reason != "plan"
    if (asks or isinstance(decision, Failed)) and len(said) < len(queued):
        return "the model is asked, or the run failed, without what the user said meanwhile"
    if bool(logged) != bool(said) and not isinstance(decision, Failed):
        return f"of {len(queued)} messages {len(said)} were said, and the log tells of {len(logged)}"
    if asks:
        last = made.step.messages[-1]
        return (
            None if last.role == "user" and queued[-1] in (last.content or "") else "the message is not the last word"
        )
    early = said and not isinstance(decision, Failed)
    return "a message stands before the results of calls" if early else None
