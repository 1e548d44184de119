"""The tools of a page, in a real one: reading it, keeping notes, fetching."""

import time
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from purestep_hosts.tools.limits import PAGE_CUT_NOTICE
from tests.web.conftest import Site

SETUP = """async ({ factory, options, params, key }) => {
  const tools = await import("/dist/tools/index.js");
  const { createAgentCore } = await import("/dist/index.js");
  // Loaded for a page of HTML only.
  const core = { html_text: async (html) => (await (window.core ??= createAgentCore())).html_text(html) };
  const made = [factory === "fetchUrl" ? tools.fetchUrl(core, options) : tools[factory](options)].flat();
  const name = params.name ?? made[0].spec.name;
  const tool = made.find((each) => each.spec.name === name);
  const call = { call_id: "1", tool: name, params: {}, key: key ?? "k" };
  return tool.run(params.arguments, call, new AbortController().signal);
}"""
READ = """async ({ selector, root }) => {
  const { readDom } = await import("/dist/tools/index.js");
  const tool = readDom({ root: () => document.querySelector(root) });
  const call = { call_id: "1", tool: "read_dom", params: {}, key: "k" };
  return tool.run({ selector }, call, new AbortController().signal);
}"""
BODY = """
<p id=secret>outside</p>
<main>
  <h1>Opening <b>hours</b></h1>
  <ul><li>Mon &amp; Tue</li><li>Wed<script>alert("no")</script><style>p{}</style></li></ul>
  <p hidden>not shown</p><p>a <!-- comment -->line<br>another</p>
  <form><input value=typed><input type=password value=hunter2><input type=hidden value=token>
    <input autocomplete=cc-number value=4111><input id=new_password value=revealed>
    <textarea>long</textarea><select><option>one<option selected>two</select></form>
  <div class=deep></div>
</main>"""


def read(page: Page, selector: str, root: str = "main") -> dict[str, Any]:
    """Read a selector below `root`."""
    return page.evaluate(READ, {"selector": selector, "root": root})


@pytest.fixture
def shop(page: Page) -> Page:
    """A page with something to read, and something not to."""
    page.evaluate("(body) => { document.body.innerHTML = body; }", BODY)
    return page


@pytest.mark.parametrize(
    ("selector", "text"),
    [
        ("h1", "Opening hours"),
        ("li", "Mon & Tue\nWed"),
        ("ul, li", "Mon & Tue\nWed"),
        ("h1 ~ p", "a line\nanother"),
        ("textarea", "long"),
        ("select", "two"),
        ("input", "typed"),
        ("form", "typed long two"),
        ("main", "Opening hours\nMon & Tue\nWed\na line\nanother\ntyped long two"),
        ("body h1", "Opening hours"),
    ],
)
def test_text_is_read_as_a_person_reads_it(shop: Page, selector: str, text: str) -> None:
    """Blocks become lines; scripts, hidden parts and secret fields are left out."""
    assert {"ok": True, "output": text} == read(shop, selector)


@pytest.mark.parametrize("selector", ["#secret", "body", ":root", "head", "main + *", "input[type=password]", ".deep"])
def test_nothing_outside_the_root_and_no_secret_is_read(shop: Page, selector: str) -> None:
    """What is not below the root is not found, and neither is what has no text to show."""
    found = read(shop, selector)
    assert (False, "invalid_arguments") == (found["ok"], found["error_kind"])
    assert "nothing with text" in found["error"]


@pytest.mark.parametrize(
    "selector",
    [
        "form:has(input[value^=h])",
        "form:has([ VALUE^=h])",
        "form:has([\\76 alue^=h])",
        "form:has([/**/value^=h])",
        "form:has([*|value^=h])",
    ],
)
def test_values_cannot_be_guessed_letter_by_letter(shop: Page, selector: str) -> None:
    """A selector that tests a value would tell a password by what it finds."""
    assert "tests the value" in read(shop, selector)["error"]


@pytest.mark.parametrize("selector", ["", "<h1>", "h1 >", "p:nth-child(", "a{}"])
def test_bad_selector_is_an_error_of_the_tool(shop: Page, selector: str) -> None:
    """What is no selector is told to the model."""
    found = read(shop, selector)
    assert (False, "invalid_arguments") == (found["ok"], found["error_kind"])
    assert "no CSS selector" in found["error"]


def test_missing_root_and_long_texts(shop: Page) -> None:
    """Without a root nothing is read; a long text comes whole up to a bound; deep nesting is no matter."""
    assert "no part" in read(shop, "h1", root="aside")["error"]
    nest = """() => { let at = document.querySelector(".deep"); at.textContent = "word ".repeat(70_000);
      at.style.display = "none"; // Chromium itself cannot lay out so deep a page
      for (let i = 0; i < 20000; i++) { at = at.appendChild(document.createElement("div")); } }"""
    shop.evaluate(nest)
    found = read(shop, ".deep")
    assert found["output"].endswith("word \n[cut: there is more text than 300000 characters]")
    assert 300_000 == found["output"].index("\n")
    shop.evaluate("() => { document.querySelector('main').innerHTML = '<i>x</i>'.repeat(53); }")
    assert "x\n" * 50 + "[cut: 3 more elements match]" == read(shop, "i")["output"]


def notes(page: Page, name: str, key: str = "k", session: str = "s", **arguments: str) -> dict[str, Any]:
    """Use a tool for notes."""
    params = {"name": f"session_note_{name}", "arguments": arguments}
    given = {"factory": "sessionNotes", "options": {"session": session}, "params": params, "key": key}
    return page.evaluate(SETUP, given)


def test_notes_survive_a_reload_and_each_key_writes_once(page: Page) -> None:
    """A note is there after a reload; the same call, made again after a crash, writes nothing more."""
    assert "noted: the keys are here" == notes(page, "append", "k1", note=" the keys are here ")["output"]
    page.reload()
    assert "noted: the keys are here" == notes(page, "append", "k1", note="the keys are here")["output"]
    notes(page, "append", "k2", note="Keys again")
    assert "the keys are here\nKeys again" == notes(page, "search", query="KEYS")["output"]
    assert "Keys again" == notes(page, "search", query="again keys")["output"]
    assert "no note contains: lamp" == notes(page, "search", query="lamp")["output"]


def test_notes_of_other_sessions_are_not_seen(page: Page) -> None:
    """A session has its own notes, under its own keys."""
    notes(page, "append", "k", "one", note="first")
    notes(page, "append", "k", "two", note="second")
    assert "second" == notes(page, "search", session="two", query="")["output"]


def test_two_tabs_write_a_note_once(page: Page, site: Site) -> None:
    """Two tabs that carry out one call at the same time leave one note."""
    other = page.context.new_page()
    other.goto(site.url)
    write = """(key) => import("/dist/tools/index.js").then(({ sessionNotes }) => {
      const [append] = sessionNotes({ session: "tabs" });
      const call = { call_id: "1", tool: "session_note_append", params: {}, key };
      window.writing = append.run({ note: key }, call, new AbortController().signal);
    })"""
    for key in ("a", "b", "c"):
        page.evaluate(write, key)
        other.evaluate(write, key)
    page.evaluate("window.writing")
    other.evaluate("window.writing")
    assert "a\nb\nc" == notes(page, "search", session="tabs", query="")["output"]


def test_newest_notes_and_odd_arguments(page: Page) -> None:
    """Twenty notes are found at most, the newest; empty ones and long ones are refused as on native hosts."""
    for at in range(22):
        notes(page, "append", f"k{at}", note=f"note {at}")
    found = notes(page, "search", query="note")["output"].split("\n")
    assert ("note 2", "note 21", 20) == (found[0], found[-1], len(found))
    assert "the note is empty" == notes(page, "append", note="  ")["error"]
    assert "note has 2001 characters; at most 2000" == notes(page, "append", note="x" * 2001)["error"]


def test_notes_without_storage_are_an_io_error(browser: Browser, site: Site) -> None:
    """A browser that keeps nothing for a page is told as such, and nothing hangs."""
    page = browser.new_context().new_page()
    page.goto(site.url)
    page.evaluate("() => { indexedDB.open = () => { throw new DOMException('no', 'SecurityError'); }; }")
    found = notes(page, "append", note="x")
    assert ("io", False) == (found["error_kind"], found["ok"])
    assert "SecurityError" in found["error"]
    page.context.close()


def fetch(page: Page, url: str, *allowed: str, **options: Any) -> dict[str, Any]:
    """Fetch `url` with these hosts allowed."""
    given = {"allowHosts": allowed, **options}
    return page.evaluate(SETUP, {"factory": "fetchUrl", "options": given, "params": {"arguments": {"url": url}}})


def host_of(site: Site) -> str:
    """Return a site's host and port."""
    return site.url.removeprefix("http://")


def test_page_of_an_allowed_host_is_text(page: Page, site: Site) -> None:
    """HTML comes back as text, its title first; no script of it runs and nothing it names is loaded."""
    body = b"<title>News</title><script>document.title='x'</script><h1>Hi</h1><p>a &amp; b<img src=/seen>"
    asked: list[str] = []
    site.answers["/page"] = lambda handler: handler.reply(200, "text/html; charset=utf-8", body)
    site.answers["/seen"] = lambda handler: asked.append("seen")
    assert {"ok": True, "output": "News\nHi\na & b"} == fetch(page, f"{site.url}/page", "127.0.0.1")
    assert [] == asked


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://elsewhere.example/", "not among the hosts"),
        ("file:///etc/passwd", "http://"),
        ("nowhere", "no valid address"),
        ("http://user:word@127.0.0.1/", "no user or password"),
        ("http://127.0.0.1:1/", "not among the hosts"),
    ],
)
def test_only_named_hosts_are_asked(page: Page, site: Site, url: str, said: str) -> None:
    """Another host, port or scheme is refused without a request."""
    found = fetch(page, url, host_of(site))
    assert (False, "invalid_arguments") == (found["ok"], found["error_kind"])
    assert said in found["error"]


def test_nothing_is_asked_without_a_list(page: Page, site: Site) -> None:
    """A page that names no host lets the model ask none."""
    assert "(none)" in fetch(page, site.url)["error"]


def test_request_carries_no_cookies_and_no_referrer(page: Page, site: Site) -> None:
    """Who is signed in here is nobody there."""
    seen: list[Any] = []

    def answer(handler: Any) -> None:
        seen.append((handler.headers["Cookie"], handler.headers["Referer"]))
        handler.reply(200, "text/plain", b"fine")

    page.evaluate("() => { document.cookie = 'session=1'; }")
    site.answers["/plain"] = answer
    assert "fine" == fetch(page, f"{site.url}/plain", "127.0.0.1")["output"]
    assert [(None, None)] == seen


def test_redirects_are_followed_to_named_hosts_only(page: Page, site: Site) -> None:
    """A redirect on the host is followed; one to another port is refused after the fact."""
    site.answers["/to-page"] = lambda handler: handler.reply(302, "text/plain", b"", Location="/end")
    site.answers["/end"] = lambda handler: handler.reply(200, "text/plain", b"end", Access_Control_Allow_Origin="*")
    assert "end" == fetch(page, f"{site.url}/to-page", host_of(site))["output"]
    elsewhere = site.url.replace("127.0.0.1", "localhost") + "/end"
    site.answers["/away"] = lambda handler: handler.reply(302, "text/plain", b"", Location=elsewhere)
    assert "localhost is not among" in fetch(page, f"{site.url}/away", host_of(site))["error"]
    assert "end" == fetch(page, f"{site.url}/away", host_of(site), "localhost")["output"]


def test_other_origins_have_to_allow_it(page: Page, site: Site) -> None:
    """A page that another origin does not share cannot be read, and that is said."""
    site.answers["/closed"] = lambda handler: handler.reply(200, "text/plain", b"x")
    found = fetch(page, site.url.replace("127.0.0.1", "localhost") + "/closed", "localhost")
    assert ("io", True) == (found["error_kind"], "CORS" in found["error"])


def test_errors_types_and_sizes_are_bounded(page: Page, site: Site) -> None:
    """Errors, pictures, endless pages and slow ones all come back as outcomes."""

    def slow(handler: Any) -> None:
        time.sleep(1.5)
        handler.reply(200, "text/plain", b"late")

    site.answers["/picture"] = lambda handler: handler.reply(200, "image/png", b"x")
    site.answers["/large"] = lambda handler: handler.reply(200, "text/html", b"\xff" * 3_000_000)
    site.answers["/data"] = lambda handler: handler.reply(200, "application/json", b"[1" + b",1" * 200_000 + b"]")
    site.answers["/slow"] = slow
    assert "status 404" in fetch(page, f"{site.url}/none", "127.0.0.1")["error"]
    assert "image/png" in fetch(page, f"{site.url}/picture", "127.0.0.1")["error"]
    large = fetch(page, f"{site.url}/large", "127.0.0.1")["output"]
    assert "\ufffd" * 327_680 + PAGE_CUT_NOTICE == large
    data = fetch(page, f"{site.url}/data", "127.0.0.1")
    error = "the address holds more than 327680 bytes of application/json; ask for a part of it"
    assert {"ok": False, "error": error, "error_kind": "execution"} == data
    late = fetch(page, f"{site.url}/slow", "127.0.0.1", timeLimitMs=300)
    assert {
        "ok": False,
        "error": "fetch_url did not end within 0.3 seconds; it may have run",
        "error_kind": "interrupted",
    } == late
