"""Rankings: a tool of the host scores the tools that a search may find, beside the core's own order by words.

Its call is pending beside those of the model, as one of a check is, and names the search. A ranking that fails or
cannot be read leaves the order by words; the log says why, and the model learns nothing of it.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from ..agent import Agent, ToolSearch, corrections
from ..bounds import MAX_CHECK_CALLS, MAX_CHECK_STEPS, MAX_TOOLS, RANKED_AT_ONCE
from ..checks import ToolCheck
from ..draft import Draft, is_searching
from ..json_text import excerpt_of
from ..lazy import convert_to
from ..schema import render
from ..values import Pending, Problem, ToolResult
from .checking import CheckCall, calls_of_checks

_BETWEEN: Final = "\n"
"""Stands between the names of tools, which hold no control characters."""


class _Ranked(Struct, frozen=True, forbid_unknown_fields=True):
    """How well a tool fits, the higher the better, on any scale."""

    name: str
    score: float


_Ranking = Annotated[tuple[_Ranked, ...], Meta(max_length=MAX_TOOLS)]


def is_ranking(agent: Agent, calls: Mapping[str, Pending], call: Pending) -> bool:
    """Whether a call ranks tools for a search among the calls."""
    return call.checks in calls and is_searching(agent, calls[call.checks].tool)


def begin_rankings(draft: Draft, ranking: ToolCheck, calls: tuple[Pending, ...]) -> tuple[Pending, ...]:
    """Return the calls of a turn, those that rank for its searches after them; logged, and counted in no budget."""
    settled, begun = list[Pending](), list[Pending]()
    for call in calls:
        searches = call.status == "skill" and is_searching(draft.agent, call.tool)
        search, *rankings = _begun(draft, ranking, call) if searches else (call,)
        settled.append(search)
        begun += rankings
    return (*settled, *begun)


def _begun(draft: Draft, ranking: ToolCheck, search: Pending) -> tuple[Pending, ...]:
    """Return a search and the call that ranks for it; with the reason where the tool does not take the arguments."""
    params = ranking.known_params(search.params)
    issues = draft.agent.inner_tools[ranking.tool].parameters.check(params, MAX_CHECK_STEPS // MAX_CHECK_CALLS)
    if issues:
        return (unranked(search, ranking.tool, render(issues[0], "argument")),)
    wanted = (CheckCall(condition=0, tool=ranking.tool, params=params),)
    return search, *calls_of_checks(draft, search.call_id, wanted)


def unranked(search: Pending, tool: str, why: str) -> Pending:
    """Return a search that goes by words alone, with what its line in the log will say."""
    return replace(search, problems=(*search.problems, Problem(code="unranked", message=f"{tool}: {why}")))


def take_ranking(
    draft: Draft, calls: Mapping[str, Pending], ranking: Pending, result: ToolResult
) -> tuple[Pending, ...]:
    """Return a ranking with the names of the best tools, or as failed and its search with the reason."""
    assert draft.agent.search is not None  # else nothing is ranked
    names = _best(draft.agent.search, result)
    if isinstance(names, str):
        return given_up(calls, ranking, names)
    return (replace(ranking, status="done", ok=True, text=_BETWEEN.join(names)),)


def given_up(calls: Mapping[str, Pending], ranking: Pending, why: str) -> tuple[Pending, ...]:
    """Return a ranking that failed, and its search, which goes by words alone."""
    return replace(ranking, status="done"), unranked(calls[ranking.checks], ranking.tool, why)


def _best(search: ToolSearch, result: ToolResult) -> list[str] | str:
    """Return the names of the tools with the highest scores, of equal ones by name; or why there are none."""
    if not result.ok:
        return corrections.shown(result.error or "it ended without saying why")
    try:
        given: tuple[_Ranked, ...] = convert_to(result.output, _Ranking)
    except msgspec.ValidationError:
        return f"expected a list of name and score; got {excerpt_of(result.output)}"
    order = sorted(given, key=lambda each: (-each.score, each.name))
    return [name for name in dict.fromkeys([each.name for each in order]) if name in search.places][:RANKED_AT_ONCE]


def ranked_for(calls: Sequence[Pending], search: Pending) -> tuple[str, ...]:
    """Return the names of the tools that were ranked for a search, the best first; none where none were."""
    text = next((call.text for call in calls if call.checks == search.call_id), "")
    return tuple(text.split(_BETWEEN)) if text else ()
