"""What ranks an agent's tools for a search of its model: a function of the program, as a tool that only the core calls.

The core asks for the best few by name, puts them together with its own order by words, and does without them where the
function fails. So it decides nothing here, and a replay needs no embedding model.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable, Sequence
from math import isfinite, sqrt
from typing import Any, Final, NamedTuple

import purestep
from purestep_hosts.agents.function_tool import FunctionTool, tool

RANKING: Final = "rank_tools"
"""The name of the tool that a function becomes."""


class ToolText(NamedTuple):
    """A tool as it is ranked."""

    name: str
    description: str


Scores = Iterable[float]
RankTools = Callable[[str, Sequence[ToolText]], Scores | Awaitable[Scores]]
"""Gives for a query and some tools a score of each, in their order: the higher, the better it fits, on any scale.

One that waits is an `async def`.
"""

Embed = Callable[[list[str]], Iterable[Iterable[float]]]
"""Gives a vector of each text."""


def ranking_tool(rank: RankTools, agent: Callable[[], purestep.Agent]) -> FunctionTool[..., Any]:
    """Return the tool that the core calls for a search; agent: gives the definition with the tools to rank."""
    marked = tool(name=RANKING, description="Score tools for a search.", read_only=True, idempotent=True)
    if inspect.iscoroutinefunction(rank) or inspect.iscoroutinefunction(type(rank).__call__):

        async def ranked_later(query: str, limit: int) -> Any:
            texts = tool_texts(agent())
            scores: Any = rank(query, texts)
            return _best(texts, await scores, limit)

        return marked(ranked_later)

    def ranked(query: str, limit: int) -> Any:
        texts = tool_texts(agent())
        scores: Any = rank(query, texts)
        if inspect.isawaitable(scores):
            if inspect.iscoroutine(scores):
                scores.close()
            raise TypeError("expected scores; got something to wait for: write the function that ranks as async def")
        return _best(texts, scores, limit)

    return marked(ranked)


def tool_texts(agent: purestep.Agent) -> list[ToolText]:
    """Return the tools of an agent that its model may have to find."""
    return [ToolText(name, each.spec.description) for name, each in agent.tools.items() if not each.spec.always]


def _best(texts: Sequence[ToolText], scores: Scores, most: int) -> list[dict[str, Any]]:
    found = [float(score) for score in scores]
    if not all(map(isfinite, found)):
        raise ValueError("expected scores that are finite numbers")
    scored = sorted((-score, text.name) for text, score in zip(texts, found, strict=True))
    return [{"name": name, "score": -score} for score, name in scored[:most]]


def by_embedding(embed: Embed) -> RankTools:
    """Return what ranks tools by the cosine of their texts' vectors with that of the query.

    embed: such as `model.encode` of sentence-transformers. The vectors of the tools are kept, so that a search embeds
    the query alone.
    """
    known: dict[tuple[ToolText, ...], list[list[float]]] = {}

    def rank(query: str, tools: Sequence[ToolText]) -> list[float]:
        texts = tuple(tools)
        vectors = known.get(texts)  # of its own, since another thread may rank other tools meanwhile
        if vectors is None:
            vectors = _units(embed([f"{text.name}: {text.description}" for text in texts]))
            known.clear()
            known[texts] = vectors
        (asked,) = _units(embed([query]))
        return [sum(one * other for one, other in zip(asked, vector, strict=True)) for vector in vectors]

    return rank


def _units(vectors: Iterable[Iterable[float]]) -> list[list[float]]:
    found = []
    for vector in vectors:
        numbers = [float(number) for number in vector]
        length = sqrt(sum(number * number for number in numbers)) or 1.0
        found.append([number / length for number in numbers])
    return found
