"""Measure tool search with 500 tools that published MCP servers list; `servers` reads the lists first.

The requests are a stranger's words, and are the query as they are: a model would name what it looks for more shortly.
The weights of the ranking were chosen by `tuning.tsv` alone.
"""

import json
import time
from pathlib import Path
from statistics import median
from typing import Any, Final

import purestep
from bench.figures import Figure
from bench.tool_search import servers
from purestep.agent.tool_search import FIND_TOOLS, ToolSearch
from purestep_hosts.mcp.listed_tools import RefusedTool, listed_tool
from purestep_hosts.mcp.server_tools import tool_name

TOOLS: Final = 500
"""Of all servers together; the largest comes last and has what is left."""

_REQUESTS: Final = Path(__file__).parent / "requests.tsv"


def definition() -> dict[str, Any]:
    """Return a definition with the tools, as the host names and reads them."""
    tools: list[dict[str, Any]] = []
    for name in servers.SERVERS:
        path = servers.CACHE / "lists" / f"{name}.json"
        if not path.exists():
            raise SystemExit(f"bench: {path} is missing; run: .venv/bin/python -m bench.tool_search.servers")
        for entry in json.loads(path.read_text()):
            try:
                listed = listed_tool(entry)
            except RefusedTool:
                continue
            own = tool_name(name, listed.name, {tool["name"] for tool in tools})
            tools.append({"name": own, "description": listed.description, "parameters": listed.parameters})
    model = {"name": "m", "window_tokens": 200_000}
    return {"dialect": "native", "models": [model], "tools": tools[:TOOLS]}


def requests(path: Path = _REQUESTS) -> list[tuple[frozenset[str], str]]:
    """Return the requests, each with the tools that are right for it."""
    lines = [line.split("\t") for line in path.read_text().splitlines()]
    return [(frozenset(each.replace(".", "__", 1) for each in right.split("|")), query) for right, query in lines]


def _places(search: ToolSearch) -> tuple[float, float, float]:
    """Return the shares of requests whose right tool is among the first five and first, and a search's time in ms."""
    asked, times, among, first = requests(), [], 0, 0
    for right, query in asked:
        begun = time.process_time()
        found = [search.names[place] for place in search.find(query)]
        times.append(time.process_time() - begun)
        among += bool(right & {*found})
        first += bool(right & {*found[:1]})
    return 100 * among / len(asked), 100 * first / len(asked), 1000 * median(times)


def _loading(given: dict[str, Any]) -> float:
    """Return the time in ms that loading takes, of a definition that the core does not hold yet."""
    times = []
    for number in range(5):
        text = json.dumps({**given, "name": f"loaded {number}"})
        begun = time.process_time()
        purestep.Agent.load(text)
        times.append(time.process_time() - begun)
    return 1000 * median(times)


def _step(agent: purestep.Agent, function: dict[str, Any]) -> float:
    """Return the time in ms of the step that takes a call, the median of those after the first."""
    state = purestep.start(agent, purestep.UserMessage(content="hello"), run_id="r").state
    said = purestep.convert_to({"content": None, "tool_calls": [{"function": function}]}, purestep.ModelOutput)
    times = []
    for _ in range(101):
        begun = time.process_time()
        purestep.step(state, said)
        times.append(time.process_time() - begun)
    return 1000 * median(times[1:])


def measure() -> list[Figure]:
    """Return the prompt tokens at "hello" with and without the search, the shares of requests, and what it costs."""
    given = definition()
    tokens = {}
    for most in (len(given["tools"]), 40):
        agent = purestep.Agent.load({**given, "tools_offered": most})
        run = purestep.start(agent, purestep.UserMessage(content="hello"), run_id="r")
        tokens[most] = json.loads(purestep.explain_log(run.log))["window"]["tokens"]
    search = agent.search
    assert search is not None
    begun = time.process_time()
    search.find("hello")
    index = time.process_time() - begun
    among, first, cost = _places(search)
    searching = _step(agent, {"name": FIND_TOOLS, "arguments": {"query": "create an issue"}})
    plain = next(each["name"] for each in given["tools"] if not each["parameters"].get("required"))
    calling = _step(agent, {"name": plain, "arguments": {}})
    return [
        Figure('prompt tokens at "hello", at most, all tools offered', tokens[len(given["tools"])], "tokens"),
        Figure('prompt tokens at "hello", at most', tokens[40], "tokens", at_most=2500),
        Figure("requests whose right tool is among the first five", among, "%", at_least=95),
        Figure("requests whose right tool is the first", first, "%"),
        Figure("a search, CPU", cost, "ms", at_most=1),
        Figure("a step with a search more than one with a call, CPU", searching - calling, "ms", at_most=1),
        Figure("loading the definition, CPU", _loading(given), "ms"),
        Figure("making what is searched, once for a definition, CPU", 1000 * index, "ms"),
    ]
