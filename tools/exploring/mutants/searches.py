"""Faults in tool search: what is offered, in which order, for how long, and what of it is logged."""

from typing import Final

from .mutant import Mutant

_CASE: Final = "searches"
_FOUND: Final = "draft/found_tools.py"
_CALLS: Final = "steps/calls.py"
_ADDED: Final = "(*before, *[place for place in places if place not in before])"

SEARCHES: Final = (
    Mutant("found-first", _CASE, _FOUND, _ADDED, "(*places, *before)"),
    Mutant("found-forgotten", _CASE, _FOUND, "    if found != before:\n", "    if found == before:\n"),
    Mutant("found-unbounded", _CASE, _FOUND, "[-most:]", "[-99:]"),
    Mutant("deferred-offered", _CASE, "agent/agent.py", "if name not in search.places}", "if name}"),
    Mutant("search-handed-out", _CASE, "agent/agent.py", ", *([] if self.search is None else [FIND_TOOLS])", ""),
    Mutant("search-unlogged", _CASE, "steps/tool_searches.py", "    draft.derived(", "    repr("),
    Mutant("search-takes-a-call", _CASE, _CALLS, "if not is_searching(agent, call.tool)])", "if call])"),
    Mutant("corrected-not-offered", _CASE, _CALLS, "offer_named(draft, checked.named) + checked", "checked"),
    Mutant(
        "deferred-not-checked",
        _CASE,
        _CALLS,
        "    if issues:\n",
        "    if issues and call.tool in agent.shown_tools(0):\n",
    ),
)
