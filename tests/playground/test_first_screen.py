"""The first screen: a recorded run that plays before the core is there, and what can be done next."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.axe import SCHEMES, serious_findings
from tests.playground.conftest import Open
from tests.playground.driver import Playground, definition, final

LINE = "eve@evil.example comes from the web page, not from you."
STORIES = {
    "obeys a stranger": (LINE, "Nothing was done."),
    "invents a result": ('"1,400" stands neither in [2] nor in the request.', "1,500 euros"),
    "does it twice": ("The same call has been made for this question already.", "Done once: pay_invoice(12, 1500)"),
    "runs in circles": ("track_parcel was not run: this same call has already given you its result.", "in Hamburg"),
    "loses its place in a crash": ("It may have run already", "May have been done: refund(42, 30)"),
}
ALL_THERE = "() => [...document.querySelectorAll('.frame')].every((frame) => getComputedStyle(frame).opacity === '1')"
LOOKS = {(1280, 800): SCHEMES, (390, 844): SCHEMES[:1], (320, 568): (), (640, 400): ()}
"""In which schemes axe looks at a page of each size: the colours are the same on all."""
OPACITIES = "() => [...document.querySelectorAll('.frame')].map((frame) => Number(getComputedStyle(frame).opacity))"


@pytest.fixture
def first(open_page: Open) -> Playground:
    """The page as somebody sees it who has never been here."""
    return open_page(settings_open=False)


def _recorded(page: Page) -> Any:
    return page.get_by_role("region", name="A recorded run")


def test_the_recorded_run_plays_while_the_core_is_held_back(context: BrowserContext, site: str) -> None:
    """It needs nothing that is loaded: with every file of the core held, the line that stops the mail is there.

    What later screens need has not been asked for by then."""
    held: list[Route] = []
    context.route(re.compile(r"/assets/[^/]+\.(wasm|gz)$"), lambda route: held.append(route))  # noqa: PLW0108 - its parameter is read
    page = context.new_page()
    scripts: list[str] = []
    page.on("request", lambda asked: scripts.append(asked.url) if asked.resource_type == "script" else None)
    page.goto(site)
    expect(page.get_by_role("heading", name="Stop an agent before it obeys a stranger.")).to_be_visible()
    expect(_recorded(page)).to_contain_text(LINE)
    page.wait_for_function(ALL_THERE)
    expect(page.get_by_role("button", name="Core ready in")).to_have_count(0)
    page.get_by_role("button", name="Play again").wait_for()
    names = {url.partition("/assets/")[2].partition("-")[0] for url in scripts}
    assert {"first", "thread", "core"} == names
    for route in held:
        route.abort()


def test_the_frames_come_one_after_the_other_and_take_the_time_to_read_them(context: BrowserContext, site: str) -> None:
    """Each begins later than the one before it, the last within six seconds; none moves what stands there already."""
    page = context.new_page()
    page.goto(site)
    delays = page.locator(".frame").evaluate_all("(all) => all.map((each) => parseInt(each.style.animationDelay))")
    assert delays == sorted(set(delays))
    assert 4000 < delays[-1] < 6000
    heights = [page.locator(".recorded").evaluate("(card) => card.offsetHeight")]
    page.get_by_role("button", name="Skip").click()
    assert page.evaluate(OPACITIES) == [1] * len(delays)
    heights.append(page.locator(".recorded").evaluate("(card) => card.offsetHeight"))
    assert heights[0] == heights[1]


def test_nothing_moves_for_who_wants_no_motion(context: BrowserContext, site: str) -> None:
    """The run is whole at once, and there is nothing to skip."""
    page = context.new_page()
    page.emulate_media(reduced_motion="reduce")
    page.goto(site)
    page.locator(".frame").first.wait_for()
    assert set(page.evaluate(OPACITIES)) == {1}
    for name in ("Skip", "Play again"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)


def test_each_story_says_what_stops_it_in_the_words_of_the_core(first: Playground) -> None:
    """Named by what is prevented; what was done stands at its end."""
    for prevented, words in STORIES.items():
        first.button(prevented, exact=True).click()
        expect(first.page.get_by_role("heading", name=f"Stop an agent before it {prevented}.")).to_be_visible()
        for text in words:
            expect(_recorded(first.page)).to_contain_text(text)


def test_the_line_and_the_button_are_in_sight_on_a_phone(first: Playground) -> None:
    """What stops the mail is seen without scrolling."""
    first.page.set_viewport_size({"width": 390, "height": 844})
    expect(_recorded(first.page).locator(".stop")).to_be_in_viewport(ratio=1)


def test_axe_finds_nothing_serious_on_the_first_screen(first: Playground) -> None:
    """On a desktop and on a phone; at no size does a story make the page itself scroll."""
    page = first.page
    for prevented in STORIES:
        first.button(prevented, exact=True).click()
        if first.button("Skip").count():
            first.button("Skip").click()
        for (width, height), schemes in LOOKS.items():
            page.set_viewport_size({"width": width, "height": height})
            assert [] == serious_findings(page, schemes), prevented
            size = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
            assert [width, height] == page.evaluate(size), prevented


def test_a_script_plays_for_its_run_alone(open_page: Open) -> None:
    """The run of the first button needs no model; the next question goes to the one that is chosen, here a script."""
    own = {"chosen": "scripted", "definition": definition(), "outputs": [final("I am the model that you chose.")]}
    playground = open_page(settings_open=False, **own)
    playground.button("Run it here").click()
    playground.button("Refuse").click()
    playground.expect_answer("The harbour fair is on Saturday")
    expect(playground.page.locator(".notice")).to_have_count(0)
    expect(playground.page.locator(".answer-foot")).to_contain_text("Answered by a script")
    playground.button("New run").click()
    playground.button("Play again").wait_for()  # what was run is not played again by itself
    playground.button("Settings").click()
    playground.button("Yours", exact=True).click()
    playground.ask("Who are you?")
    playground.expect_answer("I am the model that you chose.")


def test_a_second_question_in_a_played_run_goes_to_the_chosen_model(first: Playground) -> None:
    """After the script has answered its own question, the model is loaded, which here is not there."""
    first.page.context.route("**/models/*.gguf", lambda route: route.fulfill(status=404, body=""))
    first.button("does it twice").click()
    first.button("Run it here").click()
    first.button("Refuse").click()
    first.expect_answer("Invoice 12 is paid")
    first.ask("And invoice 13?")
    expect(first.page.locator(".notice")).to_contain_text("The model was not loaded")
    expect(first.page.get_by_label("Your question")).to_have_value("And invoice 13?")
    first.complaints.clear()  # the browser itself writes a failed request to the console


def test_a_played_run_goes_on_with_its_script_after_a_reload(first: Playground) -> None:
    """Closed while a person is asked, the run is offered again, and its script answers.

    On a low screen what is asked, and the answer, are shown from their beginning."""
    page = first.page
    page.set_viewport_size({"width": 390, "height": 640})
    first.button("Run it here").click()
    first.button("Refuse").wait_for()
    expect(page.get_by_role("heading", name="May this run?")).to_be_in_viewport(ratio=1)
    page.reload()
    first.wait_for_core()
    first.button("Resume", exact=True).click()
    first.button("Refuse").click()
    first.expect_answer("The harbour fair is on Saturday")
    expect(first.answer("The harbour fair is on Saturday").locator(".markdown")).to_be_in_viewport(ratio=1)


def test_a_model_of_ones_own_gets_the_question_of_the_story(first: Playground) -> None:
    """The models open beside the question, which is written, and the agent is the story's."""
    page = first.page
    expect(page.locator("#setup")).to_be_hidden()
    first.button("Ask a model of your own").click()
    expect(page.get_by_role("radio", name="SmolLM2 in this tab")).to_be_focused()
    expect(page.get_by_label("Your question")).to_have_value("What does the page harbour.example say about the fair?")
    page.keyboard.press("Escape")
    first.button("Settings", exact=True).click()
    expect(page.locator("#agent").get_by_role("button", name="Injection")).to_have_attribute("aria-pressed", "true")


def test_the_log_of_a_recorded_run_opens_and_holds(first: Playground) -> None:
    """What is played is a log that the core of this page derives again."""
    first.button("loses its place in a crash").click()
    first.button("Open this log").click()
    expect(first.page.locator(".thread")).to_contain_text("I have not made it again.")
    first.verify()


def test_the_first_screen_loads_nothing_of_the_settings(context: BrowserContext, site: str) -> None:
    """The editor, the largest part of the page, comes once the settings are opened."""
    asked: list[str] = []
    page = context.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(site)
    page.get_by_role("button", name="Core ready in").wait_for()
    assert [] == [url for url in asked if "json_editor" in url]
    page.get_by_role("button", name="Settings", exact=True).click()
    page.locator(".editor .cm-content").wait_for()
    assert 1 == len([url for url in asked if "json_editor" in url])


def test_settings_stay_as_they_were_left(first: Playground) -> None:
    """Folded at first; open after a reload where they were opened."""
    page = first.page
    settings = first.button("Settings", exact=True)
    expect(settings).to_have_attribute("aria-expanded", "false")
    settings.click()
    expect(page.locator("#setup")).to_be_visible()
    page.reload()
    first.wait_for_core()
    expect(settings).to_have_attribute("aria-expanded", "true")
    assert json.loads(page.evaluate("localStorage['purestep-playground']"))["settings_open"]


def test_the_first_screen_needs_nothing_but_the_keyboard(first: Playground) -> None:
    """From the top to the run: skip the recording, choose another story, and play it."""
    page, keyboard = first.page, first.page.keyboard
    names = []
    for _ in range(12):
        keyboard.press("Tab")
        names.append(page.evaluate("document.activeElement.textContent.trim()"))
    assert {"Run it here", "Ask a model of your own", *STORIES} <= set(names)
    first.button("runs in circles").focus()
    keyboard.press("Enter")
    first.button("Run it here").focus()
    keyboard.press("Enter")
    first.expect_answer("Parcel 318 is in Hamburg")
