"""Where the model reads results of calls that went on elsewhere: before its next call, or where an exchange begins."""

from typing import Final

from msgspec.structs import replace

from ..agent import corrections
from ..draft import (
    Draft,
    effects_after,
    is_open,
    note_acts,
    note_said,
    note_span_text,
    note_values,
    said_with_parts,
    settle,
)
from ..json_text import encode_sorted
from ..values import Decided, Pending
from ..window import framed

_BETWEEN: Final = "\n\n"
_MOST_PARAMS: Final = 200
"""Characters of the arguments by which the model is told of which call a result is."""


def put_late(draft: Draft, *, begins: bool = False) -> None:
    """Put the results that have come before the model call that is asked for now, and note what they say.

    begins: an exchange begins with them.
    """
    came = tuple([call for call in draft.run.late if call.status == "done"])
    if not came:
        return
    open_ones = tuple([call for call in draft.run.late if call.status != "done"])
    draft.run = replace(draft.run, late=open_ones)
    draft.derived(Decided(reason="late_results", tools=tuple([call.tool for call in came])))
    note_acts(draft, came)
    succeeded = {*draft.exchange.succeeded, *[call.tool for call in came if call.ok]}
    effects = effects_after(draft.agent, draft.state, came)
    draft.exchange = replace(draft.exchange, succeeded=tuple(sorted(succeeded)), effects=effects)
    for call in came:
        if call.ok or call.fault:
            settle(draft, call)
        note_said(draft, call.text)
        note_values(draft, call.text)
    text = _BETWEEN.join([_said(draft, call) for call in came])
    note_span_text(draft, text)
    content = said_with_parts(draft, text, came)
    last = draft.joinable()
    if begins:
        draft.say("user", content)
    elif last is not None and isinstance(last.content, str) and isinstance(content, str):
        draft.messages[-1] = replace(last, content=f"{last.content}{_BETWEEN}{content}")
    else:
        draft.say_apart(content)


def _said(draft: Draft, call: Pending) -> str:
    head = corrections.came_later(call.tool, encode_sorted(call.params).decode()[:_MOST_PARAMS])
    text = draft.agent.dialect.abridge(call.text)
    return f"{head} {framed(text) if is_open(draft, call) and not call.fault else text}"
