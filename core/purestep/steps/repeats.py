"""The repeat guard: the same tool, arguments and result bring a correction, then a ban, then failure.

A call that a person or the policy refused is barred like one that was corrected, so nobody is asked twice.
"""

from ..bounds import MAX_REFUSED, RECENT_CALLS, SIGNATURE_CHARS
from ..json_text import call_signature, text_signature
from ..values import Pending, Recent
from .draft import Draft


def remembered(draft: Draft, signature: str) -> Recent | None:
    """Give what is remembered of the call with this signature, if anything."""
    short = signature[:SIGNATURE_CHARS]
    for entry in draft.state.recent:
        if entry.call == short:
            return entry
    return None


def _store(draft: Draft, entry: Recent) -> None:
    others = [known for known in draft.state.recent if known.call != entry.call]
    draft.update(recent=(*others, entry)[-RECENT_CALLS:])


def record_result(draft: Draft, call: Pending, signature: str) -> bool:
    """Remember a result of the call with this signature; tells whether it has now been given too often."""
    result = text_signature(call.text)
    known = remembered(draft, signature)
    count = known.count + 1 if known is not None and known.result == result else 1
    looping = count > draft.agent.max_repeats
    _store(draft, Recent(call=signature[:SIGNATURE_CHARS], result=result, count=count, stage=1 if looping else 0))
    return looping


def remember_refusal(draft: Draft, call: Pending) -> None:
    """Remember that a call was refused: in this exchange it is not asked about or run again."""
    short = call_signature(call.tool, call.params)[:SIGNATURE_CHARS]
    if short not in draft.state.refused:
        draft.update(refused=(*draft.state.refused, short)[-MAX_REFUSED:])


def was_refused(draft: Draft, signature: str) -> bool:
    """Tell whether a call was refused in this exchange."""
    return signature[:SIGNATURE_CHARS] in draft.state.refused


def forbid(draft: Draft, call: Pending) -> None:
    """Note that a call came again after its correction: it is not run, and its tool is not offered next."""
    _store(draft, Recent(call=call_signature(call.tool, call.params)[:SIGNATURE_CHARS], stage=2))
    draft.update(withheld=tuple(sorted({*draft.state.withheld, call.tool})))
