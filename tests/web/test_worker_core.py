"""The core in a worker gives the bytes that it gives natively, and says when it cannot be had."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

import purestep
from tests.bundle.engines import drawn
from tests.web.conftest import Site

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LOAD = """async (options) => {
  const { createWorkerCore } = await import("/dist/worker/index.js");
  window.seen = [];
  if (options.script) {
    const made = URL.createObjectURL(new Blob([options.script], { type: "text/javascript" }));
    options = { worker: () => new Worker(options.at ?? made, { type: "module" }) };
  }
  const onProgress = (progress) => window.seen.push(progress);
  try {
    window.core = await createWorkerCore({ ...options, onProgress });
    return { report: core.report, seen: window.seen };
  } catch ({ name, code, message }) {
    return { name, code, message };
  }
}"""
CALL = """async ({ name, args }) => core[name](...args).catch(({ code }) => ({ code }))"""


@pytest.fixture(scope="module")
def loaded(browser: Browser, module_site: Site) -> Iterator[tuple[Page, dict[str, Any]]]:
    """A page with a core in a worker, and what its loading told."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(module_site.url)
    yield page, page.evaluate(LOAD, {"tier": "zip"})
    context.close()


def test_vectors_give_the_same_bytes(loaded: tuple[Page, dict[str, Any]], vector_files: list[Path]) -> None:
    """A sample of the conformance vectors comes out of the worker byte for byte."""
    page, _ = loaded
    vectors = [json.loads(line) for path in vector_files for line in path.read_text("utf-8").splitlines()]
    sample = drawn(vectors, max(1, len(vectors) // 40))
    for vector in sample:
        actual = page.evaluate(CALL, {"name": vector["function"], "args": vector["args"]})
        assert vector["output"] == actual, vector["name"]
    assert len(sample) >= 40


def test_loading_is_reported(loaded: tuple[Page, dict[str, Any]]) -> None:
    """The page sees progress while the worker loads, and the report in the end."""
    _, told = loaded
    assert "zip" == told["report"]["tier"]
    bytes_seen = [progress["loadedBytes"] for progress in told["seen"]]
    assert sorted(bytes_seen) == bytes_seen
    assert bytes_seen


def test_left_out_arguments_are_none(loaded: tuple[Page, dict[str, Any]]) -> None:
    """Optional arguments may be left out, as in Python."""
    page, _ = loaded
    assert purestep.create_agent_state("hi") == page.evaluate(CALL, {"name": "create_agent_state", "args": ["hi"]})


def test_missing_bundle_is_told(page: Page, site: Site) -> None:
    """A load that fails throws what loading in this thread throws."""
    failed = page.evaluate(LOAD, {"tier": "zip", "bundleURL": f"{site.url}/nowhere/"})
    assert ("PurestepError", "bundle_missing") == (failed["name"], failed["code"])


@pytest.mark.parametrize("script", ["throw new Error('broken')", "syntax error here", "setTimeout(() => { x(); }, 50)"])
def test_worker_that_dies_is_told(page: Page, script: str) -> None:
    """A worker that ends before it is loaded is an error, not a wait without end."""
    assert "worker_failed" == page.evaluate(LOAD, {"script": script})["code"]


def test_missing_worker_file_is_told(page: Page, site: Site) -> None:
    """A page that does not serve the worker's file is told so."""
    failed = page.evaluate(LOAD, {"script": "-", "at": f"{site.url}/none.js"})
    assert "worker_failed" == failed["code"]
    assert "file" in failed["message"]


def test_calls_under_way_fail_when_the_worker_dies_or_is_closed(page: Page) -> None:
    """Whoever waits for a worker is told when it ends, and so is whoever comes later."""
    script = """
      addEventListener("message", ({ data }) => {
        if (data.type === "load") postMessage({ type: "loaded", report: {} });
        else if (data.name === "load_agent") throw new Error("out of memory");
      });"""
    page.evaluate(LOAD, {"script": script})
    both = (
        """() => Promise.all([core.core_info(), core.load_agent("{}")].map((each) => each.catch(({ code }) => code)))"""
    )
    assert ["worker_failed", "worker_failed"] == page.evaluate(both)
    assert {"code": "worker_failed"} == page.evaluate(CALL, {"name": "core_info", "args": []})
    page.evaluate(LOAD, {"script": script})
    closed = "() => { const call = core.core_info().catch(({ code }) => code); core.close(); return call; }"
    assert "closed" == page.evaluate(closed)


KEPT = """async ({ script }) => {
  const { createWorkerCore } = await import("/dist/worker/index.js");
  window.lost = [];
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  window.core = await createWorkerCore({
    tier: "zip",
    onLost: ({ name, code, message }) => lost.push({ name, code, message }),
    worker: () => (window.thread = new Worker(address, { type: "module" })),
  });
}"""
# The memory of the interpreter is overwritten when the page says so: its next call ends in a trap.
DAMAGED = """
const memories = new Set();
const { instantiate, Instance } = WebAssembly;
const kept = (instance, imports) => {
  for (const each of [...Object.values(instance.exports), ...Object.values(imports?.env ?? {})])
    if (each instanceof WebAssembly.Memory) memories.add(each);
};
WebAssembly.instantiate = async (code, imports) => {
  const made = await instantiate(code, imports);
  kept(made.instance ?? made, imports);
  return made;
};
WebAssembly.Instance = class extends Instance {
  constructor(module, imports) {
    super(module, imports);
    kept(this, imports);
  }
};
addEventListener("message", ({ data }) => {
  if (data === "damage") for (const { buffer } of memories) new Uint8Array(buffer).fill(255);
});
"""
BEFORE = """() => Promise.all([core.core_info(), core.create_agent_state("hi")])"""
LOST = "() => lost.length > 0"
AFTER = """async () => {
  const failed = await core.core_info().catch(({ code }) => code);
  await Promise.all([core.restart(), core.restart()]); // pressed twice
  return { failed, said: await Promise.all([core.core_info(), core.create_agent_state("hi")]), lost };
}"""


@pytest.fixture
def kept(page: Page, site: Site) -> tuple[Page, list[str]]:
    """A page with a core in a worker that can be damaged, and what it says while it is whole."""
    page.evaluate(KEPT, {"script": f'import "{site.url}/dist/worker/thread.js";{DAMAGED}'})
    return page, page.evaluate(BEFORE)


def goes_on(page: Page, said: list[str]) -> str:
    """Look that the core was told lost once, that it says so to whoever calls, and goes on when restarted."""
    page.wait_for_function(LOST)
    found = page.evaluate(AFTER)
    assert ("worker_failed", said) == (found["failed"], found["said"])
    (lost,) = found["lost"]
    assert ("PurestepError", "worker_failed") == (lost["name"], lost["code"])
    assert "restart()" in lost["message"]
    return str(lost["message"])


def test_worker_that_ends_itself_is_told_and_started_again(kept: tuple[Page, list[str]]) -> None:
    """No event tells that a worker has ended: the page learns of it all the same, and the core goes on."""
    page, said = kept
    page.workers[0].evaluate("() => self.close()")
    assert "it was ended from outside, or found no memory" in goes_on(page, said)


def test_worker_that_is_terminated_in_a_call_is_told_and_started_again(kept: tuple[Page, list[str]]) -> None:
    """What was being computed fails in words, and is computed when it is asked again."""
    page, said = kept
    pending = """() => {
      const call = core.core_info().catch(({ code }) => code);
      setTimeout(() => thread.terminate());
      return call;
    }"""
    assert page.evaluate(pending) in ("worker_failed", said[0])
    goes_on(page, said)


def test_interpreter_that_breaks_off_is_told_and_started_again(kept: tuple[Page, list[str]]) -> None:
    """A trap of WebAssembly leaves nothing that could be relied on: the worker is ended with it."""
    page, said = kept
    page.evaluate("thread.postMessage('damage')")
    assert "worker_failed" == page.evaluate("() => core.core_info().catch(({ code }) => code)")
    assert "Error" in goes_on(page, said)


def test_closed_core_is_not_started_again(kept: tuple[Page, list[str]]) -> None:
    """Whoever closed it meant that; a restart under way ends too."""
    page, _ = kept
    closed = """async () => {
      const again = core.restart().catch(({ code }) => code);
      core.close();
      const codes = [await again, ...(await Promise.all([core.restart(), core.core_info()].map((each) =>
        each.catch(({ code }) => code))))];
      return [codes, lost];
    }"""
    assert [["closed"] * 3, []] == page.evaluate(closed)


def test_worker_runs_in_deno(package: Path) -> None:
    """Deno has the same workers."""
    deno = ROOT / "web/node_modules/.bin/deno"
    allowed = ("--no-prompt", "--no-remote", "--cached-only", "--node-modules-dir=manual", f"--allow-read={ROOT}")
    done = subprocess.run(
        [deno, "run", *allowed, HERE / "worker_core.mjs"], capture_output=True, text=True, check=False
    )
    assert 0 == done.returncode, done.stderr[-2000:]
    said = json.loads(done.stdout)
    # In a process of its own: dialects that other tests registered would be named here.
    native = [sys.executable, "-c", "import purestep; print(purestep.core_info())"]
    info = subprocess.run(native, check=True, capture_output=True, text=True).stdout.strip()
    assert info == said["info"]
    assert ("closed", "closed") == (said["pending"], said["later"])
