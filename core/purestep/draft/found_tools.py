"""Tools that a model finds, instead of being offered them from the start; the state keeps their places alone.

A found tool is offered for the exchange, after all that was offered before. Past as many as a model may be offered the
oldest is not any more, and can still be called: a tool that a model calls by its right name, with arguments that fit,
is run whether it was found or not. Where the arguments do not fit, the correction offers the tool.
"""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from ..agent import FIND_TOOLS, Agent, corrections
from ..dialects import first_sentence
from ..values import OneTool
from .draft import Draft


def is_searching(agent: Agent, tool: str) -> bool:
    """Whether calls of a tool search for others."""
    return agent.search is not None and tool == FIND_TOOLS


def offer_found(draft: Draft, places: Sequence[int]) -> None:
    """Offer tools for the exchange, by their places; the latest as many as a model is offered."""
    search, state = draft.agent.search, draft.state
    assert search is not None  # only a search has places
    before, most = state.exchange.found, search.limits[state.window.model]
    found = (*before, *[place for place in places if place not in before])[-most:]
    if found != before:
        draft.exchange = replace(state.exchange, found=found)


def offer_named(draft: Draft, names: Iterable[str]) -> str:
    """Offer those of some tools that the model was not shown; gives what it reads of them, "" where there are none."""
    agent, state = draft.agent, draft.state
    if agent.search is None or not agent.defers(state.window.model):
        return ""
    places = [agent.search.places[name] for name in names if name in agent.search.places]
    new = [place for place in places if place not in state.exchange.found]
    if not new:
        return ""
    offer_found(draft, new)
    return corrections.offered_tools(described(agent, new))


def described(agent: Agent, places: Iterable[int]) -> list[str]:
    """Return what a model reads of each tool: as its prompt has tools, or briefly where its server is given them."""
    assert agent.search is not None  # only a search has places
    specs = [agent.tools[agent.search.names[place]].spec for place in places]
    if not agent.dialect.native_tools:
        return [agent.dialect.describe(spec) for spec in specs]
    return [f"- {spec.name}{f': {about}' if (about := first_sentence(spec.description)) else ''}" for spec in specs]


def offer_chosen(draft: Draft) -> str:
    """Offer the tool that the user message has the model call, where it is deferred; gives what the model reads."""
    choice = draft.exchange.tool_choice
    return offer_named(draft, (choice.tool,)) if isinstance(choice, OneTool) else ""


def found_under(before: Agent, after: Agent, found: tuple[int, ...]) -> tuple[int, ...]:
    """Return the places under another definition of the found tools that are to be found there, too."""
    if before.search is None or after.search is None:
        return ()
    names = [before.search.names[place] for place in found]
    return tuple([after.search.places[name] for name in names if name in after.search.places])[-_most(after) :]


def found_fits(agent: Agent, found: Sequence[int]) -> bool:
    """Whether each is the place of a deferred tool, and none stands there twice or past what a model is offered."""
    known = agent.search is not None and all(place in agent.search.names for place in found)
    return known and len(set(found)) == len(found) <= _most(agent)


def _most(agent: Agent) -> int:
    return 0 if agent.search is None else max(agent.search.limits)


def searched(draft: Draft, query: str, ranked: Sequence[str], room: int) -> tuple[tuple[str, ...], str]:
    """Find tools and offer them; gives their names, and what the model reads.

    ranked: what the host's ranking says. room: characters of what is read, past which only the best tools are found,
    and at least one.
    """
    agent = draft.agent
    assert agent.search is not None  # the caller has looked
    places = agent.search.find(query, ranked)[: agent.search.limits[draft.state.window.model]]
    if not places:
        return (), corrections.no_tool_found(query)
    lines = described(agent, places)
    while len(lines) > 1 and not _fits(agent, corrections.found_tools(lines), room):
        lines.pop()
    places = places[: len(lines)]
    offer_found(draft, places)
    return tuple([agent.search.names[place] for place in places]), corrections.found_tools(lines)


def _fits(agent: Agent, text: str, room: int) -> bool:
    return len(text) <= room and len(agent.dialect.abridge(text)) == len(text)
