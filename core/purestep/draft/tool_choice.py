"""The tool choice of an exchange: what it demands of the next model output, and what it makes of one."""

from collections.abc import Sequence

from ..agent import Agent, choice_problem, corrections
from ..errors import PurestepError
from ..values import OneTool, ReadCall, RunState, ToolChoice


def check_choice(agent: Agent, choice: ToolChoice | None, path: str) -> None:
    """Raise `invalid_input` for a tool choice of a user message that names no tool that there is.

    path: of what holds the choice.
    """
    problem = None if choice is None or agent.is_open else choice_problem(choice, tuple(agent.tools))
    if problem is not None:
        raise PurestepError("invalid_input", problem[0], f"{path}/tool_choice{problem[1]}")


def choice_fits(agent: Agent, choice: ToolChoice) -> bool:
    """Whether a state's tool choice is one that a user message can have brought."""
    return agent.is_open or choice_problem(choice, tuple(agent.tools)) is None


def choice_now(agent: Agent, state: RunState) -> ToolChoice:
    """Return what holds for the next model output; `auto` once a tool that had to be used has given a result."""
    choice = state.exchange.tool_choice or agent.definition.tool_choice
    if choice in ("auto", "none"):
        return choice
    if state.exchange.succeeded:
        return "auto"
    return "required" if state.exchange.used.tool_calls else choice


def refused_calls(agent: Agent, state: RunState, calls: Sequence[ReadCall]) -> str | None:
    """Return the feedback on calls that the choice does not allow; all of a turn run together, so none goes first."""
    if state.exchange.tool_choice is None and agent.definition.tool_choice == "auto":
        return None
    choice = choice_now(agent, state)
    if choice == "none":
        return corrections.no_tools_here(agent.dialect.remind)
    if isinstance(choice, OneTool):
        other = next((call.tool for call in calls if call.tool != choice.tool), None)
        return None if other is None else corrections.another_tool(other, choice.tool, agent.dialect.remind)
    return None


def early_answer(agent: Agent, state: RunState) -> str | None:
    """Return the feedback on an answer that comes before the tool result that the choice demands."""
    choice = choice_now(agent, state)
    if isinstance(choice, OneTool):
        return corrections.obligation((choice.tool,), agent.dialect.remind)
    return corrections.obligation((), agent.dialect.remind) if choice == "required" else None
