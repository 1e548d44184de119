"""The repeat guard: the same tool, arguments and result bring a correction, then a ban, then failure.

A call that a person or the approval policy refused is barred like one that was corrected, so nobody is asked twice.
What a policy of the definition refuses it judges anew each time, and its words count as the result of the call.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from ..bounds import MAX_REFUSED, RECENT_CALLS, SIGNATURE_CHARS
from ..json_text import call_signature, text_signature
from ..values import Pending, Recent, RunState
from .acts import BY_POLICY
from .draft import Draft

Entries = tuple[Recent, ...]
"""What is remembered, the latest last."""


def remembered(entries: Entries, signature: str) -> Recent | None:
    """Return what is remembered of the call with this signature, if anything."""
    short = signature[:SIGNATURE_CHARS]
    for entry in entries:
        if entry.call == short:
            return entry
    return None


def _with(entries: Entries, entry: Recent) -> Entries:
    others = [known for known in entries if known.call != entry.call]
    return (*others, entry)[-RECENT_CALLS:]


def with_results(draft: Draft, calls: Iterable[Pending]) -> tuple[Entries, Pending | None]:
    """Return what is remembered after the results of a turn, and the first call that has repeated its result too often.

    The same call twice in one turn counts once: the model has not seen its result yet.
    """
    entries, looping, counted = draft.state.exchange.recent, None, set()
    for call in calls:
        if call.fault not in ("", BY_POLICY):
            continue
        signature = call_signature(call.tool, call.params)
        if signature not in counted:
            counted.add(signature)
            entry = _counted(entries, call, signature, draft.agent.max_repeats)
            entries = _with(entries, entry)
            looping = looping or (call if entry.stage else None)
    return entries, looping


def _counted(entries: Entries, call: Pending, signature: str, max_repeats: int) -> Recent:
    """Return the entry of a call with its result counted; stage 1 says that the result has repeated too often."""
    result = text_signature("".join([call.text, *[part.digest for part in call.parts]]))
    known = remembered(entries, signature)
    count = known.count + 1 if known is not None and known.result == result else 1
    stage = 1 if count > max_repeats else 0
    return Recent(call=signature[:SIGNATURE_CHARS], result=result, count=count, stage=stage)


def remember_refusal(draft: Draft, call: Pending) -> None:
    """Remember that a call was refused: in this exchange it is not asked about or run again."""
    short = call_signature(call.tool, call.params)[:SIGNATURE_CHARS]
    if short not in draft.state.exchange.refused:
        draft.exchange = replace(draft.state.exchange, refused=(*draft.state.exchange.refused, short)[-MAX_REFUSED:])


def was_refused(state: RunState, signature: str) -> bool:
    """Whether a call was refused in this exchange."""
    return signature[:SIGNATURE_CHARS] in state.exchange.refused


def is_barred(state: RunState, signature: str) -> bool:
    """Whether a call is not run again, since it was corrected or refused in this exchange."""
    short = signature[:SIGNATURE_CHARS]
    for entry in state.exchange.recent:
        if entry.stage and entry.call == short:
            return True
    return short in state.exchange.refused


def forbid(draft: Draft, call: Pending) -> None:
    """Note that a call came again after its correction: it is not run, and its tool is not offered next."""
    entry = Recent(call=call_signature(call.tool, call.params)[:SIGNATURE_CHARS], stage=2)
    withheld = tuple(sorted({*draft.state.exchange.withheld, call.tool}))
    draft.exchange = replace(draft.state.exchange, recent=_with(draft.state.exchange.recent, entry), withheld=withheld)
