"""The JavaScript and TypeScript of the pages pass tsc in strict mode, which finds what is wrong in a program."""

from pathlib import Path

import pytest

from tests.docs.checked_programs import Errors
from tests.docs.checked_scripts import RESOLUTIONS, found_by_tsc, page_modules

WRONG = """
import { Agent, createAgentCore, tool } from "purestep";
import { openAiModle } from "purestep/openai"; // wrong: no such name
import { anything } from "purestep/opneai"; // wrong: no such place
import { openAiModel } from "purestep/openai";

const core = await createAgentCore();
const model = openAiModel({ model: "gpt-5" });
openAiModel({ modle: "gpt-5" }); // wrong: a typo of a member
new Agent(core, { model, tols: [] }); // wrong: a typo of a port
new Agent(core, { model }, { instructions: 3 }); // wrong: the type of a member
tool({ name: "a", approval: "sometimes", execute: () => "" }); // wrong: no such approval
const end = await new Agent(core, { model }).ask("Hello");
end.answer.trim(); // wrong: there may be none
end.output; // wrong: the answer of other libraries
if (end.type === "done") end.answer.trim();
"""


@pytest.fixture(scope="module", params=RESOLUTIONS)
def errors(
    request: pytest.FixtureRequest, node: str, package: Path, tmp_path_factory: pytest.TempPathFactory
) -> Errors:
    """What tsc finds in all modules at once, that with the faults among them."""
    del package  # it makes sure that the types are there
    modules = {**page_modules(), "wrong#.ts": WRONG}
    return found_by_tsc(node, tmp_path_factory.mktemp(request.param), modules, request.param)


def test_scripts_of_the_pages_have_the_types_that_they_say(errors: Errors) -> None:
    """Where they do not, the page, the line and the compiler's message are shown."""
    found = [f"{page}:{line}: {text}" for page, lines in errors.items() if page != "wrong" for line, text in lines]
    assert not found, "\n".join(found)


def test_faults_are_found_and_nothing_else(errors: Errors) -> None:
    """A typo of a member, a wrong type and others: each in its line."""
    marked = {number for number, line in enumerate(WRONG.splitlines(), 1) if "// wrong: " in line}
    assert marked == {line for line, _ in errors["wrong"]}, errors["wrong"]
