"""The tools that only compute give in a page what they give on native hosts, value by value and word by word."""

import json
import math
import random
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.toolbox import Toolbox
from tools.web_tool_specs import TARGET, tool_specs_ts

RUN = """async ({ factory, params }) => {
  const tool = (await import("/dist/tools/index.js"))[factory]();
  const call = { call_id: "1", tool: tool.spec.name, params: {}, key: "k" };
  const outcomes = [];
  for (const each of params) outcomes.push(await tool.run(each, call, new AbortController().signal));
  return JSON.stringify(outcomes);
}"""
HAND_MADE = json.loads((Path(__file__).parent / "expressions.json").read_text())


def generated(count: int) -> list[str]:
    """Give expressions made of all that the grammar has, and of some that it has not."""
    rng = random.Random(20_261_122)

    def number() -> str:
        kind = rng.randrange(6)
        if kind == 0:
            return str(rng.randrange(100))
        if kind == 1:
            return str(rng.randrange(10 ** rng.randrange(1, 40)))
        if kind == 2:
            return f"{rng.uniform(0, 100):.{rng.randrange(1, 17)}f}"
        if kind == 3:
            return f"{rng.uniform(0, 10):.4f}e{rng.randrange(-40, 40)}"
        return rng.choice(["pi", "e", "0", "1", "2", "0.5", "10"])

    def expression(depth: int) -> str:
        kind = rng.randrange(10 if depth else 2)
        if kind < 2:
            return number()
        if kind < 6:
            operator = rng.choice(["+", "-", "*", "/", "//", "%", "**", "^", " + ", " * "])
            return f"{expression(depth - 1)}{operator}{expression(depth - 1)}"
        if kind == 6:
            return f"({expression(depth - 1)})"
        if kind == 7:
            return f"-{expression(depth - 1)}"
        name = rng.choice(["abs", "ceil", "cos", "exp", "floor", "log", "log10", "log2", "max", "min", "round", "sqrt"])
        values = [expression(depth - 1) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
        return f"{name}({', '.join(values)})"

    made = [expression(rng.randrange(1, 4)) for _ in range(count)]
    broken = [text[:at] + rng.choice("()+*,.x") + text[at:] for text in made[: count // 10] for at in [len(text) // 2]]
    return made + broken


@pytest.fixture(scope="module")
def toolbox(tmp_path_factory: pytest.TempPathFactory) -> Toolbox:
    """The native tools."""
    return Toolbox(ToolConfig(session_dir=tmp_path_factory.mktemp("session")))


def same(expected: Any, actual: Any) -> bool:
    """Tell whether two outcomes agree: in words and whole numbers exactly, in fractions to 14 digits."""
    if expected["ok"] and actual["ok"] and isinstance(expected["output"], float):
        return math.isclose(expected["output"], actual["output"], rel_tol=2e-14)
    return bool(expected == actual)


def test_calculator_agrees_with_native_hosts(page: Page, toolbox: Toolbox) -> None:
    """Thousands of expressions, with values or without, come to the same."""
    expressions = HAND_MADE + generated(3000)
    params = [{"expression": expression} for expression in expressions]

    actual = json.loads(page.evaluate(RUN, {"factory": "calculator", "params": params}))

    expected = [toolbox.run("calculator", each, "k") for each in params]
    wrong = [rows for rows in zip(expressions, expected, actual, strict=True) if not same(*rows[1:])]
    assert [] == wrong[:10]
    values = [outcome for outcome in expected if outcome["ok"]]
    assert len(values) > 1000
    assert len(expected) - len(values) > 300


def test_exact_whole_numbers_keep_their_digits(page: Page) -> None:
    """A whole number past 2^53 leaves the page with all its digits."""
    params = [{"expression": "9007199254740993"}, {"expression": "2 ** 63 - 1"}]
    text = page.evaluate(RUN, {"factory": "calculator", "params": params})
    assert [9007199254740993, 2**63 - 1] == [outcome["output"] for outcome in json.loads(text)]


@pytest.mark.parametrize(
    ("factory", "tool", "params"),
    [
        ("echo", "echo", [{"text": "green \U0001f34f"}, {"text": "x" * 4001}, {"text": 5}, {"text": True}, {}]),
        ("echo", "echo", [{"text": "a", "b": 1}, {"text": None}, {"text": [1]}, {"text": {}}, {"text": 0.5}]),
        ("addNumbers", "add_numbers", [{"a": 2, "b": 3}, {"a": 0.1, "b": 0.2}, {"a": 1e308, "b": 1e308}]),
        ("addNumbers", "add_numbers", [{"a": 2**53 - 1, "b": 2**53 - 1}, {"a": -0.5, "b": 0.5}, {"a": "1", "b": 2}]),
        ("calculator", "calculator", [{"expression": 5}, {"expression": "1" * 501}, {"expr": "1"}]),
    ],
)
def test_odd_arguments_get_the_same_words(
    page: Page, toolbox: Toolbox, factory: str, tool: str, params: list[Any]
) -> None:
    """What the core would not let pass is refused by the tools too, alike."""
    actual = json.loads(page.evaluate(RUN, {"factory": factory, "params": params}))
    for each, outcome in zip(params, actual, strict=True):
        assert same(toolbox.run(tool, each, "k"), outcome), (each, outcome)


def test_specs_are_those_of_native_hosts(page: Page, toolbox: Toolbox) -> None:
    """The specs in TypeScript are made from the Python tools, and are current."""
    shared = page.evaluate("import('/dist/generated/tool_specs.js').then((module) => module.TOOL_SPECS)")
    native = {spec["name"]: spec for spec in toolbox.specs()}
    assert {name: native[name] for name in shared} == shared
    assert 6 == len(shared)


def test_written_specs_are_current() -> None:
    """The file in the repository is what the Python tools give now."""
    assert tool_specs_ts() == TARGET.read_text("utf-8")
