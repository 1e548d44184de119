import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.axe import serious_findings
from tests.playground.conftest import Open
from tests.playground.driver import SUM, Playground, call, definition, final, tool

SEND = {**tool("send_reminder", to="string", text="string"), "approval": "ask"}
SETTINGS = {
    "chosen": "scripted",
    "definition": definition(SEND),
    "outputs": ["Sure!", call("send_reminder", to="Ada", text="Friday"), final("That is settled.")],
}


def test_axe_finds_nothing_serious_in_any_tab_inside_a_step(open_page: Open) -> None:
    """The states of the page are in test_states.py, the first tab of this dialog among them."""
    playground = open_page(**SUM)
    playground.ask("What is 17 plus 25?")
    playground.expect_answer("It is 42.")
    playground.button("Look inside step 1").click()
    for tab in ("Prompt", "State"):
        playground.page.get_by_role("dialog").get_by_role("button", name=tab, exact=True).click()
        assert [] == serious_findings(playground.page)


def test_axe_finds_nothing_serious_in_a_card_of_several_calls(open_page: Open) -> None:
    """While some are decided, one is edited wrongly, and one waits."""
    calls = [json.dumps({"name": "send_reminder", "args": {"to": to, "text": "Friday"}}) for to in ("Ada", "Bob", "Cy")]
    outputs = ["".join(f"[TOOL_CALL]{each}[/TOOL_CALL]" for each in calls), "That is settled."]
    playground = open_page(chosen="scripted", definition=definition(SEND, dialect="tool_tags"), outputs=outputs)
    playground.ask("Remind them")
    groups = playground.page.locator(".approve-call")
    groups.nth(0).get_by_role("button", name="Refuse").click()
    groups.nth(1).get_by_role("button", name="Edit", exact=True).click()
    groups.nth(1).get_by_role("textbox", name="Arguments").fill('{"to": 7}')
    groups.nth(1).get_by_role("button", name="Approve and run").click()
    expect(groups.nth(1).get_by_role("alert")).to_contain_text("/to")
    assert [] == serious_findings(playground.page)


def test_axe_finds_nothing_serious_where_runs_are_compared(open_page: Open) -> None:
    """In each card of the comparison, beside the head, and where a step could not be stored."""
    playground = open_page(**{**SETTINGS, "outputs": SETTINGS["outputs"][1:]})
    page = playground.page
    playground.ask("Remind Ada")
    playground.button("Approve and run").click()
    playground.expect_answer("That is settled.")
    log = playground.download_log()
    page.get_by_text("Check against a head").click()
    assert [] == serious_findings(page)
    playground.write_definition(definition({**SEND, "approval": "deny"}))
    expect(playground.redrive()).to_contain_text("Differs at line")
    assert [] == serious_findings(page)
    other = b"".join(log.splitlines(keepends=True)[:3])
    expect(playground.compare_with("other.jsonl", other)).to_contain_text("ends here")
    assert [] == serious_findings(page)
    page.evaluate(NO_ROOM)
    playground.ask("Again")
    page.get_by_role("heading", name="This step could not be stored").wait_for()
    assert [] == serious_findings(page)


NO_ROOM = "() => { IDBObjectStore.prototype.put = () => { throw new DOMException('no', 'QuotaExceededError'); }; }"
FAINT = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("@media (prefers-color-scheme: dark) { #faint { background: #222; color: #333 } }");
  document.adoptedStyleSheets.push(sheet);
  const text = Object.assign(document.createElement("p"), { id: "faint", textContent: "faint" });
  document.querySelector("main").append(text, document.createElement("button"));
}"""


def test_axe_would_find_a_button_without_a_name_and_text_that_is_faint_in_the_dark(playground: Playground) -> None:
    """The check itself can fail, and for the colours of each scheme."""
    playground.page.evaluate(FAINT)
    found = [finding.partition(":")[0] for finding in serious_findings(playground.page)]
    assert ["button-name in light", "color-contrast in dark"] == found


def test_a_run_needs_nothing_but_the_keyboard(open_page: Open) -> None:
    """From the skip link to the answer, with an approval on the way, and no step by the mouse."""
    playground = open_page(**{**SETTINGS, "outputs": SETTINGS["outputs"][1:]})
    page, keyboard = playground.page, playground.page.keyboard
    keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the question")).to_be_focused()
    keyboard.press("Enter")
    expect(page.get_by_label("Your question")).to_be_focused()
    keyboard.type("Remind Ada")
    keyboard.press("Enter")
    expect(page.get_by_role("region", name="Arguments")).to_be_focused()
    keyboard.press("Tab")
    expect(playground.button("Approve and run")).to_be_focused()
    expect(playground.button("Approve and run")).to_have_attribute("aria-disabled", "false")
    keyboard.press("Enter")
    playground.expect_answer("That is settled.")
    expect(page.get_by_label("Your question")).to_be_focused()
    expect(page.locator(".notices > [role=status]")).to_contain_text("That is settled.")
    _tab_to(playground, "Look inside step 1")
    keyboard.press("Enter")
    page.get_by_role("dialog").wait_for()
    keyboard.press("Escape")
    expect(playground.button("Look inside step 1")).to_be_focused()
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def _tab_to(playground: Playground, name: str) -> None:
    for _ in range(20):
        playground.page.keyboard.press("Tab")
        if playground.page.evaluate("document.activeElement.textContent") == name:
            return
    raise AssertionError(f"the keyboard does not come to {name}")


def test_the_editor_does_not_trap_the_keyboard(playground: Playground) -> None:
    """Tab indents in the editor; Escape, then Tab leaves it, as its label says."""
    playground.page.locator(".editor .cm-content").click()
    playground.page.keyboard.press("Escape")
    playground.page.keyboard.press("Tab")
    assert "editor" not in playground.page.evaluate("document.activeElement.className")


def test_the_editor_in_a_dialog_does_not_trap_the_keyboard(playground: Playground) -> None:
    """The first Escape leaves the editor and not the dialog; a letter after it is written, and Tab indents again."""
    page, keyboard = playground.page, playground.page.keyboard
    page.locator(".composer .tools-button").click()
    playground.button("Write a tool in JavaScript").focus()
    keyboard.press("Enter")
    page.locator(".code-editor .cm-content").wait_for()
    expect(playground.button("Fold")).to_be_focused()
    keyboard.press("Tab")
    keyboard.press("Escape")
    keyboard.press("Tab")
    expect(page.get_by_label("Hosts it may ask")).to_be_focused()
    keyboard.press("Shift+Tab")
    keyboard.press("Control+End")
    for key in ("Escape", "x", "Tab", "y"):
        keyboard.press(key)
    expect(page.locator(".code-editor .cm-content")).to_contain_text("xy")
    keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_visible()
    keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".composer .tools-button")).to_be_focused()


def test_the_keyboard_keeps_its_place_when_its_control_goes(playground: Playground) -> None:
    """What now stands there has it; a finger's or a mouse's press leaves it alone."""
    keyboard = playground.page.keyboard
    playground.page.locator(".composer .tools-button").click()
    playground.button("Connect an MCP server").focus()
    keyboard.press("Enter")
    expect(playground.page.get_by_role("textbox", name="Address")).to_be_focused()
    playground.button("Remove").focus()
    keyboard.press("Enter")
    expect(playground.button("Write a tool in JavaScript")).to_be_focused()
    playground.button("Connect an MCP server").click()
    playground.button("Remove").click()
    playground.button("Remove").wait_for(state="detached")
    assert playground.page.evaluate("document.activeElement.tagName") in ("BODY", "DIALOG")


def test_the_keyboard_stays_on_the_step_that_is_the_last(open_page: Open) -> None:
    """Whoever walks through the steps can go back from the end."""
    playground = open_page(**SUM)
    playground.ask("What is 17 plus 25?")
    playground.expect_answer("It is 42.")
    playground.button("Look inside step 1").click()
    after = playground.button("Step after")
    after.focus()
    for _ in range(6):
        playground.page.keyboard.press("Enter")
    expect(after).to_be_focused()
    expect(after).to_have_attribute("aria-disabled", "true")


def test_what_folds_out_closes_when_the_keyboard_leaves_it(playground: Playground) -> None:
    """It would lie over what has the keyboard then."""
    playground.button("Model: ").focus()
    playground.page.keyboard.press("Enter")
    models = playground.page.get_by_role("group", name="Which model answers")
    models.wait_for()
    playground.page.keyboard.press("Tab")
    expect(models).to_be_visible()
    playground.page.get_by_label("Your question").focus()
    expect(models).to_have_count(0)


SMALL_TARGETS = """() => {
  const seen = (each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const reach = (each) => {
    const { width, height } = each.getBoundingClientRect();
    const around = getComputedStyle(each, "::after");
    const more = around.position === "absolute" ? -parseFloat(around.top) - parseFloat(around.bottom) : 0;
    return [width, height + more];
  };
  const dialog = document.querySelector("dialog[open]");
  const label = (each) => each.matches("[type=radio], [type=checkbox]") ? each.closest("label") ?? each : each;
  const found = [...(dialog ?? document).querySelectorAll("button, a[href], input, select, textarea, summary")]
    .filter((each) => seen(each) && !each.matches(".skip, .unseen"))
    .map((each) => [label(each), each.matches("button:not(.link, .cite, .copy, .tabs button)") ? 44 : 24])
    .filter(([each, least]) => reach(each)[1] < least || reach(each)[0] < 24);
  const name = (each) => `${each.className} ${each.textContent.trim().slice(0, 30)}`;
  return found.map(([each]) => `${name(each)} ${reach(each).map(Math.round)}`);
}"""


@pytest.fixture
def touched(browser: Browser, site: str) -> Iterator[Playground]:
    """The page on a phone."""
    phone = {"width": 390, "height": 844}
    with browser.new_context(viewport=phone, has_touch=True, is_mobile=True, service_workers="block") as context:
        playground = Playground(context.new_page(), site)
        playground.open({**SETTINGS, "settings_open": False, "outputs": SETTINGS["outputs"][1:]})
        yield playground


def test_everything_is_large_enough_for_a_finger(touched: Playground) -> None:
    """Buttons take 44 pixels and what else can be pressed 24, from the first question to the settings."""
    page = touched.page
    small = {"first screen": page.evaluate(SMALL_TARGETS)}
    touched.button("Model: ").tap()
    small["models"] = page.evaluate(SMALL_TARGETS)
    touched.button("Add a tool").tap()
    touched.button("Connect an MCP server").tap()
    touched.button("Write a tool in JavaScript").tap()
    page.locator(".code-editor .cm-content").wait_for()
    small["tools"] = page.evaluate(SMALL_TARGETS)
    page.get_by_role("dialog").get_by_role("button", name="Close").tap()
    touched.ask("Remind Ada")
    touched.button("Approve and run").wait_for()
    small["approval"] = page.evaluate(SMALL_TARGETS)
    touched.button("Approve and run").tap()
    touched.button("Share by a link").wait_for()
    small["answer"] = page.evaluate(SMALL_TARGETS)
    for part in ("Timeline", "Setup"):
        page.get_by_role("navigation").get_by_role("button", name=part).tap()
        small[part] = page.evaluate(SMALL_TARGETS)
    assert {} == {place: found for place, found in small.items() if found}


def test_a_field_does_not_make_a_phone_enlarge_the_page(touched: Playground) -> None:
    """Letters of less than 16 pixels do."""
    sizes = """() => [...document.querySelectorAll("input:not([type=radio], [type=checkbox]), textarea, select")]
      .map((each) => parseFloat(getComputedStyle(each).fontSize))"""
    assert min(touched.page.evaluate(sizes)) >= 16


def test_nothing_is_cut_off_at_320_pixels(open_page: Open) -> None:
    """The narrowest screen shows each part without scrolling sideways."""
    playground = open_page(**{**SETTINGS, "outputs": ["x" * 400, final("y" * 400)]})
    playground.page.set_viewport_size({"width": 320, "height": 700})
    playground.ask("z" * 400)
    playground.expect_answer("yyy")
    wide = """() => [document.documentElement.scrollWidth, ...[...document.querySelectorAll(".view, .view > .scroll")]
        .filter((part) => part.offsetParent).map((part) => part.scrollWidth - part.clientWidth + 320)]"""
    for part in ("Setup", "Chat", "Timeline"):
        button = playground.page.get_by_role("navigation").get_by_role("button", name=part)
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        assert max(playground.page.evaluate(wide)) <= 320, part


def test_the_theme_follows_the_system_until_it_is_chosen(playground: Playground) -> None:
    """The button turns it over, and the choice is kept."""
    page = playground.page
    background = "getComputedStyle(document.body).backgroundColor"
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(background)
    playground.button("Switch to light").click()
    light = page.evaluate(background)
    assert dark != light
    page.reload()
    assert page.evaluate(background) == light


def test_motion_stops_for_those_who_ask(open_page: Open) -> None:
    """With reduced motion nothing moves while the model speaks."""
    playground = open_page(chosen="scripted", definition=definition(), outputs=[final("word " * 300)])
    playground.page.emulate_media(reduced_motion="reduce")
    playground.ask("Speak")
    speaking = playground.page.locator(".speaking")
    speaking.wait_for()
    assert speaking.evaluate("(element) => getComputedStyle(element, '::after').animationName") == "none"
