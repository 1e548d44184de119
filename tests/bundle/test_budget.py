"""The budget of each file that a page loads, as it is sent."""

from pathlib import Path

from bench.bundle import file_bytes

from tools.pages.bundle_size import budgets, over_budget


def test_no_file_is_over_its_budget(bundle: Path) -> None:
    """What a file holds and may take is in web/bundle/budget.json, and no file is without a budget."""
    sizes = file_bytes()

    assert [] == over_budget(sizes)
    assert budgets().keys() == sizes.keys()


def test_a_file_over_its_budget_is_named() -> None:
    """The comparison can fail: one byte too many is told with the file, and a file that nobody planned too."""
    most = budgets()["core.wasm"]["most"]

    said = over_budget({"core.wasm": most + 1, "core.mjs": 1, "more.wasm": 1})

    assert [
        "more.wasm has no budget in budget.json",
        f"core.wasm is {most + 1:,} bytes by brotli; its budget is {most:,}",
    ] == said
