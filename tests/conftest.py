"""What tests of several folders share: the conformance vectors, Node, and the core ready for Pyodide."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, Playwright, sync_playwright

from tests.examples import examples
from tests.programs import (
    headless_chromium,
    leave_out,
    program_path,
    pytest_configure,
    pytest_runtest_setup,
    pytest_sessionfinish,
    pytest_terminal_summary,
    pytest_testnodedown,
)
from tests.shared_files import is_shared, pytest_runtestloop
from tools.vectors.files import vector_files as stored_files
from tools.wasm.core_archive import write_core_archive
from tools.wasm.wheels import FOLDER, wheel_paths

__all__ = [
    "pytest_configure",
    "pytest_runtest_setup",
    "pytest_runtestloop",
    "pytest_sessionfinish",
    "pytest_terminal_summary",
    "pytest_testnodedown",
]

ROOT = Path(__file__).resolve().parent.parent

collect_ignore = ["tuning"]
"""Those tests need torch, and run in an environment of their own: ./build.sh test tuning."""

# No deadline: on a busy machine one example can take any time. In CI the same examples every time, so that a
# failure there is one that a developer gets too.
settings.register_profile("developer", examples(100), deadline=None)
settings.register_profile("ci", examples(100), deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "developer")


LONGEST_FIRST = (
    *("packaging", "report", "serve", "playground", "edge", "bundle", "web", "hosts", "drift", "fuzz", "purity"),
    *("vectors", "cli", "core"),
)
"""Folders whose files take long, in the order in which several processes take them: short ones fill the end."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what this machine cannot run, and put what takes long first where several processes share the tests."""
    leave_out(config, items)
    if hasattr(config, "workerinput") or is_shared(config):
        items.sort(key=_place)


def pytest_collection_finish() -> None:
    """Keep the collector of garbage from going through ten thousand collected tests again and again."""
    gc.collect()
    gc.freeze()


def _place(item: pytest.Item) -> int:
    folder = item.path.relative_to(ROOT / "tests").parts[0]
    return LONGEST_FIRST.index(folder) if folder in LONGEST_FIRST else len(LONGEST_FIRST)


def is_built() -> bool:
    """Whether ./build.sh test built web/ just now: the processes of its run read it, so none may build it anew."""
    return "PURESTEP_BUILT" in os.environ


@pytest.fixture(scope="session")
def vector_files() -> list[Path]:
    """Every file of conformance vectors."""
    files = stored_files()
    assert files, "tests/vectors holds no */*.jsonl: there is nothing to compare hosts by"
    return files


@pytest.fixture(scope="session")
def node() -> str:
    """The path of a Node that is new enough, with the packages of web/ installed."""
    path = program_path("node")
    assert path is not None
    if not (ROOT / "web" / "node_modules" / "pyodide").is_dir():
        pytest.fail("web/node_modules has no pyodide: run ./build.sh setup")
    return path


@pytest.fixture(scope="session")
def package() -> Path:
    """The compiled JavaScript of the npm package, with the bundle beside it."""
    folder = ROOT / "web" / "dist"
    if not (folder / "index.js").is_file() or not (folder / "bundle").is_dir():
        pytest.fail("web/dist is missing: run ./build.sh web")
    return folder


# Nothing is looked up in the background: a test's page is alone with its server.
CHROMIUM_ARGUMENTS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
# A test's page is open for seconds: compiling the core's WebAssembly once more, for speed, is a fifth of what it costs.
COMPILED_ONCE = "--js-flags=--liftoff-only"


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """What drives browsers; its synchronous form can be started once in a process."""
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Chromium for the whole run."""
    yield from _opened(playwright, headless_chromium(), *CHROMIUM_ARGUMENTS, COMPILED_ONCE)


@pytest.fixture(scope="session")
def model_browser(playwright: Playwright) -> Iterator[Browser]:
    """The browser itself, as people have it, for the pages that a model runs in: they take all that it has of memory.

    Their code is worth being compiled for speed.
    """
    yield from _opened(playwright, program_path("chromium"), *CHROMIUM_ARGUMENTS, "--headless=new")


def _opened(playwright: Playwright, path: str | None, *arguments: str) -> Iterator[Browser]:
    assert path is not None
    chromium = playwright.chromium.launch(executable_path=path, args=arguments)
    yield chromium
    chromium.close()


@pytest.fixture(scope="session")
def wasm_folder() -> Path:
    """The folder of the core's dependencies as Pyodide wheels, each with its locked hash."""
    try:
        wheel_paths()
    except LookupError as error:
        pytest.fail(str(error))
    return FOLDER


@pytest.fixture(scope="session")
def core_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The core's sources of this checkout as a zip."""
    path = tmp_path_factory.mktemp("core") / "core.zip"
    write_core_archive(path)
    return path
