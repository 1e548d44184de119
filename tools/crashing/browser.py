"""A browser with a profile of its own, which is killed whole or loses a tab."""

import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

_PROGRAMS: Final = ("chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome")
_ORIGIN: Final = "crash.localhost"
"""One name for every process: the storage of a page is that of its origin, and the port is another each time."""
_ENDS_WITHIN_S: Final = 20.0


class Browser:
    """The browser, which runs while this is entered."""

    def __init__(self, profile: Path, address: str) -> None:
        """profile: a folder, which holds what pages store. address: of the server, as HOST:PORT."""
        program = next((found for name in _PROGRAMS if (found := shutil.which(name))), None)
        assert program is not None, "expected Chromium on PATH (Debian: apt-get install chromium)"
        self._command = [
            program,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-first-run",
            "--js-flags=--liftoff-only",
            "--remote-debugging-port=0",
            f"--user-data-dir={profile}",
            f"--host-resolver-rules=MAP {_ORIGIN}:80 {address}",
            f"http://{_ORIGIN}/",
        ]
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(self._command, stdout=quiet, stderr=quiet, start_new_session=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def kill(self, chance: random.Random) -> None:
        """Kill the browser with all its tabs, or the tab alone before the browser is closed as usual."""
        if chance.random() < 0.5:  # noqa: PLR2004
            self._signal(signal.SIGKILL)
        else:
            for tab in self._tabs():
                with suppress(ProcessLookupError):
                    os.kill(tab, signal.SIGKILL)
            self._end()

    def _end(self) -> None:
        assert self._process is not None
        self._process.terminate()
        limit = time.monotonic() + _ENDS_WITHIN_S
        while self._process.poll() is None and time.monotonic() < limit:
            time.sleep(0.02)
        self._signal(signal.SIGKILL)

    def _signal(self, number: int) -> None:
        assert self._process is not None
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)
        self._process.wait()

    def _tabs(self) -> Iterator[int]:
        assert self._process is not None
        for place in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                is_own = os.getpgid(int(place.name)) == self._process.pid
                if is_own and b"--type=renderer" in (place / "cmdline").read_bytes():
                    yield int(place.name)
