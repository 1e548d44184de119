import re
import urllib.request

from playwright.sync_api import expect

from tests.playground.conftest import Open
from tests.playground.driver import Playground, call, definition, final, tool

HASH = "'sha256-[A-Za-z0-9+/]{43}='"
HOSTILE = "<img src=x onerror=\"globalThis.owned = true\"><script>globalThis.owned = true</script><b id='bold'>bold</b>"


def _policy(site: str) -> dict[str, str]:
    with urllib.request.urlopen(site) as answer:
        text = answer.headers["Content-Security-Policy"]
        assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert answer.headers["Cross-Origin-Embedder-Policy"] == "require-corp"
    return {name: values for name, _, values in (part.strip().partition(" ") for part in text.split(";"))}


def test_the_policy_shuts_what_the_page_does_not_need(site: str) -> None:
    """No inline script or style, no evaluated text, no frames, no plain http to the world."""
    policy = _policy(site)
    assert policy["default-src"] == "'none'"
    # A hash each, of the page that checks logs and of the one for phones; no other text is run.
    assert re.fullmatch(rf"'self' 'wasm-unsafe-eval' {HASH} {HASH}", policy["script-src"])
    assert re.fullmatch(rf"'self' {HASH} {HASH}", policy["style-src"])
    assert policy["object-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["require-trusted-types-for"] == "'script'"
    assert "http:" not in policy["connect-src"].split()


def test_the_policy_holds_in_the_browser(playground: Playground) -> None:
    """Markup made of text is refused, which shows that a violation would be seen."""
    refused = playground.page.evaluate(
        "() => { try { document.body.innerHTML = '<b>x</b>'; return ''; } catch (error) { return error.name; } }"
    )
    assert refused == "TypeError"
    playground.page.wait_for_function("violations.length > 0")
    playground.page.evaluate("violations.length = 0")
    playground.complaints.clear()


def test_what_models_and_tools_say_stays_text(open_page: Open) -> None:
    """Markup in every place that a model or a tool can write to is shown as the characters it is."""
    playground = open_page(
        chosen="scripted",
        definition=definition({**tool("look", at="string"), "approval": "ask"}, name=HOSTILE),
        outputs=[HOSTILE, call("look", at=HOSTILE), final(f"Found {HOSTILE}")],
    )
    page = playground.page
    playground.ask(HOSTILE)
    expect(page.get_by_role("region", name="Arguments")).to_contain_text("<img src=x")
    playground.button("Approve and run").click()
    page.get_by_label("What does it return?").fill(HOSTILE)
    playground.button("Return this result").click()
    playground.expect_answer("<script>globalThis.owned = true</script>")
    for row in page.locator(".timeline summary").all():
        row.click()
    playground.button("Look inside step 1").click()
    for tab in ("Prompt", "Transcript", "Decision", "State"):
        page.get_by_role("dialog").get_by_role("button", name=tab, exact=True).click()
    page.keyboard.press("Escape")
    playground.show_log()
    assert page.locator("img, #bold, script:not([src])").count() == 0
    assert page.evaluate("globalThis.owned") is None


def test_a_key_is_never_stored(open_page: Open, site: str) -> None:
    """The key of an endpoint is in no storage of the browser, and gone at the next visit."""
    playground = open_page()
    page = playground.page
    page.get_by_label("HTTP endpoint").check()
    page.get_by_label("Base URL").fill("http://127.0.0.1:9/v1")
    page.get_by_label("Key").fill("sk-very-secret")
    assert "127.0.0.1:9" in page.evaluate("JSON.stringify(localStorage)")
    assert "sk-very-secret" not in page.evaluate("JSON.stringify(localStorage) + JSON.stringify(sessionStorage)")
    page.reload()
    playground.wait_for_core()
    expect(page.get_by_label("Base URL")).to_have_value("http://127.0.0.1:9/v1")
    expect(page.get_by_label("Key")).to_have_value("")
