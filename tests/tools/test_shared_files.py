"""Processes that share files of tests run each file once, and what fails in one of them fails there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CONFTEST = "from tests.shared_files import pytest_runtestloop\n"
TESTS = """
import os
import pytest

@pytest.mark.parametrize("number", range(3))
def test_one_of_three(number):
    with open("ran.txt", "a") as file:
        file.write(f"{os.getpid()} {__file__} {number}\\n")

def test_one_file_fails():
    assert not __file__.endswith("test_3.py")
"""
RUN = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib", "."]
FILES = 8
PATIENCE_S = 300


def started(folder: Path, **variables: str) -> subprocess.Popen[str]:
    """Start a process that runs the tests of a folder."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    return subprocess.Popen(
        [sys.executable, *RUN], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files of tests, one of which has a test that fails."""
    (tmp_path / "conftest.py").write_text(CONFTEST)
    for number in range(FILES):
        (tmp_path / f"test_{number}.py").write_text(TESTS)
    return tmp_path


def ran(folder: Path) -> list[tuple[str, str, str]]:
    """Return the process, the file and the number of each test that ran."""
    lines = (folder / "ran.txt").read_text().splitlines()
    return [(process, Path(file).name, number) for process, file, number in map(str.split, lines)]


def test_each_file_runs_once_and_in_one_process(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test is left out, none runs twice, a file stays together, and one process ends with the failure's code."""
    shared = str(tmp_path_factory.mktemp("taken"))
    processes = [started(folder, PURESTEP_SHARED=shared) for _ in range(3)]
    said = [process.communicate(timeout=PATIENCE_S)[0] for process in processes]
    assert [0, 0, 1] == sorted(process.returncode for process in processes), said
    names = [(file, number) for _, file, number in ran(folder)]
    assert sorted(names) == [(f"test_{file}.py", str(number)) for file in range(FILES) for number in range(3)]
    assert FILES == len({(process, file) for process, file, _ in ran(folder)})


def test_a_file_that_was_taken_is_left_to_its_process(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A file whose name is in the folder of the run is not run again."""
    shared = tmp_path_factory.mktemp("taken")
    first = started(folder, PURESTEP_SHARED=str(shared))
    first.communicate(timeout=PATIENCE_S)
    again = started(folder, PURESTEP_SHARED=str(shared))
    again.communicate(timeout=PATIENCE_S)
    assert (1, 0, FILES * 3) == (first.returncode, again.returncode, len(ran(folder)))


def test_a_run_that_is_not_shared_runs_all(folder: Path) -> None:
    """Without a folder for it, each process runs every file."""
    for _ in range(2):
        process = started(folder)
        process.communicate(timeout=PATIENCE_S)
    assert 2 * FILES * 3 == len(ran(folder))
