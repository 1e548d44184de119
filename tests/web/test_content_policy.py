"""Pages with a Content-Security-Policy: what the core needs is enough, and what a policy refuses is named."""

from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.web.conftest import WEB, Site

ENOUGH = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'"
TRUSTED = f"{ENOUGH}; require-trusted-types-for 'script'"
LOAD = """async ({ module, make }) => {
  try {
    const core = await (await import(module))[make]({ tier: "zip" });
    return { answer: await core.core_info() };
  } catch ({ code, message }) {
    return { code, message };
  }
}"""
PAGE = ("/dist/index.js", "createAgentCore")
WORKER = ("/dist/worker/index.js", "createWorkerCore")


def answer(kind: str, body: bytes, policy: str, handler: Any) -> None:
    """Send a file with a policy."""
    handler.reply(200, kind, body, Content_Security_Policy=policy)


def loaded_under(policy: str, browser: Browser, site: Site, load: tuple[str, str]) -> dict[str, Any]:
    """Load the core on a page and in a worker with this policy; gives its first answer, or the error."""
    page = b'<!doctype html><html lang="en"><title>Policy</title>'
    thread = (WEB / "dist/worker/thread.js").read_bytes()
    for path, kind, body in (("/policy", "text/html", page), ("/dist/worker/thread.js", "text/javascript", thread)):
        site.answers[path] = partial(answer, kind, body, policy)
    with browser.new_context() as context, context.new_page() as opened:
        opened.goto(f"{site.url}/policy")
        found: dict[str, Any] = opened.evaluate(LOAD, dict(zip(("module", "make"), load, strict=True)))
    return found


@pytest.mark.parametrize("load", [PAGE, WORKER])
@pytest.mark.parametrize(
    "policy", [ENOUGH, TRUSTED, f"{TRUSTED}; trusted-types purestep"], ids=["strict", "trusted", "named"]
)
def test_core_loads_under_a_strict_policy(browser: Browser, site: Site, policy: str, load: tuple[str, str]) -> None:
    """The origin's own scripts, files and workers and WebAssembly are enough, also where trusted types are demanded."""
    assert "version" in loaded_under(policy, browser, site, load).get("answer", "")


@pytest.mark.parametrize(
    ("left_out", "named"),
    [("'wasm-unsafe-eval'", "'wasm-unsafe-eval' in script-src"), ("connect-src 'self'; ", "in connect-src")],
)
@pytest.mark.parametrize("load", [PAGE, WORKER])
def test_what_a_policy_refuses_is_named(
    browser: Browser, site: Site, left_out: str, named: str, load: tuple[str, str]
) -> None:
    """A whole bundle that the page's policy keeps from loading is not called damaged."""
    found = loaded_under(ENOUGH.replace(left_out, ""), browser, site, load)

    assert "blocked_by_csp" == found.get("code"), found
    assert named in found["message"]


def test_a_policy_without_our_name_says_what_to_allow(browser: Browser, site: Site) -> None:
    """Where trusted types are listed and ours is not among them, the error names it."""
    found = loaded_under(f"{TRUSTED}; trusted-types other", browser, site, WORKER)

    assert "worker_failed" == found["code"]
    assert "policy purestep" in found["message"]
