"""Every state of the page: nobody is kept out of it, and nothing is cut, on a phone, on a desktop, and enlarged."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.axe import SCHEMES, serious_findings
from tests.playground.conftest import Open
from tests.playground.driver import SUM, Playground, call, definition, final, tool

PHONE, DESKTOP, ENLARGED = (390, 844), (1280, 800), (640, 400)
"""The last one is a desktop at twice the size of its text."""

LOOKS: Final = {DESKTOP: SCHEMES, PHONE: SCHEMES[:1], ENLARGED: ()}
"""In which schemes axe looks at a page of each size: the colours are the same on all."""

SEND: Final = {**tool("send_reminder", to="string", text="string"), "approval": "ask"}
ASKING: Final = {
    "chosen": "scripted",
    "definition": definition(SEND, models=[{"name": "small", "window_tokens": 1500}]),
    "outputs": [call("send_reminder", to="Ada", text="Friday"), final("That is settled.")],
}

STILL: Final = """() => document.getAnimations().every((each) => each.playState !== "running"
    || each.effect.getComputedTiming().endTime === Infinity)"""

CUT = """() => {
  const seen = (each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const name = (each) => `${each.tagName.toLowerCase()}.${each.className?.baseVal ?? each.className}`;
  const style = (each) => getComputedStyle(each);
  const isHeld = (each) => each && (style(each).overflowX !== "visible" || isHeld(each.parentElement));
  const unseen = (each) => each && (getComputedStyle(each).clipPath !== "none" || unseen(each.parentElement));
  const found = [];
  const { scrollWidth, scrollHeight } = document.documentElement;
  if (scrollWidth > innerWidth || scrollHeight > innerHeight) found.push("the page itself scrolls");
  for (const each of document.body.querySelectorAll("*")) {
    if (!seen(each) || each.closest("svg") || unseen(each)) continue;
    const { left, right, width } = each.getBoundingClientRect();
    const isBeside = width > 0 && (right > innerWidth + 1 || left < -1);
    if (isBeside && !isHeld(each.parentElement)) found.push(`beside: ${name(each)}`);
    const { overflowX, textOverflow } = style(each);
    if (/hidden|clip/.test(overflowX) && textOverflow !== "ellipsis" && each.scrollWidth > each.clientWidth + 1)
      found.push(`cut: ${name(each)}`);
  }
  return [...new Set(found)].slice(0, 5);
}"""


def _first(open_page: Open) -> Playground:
    return open_page(settings_open=False)


def _still(open_page: Open) -> Playground:
    playground = _first(open_page)
    playground.button("Skip").click()
    return playground


def _playing(open_page: Open) -> Playground:
    """Hold the recorded run after three frames, however long the looks take; one that fades in is too faint to read."""
    playground = _first(open_page)
    playground.page.evaluate(
        """() => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(
            ".recorded .frame { animation: none !important } .recorded .frame:nth-child(n+4) { opacity: 0 !important }"
          );
          document.adoptedStyleSheets.push(sheet);
        }"""
    )
    return playground


def _models(open_page: Open) -> Playground:
    playground = _still(open_page)
    playground.button("Model: ").click()
    return playground


def _loading(open_page: Open) -> Playground:
    playground = open_page(settings_open=False)
    playground.page.context.route("**/models/*.gguf", lambda _: None)
    playground.ask("What is 17 plus 25?")
    playground.page.locator(".thread progress").wait_for()
    return playground


def _not_loaded(open_page: Open) -> Playground:
    playground = _models(open_page)
    playground.page.context.route("**/models/*.gguf", lambda route: route.fulfill(status=404, body=""))
    playground.button("Load SmolLM2 in this tab").click()
    playground.button("Try again").wait_for()
    return playground


def _running(open_page: Open) -> Playground:
    playground = open_page(settings_open=False, chosen="http", base_url="http://127.0.0.1:9/v1", model="small")
    playground.page.context.route("**/chat/completions", lambda _: None)
    playground.ask("What is 17 plus 25?")
    playground.page.locator(".thinking").wait_for()
    return playground


def _away(open_page: Open) -> Playground:
    playground = open_page(settings_open=False, chosen="http", base_url="http://127.0.0.1:9/v1", model="small")
    playground.page.context.route("**/chat/completions", lambda route: route.abort())
    playground.ask("What is 17 plus 25?")
    playground.page.locator(".thinking", has_text="asked again in").wait_for()
    return playground


def _asking(open_page: Open) -> Playground:
    playground = open_page(settings_open=False, **ASKING)
    playground.ask("Remind Ada")
    playground.button("Approve and run").wait_for()
    return playground


def _asking_with_text_from_outside(open_page: Open) -> Playground:
    playground = _first(open_page)
    playground.button("Run it here").click()
    playground.button("Refuse").wait_for()
    return playground


def _editing(open_page: Open) -> Playground:
    playground = _asking(open_page)
    playground.button("Edit", exact=True).click()
    playground.page.get_by_role("textbox", name="Arguments").fill('{"to": 7}')
    playground.button("Approve and run").click()
    playground.page.locator(".approve-call, .card").get_by_role("alert").wait_for()
    return playground


def _answered(open_page: Open) -> Playground:
    playground = _asking(open_page)
    playground.button("Approve and run").click()
    playground.expect_answer("That is settled.")
    playground.button("Share by a link").wait_for()
    return playground


def _context(open_page: Open) -> Playground:
    playground = _answered(open_page)
    playground.button("Context: ").click()
    return playground


def _played(title: str) -> Callable[[Open], Playground]:
    def at(open_page: Open) -> Playground:
        playground = open_page()
        playground.play(title)
        playground.button("Share by a link").wait_for()
        return playground

    return at


def _corrected(open_page: Open) -> Playground:
    playground = _played("Sources")(open_page)
    for told in playground.page.locator(".thread details > summary").all():
        told.click()
    return playground


def _code(open_page: Open) -> Playground:
    playground = _answered(open_page)
    playground.button("Copy as Python or JavaScript").click()
    playground.page.get_by_role("dialog").wait_for()
    return playground


def _settings(open_page: Open) -> Playground:
    playground = open_page(**SUM)
    playground.page.locator(".editor .cm-content").wait_for()
    return playground


def _refused_definition(open_page: Open) -> Playground:
    playground = _settings(open_page)
    playground.write_definition('{"limits": 1}')
    playground.page.locator(".problem-line").wait_for()
    return playground


def _test_dialog(open_page: Open) -> Playground:
    playground = open_page()
    playground.button("Test this model").click()
    playground.page.get_by_role("dialog").wait_for()
    return playground


def _timeline(open_page: Open) -> Playground:
    playground = open_page(**SUM)
    playground.ask("What is 17 plus 25?")
    playground.expect_answer("It is 42.")
    for row in playground.page.locator(".timeline summary").all()[:3]:
        row.click()
    return playground


def _looking_back(open_page: Open) -> Playground:
    playground = _timeline(open_page)
    playground.button("Go here (step 2)").click()
    return playground


def _inside(open_page: Open) -> Playground:
    playground = _timeline(open_page)
    playground.button("Look inside step 1").click()
    playground.page.get_by_role("dialog").wait_for()
    return playground


def _log_opened(open_page: Open) -> Playground:
    playground = _timeline(open_page)
    log = playground.download_log()
    playground.open_log("run.jsonl", log)
    return playground


def _log_changed(open_page: Open) -> Playground:
    playground = _timeline(open_page)
    playground.show_log()
    playground.button("Change one byte").click()
    playground.verdict().wait_for()
    return playground


def _compared(open_page: Open) -> Playground:
    playground = _timeline(open_page)
    log = playground.download_log()
    playground.compare_with("other.jsonl", b"".join(log.splitlines(keepends=True)[:3])).wait_for()
    return playground


def _tools(open_page: Open) -> Playground:
    playground = _still(open_page)
    playground.page.locator(".composer .tools-button").click()
    playground.page.get_by_role("dialog").wait_for()
    return playground


def _side_by_side(open_page: Open) -> Playground:
    playground = _timeline(open_page)
    playground.show_compare()
    playground.button("Ask two side by side", exact=True).click()
    playground.page.get_by_role("dialog").wait_for()
    return playground


def _offered(open_page: Open) -> Playground:
    playground = _asking(open_page)
    playground.page.reload()
    playground.button("Resume", exact=True).wait_for()
    return playground


STATES: Final[dict[str, tuple[Callable[[Open], Playground], str]]] = {
    "the first screen": (_still, "Chat"),
    "a story that plays": (_playing, "Chat"),
    "the models": (_models, "Chat"),
    "a model that was not loaded": (_not_loaded, "Chat"),
    "a model that loads": (_loading, "Chat"),
    "a question that runs": (_running, "Chat"),
    "a model that is asked again": (_away, "Chat"),
    "a call that waits for a person": (_asking, "Chat"),
    "a call with text from outside": (_asking_with_text_from_outside, "Chat"),
    "arguments that do not fit": (_editing, "Chat"),
    "an answer, and what next": (_answered, "Chat"),
    "the context": (_context, "Chat"),
    "a run that failed": (_played("Honest failure"), "Chat"),
    "a correction": (_corrected, "Chat"),
    "the program of a run": (_code, ""),
    "the settings": (_settings, "Setup"),
    "a definition with an error": (_refused_definition, "Setup"),
    "the test of a model": (_test_dialog, ""),
    "the timeline": (_timeline, "Timeline"),
    "an earlier step": (_looking_back, "Chat"),
    "inside a step": (_inside, ""),
    "a log that was opened": (_log_opened, "Timeline"),
    "a log that was changed": (_log_changed, "Timeline"),
    "two runs compared": (_compared, "Timeline"),
    "the tools of a person's own": (_tools, ""),
    "two models side by side": (_side_by_side, ""),
    "a run that is offered again": (_offered, "Chat"),
}
"""How each state comes about, and in which part a narrow screen shows it; none where a dialog lies above all."""

REFUSED: Final = {"a model that was not loaded", "a model that is asked again"}


def _show(page: Page, size: tuple[int, int], part: str) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    turn = page.get_by_role("navigation").get_by_role("button", name=part)
    if part and turn.is_visible() and turn.get_attribute("aria-pressed") == "false":
        turn.click()
        expect(turn).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("state", STATES)
def test_no_state_keeps_anybody_out(open_page: Open, tmp_path: Path, state: str) -> None:
    """Axe finds nothing serious in light or dark; nothing is cut or scrolls sideways; there is a picture of each."""
    bring, part = STATES[state]
    playground = bring(open_page)
    page = playground.page
    found: dict[str, list[str]] = {}
    for size in (DESKTOP, PHONE, ENLARGED):
        _show(page, size, part)
        findings = page.evaluate(CUT)
        findings += serious_findings(page, LOOKS[size])
        found |= {f"{size[0]}": findings} if findings else {}
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            page.wait_for_function(STILL)
            page.screenshot(path=tmp_path / f"{state}-{size[0]}-{scheme}.png")
    assert {} == found
    if state in REFUSED:
        playground.complaints.clear()  # the browser itself writes a failed request to the console


def test_a_part_that_is_too_wide_would_be_found(open_page: Open) -> None:
    """The look itself can fail: for what lies beside the page, and for what a part cuts off."""
    page = _still(open_page).page
    page.evaluate(
        """() => {
          for (const [className, width, overflow] of [["wide", "200vw", "visible"], ["cut", "2rem", "hidden"]]) {
            const part = Object.assign(document.createElement("p"), { className, textContent: "a".repeat(30) });
            Object.assign(part.style, { width, overflow });
            document.querySelector("header").append(part);
          }
        }"""
    )
    found = page.evaluate(CUT)
    assert {"beside: p.wide", "cut: p.cut"} <= set(found), json.dumps(found)
