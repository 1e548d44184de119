"""Approval by picture: a run of the playground waits, a phone shows the call and answers, and the run goes on."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Playwright, expect

from tests.axe import serious_findings
from tests.conftest import CHROMIUM_ARGUMENTS
from tests.playground.conftest import WATCH, Open
from tests.playground.driver import PATIENCE_MS, Playground, call, definition, final, tool
from tests.programs import headless_chromium

SEND = {**tool("send_reminder", to="string", text="string"), "approval": "ask", "description": "Sends a mail."}
SETTINGS = {
    "chosen": "scripted",
    "definition": definition(SEND),
    "outputs": [call("send_reminder", to="Ada", text="Friday"), final("That is settled.")],
}
TWICE = {
    **SETTINGS,
    "outputs": [*(call("send_reminder", to=name, text="Friday") for name in ("Ada", "Bob")), final("Both.")],
}
COPIED = "navigator.clipboard.writeText = async (text) => { globalThis.copied = text; }"


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    """Another device, with what it keeps."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    context.add_init_script(WATCH)
    context.add_init_script(COPIED)
    context.set_default_timeout(PATIENCE_MS)
    yield context
    context.close()


def _show_code(playground: Playground, question: str = "Remind Ada") -> str:
    """Ask, and return the link of the code that is shown for the call that waits."""
    playground.page.evaluate(COPIED)
    playground.ask(question)
    return _code_on_show(playground)


def _code_on_show(playground: Playground) -> str:
    playground.button("Approve by phone").click()
    playground.page.get_by_role("img", name="The call as a QR code").wait_for()
    playground.button("Copy the link").click()
    return str(playground.page.evaluate("copied"))


def _answer(page: Page, link: str, act: str = "Approve") -> str:
    """Open a link on the phone, compare and answer; return the answer's link."""
    page.goto(link)
    page.get_by_role("heading", name="May this run?").wait_for()
    if page.get_by_role("button", name="They are the same").count():
        page.get_by_role("button", name="They are the same").click()
    page.get_by_role("button", name=act, exact=True).click()
    page.get_by_role("img", name="The answer as a QR code").wait_for()
    page.get_by_role("button", name="Copy the link").click()
    return str(page.evaluate("copied"))


def _give(playground: Playground, answer: str) -> None:
    playground.page.get_by_label("paste the answer").fill(answer)
    playground.button("Take it").click()


def _introduce(playground: Playground, name: str = "Ann") -> None:
    playground.page.get_by_label("Whose phone is it?").fill(name)
    playground.button("They are the same: take the answer").click()


def _approvals(playground: Playground) -> list[dict[str, Any]]:
    events = map(json.loads, playground.download_log().splitlines())
    return [event for event in events if event["kind"] == "approval"]


def test_a_phone_approves_and_the_run_goes_on(open_page: Open, phone: BrowserContext) -> None:
    """The digits on both screens are the same, and the log says whose phone it was; the second time nobody compares."""
    playground = open_page(**TWICE)
    page = phone.new_page()
    link = _show_code(playground)
    shown = playground.page.get_by_role("dialog").locator(".digits").inner_text()
    page.goto(link)
    assert shown == page.get_by_role("region", name="Whose code this is").locator(".digits").inner_text()
    _give(playground, _answer(page, link))
    asked = playground.page.get_by_text("This phone may not answer yet")
    asked.wait_for()
    digits = playground.page.locator(".introduce .digits").inner_text()
    page.get_by_text("This phone's key").click()
    assert digits == page.locator(".own .digits").inner_text()
    _introduce(playground)
    playground.button("Approve by phone").wait_for()  # of the second call
    _give_second(playground, page)
    playground.expect_answer("Both.")
    assert ["Ann", "Ann"] == [each["by"] for each in _approvals(playground)]
    assert [] == page.evaluate("violations")


def _give_second(playground: Playground, page: Page) -> None:
    expect(playground.page.locator(".card.waiting")).to_contain_text("Bob")
    _give(playground, _answer(page, _code_on_show(playground)))


def test_a_refusal_comes_back_as_well(open_page: Open, phone: BrowserContext) -> None:
    """The call does not run."""
    playground = open_page(**SETTINGS)
    _give(playground, _answer(phone.new_page(), _show_code(playground), "Refuse"))
    _introduce(playground)
    playground.expect_answer("That is settled.")
    assert [False] == [each["approved"] for each in _approvals(playground)]
    assert "Tool returned" not in playground.labels()


def test_other_answers_do_not_count(open_page: Open, phone: BrowserContext) -> None:
    """One that was changed, one about the call before, and what is none: each says so, and nothing runs."""
    playground = open_page(**TWICE)
    page = phone.new_page()
    first = _answer(page, _show_code(playground))
    problem = playground.page.get_by_role("dialog").get_by_role("alert")
    begin = first.index("#a.") + 9  # within the signature
    changed = first[:begin] + ("B" if first[begin] == "A" else "A") + first[begin + 1 :]
    for odd, words in (("hello", "no answer from a phone"), (changed, "was changed on its way")):
        _give(playground, odd)
        expect(problem).to_contain_text(words)
    _give(playground, first)
    _introduce(playground)
    expect(playground.page.locator(".card.waiting")).to_contain_text("Bob")
    _code_on_show(playground)
    _give(playground, first)
    expect(problem).to_contain_text("about something else, or the run has moved on")
    assert 1 == len(_approvals_of_closed(playground))


def test_a_phone_that_was_lost_is_forgotten(open_page: Open, phone: BrowserContext) -> None:
    """Its answers count no longer."""
    playground = open_page(**TWICE)
    page = phone.new_page()
    _give(playground, _answer(page, _show_code(playground)))
    _introduce(playground)
    expect(playground.page.locator(".card.waiting")).to_contain_text("Bob")
    link = _code_on_show(playground)
    playground.button("Forget the phone of Ann").click()
    expect(playground.page.get_by_role("list", name="Phones that may answer")).to_have_count(0)
    _give(playground, _answer(page, link))
    playground.page.get_by_text("This phone may not answer yet").wait_for()
    assert 1 == len(_approvals_of_closed(playground))


def _approvals_of_closed(playground: Playground) -> list[dict[str, Any]]:
    playground.page.keyboard.press("Escape")
    return _approvals(playground)


def test_an_answer_here_closes_the_code(open_page: Open) -> None:
    """Whoever is at the page may decide meanwhile; the dialog does not stay for a call that has run."""
    playground = open_page(**SETTINGS)
    _show_code(playground)
    playground.page.keyboard.press("Escape")
    approve = playground.button("Approve and run")
    expect(approve).not_to_have_attribute("aria-disabled", "true")
    approve.click()
    playground.expect_answer("That is settled.")
    expect(playground.page.get_by_role("dialog")).to_have_count(0)


def test_a_long_call_has_a_link_and_no_picture(open_page: Open, phone: BrowserContext) -> None:
    """Nothing of it is cut: the phone shows all of it."""
    text = " ".join(f"{number * 7919 % 10007}-{number * 104729 % 99991}" for number in range(300))
    playground = open_page(**{**SETTINGS, "outputs": [call("send_reminder", to="Ada", text=text), final("Sent.")]})
    playground.page.evaluate(COPIED)
    playground.ask("Remind Ada")
    playground.button("Approve by phone").click()
    playground.page.get_by_text("too many for a picture").wait_for()
    playground.button("Copy the link").click()
    page = phone.new_page()
    _give(playground, _answer(page, str(playground.page.evaluate("copied"))))
    _introduce(playground)
    playground.expect_answer("Sent.")
    page.get_by_role("button", name="Decide again").click()
    assert text in page.get_by_role("region", name="Arguments of send_reminder").inner_text().replace("\n", "")


def test_the_dialog_keeps_nobody_out(open_page: Open, phone: BrowserContext) -> None:
    """In light and in dark, with a key that is new."""
    playground = open_page(**SETTINGS)
    _give(playground, _answer(phone.new_page(), _show_code(playground)))
    playground.page.get_by_text("This phone may not answer yet").wait_for()
    expect(playground.button("Copied")).to_have_count(0)
    assert [] == serious_findings(playground.page)


def test_the_phone_needs_no_network(open_page: Open, phone: BrowserContext) -> None:
    """After its first visit the page opens without one, with its key, and shows a new call."""
    playground = open_page(**SETTINGS)
    page = phone.new_page()
    page.goto(f"{playground.url}approve.html")
    page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    link = _show_code(playground)
    page.goto("about:blank")
    phone.set_offline(True)
    _give(playground, _answer(page, link))
    _introduce(playground)
    playground.expect_answer("That is settled.")


# --- with cameras -----------------------------------------------------------------------------------------

FRAME = """(svg) => {
  const [size, scale, width, height] = [svg.viewBox.baseVal.width, 6, 1280, 720];
  const drawn = new OffscreenCanvas(width, height).getContext("2d");
  drawn.fillStyle = "#888";
  drawn.fillRect(0, 0, width, height);
  drawn.translate((width - size * scale) / 2, (height - size * scale) / 2);
  drawn.scale(scale, scale);
  drawn.fillStyle = "#fff";
  drawn.fillRect(0, 0, size, size);
  drawn.fillStyle = "#000";
  drawn.fill(new Path2D(svg.querySelector("path").getAttribute("d")));
  const { data } = drawn.getImageData(0, 0, width, height);
  let text = "";
  for (let at = 0; at < data.length; at += 4) text += String.fromCharCode(data[at]);
  return btoa(text);
}"""


def _point(camera: Path, code: Locator) -> None:
    """Have the camera see a code: a video of one frame, in Y4M."""
    luma = base64.b64decode(code.evaluate(FRAME))
    chroma = bytes([128]) * (len(luma) // 2)
    camera.write_bytes(b"YUV4MPEG2 W1280 H720 F10:1 Ip C420\n" + (b"FRAME\n" + luma + chroma) * 2)


@pytest.fixture
def camera(tmp_path: Path) -> Path:
    """What a camera sees."""
    path = tmp_path / "camera.y4m"
    path.write_bytes(b"YUV4MPEG2 W1280 H720 F10:1 Ip C420\n" + (b"FRAME\n" + bytes(1280 * 720 * 3 // 2)) * 2)
    return path


@pytest.fixture
def seeing(playwright: Playwright, camera: Path) -> Iterator[Browser]:
    """A browser whose camera sees the file."""
    seeing = playwright.chromium.launch(
        executable_path=headless_chromium(),
        args=[
            *CHROMIUM_ARGUMENTS,
            "--use-fake-ui-for-media-stream",
            "--use-fake-device-for-media-stream",
            f"--use-file-for-fake-video-capture={camera}",
        ],
    )
    yield seeing
    seeing.close()


def test_both_ways_by_camera(seeing: Browser, camera: Path, site: str) -> None:
    """The phone scans the code from the screen, and the screen the answer from the phone."""
    context = seeing.new_context(viewport={"width": 1360, "height": 860})
    context.add_init_script(WATCH)
    playground = Playground(context.new_page(), site)
    playground.open(SETTINGS)
    playground.ask("Remind Ada")
    playground.button("Approve by phone").click()
    code = playground.page.get_by_role("img", name="The call as a QR code")
    code.wait_for()
    _point(camera, code)
    page = seeing.new_context(viewport={"width": 390, "height": 844}).new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"{site}approve.html")
    page.get_by_role("button", name="Scan a code").click()
    page.get_by_role("button", name="They are the same").click()
    page.get_by_role("button", name="Approve", exact=True).click()
    answer = page.get_by_role("img", name="The answer as a QR code")
    answer.wait_for()
    _point(camera, answer)
    playground.button("Scan the answer").click()
    playground.page.get_by_text("This phone may not answer yet").wait_for()
    _introduce(playground)
    playground.expect_answer("That is settled.")
    playground.assert_no_complaints()


def test_without_a_camera_there_is_the_link(open_page: Open) -> None:
    """It says so, and the field is there."""
    playground = open_page(**SETTINGS)
    _show_code(playground)
    playground.button("Scan the answer").click()
    expect(playground.page.get_by_role("dialog").get_by_role("alert")).to_contain_text("aste the link")
    expect(playground.page.get_by_label("paste the answer")).to_be_visible()
