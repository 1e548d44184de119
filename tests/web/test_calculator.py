"""The tools that only compute give in a page what they give on native hosts, through the core of the page."""

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.toolbox import Toolbox
from tests.tools.cases import HAND_MADE, generated
from tests.web.conftest import Site
from tools.types.tool_data import FOLDER, MODULES

RUN = """async ({ factory, params }) => {
  const { createAgentCore } = await import("/dist/index.js");
  const { runTool } = await import("/dist/agent/run_tool.js");
  const core = (window.core ??= await createAgentCore());
  const tool = (await import("/dist/tools/index.js"))[factory](core);
  const outcomes = [];
  for (const each of params) {
    const call = { call_id: "1", tool: tool.spec.name, params: each, key: "k" };
    outcomes.push(await runTool(core, tool, call, new AbortController().signal));
  }
  return JSON.stringify(outcomes);
}"""


@pytest.fixture(scope="module")
def computing(browser: Browser, module_site: Site) -> Any:
    """A page whose core is loaded once for all tests here."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(module_site.url)
    yield page
    context.close()


@pytest.fixture(scope="module")
def toolbox(tmp_path_factory: pytest.TempPathFactory) -> Toolbox:
    """The native tools."""
    return Toolbox(ToolConfig(session_dir=tmp_path_factory.mktemp("session")))


@pytest.mark.parametrize(
    ("factory", "tool", "params"),
    [
        ("calculator", "calculator", [{"expression": text} for text in HAND_MADE + generated(300)]),
        ("calculator", "calculator", [{"expression": 5}, {"expression": "1" * 501}, {"expr": "1"}]),
        ("echo", "echo", [{"text": "green \U0001f34f"}, {"text": "x" * 4001}, {"text": 5}, {"text": True}, {}]),
        ("echo", "echo", [{"text": "a", "b": 1}, {"text": None}, {"text": [1]}, {"text": {}}, {"text": 0.5}]),
        ("addNumbers", "add_numbers", [{"a": 2, "b": 3}, {"a": 0.1, "b": 0.2}, {"a": 1e308, "b": 1e308}]),
        ("addNumbers", "add_numbers", [{"a": 2**53 - 1, "b": 2**53 - 1}, {"a": -0.5, "b": 0.5}, {"a": "1", "b": 2}]),
    ],
)
def test_outcomes_are_those_of_native_hosts(
    computing: Page, toolbox: Toolbox, factory: str, tool: str, params: list[Any]
) -> None:
    """Values to the last digit, and errors to the last word; arguments that do not fit are refused alike."""
    expected = [toolbox.run(tool, each, "k") for each in params]
    assert expected == json.loads(computing.evaluate(RUN, {"factory": factory, "params": params}))


def test_exact_whole_numbers_keep_their_digits(computing: Page) -> None:
    """A whole number past 2^53 leaves the page with all its digits."""
    params = [{"expression": "9007199254740993"}, {"expression": "2 ** 63 - 1"}]
    text = computing.evaluate(RUN, {"factory": "calculator", "params": params})
    assert [9007199254740993, 2**63 - 1] == [outcome["output"] for outcome in json.loads(text)]


def test_specs_are_those_of_native_hosts(page: Page, toolbox: Toolbox) -> None:
    """The specs in TypeScript are made from the Python tools, and are current."""
    shared = page.evaluate("import('/dist/generated/tool_specs.js').then((module) => module.TOOL_SPECS)")
    native = {spec["name"]: spec for spec in toolbox.specs()}
    assert {name: native[name] for name in shared} == shared
    assert 6 == len(shared)


@pytest.mark.parametrize("name", MODULES)
def test_written_modules_are_current(name: str) -> None:
    """The files in the repository are what the Python sources give now."""
    assert MODULES[name]() == (FOLDER / name).read_text("utf-8")
