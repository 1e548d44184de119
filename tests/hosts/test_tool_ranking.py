"""A function of the program ranks an agent's tools for its model's searches; small real ones, by pieces of words."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

import purestep
from purestep_hosts import Agent, ScriptedModel, ToolText, by_embedding, calls, says, tool


@tool(read_only=True)
def tell_height(mountain: str) -> str:
    """Tell the elevation of a mountain."""
    return f"{mountain} is high"


@tool(read_only=True)
def list_letters() -> str:
    """List letters."""
    return "none"


@tool(read_only=True, always=True)
def say_hello() -> str:
    """Say good day."""
    return "hello"


TOOLS = [tell_height, list_letters, say_hello]


def pieces(text: str) -> set[str]:
    """Return the three-letter pieces of a text."""
    return {text[at : at + 3] for at in range(len(text) - 2)}


def overlap(query: str, tools: Sequence[ToolText]) -> list[float]:
    """Score tools by the pieces that they share with a query."""
    return [float(len(pieces(query) & pieces(f"{each.name} {each.description}"))) for each in tools]


def embed(texts: list[str]) -> list[list[float]]:
    """Return how often each letter stands in each text."""
    return [[float(text.lower().count(letter)) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]


def _agent(rank: Any, query: str = "deletters", **members: Any) -> Agent[str, Any]:
    model = ScriptedModel([calls("find_tools", query=query), says("Done.")])
    return Agent(model, tools=TOOLS, tools_offered=2, tools_ranked_by=rank, **members)


async def _later(scores: list[float]) -> list[float]:
    return scores


def _events(log: str, kind: str) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in log.splitlines()]
    return [line for line in lines if line["kind"] == kind]


def test_a_function_ranks_the_tools_of_an_agent() -> None:
    """It is given those that may have to be found, and the log replays without it."""
    seen: list[Any] = []

    def rank(query: str, tools: Sequence[ToolText]) -> list[float]:
        seen.append((query, *tools))
        return overlap(query, tools)

    result = _agent(rank).run_sync("x")
    named = [("list_letters", "List letters."), ("tell_height", "Tell the elevation of a mountain.")]
    assert [("deletters", *named)] == seen
    assert "list_letters" == _events(result.log, "skill_ended")[0]["output"][0]
    assert json.loads(purestep.verify_log(result.log))["ok"]
    assert "Done." == result.answer


def test_an_async_function_ranks_alike() -> None:
    """As one that asks a server for vectors does."""

    async def rank(query: str, tools: Sequence[ToolText]) -> list[float]:
        return overlap(query, tools)

    result = _agent(rank).run_sync("x")
    assert "list_letters" == _events(result.log, "skill_ended")[0]["output"][0]


def test_vectors_rank_by_their_angle_and_are_made_once() -> None:
    """The tools are embedded for the first search; the length of a vector says nothing."""
    asked: list[int] = []

    def counted(texts: list[str]) -> list[list[float]]:
        asked.append(len(texts))
        return embed(texts)

    rank = by_embedding(counted)
    tools = [ToolText("a", "mountain height"), ToolText("b", "zzz")]
    for query in ("thgieh niatnuom", "thgieh niatnuom " * 9):
        first, second = rank(query, tools)  # type: ignore[misc] (no awaitable)
        assert first > 0.9 > second
    assert [2, 1, 1] == asked
    result = _agent(rank, "erttelstile").run_sync("x")
    assert "list_letters" == _events(result.log, "skill_ended")[0]["output"][0]


def test_agents_that_share_a_ranker_do_not_disturb_each_other() -> None:
    """Another thread may rank other tools while the query is embedded."""

    def embed_and_rank(texts: list[str]) -> list[list[float]]:
        if texts == ["mine"]:
            rank("theirs", [ToolText("b", "b")])
        return embed(texts)

    rank = by_embedding(embed_and_rank)
    assert 1 == len(list(rank("mine", [ToolText("a", "a")])))  # type: ignore[arg-type] (no awaitable)


def test_vectors_of_another_length_are_refused() -> None:
    """An embedding model that is changed in the middle gives no score."""
    rank = by_embedding(lambda texts: [[1.0] * len(text) for text in texts])
    with pytest.raises(ValueError, match="longer"):
        rank("q", [ToolText("a", "a")])


@pytest.mark.parametrize(
    ("rank", "why"),
    [
        (lambda query, tools: [1.0], "shorter"),
        (lambda query, tools: 1 / 0, "ZeroDivisionError"),
        (lambda query, tools: ["high", "low"], "could not convert"),
        (lambda query, tools: [1.0, float("nan")], "finite numbers"),
        (lambda query, tools: [float("inf"), 1.0], "finite numbers"),
        (lambda query, tools: _later([1.0, 2.0]), "async def"),
    ],
)
def test_a_function_that_fails_leaves_the_search_as_it_is(rank: Any, why: str) -> None:
    """The run goes on, and the log says why."""
    result = _agent(rank, "letters").run_sync("x")
    assert ["list_letters"] == _events(result.log, "skill_ended")[0]["output"]
    (problem,) = _events(result.log, "skill_started")[0]["problems"]
    assert "unranked" == problem["code"]
    assert why in problem["message"]
    assert "Done." == result.answer


def test_a_tool_of_the_agent_ranks_by_its_name() -> None:
    """With the arguments of the core; a name that is no tool's is refused."""

    @tool(read_only=True)
    def rank(query: str, limit: int) -> list[dict[str, Any]]:
        """Rank tools."""
        return [{"name": "tell_height", "score": 1}][:limit]

    model = ScriptedModel([calls("find_tools", query="zzz"), says("Done.")])
    result = Agent(model, tools=[*TOOLS, rank], tools_offered=2, tools_ranked_by="rank").run_sync("x")
    assert ["tell_height"] == _events(result.log, "skill_ended")[0]["output"]
    with pytest.raises(purestep.PurestepError, match="no tool is named"):
        Agent(model, tools=TOOLS, tools_ranked_by="nobody")


def test_agents_below_have_rankings_of_their_own() -> None:
    """Each ranks its own tools."""
    below = _agent(overlap, name="clerk", instructions="Help.")
    model = ScriptedModel([calls("clerk", question="?"), says("Told.")])
    result = Agent(model, tools=[below]).run_sync("x")
    lines = [each["line"] for each in _events(result.log, "child")]
    ended = [line for line in lines if line["kind"] == "skill_ended"]
    assert "list_letters" == ended[0]["output"][0]
    assert "Told." == result.answer
