"""The repeat guard: the same tool, arguments and result bring a correction, then a ban, then failure.

A call that a person or the policy refused is remembered as if corrected, so nobody is asked twice.
"""

from ..bounds import RECENT_CALLS
from ..canonical import call_signature, text_signature
from ..state import Pending, Recent
from .draft import Draft


def known_call(draft: Draft, call: Pending) -> Recent | None:
    """Give what is remembered of the same call, if anything."""
    signature = call_signature(call.tool, call.params)
    return next((entry for entry in draft.state.recent if entry.call == signature), None)


def _store(draft: Draft, entry: Recent) -> None:
    others = tuple(known for known in draft.state.recent if known.call != entry.call)
    draft.update(recent=(*others, entry)[-RECENT_CALLS:])


def record_result(draft: Draft, call: Pending) -> bool:
    """Remember a result; tells whether the same call has now given it too often."""
    signature, result = call_signature(call.tool, call.params), text_signature(call.text)
    known = known_call(draft, call)
    count = known.count + 1 if known is not None and known.result == result else 1
    looping = count > draft.agent.max_repeats
    _store(draft, Recent(call=signature, result=result, count=count, stage=1 if looping else 0))
    return looping


def remember_refusal(draft: Draft, call: Pending) -> None:
    """Remember that a call was refused: it is not asked about or run again."""
    _store(draft, Recent(call=call_signature(call.tool, call.params), stage=1, refused=True))


def forbid(draft: Draft, call: Pending) -> None:
    """Note that a call came again after its correction: it is not run, and its tool is not offered next."""
    known = known_call(draft, call)
    _store(
        draft, Recent(call=call_signature(call.tool, call.params), stage=2, refused=known is not None and known.refused)
    )
    draft.update(withheld=tuple(sorted({*draft.state.withheld, call.tool})))
