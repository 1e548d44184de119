"""The same agents in each framework, with models that answer at once; a program that `frameworks` starts.

`python framework_runs.py NAME` prints what each case answers and the framework's version, then takes lines
`CASE RUNS` and prints the CPU microseconds of one run. It imports nothing of the others, nor of this checkout but
the hosts, so it runs in an environment that has just one of them.
"""

import asyncio
import json
import sys
import time
import warnings
from collections.abc import Awaitable, Callable
from importlib.metadata import version
from typing import Any

HELLO, ANSWER = "Hello", "Hello there."
ADD, SUM = "Add 1 and 2", "It is 3."
TEAM, DONE = "Ask both", "Both are done."
"""A lead that asks two agents at once, of which one calls a tool."""

Cases = dict[str, Callable[[], Awaitable[str]]]
"""One run of each case, which gives the answer."""


async def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def purestep_cases() -> Cases:
    """`Agent` with a ScriptedModel that answers by what it is asked."""
    from purestep_hosts import Agent, ScriptedModel, calls, says, tool

    def scripted(request: Any) -> str:
        last = request.messages[-1]["content"]
        return calls("add", a=1, b=2) if last == ADD else says(ANSWER if last == HELLO else SUM)

    both = f"[{calls('adder', question=ADD)},{calls('greeter', question=HELLO)}]"

    def leading(request: Any) -> str:
        return both if request.messages[-1]["content"] == TEAM else says(DONE)

    plain, adding = (Agent(ScriptedModel(scripted), tools=given) for given in ([], [tool(read_only=True)(add)]))
    lead = Agent(ScriptedModel(leading), tools=[adding.as_tool("adder"), plain.as_tool("greeter")])

    async def ask(agent: Any, query: str) -> str:
        return str((await agent.run(query)).answer)

    return {"answer": lambda: ask(plain, HELLO), "call": lambda: ask(adding, ADD), "team": lambda: ask(lead, TEAM)}


def pydantic_ai_cases() -> Cases:
    """`Agent` with a TestModel, which calls each tool once by itself."""
    from pydantic_ai import Agent
    from pydantic_ai.models.test import TestModel

    plain = Agent(TestModel(custom_output_text=ANSWER))
    adding = Agent(TestModel(custom_output_text=SUM), tools=[add])

    async def ask(agent: Any, query: str) -> str:
        return str((await agent.run(query)).output)

    async def adder(question: str) -> str:
        """Ask the agent that adds."""
        return await ask(adding, question)

    async def greeter(question: str) -> str:
        """Ask the agent that greets."""
        return await ask(plain, question)

    lead = Agent(TestModel(custom_output_text=DONE), tools=[adder, greeter])
    return {"answer": lambda: ask(plain, HELLO), "call": lambda: ask(adding, ADD), "team": lambda: ask(lead, TEAM)}


def langgraph_cases() -> Cases:
    """The prebuilt agent with a chat model of langchain-core, and graphs of plain functions beside it."""
    from langchain_core.language_models.chat_models import BaseChatModel
    from langchain_core.messages import AIMessage
    from langchain_core.outputs import ChatGeneration, ChatResult
    from langgraph.graph import END, START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode, create_react_agent, tools_condition

    def scripted(messages: Any) -> Any:
        last = messages[-1]
        if last.content == ADD:
            return AIMessage("", tool_calls=[{"name": "add", "args": {"a": 1, "b": 2}, "id": "call-1"}])
        if last.content == TEAM:
            asked = {"adder": ADD, "greeter": HELLO}
            calls = [{"name": name, "args": {"question": text}, "id": name} for name, text in asked.items()]
            return AIMessage("", tool_calls=calls)
        if last.type == "tool":
            return AIMessage(SUM if last.name == "add" else DONE)
        return AIMessage(ANSWER)

    class Scripted(BaseChatModel):  # type: ignore[misc]
        @property
        def _llm_type(self) -> str:
            return "script"

        def bind_tools(self, tools: Any, **_: Any) -> Any:
            return self

        def _generate(self, messages: Any, stop: Any = None, run_manager: Any = None, **_: Any) -> Any:
            return ChatResult(generations=[ChatGeneration(message=scripted(messages))])

        async def _agenerate(self, messages: Any, stop: Any = None, run_manager: Any = None, **_: Any) -> Any:
            return self._generate(messages)

    async def model(state: Any) -> Any:
        return {"messages": [scripted(state["messages"])]}

    def graph(tools: list[Any]) -> Any:
        made = StateGraph(MessagesState)
        made.add_node("model", model)
        made.add_edge(START, "model")
        if not tools:
            made.add_edge("model", END)
            return made.compile()
        made.add_node("tools", ToolNode(tools))
        made.add_conditional_edges("model", tools_condition)
        made.add_edge("tools", "model")
        return made.compile()

    async def ask(agent: Any, query: str) -> str:
        return str((await agent.ainvoke({"messages": [("user", query)]}))["messages"][-1].content)

    plain, adding = create_react_agent(Scripted(), tools=[]), create_react_agent(Scripted(), tools=[add])
    bare, bare_adding = graph([]), graph([add])

    async def adder(question: str) -> str:
        """Ask the agent that adds."""
        return await ask(adding, question)

    async def greeter(question: str) -> str:
        """Ask the agent that greets."""
        return await ask(plain, question)

    lead = create_react_agent(Scripted(), tools=[adder, greeter])
    return {
        "answer": lambda: ask(plain, HELLO),
        "call": lambda: ask(adding, ADD),
        "team": lambda: ask(lead, TEAM),
        "answer, bare graph": lambda: ask(bare, HELLO),
        "call, bare graph": lambda: ask(bare_adding, ADD),
    }


FRAMEWORKS: dict[str, tuple[str, Callable[[], Cases]]] = {
    "purestep": ("purestep-hosts", purestep_cases),
    "pydantic-ai": ("pydantic-ai-slim", pydantic_ai_cases),
    "langgraph": ("langgraph", langgraph_cases),
}


async def measured(run: Callable[[], Awaitable[str]], runs: int) -> float:
    """Return the CPU microseconds of one run, of so many one after another."""
    began = time.process_time_ns()
    for _ in range(runs):
        await run()
    return (time.process_time_ns() - began) / 1000 / runs


async def main(name: str) -> None:
    """Answer the lines of stdin."""
    package, make = FRAMEWORKS[name]
    cases = make()
    answers = {case: await run() for case, run in cases.items()}
    print(json.dumps({"version": version(package), "answers": answers}), flush=True)
    for line in sys.stdin:
        case, _, runs = line.strip().rpartition(" ")
        print(await measured(cases[case], int(runs)), flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # of names that a framework is about to move
    asyncio.run(main(sys.argv[1]))
