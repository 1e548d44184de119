"""Talk that needs no tool, though it holds words of one, and requests that look like it (11.carry)."""

import pytest

from purestep import Agent, CallModel, Failed, InvokeTool, RequestApproval, UserMessage, start
from purestep.carry import plan_of
from tests.core.carry.tools import parameters

TEXT = {"type": "string"}
READS = {"readOnlyHint": True}
TOOLS = (
    {"name": "get_weather", "description": "The weather", "parameters": parameters(city=TEXT), "annotations": READS},
    {"name": "todo_list", "description": "List the tasks", "parameters": parameters(), "annotations": READS},
    {"name": "close_issue", "description": "Close an issue", "parameters": parameters(number={"type": "integer"})},
    {"name": "move_blinds", "description": "Move the blinds of a room", "parameters": parameters(room=TEXT)},
    {"name": "set_brightness", "description": "Make a dark room brighter", "parameters": parameters(room=TEXT)},
    {"name": "create_refund", "description": "Refund a payment", "parameters": parameters(payment=TEXT)},
    {"name": "get_balance", "description": "Retrieve the balance", "parameters": parameters(), "annotations": READS},
)  # fmt: skip
REFUND = {
    "name": "refund_order",
    "description": "Refund an order",
    "parameters": parameters(order={"type": "integer"}, amount={"type": "number"}),
}
AGENT = Agent.load({"tools": TOOLS, "models": [{"name": "small", "carry": "route"}]})

TALK = (
    "I like snow more than rain in any weather.", "The blinds in the office are already down, thanks.",
    "I closed the issue myself already", "Refunds are always such a headache, aren't they",
    "Refunds are always such a headache, aren't they?", "My tasks are all done, yay", "We list tasks every Monday",
    "Weather is what people talk about", "That weather was lovely", "what does the tool close_issue do?",
    "When would I use todo_list?", "Which weather do you like best, in your opinion?", "Can you close issues?",
    "congrats on all these tasks", "Thanks for the refund", "I wonder whether the weather makes people sad",
    "What colour do you get when you mix blue and yellow?", "Why is the weather so odd?", "Do you like tasks?",
    "The weather sounds perfect to me", "which tools do you have?", "Ich mag das Wetter hier", "Das Wetter war toll",
    "Danke f\u00fcr das Wetter", "Das Wetter ist toll, oder",
)  # fmt: skip
REQUESTS = (
    "the weather in Paris", "I want to know the weather in Paris", "It's for a trip, what's the weather in Rome now?",
    "Is the weather in Paris nice?", "list my tasks", "my tasks", "What are my tasks?", "I need the balance",
    "Can you close issue 5?", "Can you list the tasks?", "It is far too dark in the kitchen", "balance please",
    "The weather in Oslo is what I want to know", "Ich brauche das Wetter in Rom", "What is the balance?",
    "I wish to see the tasks", "The office is dark. Move the blinds of the office",
)  # fmt: skip


@pytest.mark.parametrize("text", TALK)
def test_talk_is_answered_without_a_tool(text: str) -> None:
    """Statements, thanks, opinions and questions about tools: the model is asked for an answer only."""
    decision = start(AGENT, UserMessage(content=text), "r").decision
    assert isinstance(decision, CallModel), decision
    assert not decision.tools
    assert AGENT.router is not None
    assert () == plan_of(text, AGENT.router).steps


@pytest.mark.parametrize("text", REQUESTS)
def test_requests_in_the_form_of_talk_are_steps(text: str) -> None:
    """A wish, a complaint, a value or a question about what is the user's own asks for a tool."""
    assert AGENT.router is not None
    assert plan_of(text, AGENT.router).steps


@pytest.mark.parametrize("text", ["Can you close issue 5?", "Can you list the tasks?"])
def test_a_question_that_points_at_something_is_an_order(text: str) -> None:
    """What can be done with one thing is to be done, or a person is asked."""
    decision = start(AGENT, UserMessage(content=text), "r").decision
    assert isinstance(decision, InvokeTool | RequestApproval)


@pytest.mark.parametrize("text", ["Can you refund the order?", "Can you refund order 5?"])
def test_an_order_as_a_question_says_what_it_lacks(text: str) -> None:
    """It points at one thing, so it is no question about what can be done."""
    agent = Agent.load({"tools": [REFUND], "models": [{"name": "small", "carry": "route"}]})
    decision = start(agent, UserMessage(content=text), "r").decision
    assert isinstance(decision, Failed)
    assert "missing_value" == decision.code
    assert isinstance(start(agent, UserMessage(content="Can you refund orders?"), "r").decision, CallModel)
