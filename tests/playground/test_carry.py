"""What the page shows of a model that is carried: the choice, and the move that its definition leaves."""

import json
from typing import Any

from playwright.sync_api import expect

from tests.playground.conftest import Open
from tests.playground.driver import Playground, call, definition, final

READS = {"readOnlyHint": True}
QUESTION = "What is 17 plus 25?"


def _reading(name: str, description: str, **properties: Any) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return {"name": name, "description": description, "parameters": parameters, "annotations": READS}


CALCULATOR = _reading("calculator", "Compute the value of an arithmetic expression.", expression={"type": "string"})
SUM = [call("calculator", expression="17 + 25"), final("It is 42.")]


def _level(playground: Playground) -> str:
    levels = playground.page.get_by_role("group", name="Help for small models").get_by_role("radio")
    taken = [levels.nth(at) for at in range(levels.count()) if levels.nth(at).is_checked()]
    return " ".join(radio.evaluate("(radio) => radio.labels[0].querySelector('b').textContent") for radio in taken)


def test_no_model_is_helped_unasked(playground: Playground) -> None:
    """The card of each model says its level, and each level what it means; the one in the tab was taught instead."""
    page = playground.page
    assert "off" == _level(playground)
    expect(page.get_by_role("group", name="Help for small models")).to_contain_text("The model chooses every tool")
    page.get_by_label("HTTP endpoint").check()
    assert "off" == _level(playground)
    page.get_by_label("Scripted").check()
    assert "off" == _level(playground)


def test_the_chosen_level_is_remembered_and_taken_by_the_next_run(open_page: Open) -> None:
    """The run's definition names the level; after a reload the card still does."""
    playground = open_page(chosen="scripted", outputs=SUM, definition=definition(CALCULATOR))
    playground.page.get_by_role("group", name="Help for small models").get_by_label("ground").check()
    playground.page.reload()
    playground.wait_for_core()
    assert "ground" == _level(playground)
    playground.ask(QUESTION)
    playground.expect_answer("It is 42.")
    began = json.loads(playground.download_log().splitlines()[0])
    assert [{"name": "scripted", "carry": "ground"}] == began["agent"]["models"]
    expect(playground.page.get_by_text("This run keeps the definition")).to_have_count(0)


def test_a_definition_keeps_the_level_that_it_names(open_page: Open) -> None:
    """What the card says is for definitions that say nothing."""
    models = [{"name": "scripted", "carry": "off"}]
    playground = open_page(
        chosen="scripted", outputs=SUM, definition=definition(CALCULATOR, models=models), carry={"scripted": "ground"}
    )
    playground.ask(QUESTION)
    playground.expect_answer("It is 42.")
    assert models == json.loads(playground.download_log().splitlines()[0])["agent"]["models"]
