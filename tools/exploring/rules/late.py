"""Results that come later: what stands is not changed by them, and the model reads each once, before its next call."""

from purestep import CallModel, Done

from .made import Made


def late_waits(made: Made) -> str | None:
    """Check that a result that comes in the middle of a run, or after its failure, leaves decision and transcript."""
    if not made.move.late or isinstance(made.last, Done):
        return None
    if made.step.decision != made.last or made.step.messages:
        return "a late result changed what is waited for"
    return None


def late_is_read(made: Made) -> str | None:
    """Check that the model is asked, and a run done, only with the results that came, and that a line says so."""
    came = sorted(made.book.came, key=lambda call: call.ordinal)
    read = [line["tools"] for line in made.lines if line.get("reason") == "late_results"]
    if read and read != [[call.tool for call in came]]:
        return f"{read} were read, and results of {[call.tool for call in came]} came"
    if not made.after.came or made.move.late or made.move.steers:
        return None
    if isinstance(made.step.decision, CallModel | Done):
        return "the model is asked, or the run is done, without a result that came"
    return None


def late_begins(made: Made) -> str | None:
    """Check that a result that comes after the answer begins an exchange."""
    if made.move.late and isinstance(made.last, Done) and not isinstance(made.step.decision, CallModel):
        return "a result came after the answer, and nobody reads it"
    return None
