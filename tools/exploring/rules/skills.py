"""Skills: executed by the core alone, each call once, and asked about with its own text."""

from purestep import CallModel, Decision, Failed

from ..alphabet import EXECUTED, SKILL
from ..book import Book, executed
from .made import Made, handed


def asks_within_skill(decision: Decision) -> bool:
    """Whether the model is asked within a skill."""
    return isinstance(decision, CallModel) and decision.reason == "skill"


def skills_executed(made: Made) -> str | None:
    """Check that no skill is the host's, and that the model is asked about one exactly while one is due."""
    decision, due = made.step.decision, executed(made.book)
    if any(call.tool in EXECUTED for call, _ in handed(made)):
        return "a skill was handed out"
    if not isinstance(decision, CallModel) or SKILL not in made.policy.tools:
        return None
    if asks_within_skill(decision) != (due is not None):
        return "a skill is due" if due is not None else "the model is asked about a skill that is not due"
    if due is None:
        return None
    if decision.prompt or "Tom" not in [message.content for message in decision.messages or ()]:
        return "the skill is asked with something else than its text"
    return None if bool(decision.cause) == due.corrected else "an output of the skill was sent back, or not, wrongly"


def skills_logged(made: Made) -> str | None:
    """Check that the log has the end of each skill in the step in which it ends, and no other."""
    ended = sorted([line["call_id"] for line in made.lines if line["kind"] == "skill_ended"])
    before = _ended(made.before) if made.before.said == made.book.said else set[str]()
    expected, due = _ended(made.book) - before, executed(made.book)
    if isinstance(made.step.decision, Failed) and due is not None and due.call_id in ended:
        expected |= {due.call_id}
    return None if ended == sorted(expected) else f"the log has the ends of {ended} instead of {sorted(expected)}"


def _ended(book: Book) -> set[str]:
    return {call.call_id for call in book.calls if call.tool in EXECUTED and call.outcome}
