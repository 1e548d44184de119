"""The programs that tests need beside Python: where they are here, and what is left out without them.

A test says what it needs by a fixture (`node`, `browser`) or by `@pytest.mark.needs("firefox", ...)`. Where a program
is missing its tests are deselected and named in the last lines of the run; with CI set in the environment they fail
instead, because a CI run has to be a run of everything.
"""

import functools
import os
import shutil
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

MIN_NODE = 20  # as in build.sh
PROGRAMS = {
    "node": ("node",),
    "chromium": ("chromium", "chromium-browser", "google-chrome"),
    "firefox": ("firefox-esr", "firefox"),
    "postgresql": ("postgres",),
    "openssl": ("openssl",),
}
"""What a program may be called on PATH; Deno and workerd are packages of web/, so whoever has Node has both."""
SERVERS = "/usr/lib/postgresql"
"""Where Debian keeps the programs of each version of PostgreSQL, which are not on PATH."""
HEADLESS_CHROMIUM = ("chromium-headless-shell", "chrome-headless-shell", *PROGRAMS["chromium"])
"""What opens pages for tests that drive them: the engine without a browser's windows, if it is there, which spares a
second of CPU time for each page, else the browser. Where the browser itself is the subject, it is `chromium`."""
ADVICE = {
    "node": f"install Node.js {MIN_NODE} or later",
    "chromium": "Debian: apt-get install chromium",
    "firefox": "Debian: apt-get install firefox-esr",
    "postgresql": "Debian: apt-get install postgresql",
    "openssl": "Debian: apt-get install openssl",
}
FIXTURES = {"node": "node", "package": "node", "browser": "chromium", "model_browser": "chromium"}
"""Fixtures that say what their tests need."""
COMPILED_ONCE = f'--require "{Path(__file__).with_name("compiled_once.cjs")}"'
"""What NODE_OPTIONS says to every Node that tests start, servers and tools included."""
MOST_NAMED = 8
"""Tests of one file that are named one by one; of more, their number is given."""

_LEFT_OUT = pytest.StashKey[dict[str, list[str]]]()


def program_path(name: str) -> str | None:
    """Return where a program of PROGRAMS is, None if this machine has none that is new enough."""
    return _found(name, os.environ.get("PATH", ""))


def headless_chromium() -> str | None:
    """Return where the first of HEADLESS_CHROMIUM is, None if this machine has none."""
    return next((found for name in HEADLESS_CHROMIUM if (found := shutil.which(name))), None)


@functools.cache
def _found(name: str, path: str) -> str | None:
    places = os.pathsep.join([path, *map(str, Path(SERVERS).glob("*/bin"))]) if name == "postgresql" else path
    found = next((each for program in PROGRAMS[name] if (each := shutil.which(program, path=places))), None)
    return None if found is None or (name == "node" and not _new_enough(found)) else found


def _new_enough(node: str) -> bool:
    said = subprocess.run([node, "--version"], check=False, capture_output=True, text=True).stdout.strip()
    major = said.removeprefix("v").partition(".")[0]
    return major.isdigit() and int(major) >= MIN_NODE


def needed_by(item: pytest.Item) -> set[str]:
    """Return the programs that a test needs, by its fixtures and its marks."""
    fixtures = getattr(item, "fixturenames", ())
    marked = {name for mark in item.iter_markers("needs") for name in mark.args}
    return {program for fixture, program in FIXTURES.items() if fixture in fixtures} | marked


def missing_for(item: pytest.Item) -> list[str]:
    """Return the programs that a test needs and this machine lacks."""
    return sorted(name for name in needed_by(item) if program_path(name) is None)


def demanded() -> bool:
    """Whether a missing program fails its tests."""
    return bool(os.environ.get("CI"))


def compile_once() -> None:
    """Have every Node that is started from here compile WebAssembly once, which does for the seconds that it runs."""
    options = os.environ.get("NODE_OPTIONS", "")
    if COMPILED_ONCE not in options:
        os.environ["NODE_OPTIONS"] = f"{options} {COMPILED_ONCE}".lstrip()


def compiled_for_speed() -> dict[str, str]:
    """Return the environment without what `compile_once` has added, for what runs longer and as users run it."""
    options = os.environ.get("NODE_OPTIONS", "").replace(COMPILED_ONCE, "").strip()
    return {**os.environ, "NODE_OPTIONS": options}


def hear_interrupts() -> None:
    """Take SIGINT as a process in the foreground does: a shell has it ignored in what it starts with `&`.

    An ignored signal stays ignored in every program started from here, so none of them would end by Ctrl-C.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


# ---------------------------------------------------------------------------------------- hooks, used by conftest.py


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark known, and have Ctrl-C reach the programs that tests start."""
    hear_interrupts()
    compile_once()
    config.addinivalue_line("markers", "needs(*programs): the test needs these programs of tests/programs.py")
    config.stash[_LEFT_OUT] = {}


def leave_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests whose programs are missing, unless all are demanded; for pytest_collection_modifyitems."""
    if demanded():
        return
    left_out = {item: missing for item in items if (missing := missing_for(item))}
    if not left_out:
        return
    for item, missing in left_out.items():
        config.stash[_LEFT_OUT].setdefault(" and ".join(missing), []).append(item.nodeid)
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=list(left_out))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fail a test whose programs are missing; it is here only if all are demanded."""
    if missing := missing_for(item):
        pytest.fail(f"{' and '.join(missing)} not found, and CI demands every engine: {_advice(missing)}", False)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell the process that started this one, if it is one of several, what was left out."""
    if (output := getattr(session.config, "workeroutput", None)) is not None:
        output["left_out"] = session.config.stash[_LEFT_OUT]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: "pytest.Session") -> None:
    """Take over what a process of this run left out: each of them collects the same tests."""
    node.config.stash[_LEFT_OUT].update(getattr(node, "workeroutput", {}).get("left_out", {}))


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name what was left out, below everything else."""
    for missing, tests in sorted(config.stash[_LEFT_OUT].items()):
        terminalreporter.section(f"left out: {missing} not found", yellow=True, bold=True)
        terminalreporter.line(f"{len(tests)} tests did not run. To run them: {_advice(missing.split(' and '))}.")
        for line in _named(tests):
            terminalreporter.line(line)


def _advice(missing: list[str]) -> str:
    return "; ".join(ADVICE[name] for name in missing)


def _named(tests: list[str]) -> Iterator[str]:
    for file, number in Counter(test.partition("::")[0] for test in tests).items():
        if number > MOST_NAMED:
            yield f"  {file}: {number} tests"
        else:
            yield from (f"  {test}" for test in tests if test.startswith(f"{file}::"))
