"""The Python of the pages passes mypy and pyright in strict mode, and both find what is wrong in a program."""

from pathlib import Path

import pytest

from tests.docs.checked_programs import Errors, found_by_mypy, found_by_pyright, page_programs, written

WRONG = '''
from purestep import ModelOutput, UserMessage, redact, start, step
from purestep import Agent as CoreAgent
from purestep import RunStaet  # wrong: no such name
from purestep_hosts import Agent, Invocation, ScriptedModel, says, tool
from purestep_hosts import Agnet  # wrong: no such name


class Shop:
    name = "corner"


@tool
def sell(number: int, shop: Invocation[Shop]) -> str:
    """Sell an article."""
    return shop.deps.nam  # wrong: no such attribute


@tool(aproval="ask")  # wrong: no such option
def a(number: int) -> str:
    """Do a thing."""
    return ""


@tool(approval="sometimes")  # wrong: no such approval
def b(number: int) -> str:
    """Do a thing."""
    return ""


model = ScriptedModel([says("Done.")])
Agent(model, instrucions="Be short.")  # wrong: a typo of a keyword
Agent(model, system_prompt="Be short.")  # wrong: a name of other libraries
Agent(model, limits=3)  # wrong: no members
Agent(model, approve=lambda call: "yes")  # wrong: neither True nor an approval
agent = Agent(model, tools=[sell], deps_type=Shop, output_type=int)
agent.run_sync("Sell", deps=Shop())
agent.run_sync("Sell", deps="corner")  # wrong: the type of deps
agent.run_sync("Sell", deps=Shop(), sesion=None)  # wrong: a typo of an argument
agent.run_sync("Sell", deps=Shop()).data.upper()  # wrong: data is a number
agent.run_sync("Sell", deps=Shop()).output  # wrong: the answer of other libraries
agent.run_sync("Sell", deps=Shop()).failure.code  # wrong: there may be none
sell("seven")  # wrong: the arguments of the function
run = start(CoreAgent.load({}), UserMessage(content="Hello"))
step(run.state, ModelOutput(content="Hi")).decision.answer  # wrong: not every decision has one
step(run.state, "Hi")  # wrong: no observation
redact(CoreAgent.load({}), UserMessage(content="Hello")).observation.contnt  # wrong: no such member
'''


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """The folder of all programs, that with the faults among them, and their names by their files."""
    folder = tmp_path_factory.mktemp("programs")
    return folder, written({**page_programs(), "wrong": WRONG}, folder)


@pytest.fixture(scope="module", params=["mypy", "pyright"])
def errors(request: pytest.FixtureRequest, programs: tuple[Path, dict[str, str]]) -> Errors:
    """What a type checker finds in all programs at once."""
    if request.param == "mypy":
        return found_by_mypy(*programs)
    return found_by_pyright(request.getfixturevalue("node"), *programs)


def test_python_of_the_pages_has_the_types_that_it_says(errors: Errors) -> None:
    """Where it does not, the page, the line and the checker's message are shown."""
    found = [f"{page}:{line}: {text}" for page, lines in errors.items() if page != "wrong" for line, text in lines]
    assert not found, "\n".join(found)


def test_faults_are_found_and_nothing_else(errors: Errors) -> None:
    """A typo of a keyword, a wrong type of `deps` and others: each in its line."""
    marked = {number for number, line in enumerate(WRONG.splitlines(), 1) if "# wrong: " in line}
    assert marked == {line for line, _ in errors["wrong"]}, errors["wrong"]
