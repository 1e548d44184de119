"""Engines that stay: the core in a process, a page or a worker that answers calls of its JSON functions in batches."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from tests.bundle.engines import browser, command
from tests.bundle.served import ROOT, Served
from tests.edge.drivers import WEB, built_worker, serve
from tests.programs import program_path

HERE: Final = Path(__file__).resolve().parent
LIMIT_S: Final = 600
"""A batch takes seconds on an idle machine."""

JsonCall = Sequence[str | None]
"""The name of a JSON function and its arguments."""

Answer = Callable[[Sequence[JsonCall]], list[str]]
"""Gives the outputs of calls, in their order."""


class Engine(NamedTuple):
    """How an engine is opened, and the programs of tests/programs.py that it needs."""

    opened: Callable[[], AbstractContextManager[Answer]]
    needs: tuple[str, ...] = ()

    def missing(self) -> list[str]:
        """Return the programs that it needs and this machine lacks."""
        return [program for program in self.needs if program_path(program) is None]


@contextmanager
def _process(line: Sequence[str | Path], **environment: str) -> Iterator[Answer]:
    process = subprocess.Popen(
        list(map(str, line)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment or None
    )
    given, said = process.stdin, process.stdout
    assert given is not None
    assert said is not None

    def answer(calls: Sequence[JsonCall]) -> list[str]:
        given.write(json.dumps(calls) + "\n")
        given.flush()
        outputs = said.readline()
        if not outputs:
            raise AssertionError(f"{line[0]} ended with the code {process.wait(LIMIT_S)}")
        return json.loads(outputs)  # type: ignore[no-any-return]

    try:
        yield answer
    finally:
        given.close()
        process.wait(LIMIT_S)
        said.close()


def _native() -> AbstractContextManager[Answer]:
    # Another hash seed than this process has, and nothing of its environment.
    return _process([sys.executable, HERE / "calls_native.py"], PYTHONPATH=str(ROOT / "core"), PYTHONHASHSEED="7")


def _script(engine: str) -> Callable[[], AbstractContextManager[Answer]]:
    return lambda: _process([*command(engine, [HERE, WEB / "dist"]), HERE / "calls_process.mjs"])


@contextmanager
def _chromium() -> Iterator[Answer]:
    jobs: SimpleQueue[Any] = SimpleQueue()
    results: SimpleQueue[Any] = SimpleQueue()

    def answer(calls: Sequence[JsonCall]) -> list[str]:
        jobs.put(calls)
        return results.get(timeout=LIMIT_S)  # type: ignore[no-any-return]

    served = Served(jobs.get, pages=HERE, taken=results.put)
    with served, browser("chromium", f"{served.address}/page.html"):
        yield answer
        jobs.put([])  # the page waits for it


@contextmanager
def _workerd() -> Iterator[Answer]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        worker = built_worker(HERE / "calls_worker.js", folder)
        with serve("workerd", {"unsigned": True}, folder, "--worker", str(worker)) as service:
            yield lambda calls: service.post("/", calls).json()


ENGINES: Final[dict[str, Engine]] = {
    "CPython": Engine(_native),
    "Node": Engine(_script("node"), ("node",)),
    "Deno": Engine(_script("deno"), ("node",)),
    "Chromium": Engine(_chromium, ("node", "chromium")),
    "workerd": Engine(_workerd, ("node",)),
}
