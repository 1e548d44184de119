"""The models beside the question: what each takes, how far it is loaded, and why one cannot be used."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.axe import serious_findings
from tests.playground.conftest import Open
from tests.playground.driver import SUM, Playground

ADAPTER = Path(__file__).resolve().parents[2] / "hosts/purestep_hosts/models/smollm2_135m_tools/adapter.gguf"
NO_VECTORS = "WebAssembly.validate = () => false"


@pytest.fixture
def first(open_page: Open) -> Playground:
    """The page as somebody sees it who has never been here."""
    return open_page(settings_open=False)


def _models(playground: Playground) -> Locator:
    playground.button("Model: ").click()
    return playground.page.get_by_role("group", name="Which model answers")


def test_each_model_says_what_it_takes(first: Playground, model_path: Path) -> None:
    """The size is that of the files, and no speed is named before one was measured."""
    models = _models(first)
    size = round((model_path.stat().st_size + ADAPTER.stat().st_size) / 1e6)
    chosen = models.get_by_role("radio", name="SmolLM2 in this tab")
    expect(chosen).to_be_checked()
    expect(chosen).to_have_accessible_description(re.compile(rf"^{size} MB to download · \d+ MB of memory or more$"))
    expect(models.get_by_role("radio")).to_have_count(6)
    expect(models).not_to_contain_text("tokens a second")
    assert [] == serious_findings(first.page)


def test_a_browser_that_cannot_run_a_model_says_so_before_anything_is_fetched(open_page: Open) -> None:
    """The reason stands at the model and beside the question, and nothing was asked for."""
    playground = open_page(settings_open=False)
    page = playground.page
    page.add_init_script(NO_VECTORS)
    page.reload()
    fetched: list[str] = []
    page.on("request", lambda asked: fetched.append(asked.url))
    models = _models(playground)
    reason = re.compile("has no WebAssembly with vectors")
    expect(models.get_by_role("radio", name="SmolLM2 in this tab")).to_have_accessible_description(reason)
    expect(models.get_by_role("radio", name="WebLLM")).to_have_accessible_description(re.compile("WebGPU"))
    expect(page.locator("#question-hint")).to_contain_text(reason)
    expect(models.get_by_role("button", name="Load")).to_have_count(0)
    assert [] == [url for url in fetched if url.endswith(".gguf")]
    playground.complaints.clear()  # the core does not start there either


def test_a_load_shows_how_far_it_is_and_can_be_cancelled(first: Playground) -> None:
    """In the list, and beside the button once that is folded."""
    page = first.page
    page.context.route("**/models/*.gguf", lambda _: None)
    models = _models(first)
    models.get_by_role("button", name="Load SmolLM2 in this tab").click()
    expect(models.get_by_role("progressbar", name="Loading the model")).to_be_visible()
    page.keyboard.press("Escape")
    expect(models).to_have_count(0)
    expect(first.button("Model: ")).to_be_focused()
    expect(first.button("Model: ")).to_contain_text("loading")
    expect(page.locator(".picker").get_by_role("progressbar")).to_be_visible()
    first.button("Cancel").click()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    expect(first.button("Model: ")).to_contain_text("not loaded")


def test_a_model_is_chosen_by_the_keyboard_alone(open_page: Open) -> None:
    """Tab goes from the button into the list, arrows choose, Escape folds it, and the question goes to the choice."""
    playground = open_page(settings_open=False, **{**SUM, "chosen": "http"})
    page, keyboard = playground.page, playground.page.keyboard
    playground.button("Model: ").focus()
    keyboard.press("Enter")
    keyboard.press("Tab")
    expect(page.get_by_role("radio", name="HTTP endpoint")).to_be_focused()
    keyboard.press("ArrowDown")
    keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Scripted")).to_be_checked()
    keyboard.press("Escape")
    expect(playground.button("Model: ")).to_have_text(re.compile("Scripted"))
    playground.ask("What is 17 plus 25?")
    playground.expect_answer("It is 42.")


def test_the_list_folds_at_a_click_beside_it_and_leads_to_the_settings(first: Playground) -> None:
    """A click in the conversation folds it; its last button opens the settings at the same model."""
    models = _models(first)
    expect(models).to_be_visible()
    first.page.mouse.click(10, 120)
    expect(models).to_have_count(0)
    _models(first).get_by_role("radio", name="HTTP endpoint").check()
    first.button("Settings of HTTP endpoint").click()
    expect(models).to_have_count(0)
    expect(first.page.locator("#model").get_by_role("radio", name="HTTP endpoint")).to_be_focused()


def test_the_list_fits_every_screen(first: Playground) -> None:
    """Nothing scrolls sideways, and the button that loads is in sight."""
    for width, height in ((320, 568), (390, 844), (640, 400), (1280, 800)):
        first.page.set_viewport_size({"width": width, "height": height})
        models = _models(first)
        expect(models.get_by_role("button", name="Load SmolLM2 in this tab")).to_be_in_viewport(ratio=1)
        assert models.evaluate("(list) => list.scrollWidth <= list.clientWidth")
        assert [width, height] == first.page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        )
        first.page.keyboard.press("Escape")
