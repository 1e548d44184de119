"""Models of a hub by name, fetched from one on loopback: which file is meant, the cache, and what goes wrong."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from purestep_hosts.models.named import named_model, settings_of
from purestep_hosts.models.prefixed_names import hub_name
from purestep_hosts.settings import SettingsError
from tests.hosts.small_hub import COMMIT, Content, SmallHub, small_hub

FETCH = """
import sys
from purestep_hosts.download import DownloadError
from purestep_hosts.models.hub import hub_model
try:
    print(hub_model(sys.argv[1]))
except DownloadError as error:
    sys.exit(error.message)
"""
QUANTS: dict[str, Content] = {f"Tiny-{name}.gguf": name.encode() for name in ("Q2_K", "Q4_K_M", "Q8_0")}
SPLIT: dict[str, Content] = {f"big/Big-0000{number}-of-00003.gguf": b"%d" % number for number in (1, 2, 3)}
REPOSITORIES: dict[str, dict[str, Content]] = {
    "org/one": {"README.md": b"#", "one.gguf": b"GGUF one"},
    "org/many": {**QUANTS, "README.md": b"#"},
    "org/split": SPLIT,
    "org/both": {**QUANTS, **SPLIT},
    "org/weights": {"model.safetensors": b"x"},
    "org/gated": {"one.gguf": b"x"},
    "org/broken": {"one.gguf": b"x"},
}
Fetch = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def hub() -> Iterator[SmallHub]:
    """A hub with these repositories."""
    with small_hub(REPOSITORIES) as served:
        served.refusals = {"org/gated": (403, "GatedRepo"), "org/broken": (500, "")}
        yield served


@pytest.fixture
def fetch(hub: SmallHub, tmp_path: Path) -> Fetch:
    """Fetch a model in a process of its own, since the library reads its settings once."""

    def fetched(name: str, **env: str) -> subprocess.CompletedProcess[str]:
        own = {"HF_ENDPOINT": hub.url, "HF_HOME": str(tmp_path / "cache"), "NO_PROXY": "127.0.0.1"}
        kept = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
        command = [sys.executable, "-c", FETCH, name]
        return subprocess.run(command, env={**kept, **own, **env}, capture_output=True, text=True, check=False)

    return fetched


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("org/one", b"GGUF one"),
        ("org/one:one.gguf", b"GGUF one"),
        ("org/many", b"Q4_K_M"),
        ("org/many:Q8_0", b"Q8_0"),
        ("org/many:q8_0", b"Q8_0"),
        ("org/many:Tiny-Q2_K.gguf", b"Q2_K"),
        ("org/split", b"1"),
        ("org/both", b"Q4_K_M"),
        ("org/both:big/", b"1"),
    ],
)
def test_the_file_that_is_meant_is_fetched(fetch: Fetch, name: str, content: bytes) -> None:
    """By its name, by a part of it, or the only one; of several the one of four bits."""
    done = fetch(name)
    assert (0, content) == (done.returncode, Path(done.stdout.strip()).read_bytes()), done.stderr


def test_a_model_in_parts_is_fetched_whole(fetch: Fetch) -> None:
    """llama.cpp finds the others beside the first one."""
    first = Path(fetch("org/split").stdout.strip())
    assert [b"1", b"2", b"3"] == [path.read_bytes() for path in sorted(first.parent.iterdir())]


def test_a_named_file_is_loaded_from_the_cache_without_a_request(fetch: Fetch, hub: SmallHub) -> None:
    """Fetched once, it is there offline, and the hub learns nothing of later runs."""
    there = fetch("org/many:Tiny-Q8_0.gguf").stdout
    asked = len(hub.asked)
    for name in ("org/many:Tiny-Q8_0.gguf", "org/many:Q8", "org/many"):
        assert (there, []) == (fetch(name).stdout, hub.asked[asked:])


@pytest.mark.parametrize("offline", [{"HF_HUB_OFFLINE": "1"}, {"HF_ENDPOINT": "http://127.0.0.1:9"}])
@pytest.mark.parametrize("name", ["org/one", "org/many", "org/split", "org/many:Q4"])
def test_a_model_is_there_offline(fetch: Fetch, name: str, offline: dict[str, str]) -> None:
    """Also where no file is named: the cache tells what was fetched."""
    there = fetch(name).stdout
    again = fetch(name, **offline)
    assert (0, there) == (again.returncode, again.stdout), again.stderr


@pytest.mark.parametrize(
    ("name", "env", "said"),
    [
        ("org/nobody", {}, "The model org/nobody is not on the hub, or is private: check the name, or set HF_TOKEN."),
        ("org/gated", {}, "accept them on its page, and set HF_TOKEN"),
        ("org/broken", {}, "the hub answered with status 500. Try again later"),
        ("org/weights", {}, "org/weights has no GGUF file"),
        ("org/many:nothing.gguf", {}, "The model org/many:nothing.gguf has no such file"),
        ("org/many:nothing", {}, "has no file that fits 'nothing'; name one as hf:org/many:FILE. Its files: Tiny-Q2_K"),
        ("org/many:Q", {}, "Tiny-Q2_K.gguf, Tiny-Q4_K_M.gguf, Tiny-Q8_0.gguf"),
        ("org/one", {"HF_HUB_OFFLINE": "1"}, "is not in the cache, and HF_HUB_OFFLINE forbids to fetch it"),
        ("org/one", {"HF_ENDPOINT": "http://127.0.0.1:9"}, "the hub cannot be reached. Is this machine online?"),
        ("org/one", {"HF_HOME": "/proc/nowhere"}, "make room, or set HF_HOME to another folder"),
    ],
)
def test_what_goes_wrong_is_told_in_a_line(fetch: Fetch, name: str, env: dict[str, str], said: str) -> None:
    """What is wrong and what to do, without a traceback and without an address or token."""
    done = fetch(name, HF_TOKEN="hf_secret_token_value", **env)
    if name == "org/many:Q":  # three fit, and one is of four bits
        assert 0 == done.returncode
        return
    assert (1, True, 1) == (done.returncode, said in done.stderr, done.stderr.count("\n")), done.stderr
    assert "hf_secret" not in done.stderr


@pytest.mark.parametrize(
    "model", ["hf:", "hf:org", "hf:org/", "hf:/repo", "hf:org/repo/more", "hf:org/re po", "hf:../../etc:passwd.gguf",
              "hf:org/repo:../../x.gguf", "hf:org/repo:/etc/x.gguf", "hf:org/repo:a\\b.gguf", "hf:org/repo:\n"],
)  # fmt: skip
def test_a_name_of_no_repository_is_refused_before_anything_is_asked(model: str) -> None:
    """Nothing leaves the machine for a name that no hub has, and none of them names a file outside the cache."""
    with pytest.raises(SettingsError, match="names no model of a hub; expected hf:ORG/REPO"):
        hub_name(model)


def test_a_name_is_known_before_anything_is_fetched() -> None:
    """The definition and the log hold the name that was given, and no path."""
    settings = settings_of("hf:org/one:one.gguf", None)
    assert ("hub", "org/one:one.gguf", None) == (settings.kind, settings.model, settings.url)
    assert "org/one:one.gguf" == named_model("hf:org/one:one.gguf").defined({})["models"][0]["name"]
    assert COMMIT not in str(settings)
