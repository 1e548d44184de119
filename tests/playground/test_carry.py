"""What the page shows of a model that is carried: the choice, the moves made without it, and what it is sent."""

import json
from typing import Any

from playwright.sync_api import expect

from tests.playground.conftest import Open
from tests.playground.driver import Playground, call, definition

READS = {"readOnlyHint": True}
QUESTION = "What is 17 plus 25?"


def _reading(name: str, description: str, **properties: Any) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return {"name": name, "description": description, "parameters": parameters, "annotations": READS}


CALCULATOR = _reading("calculator", "Compute the value of an arithmetic expression.", expression={"type": "string"})
SHELF = _reading("count_books", "Count the books of a shelf.", shelf={"enum": ["upper", "lower"]})
CARRIED = {"chosen": "scripted", "carry": {"scripted": "route"}, "outputs": []}


def _level(playground: Playground) -> str:
    levels = playground.page.get_by_role("group", name="Help for small models").get_by_role("radio")
    taken = [levels.nth(at) for at in range(levels.count()) if levels.nth(at).is_checked()]
    return " ".join(radio.evaluate("(radio) => radio.labels[0].querySelector('b').textContent") for radio in taken)


def test_the_model_in_the_tab_is_routed_and_others_are_not(playground: Playground) -> None:
    """The card of each model says its level, and each level what it means."""
    page = playground.page
    assert "route" == _level(playground)
    expect(page.get_by_role("group", name="Help for small models")).to_contain_text("The model chooses every tool")
    page.get_by_label("HTTP endpoint").check()
    assert "off" == _level(playground)
    page.get_by_label("Scripted").check()
    assert "off" == _level(playground)


def test_the_chosen_level_is_remembered_and_taken_by_the_next_run(open_page: Open) -> None:
    """The run's definition names the level; after a reload the card still does."""
    playground = open_page(chosen="scripted", outputs=[], definition=definition(CALCULATOR))
    playground.page.get_by_role("group", name="Help for small models").get_by_label("route").check()
    playground.page.reload()
    playground.wait_for_core()
    assert "route" == _level(playground)
    playground.ask(QUESTION)
    playground.expect_answer("42")
    began = json.loads(playground.download_log().splitlines()[0])
    assert [{"name": "scripted", "carry": "route"}] == began["agent"]["models"]
    expect(playground.page.get_by_text("This run keeps the definition")).to_have_count(0)


def test_a_definition_keeps_the_level_that_it_names(open_page: Open) -> None:
    """What the card says is for definitions that say nothing."""
    models = [{"name": "scripted", "carry": "route"}]
    playground = open_page(
        chosen="scripted", outputs=[], definition=definition(CALCULATOR, models=models), carry={"scripted": "ground"}
    )
    playground.ask(QUESTION)
    playground.expect_answer("42")
    assert models == json.loads(playground.download_log().splitlines()[0])["agent"]["models"]


def test_moves_without_the_model_are_shown_and_counted(open_page: Open) -> None:
    """In the timeline as rows of their own, in the chat with their reason, and under the answer in numbers."""
    playground = open_page(definition=definition(CALCULATOR), **CARRIED)
    playground.ask(QUESTION)
    playground.expect_answer("42")
    assert playground.labels() == [
        *("Run started", "You asked", "Decided", "Call", "Run"),
        *("Tool returned", "Accepted", "Decided", "Answer", "Done"),
    ]
    thread = playground.page.locator(".thread")
    reason = "Decided without the model: the only call that the words allow"
    expect(thread.locator(".call")).to_contain_text(reason)
    expect(thread.locator(".by-model")).to_contain_text("Decided without the model: the answer is what the tools")
    expect(thread.locator(".answer-foot")).to_contain_text("0 decisions by the model, 2 without it")
    playground.verify()


def test_the_exact_prompt_of_a_routed_model_is_shown(open_page: Open) -> None:
    """The dialog has the messages of the decision, which are no part of the transcript."""
    settings = {**CARRIED, "outputs": [call("count_books", shelf="upper")]}
    playground = open_page(definition=definition(CALCULATOR, SHELF), **settings)
    playground.ask("How many books are there?")
    playground.page.get_by_label("What does it return?").fill("12")
    playground.button("Return this result").click()
    playground.expect_answer("12")
    expect(playground.page.locator(".answer-foot")).to_contain_text("1 decision by the model, 1 without it")
    expect(playground.page.locator(".row", has_text="Routed")).to_contain_text("the model may call count_books")
    playground.button("Look inside step 1").click()
    dialog = playground.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Prompt", exact=True).click()
    messages = dialog.locator(".message")
    expect(messages.first).to_contain_text("count_books")
    expect(messages.first).not_to_contain_text("calculator")
    expect(messages.last).to_contain_text("How many books are there?")


def test_a_call_that_the_core_made_is_not_said_to_be_the_models(open_page: Open) -> None:
    """Where a person edits it, what was there before is what the core decided."""
    tool = {**CALCULATOR, "approval": "ask"}
    playground = open_page(definition=definition(tool), **CARRIED)
    playground.ask(QUESTION)
    playground.button("Edit").click()
    playground.page.locator(".card textarea").fill('{"expression": "17 + 26"}')
    playground.button("Approve and run").click()
    entry = playground.page.locator(".thread .call")
    expect(entry).to_contain_text("edited by a person")
    entry.get_by_text("What the core decided").wait_for()
    expect(entry.get_by_text("What the model wrote")).to_have_count(0)
