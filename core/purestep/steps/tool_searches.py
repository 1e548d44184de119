"""A search for tools: the core executes the call itself, as it does a skill, and asks no model for it."""

from msgspec.structs import replace

from ..bounds import DEFAULT_MAX_OUTPUT_CHARS
from ..draft import Draft, output_chars, searched
from ..values import Pending, SkillEnded
from .rankings import ranked_for


def search_tools(draft: Draft, call: Pending) -> Pending:
    """Return a call that searches for tools with its result; what it found is logged, and offered from now on."""
    query, room = str(call.params["query"]), DEFAULT_MAX_OUTPUT_CHARS
    if draft.state.window.sent is not None:
        room = output_chars(draft, "x" * room, room)
    names, text = searched(draft, query, ranked_for(draft.state.pending, call), room)
    draft.derived(SkillEnded(call_id=call.call_id, skill=call.tool, ok=True, output=list(names)))
    return replace(call, status="done", ok=True, text=text)
