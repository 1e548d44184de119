"""Programs for agent.rs run on the package with only their import changed, and differ where the page says so."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.seed import rows, said

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def folder(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which `purestep` is the package, and the programs stand."""
    place = tmp_path_factory.mktemp("seed")
    (place / "node_modules").mkdir()
    (place / "node_modules" / "purestep").symlink_to(package.parent)
    for name in ("seed_rows.mjs", "seed_agent.mjs"):
        (place / name).write_text((HERE / name).read_text(encoding="utf-8"), encoding="utf-8")
    return place


def _run(node: str, folder: Path, program: str, given: Any = None) -> str:
    text = "" if given is None else json.dumps(given)
    done = subprocess.run([node, program], cwd=folder, input=text, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    return done.stdout


@pytest.mark.parametrize("errors", [None, "return"])
def test_each_row_of_the_page_holds_in_javascript(node: str, folder: Path, errors: str | None) -> None:
    """The two functions of the package give what the third column says; errors are returned."""
    table = rows()
    given = {"rows": [row.steps for row in table]} | ({} if errors is None else {"errors": errors})
    outputs = json.loads(_run(node, folder, "seed_rows.mjs", given))
    assert [(row.name, row.expected) for row in table] == [
        (row.name, said(output)) for row, output in zip(table, outputs, strict=True)
    ]


def test_errors_are_thrown_where_init_says_so(node: str, folder: Path) -> None:
    """With `errors` "throw", what is refused is thrown with the same code; all else is as before."""
    table = rows()
    outputs = json.loads(_run(node, folder, "seed_rows.mjs", {"errors": "throw", "rows": [row.steps for row in table]}))
    for row, output in zip(table, outputs, strict=True):
        if row.expected.startswith("`error`"):
            assert ("PurestepError", row.expected) == (output["thrown"], f"`error` `{output['code']}`")
        else:
            assert row.expected == said(output)


def test_another_way_of_errors_is_refused(node: str, folder: Path) -> None:
    """`errors` is one of the two words."""
    given = json.dumps({"errors": "ignore", "rows": []})
    done = subprocess.run([node, "seed_rows.mjs"], cwd=folder, input=given, capture_output=True, text=True, check=False)
    assert 'expected errors to be "throw" or "return"' in done.stderr


def test_an_agent_loop_for_the_seed_runs(node: str, folder: Path) -> None:
    """A loop with tools, a guardrail and a retry of its own runs to its answer."""
    expected = [
        "inconclusive: First I will look at the files.",
        "shell ls -l rejected",
        "shell ls accepted",
        "Two files. user user tool tool",
        "returned",
    ]
    assert expected == _run(node, folder, "seed_agent.mjs").splitlines()
