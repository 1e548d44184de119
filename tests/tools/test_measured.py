"""Under coverage every test runs, and the tracer rests during those that are not measured."""

import itertools
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.measured import MOST_MEASURED, REACHED_BY_OTHERS

ROOT = Path(__file__).resolve().parents[2]
CONFTEST = """
from tests.measured import choose_measured, pytest_runtest_protocol

def pytest_collection_modifyitems(items):
    choose_measured(items)
"""
TESTS = """
import json, sys
import pytest

def note(name):
    with open("seen.jsonl", "a") as file:
        file.write(json.dumps([name, sys.gettrace() is not None]) + "\\n")

@pytest.mark.parametrize("number", range(200))
def test_long_list(number):
    note(number)

@pytest.mark.parametrize("number", range(3))
def test_short_list(number):
    note("short")

def test_growth_is_seen_in_linear_time():
    note("growth")
    raise AssertionError("a test that fails")

def test_after_it():
    note("after")
"""
# A tracer that does nothing stands for coverage's own.
RUN = """
import sys
import pytest
sys.settrace(lambda *_: None)
pytest.main(["-q", "-p", "no:cacheprovider", "--import-mode=importlib", "."])
print(sys.gettrace() is not None)
"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[object, bool]]:
    """The tests of a run under a tracer, in order, each with whether it was traced."""
    folder = tmp_path_factory.mktemp("traced")
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_traced.py").write_text(TESTS)
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{RUN}"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert "True" == done.stdout.splitlines()[-1], done.stdout + done.stderr
    return [(name, traced) for name, traced in map(json.loads, (folder / "seen.jsonl").read_text().splitlines())]


def test_every_case_runs_and_a_part_of_a_long_list_is_measured(seen: list[tuple[object, bool]]) -> None:
    """The measured cases are the first of the list and others spread evenly over it."""
    cases = {name: traced for name, traced in seen if isinstance(name, int)}
    measured = [number for number, traced in cases.items() if traced]
    assert ([*range(200)], MOST_MEASURED, 0) == ([*cases], len(measured), measured[0])
    assert {1, 2} == {later - before for before, later in itertools.pairwise(measured)}
    assert [("short", True)] * 3 == [each for each in seen if each[0] == "short"]


def test_tracer_rests_while_growth_is_measured_and_goes_on_after_it(seen: list[tuple[object, bool]]) -> None:
    """A failure of the test that was not traced changes nothing for the next one."""
    assert [("growth", False), ("after", True)] == seen[-2:]


def test_files_that_rest_are_there() -> None:
    """A file that was renamed would be measured again, and its list would say otherwise."""
    assert [] == [name for name in sorted(REACHED_BY_OTHERS) if not (ROOT / "tests" / name).is_file()]
