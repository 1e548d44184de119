import json
from typing import Final

from playwright.sync_api import BrowserContext, Route, expect

import purestep
from tests.playground.driver import ADD, Playground, definition, final


def test_a_definition_that_holds_says_so(playground: Playground) -> None:
    """The digest shown is the one that any core gives the same definition."""
    text = definition(ADD, name="clerk")
    playground.write_definition(text)
    digest = purestep.load_agent(text)
    expect(playground.page.locator(".verdict-line")).to_contain_text(f"Valid {digest[:12]}")


WRONG: Final = {
    "wrong type": ('{\n  "limits": {\n    "max_turns": "many"\n  }\n}', 3, 18, '"many"'),
    "unknown key": ('{\n  "name": "x",\n  "tolls": []\n}', 3, 3, '"tolls"'),
    "missing key": ('{\n  "tools": [\n    { "description": "no name" }\n  ]\n}', 3, 5, "{"),
    "unknown keyword": (
        '{\n  "tools": [{ "name": "a", "parameters": { "type": "object", "maximal": 1 } }]\n}',
        2,
        62,
        '"maximal"',
    ),
}
"""Definitions, and the line, the column and the text that are marked in each."""


def test_an_error_is_shown_at_its_place(playground: Playground) -> None:
    """The core's words stand under the line they speak of; line and column are named, and the very text is marked."""
    for text, line, column, marked in WRONG.values():
        playground.write_definition(text)
        _expect_error(playground, text, line, column, marked)


def _expect_error(playground: Playground, text: str, line: int, column: int, marked: str) -> None:
    message = json.loads(purestep.load_agent(text))["error"]["message"]
    page = playground.page
    expect(page.locator(".verdict-line")).to_contain_text(f"Line {line}, column {column}")
    expect(page.locator(".editor .cm-lintRange-error")).to_have_text(marked)
    expect(page.locator(".editor .problem-line")).to_have_text(message)
    row = page.locator(".editor .cm-line.problem-row")
    expect(row).to_have_text(text.splitlines()[line - 1])
    below = page.locator(".editor .problem-line").bounding_box()
    above = row.bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] < below["y"] <= above["y"] + above["height"] + 2


def test_text_that_is_no_json_is_marked_where_it_breaks(playground: Playground) -> None:
    """Characters outside the first plane before it do not move the mark."""
    playground.write_definition('{\n  "name": "\U0001f600 é", nonsense\n}')
    expect(playground.page.locator(".verdict-line")).to_contain_text("Line 2, column 18")
    expect(playground.page.locator(".editor .cm-lintRange-error")).to_have_text("n")


def test_the_place_is_one_click_away(playground: Playground) -> None:
    """The line and column named under the editor lead into it."""
    playground.write_definition('{\n  "limits": {"max_turns": "many"}\n}')
    playground.button("Line 2, column 27").click()
    playground.page.keyboard.press("Shift+End")
    assert playground.page.evaluate("getSelection().toString() || true")
    focused = "document.activeElement.shadowRoot.activeElement.classList.contains('cm-content')"
    assert playground.page.evaluate(focused)


def test_nothing_is_asked_with_a_definition_that_does_not_hold(playground: Playground) -> None:
    """The question says why it cannot be sent."""
    playground.write_definition('{"limits": 1}')
    expect(playground.page.locator("#question-hint")).to_contain_text("The agent's definition has an error")
    playground.page.get_by_label("Your question").fill("Hello")
    expect(playground.button("Send")).to_be_disabled()


def test_a_run_does_not_begin_with_a_definition_that_is_wrong(context: BrowserContext, site: str) -> None:
    """Asked before the core could check it, the run does not begin; with the definition mended, the question does."""
    page = context.new_page()
    playground = Playground(page, site)
    settings = json.dumps(
        json.dumps(
            {"settings_open": True, "chosen": "scripted", "definition": '{"tools": [', "outputs": [final("Yes.")]}
        )
    )
    page.add_init_script(f"localStorage['purestep-playground'] ??= {settings}")
    held: list[Route] = []
    context.route("**/assets/msgspec*", lambda route: held.append(route))  # noqa: PLW0108 - its parameter is read
    page.goto(site)
    playground.ask("Is it you?")
    page.wait_for_timeout(1000)
    for route in held:
        route.continue_()
    expect(page.locator(".notice")).to_contain_text("line 1, column 12")
    expect(page.get_by_label("Your question")).to_have_value("Is it you?")
    playground.write_definition("{}")
    expect(page.locator(".verdict-line")).to_contain_text("Valid")
    playground.button("Send").click()
    playground.expect_answer("Yes.")


def test_instructions_are_written_as_plain_text(playground: Playground) -> None:
    """The field changes that one member: quotes and lines are escaped, and the rest stays as it was written."""
    page = playground.page
    playground.write_definition('{\n  "name": "a",\n  "instructions": "Old.",\n  "limits": {"max_turns": 5}\n}')
    field = page.get_by_label("Instructions")
    expect(field).to_have_value("Old.")
    field.fill('Say "yes".\nOr no.')
    expect(page.locator(".editor .cm-content")).to_contain_text('"instructions": "Say \\"yes\\".\\nOr no."')
    expect(page.locator(".editor .cm-content")).to_contain_text('"limits": {"max_turns": 5}')
    expect(page.locator(".verdict-line")).to_contain_text("Valid")
    playground.write_definition('{"instructions": ')
    expect(field).to_be_disabled()
