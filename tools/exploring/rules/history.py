"""Rules of history: the latest exchanges and a pinned message are in each prompt, and older exchanges are in none."""

from purestep import CallModel

from .made import Made


def history_is_kept(made: Made) -> str | None:
    """Check that each prompt has the pinned message and those of the latest exchanges, and none of older ones."""
    decision, rules = made.step.decision, made.policy.history
    if not rules or not isinstance(decision, CallModel):
        return None
    sent = [at for entry in decision.prompt if isinstance(entry, tuple) for at in range(*entry)]
    first, *later = made.after.asked
    if rules.get("pin") and first not in sent:
        return "the pinned message is not sent"
    kept = [at for at in (first, *later) if at in sent]
    if (gone := [at for at in (first, *later)[-rules["keep_exchanges"] :] if at not in kept]) != []:
        return f"the exchange that begins with message {gone[0]} is not sent"
    if len(later) > rules["keep_exchanges"] + rules["slack"] and later[0] in sent:
        return f"the exchange that begins with message {later[0]} is still sent"
    return None if made.after.length - 1 in sent else "the latest message is not sent"
