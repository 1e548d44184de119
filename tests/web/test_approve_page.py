"""The page for phones: one file, opened from the disk in Chromium, that shows a call and signs an answer."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from playwright.sync_api import Browser, BrowserContext, Page, expect

from purestep import ApprovalCall
from purestep_hosts.approval_codes import ApprovalCodes, Waiting, fingerprint, public_text
from purestep_hosts.approval_texts import packed_request, unpacked_answer, unpacked_request
from tests.axe import serious_findings

BUILT = Path(__file__).resolve().parents[2] / "web/dist/approve.html"
MOST_COMPRESSED_BYTES = 48_500
HOST, OTHER, ANN = (Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number in (1, 2, 3))
NOW = 4_000_000_000_000
"""Long after any run of these tests, so that nothing is over by the browser's clock."""

CALL = {
    "call_id": "call_1",
    "tool": "refund_order",
    "params": {"number": 8, "euros": 12.50},
    "key": "28ff1ee50100e782604d52f199ab1878",
    "reason": "the approval policy asks a person about this tool",
}
OUTSIDE = {
    "origins": [{"path": "/number", "source": "result", "call_id": "call_0", "tool": "fetch", "labels": ["open"]}]
}
DEFINITION = {
    "tools": [{"name": "refund_order", "description": "Pays back.", "annotations": {"destructiveHint": True}}],
}


def _waiting(*calls: dict[str, Any], **members: Any) -> Waiting:
    asked = msgspec.convert([{**CALL, **call} for call in calls or ({},)], tuple[ApprovalCall, ...])
    return Waiting(run_id="run-42", head="ab" * 32, calls=asked, definition=DEFINITION, **members)


def _codes(key: Ed25519PrivateKey = HOST, **approvers: str) -> ApprovalCodes:
    return ApprovalCodes(key, approvers or {"ann": public_text(ANN)}, name="Ann's desk")


def _link(waiting: Waiting, codes: ApprovalCodes | None = None, now_ms: int = NOW) -> str:
    return (codes or _codes()).request(waiting, now_ms=now_ms).link(BUILT.as_uri())


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    """A browser with what it keeps."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    yield context
    context.close()


@pytest.fixture
def page(phone: BrowserContext, package: Path) -> Iterator[Page]:
    """The page, which may ask for nothing but itself and may not complain."""
    assert package.is_dir()
    complaints: list[str] = []
    page = phone.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("dialog", lambda dialog: complaints.append(dialog.message))
    page.on("request", lambda request: complaints.append(request.url) if _is_elsewhere(request.url) else None)
    page.add_init_script("navigator.clipboard.writeText = async (text) => { globalThis.copied = text; }")
    yield page
    assert [] == complaints


def _is_elsewhere(url: str) -> bool:
    return url.split("#", maxsplit=1)[0] != BUILT.as_uri() and not url.endswith("/outer.html")


def _button(page: Page, name: str) -> Any:
    return page.get_by_role("button", name=name, exact=True)


def _approve_button(page: Page) -> Any:
    button = _button(page, "Approve").first
    expect(button).not_to_have_attribute("aria-disabled", "true")
    return button


def _answer(page: Page) -> str:
    """Return the link of the answer on show."""
    _button(page, "Copy the link").click()
    return str(page.evaluate("copied"))


def _codes_with(answer: str) -> ApprovalCodes:
    """Return the host's codes, with the phone's key listed."""
    return _codes(phone=unpacked_answer(answer)[0].key)


def test_a_host_is_compared_once_and_the_answer_counts(page: Page) -> None:
    """Before that there are no buttons; at the next visit the host is known."""
    waiting = _waiting()
    page.goto(_link(waiting))
    expect(page.get_by_role("heading", name="May this run?")).to_be_visible()
    expect(_button(page, "Approve")).to_have_count(0)
    digits = page.get_by_role("region", name="Whose code this is").locator(".digits").inner_text()
    assert fingerprint(public_text(HOST)) == digits.replace(" ", "")
    _button(page, "They are the same").click()
    _approve_button(page).click()
    expect(page.get_by_role("heading", name="Approved")).to_be_focused()
    answer = _answer(page)
    (approval,) = _codes_with(answer).check(answer, waiting, now_ms=NOW)
    assert (True, "phone", CALL["key"]) == (approval.approved, approval.by, approval.key)
    page.reload()
    expect(page.get_by_text("You have compared its key")).to_be_visible()
    _approve_button(page).click()
    assert unpacked_answer(answer)[0].key == unpacked_answer(_answer(page))[0].key


def test_a_refusal_brings_its_reason(page: Page) -> None:
    """Which has to be cleared to approve; no key approves."""
    waiting = _waiting()
    page.goto(_link(waiting))
    _button(page, "They are the same").click()
    page.get_by_label("Reason").fill("Order 8 is not paid")
    page.get_by_label("Reason").press("Enter")
    _approve_button(page).click()
    expect(page.get_by_role("alert")).to_contain_text("A reason is for a refusal")
    _button(page, "Refuse").click()
    expect(page.get_by_role("heading", name="Refused")).to_be_visible()
    answer = _answer(page)
    (approval,) = _codes_with(answer).check(answer, waiting, now_ms=NOW)
    assert (False, "Order 8 is not paid") == (approval.approved, approval.reason)


def test_nothing_is_approved_by_a_tap_that_meant_something_else(page: Page) -> None:
    """Within half a second after the buttons appeared, approving does nothing."""
    page.clock.install(time=1_700_000_000)
    page.goto(_link(_waiting()))
    page.clock.pause_at(1_700_000_100)
    _button(page, "They are the same").click()
    _button(page, "Approve").click(force=True)
    expect(page.get_by_role("heading", name="May this run?")).to_be_visible()
    page.clock.run_for(600)
    _button(page, "Approve").click()
    page.clock.run_for(100)
    expect(page.get_by_role("heading", name="Approved")).to_be_visible()


def test_each_call_is_decided_and_a_decision_can_be_changed(page: Page) -> None:
    """The answer is about all of them, in their order."""
    waiting = _waiting({}, {"call_id": "call_2", "tool": "wipe", "key": "0" * 32})
    page.goto(_link(waiting))
    _button(page, "They are the same").click()
    _approve_button(page).click()
    _button(page, "Change").click()
    _button(page, "Refuse").first.click()
    _approve_button(page).click()
    expect(page.get_by_role("heading", name="1 of 2 approved")).to_be_visible()
    answer = _answer(page)
    assert [False, True] == [each.approved for each in _codes_with(answer).check(answer, waiting, now_ms=NOW)]


def test_what_a_person_judges_by_is_shown(page: Page) -> None:
    """Tool, arguments with every digit, effects, and what comes from outside, where refusing is the act at hand."""
    page.goto(_link(_waiting(OUTSIDE)))
    _button(page, "They are the same").click()
    card = page.get_by_role("region", name="May this run?")
    expect(card).to_contain_text("8 comes from what fetch returned, not from you.")
    expect(card).to_contain_text("By its definition, it may destroy something.")
    arguments = card.get_by_role("region", name="Arguments of refund_order")
    assert '{\n  "number": 8,\n  "euros": 12.5\n}' == arguments.inner_text()
    buttons = card.locator(".decide button").all_inner_texts()
    assert ["Refuse", "Approve"] == buttons
    assert [] == serious_findings(page)


def test_another_key_under_a_known_name_is_an_alarm(page: Page) -> None:
    """Nothing can be answered before the person says that the key is a new one."""
    page.goto(_link(_waiting()))
    _button(page, "They are the same").click()
    _approve_button(page)
    page.goto(_link(_waiting(), _codes(OTHER)))
    alarm = page.get_by_role("alert").filter(has_text="Stop: this is another key")
    expect(alarm).to_be_visible()
    expect(_button(page, "Approve")).to_have_count(0)
    assert [] == serious_findings(page)
    _button(page, "I have compared the new key").click()
    _approve_button(page)
    page.goto(_link(_waiting(), _codes(HOST)))
    expect(alarm).to_be_visible()


def test_what_cannot_be_answered_has_no_buttons(page: Page) -> None:
    """A request that is over, and one for somebody else, say so."""
    page.goto(_link(_waiting(), now_ms=1_000_000_000_000))
    _button(page, "They are the same").click()
    expect(page.get_by_role("alert").first).to_contain_text("the time to answer is over")
    expect(_button(page, "Approve")).to_have_count(0)
    page.goto(_link(_waiting(only=("ann",))))
    expect(page.get_by_role("alert").first).to_contain_text("It asks somebody else")
    expect(_button(page, "Approve")).to_have_count(0)


HOSTILE = "<img src=x onerror=alert(1)>\u202eevil\x1b[31m\u200b\u0430nn"


def test_hostile_texts_are_shown_as_what_they_are(page: Page) -> None:
    """Markup is text, and what turns text around or cannot be seen is an escape: in names, arguments and reasons."""
    hostile = {
        "tool": HOSTILE,
        "reason": HOSTILE,
        "params": {HOSTILE: [HOSTILE, "</script><script>alert(1)</script>"]},
        "problems": [{"code": "x", "message": HOSTILE}],
    }
    codes = ApprovalCodes(HOST, {"ann": public_text(ANN)}, name=HOSTILE)
    page.goto(_link(_waiting(hostile), codes))
    expect(page.get_by_role("heading", name="May this run?")).to_be_visible()
    text = page.locator("main").inner_text()
    assert "\\u202eevil" in text
    assert "\\x1b[31m" in text
    assert not re.search("[\u202e\x1b\u200b]", text)
    assert 0 == page.locator("main img:not([role]), main script").count()


@pytest.mark.parametrize("code", ["r.", "r.AAAA", "a.AAAA", "r.%ff", "x", "r." + "A" * 600_000])
def test_a_code_that_is_none_is_told(page: Page, code: str) -> None:
    """As a link, and pasted; a good one can be opened after it."""
    page.goto(f"{BUILT.as_uri()}#{code}")
    expect(page.get_by_role("alert")).to_contain_text("This code cannot be opened")
    page.get_by_label("paste the link").fill(_link(_waiting()))
    _button(page, "Open").click()
    expect(page.get_by_role("heading", name="May this run?")).to_be_visible()


def test_a_request_that_somebody_changed_is_not_shown(page: Page) -> None:
    """Its signature does not fit the host that it names."""
    _, text, signature = unpacked_request(_link(_waiting()))
    page.goto(f"{BUILT.as_uri()}#{packed_request(text.replace(b'refund', b'rebate'), signature)}")
    expect(page.get_by_role("alert")).to_contain_text("has not signed it")


def test_it_shows_nothing_within_another_page(page: Page, tmp_path: Path) -> None:
    """Which could lay something over what is approved."""
    outer = tmp_path / "outer.html"
    outer.write_text(f'<!doctype html><title>Outer</title><iframe src="{_link(_waiting())}"></iframe>', "utf-8")
    page.goto(outer.as_uri())
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("alert")).to_contain_text("Open it by itself")
    expect(frame.get_by_role("heading")).to_have_count(0)


def test_an_answer_can_be_carried_by_its_link(page: Page) -> None:
    """It opens on any device, and is shown for the other screen's camera."""
    page.goto(_link(_waiting()))
    _button(page, "They are the same").click()
    _approve_button(page).click()
    answer = _answer(page)
    page.goto(answer)
    page.reload()
    expect(page.get_by_role("heading", name="Approved")).to_be_visible()
    expect(page.get_by_role("img", name="The answer as a QR code")).to_be_visible()
    expect(_button(page, "Decide again")).to_have_count(0)
    assert answer == _answer(page)


def test_the_key_stays_in_the_browser(page: Page) -> None:
    """It is shown as digits to compare and as text to list; what signs cannot be read out."""
    page.goto(BUILT.as_uri())
    key = page.get_by_role("region", name="Public key").inner_text().strip()
    digits = page.locator(".own .digits").inner_text().replace(" ", "")
    assert fingerprint(key) == digits
    kept = """() => new Promise((done) => {
      const opening = indexedDB.open("purestep-approvals");
      opening.onsuccess = () => {
        const asked = opening.result.transaction("keys").objectStore("keys").get("own");
        asked.onsuccess = () => done([asked.result.privateKey.extractable, asked.result.privateKey.type]);
      };
    })"""
    assert [False, "private"] == page.evaluate(kept)


def test_axe_finds_nothing_serious(page: Page) -> None:
    """At the start, before and after the comparison, and with the answer, in light and in dark."""
    page.goto(BUILT.as_uri())
    expect(page.get_by_role("heading", name="Approve from this phone")).to_be_visible()
    assert [] == serious_findings(page)
    page.goto(_link(_waiting({}, {"call_id": "call_2", "key": "1" * 32})))
    expect(page.get_by_role("heading", name="May these 2 calls run?")).to_be_visible()
    assert [] == serious_findings(page)
    _button(page, "They are the same").click()
    _approve_button(page).click()
    assert [] == serious_findings(page)
    _approve_button(page).click()
    expect(page.get_by_role("heading", name="Approved")).to_be_visible()
    assert [] == serious_findings(page)


def test_it_is_small_and_shut() -> None:
    """One file, whose policy lets nothing be fetched, turns no text into markup, and runs the one script it holds."""
    html = BUILT.read_bytes()
    assert len(gzip.compress(html)) <= MOST_COMPRESSED_BYTES
    policy = re.search(rb'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    assert policy
    assert b"default-src 'none'; script-src 'sha256-" in policy[1]
    assert policy[1].endswith(b"require-trusted-types-for 'script'; trusted-types 'none'")
    assert not re.search(rb"(?:connect|img|worker|font)-src", policy[1])
    assert [] == re.findall(rb"<(?:link|img|iframe)\b|\bsrc=\"", html)
