"""The rest of the interpreter in a browser: one of its functions is called before it was fetched."""

from typing import Any, Final

import pytest
from playwright.sync_api import Page

from tests.web.conftest import WEB, Site

REST: Final = "/dist/bundle/core_rest.wasm"
# Its own code calls the last entry of the table where a function lacks; no recorded call of the core comes that far.
NEED: Final = """
  const seen = [];
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...given) => {
    const made = await instantiate(...given);
    seen.push((made.instance ?? made).exports);
    return made;
  };
  const { createAgentCore } = await import(`${origin}/dist/index.js`);
  const core = await createAgentCore({ tier: "snapshot" });
  const { halves, rest_is_here: here } = seen.find((exports) => exports.halves);
  const before = here.value;
  let code = null;
  try {
    halves.get(halves.length - 1)();
  } catch (error) {
    code = error.code ?? String(error);
  }
  const checked = JSON.parse(core.check_value('{"schema": {"type": "integer"}, "value": 3}'));
  return [before, here.value, code, checked.ok];
"""
IN_PAGE: Final = f"async (origin) => {{ {NEED} }}"
IN_WORKER: Final = """async ([origin, need]) => {
  const found = `await (async () => {${need}})()`;
  const code = `const origin = ${JSON.stringify(origin)}; postMessage(${found});`;
  const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })), { type: "module" });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
  });
}"""


def needed(page: Page, site: Site, place: str) -> Any:
    """Return whether the rest was there before and after it was needed, with what error, and what a call then says."""
    given: Any = site.url if place == "page" else [site.url, NEED]
    return page.evaluate(IN_PAGE if place == "page" else IN_WORKER, given)


@pytest.mark.parametrize("place", ["page", "worker"])
def test_what_is_needed_before_it_came_is_loaded_at_once(page: Page, site: Site, place: str) -> None:
    """The call goes on, in a page's own thread and in a worker."""
    assert [0, 1, None, True] == needed(page, site, place)


@pytest.mark.parametrize("place", ["page", "worker"])
@pytest.mark.parametrize(("status", "code"), [(404, "bundle_missing"), (200, "bundle_damaged")])
def test_what_cannot_be_loaded_at_once_is_told(page: Page, site: Site, place: str, status: int, code: str) -> None:
    """A server that lost the file, or has another one, ends the call with its code, and nothing of it is used."""
    changed = (WEB / REST.lstrip("/")).read_bytes()[:-1] + b"\0"
    site.answers[REST] = lambda handler: handler.reply(status, "application/wasm", changed)
    assert [0, 0, code, True] == needed(page, site, place)
