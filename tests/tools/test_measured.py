"""What tests run of the core is counted by line and branch, added up over processes, and held against a limit."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULE: Final = "core/purestep/values/reading.py"
BESIDE: Final = "from purestep.values.reading import reasoning_beside\n"
FIRST: Final = BESIDE + "def test_nothing(): assert reasoning_beside(None) == ''\n"
SECOND: Final = (
    BESIDE
    + """
def test_something(): assert reasoning_beside({'reasoning': 'so'}) == 'so'
def test_wrong(): assert reasoning_beside({}) == 'so'
"""
)


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a module of Python in a folder that finds this checkout."""
    start = f"import runpy, sys; sys.path.insert(0, {str(ROOT)!r}); runpy.run_module(sys.argv[0], run_name='__main__')"
    code = f"import sys; sys.argv = sys.argv[1:]\n{start}"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """What two processes wrote, the second of which has a test that fails."""
    return [measured(tmp_path_factory.mktemp("tests"), *each) for each in ((FIRST, 0), (SECOND, 1))]


def measured(folder: Path, tests: str, code: int) -> Path:
    """Run tests under coverage, which have to end with this code; give the file of what was counted."""
    (folder / "test_it.py").write_text(tests)
    part = ROOT / MODULE.rpartition("/")[0]
    options = ("-p", "tests.measured", f"--measured={part}", "--measured-in=out")
    ran = run(folder, "pytest", "-q", "-p", "no:cacheprovider", *options, ".")
    assert code == ran.returncode, ran.stdout + ran.stderr
    (output,) = (folder / "out").glob("*.json")
    return output


def counts_in(output: Path) -> dict[str, Any]:
    """Return what was counted of the module."""
    files = json.loads(output.read_text())["files"]
    return next(counts for name, counts in files.items() if name.endswith(MODULE))


def line_of(text: str) -> int:
    """Return the number of the line of the module that begins so."""
    lines = (ROOT / MODULE).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.strip().startswith(text))


def test_lines_and_branches_are_counted(outputs: list[Path]) -> None:
    """What one process leaves out another one reaches, also where one of its tests fails."""
    first, second = map(counts_in, outputs)
    early, late = line_of("if not isinstance(extra, dict)") + 1, line_of("texts =")
    assert (True, False) == (early in first["executed_lines"], late in first["executed_lines"])
    assert (False, True) == (early in second["executed_lines"], late in second["executed_lines"])
    assert [early - 1, late] in first["missing_branches"]
    assert [early - 1, early] in second["missing_branches"]


def test_counts_of_processes_are_added_and_held_against_the_limit(outputs: list[Path], tmp_path: Path) -> None:
    """Both together reach more of the module than each of them, and far less of its folder than is demanded."""
    merged = tmp_path / "all.json"
    ran = run(ROOT, "slipcover", "--merge", *map(str, outputs), "--out", str(merged))
    assert 2 == ran.returncode, ran.stdout + ran.stderr
    assert {line_of("if not isinstance(extra, dict)") + 1, line_of("texts =")} <= {*counts_in(merged)["executed_lines"]}
