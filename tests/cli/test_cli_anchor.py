"""Anchors: `anchor`, and `verify --anchor`, with signatures and timestamps."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from purestep_hosts import Agent, ScriptedModel
from tests.cli.conftest import Shell, call, final
from tests.hosts.timestamps import authority


@pytest.fixture
def log(shell: Shell) -> Path:
    """The log of a run with one call, outside of its session."""
    shell.scripted(call("calculate", a=17, b=25, operation="plus"), final("It is 42."))
    copy = shell.folder / "run.jsonl"
    copy.write_bytes((shell.session() / "log.jsonl").read_bytes())
    return copy


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """A key for signatures; its public one lies beside it."""
    return written_key(tmp_path / "anchor.key")


def written_key(path: Path) -> Path:
    """Write a new pair of keys, as ssh-keygen does."""
    made = Ed25519PrivateKey.generate()
    path.write_bytes(made.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()))
    path.with_suffix(".pub").write_bytes(made.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH))
    return path


def anchored(shell: Shell, log: Path, *options: object) -> Path:
    """Write the anchor of a log into a file."""
    place = log.with_suffix(".anchor")
    result = shell("anchor", str(log), "-o", str(place), *map(str, options))
    assert 0 == result.returncode, result.stderr
    return place


def test_an_anchor_is_printed(shell: Shell, log: Path) -> None:
    """With the number of lines and the head that `verify` prints."""
    found = json.loads(shell("anchor", str(log)).stdout)
    assert (["format", "run_id", "lines", "head"], 8) == (list(found), found["lines"])
    assert f"head       {found['head']}" in shell("verify", str(log)).stdout


def test_a_log_that_has_grown_meets_its_anchor(shell: Shell, log: Path) -> None:
    """What came since is counted."""
    place = anchored(shell, log)
    outputs = call("calculate", a=17, b=25, operation="plus"), final("It is 42."), final("Still 42.")
    named = ("--sessions", str(shell.sessions), "--script", shell.script(*outputs))
    assert 0 == shell("run", "--resume", shell.session().name, "And now?", *named).returncode
    result = shell("verify", str(shell.session()), "--anchor", str(place), "--json")
    found = json.loads(result.stdout)
    assert (0, True) == (result.returncode, found["ok"])
    assert {"lines_after": 3, "signer": "", "is_known": False, "at": None} == found["anchor"]


def test_a_log_that_was_cut_does_not(shell: Shell, log: Path) -> None:
    """Whole lines at its end are missing; what is left verifies by itself."""
    place = anchored(shell, log)
    cut = shell.folder / "cut.jsonl"
    cut.write_text("".join(log.read_text("utf-8").splitlines(keepends=True)[:2]), "utf-8")
    result = shell("verify", str(cut), "--anchor", str(place))
    assert 0 == shell("verify", str(cut)).returncode
    assert (6, True) == (result.returncode, "the others were cut off" in result.stderr)


def test_a_log_that_was_made_anew_does_not(shell: Shell) -> None:
    """The same run with another answer, and all hashes computed again: it verifies by itself."""
    logs = [shell.folder / "first.jsonl", shell.folder / "second.jsonl"]
    for path, text in zip(logs, ["It is 42.", "It is 43."], strict=True):
        path.write_text(Agent(ScriptedModel([text])).run_sync("Go", run_id="r").log, "utf-8")
    place = anchored(shell, logs[0])
    result = shell("verify", str(logs[1]), "--anchor", str(place))
    assert 0 == shell("verify", str(logs[1])).returncode
    assert (6, True) == (result.returncode, "not those that were anchored" in result.stderr)


def test_a_signature_is_checked_against_the_key_expected(shell: Shell, log: Path, key: Path, tmp_path: Path) -> None:
    """Without one the row says that it is open whose it is."""
    place, other = anchored(shell, log, "--key", key), written_key(tmp_path / "other.key")
    whose = shell("verify", str(log), "--anchor", str(place)).stdout
    known = shell("verify", str(log), "--anchor", str(place), "--signer", str(key.with_suffix(".pub")))
    wrong = shell("verify", str(log), "--anchor", str(place), "--signer", str(other.with_suffix(".pub")))
    assert "give --signer to say whose key that must be" in whose
    assert (0, True) == (known.returncode, "the key expected" in known.stdout)
    assert (6, True) == (wrong.returncode, "another key than the one expected" in wrong.stderr)


@pytest.mark.parametrize("member", ["lines", "head", "run_id", "signature", "signer"])
def test_an_anchor_that_was_changed_is_found(shell: Shell, log: Path, key: Path, member: str) -> None:
    """Each of its members is signed, or is the signature."""
    place = anchored(shell, log, "--key", key)
    found = json.loads(place.read_text("utf-8"))
    found[member] = {"lines": 6, "head": "0" * 64, "run_id": "x"}.get(member, "AA" + str(found[member])[2:])
    place.write_text(json.dumps(found), "utf-8")
    result = shell("verify", str(log), "--anchor", str(place), "--signer", str(key.with_suffix(".pub")))
    assert 6 == result.returncode
    assert "Traceback" not in result.stderr


def test_an_anchor_without_a_signature_is_not_taken_for_a_signed_one(shell: Shell, log: Path, key: Path) -> None:
    """A signature that was removed does not pass."""
    place = anchored(shell, log)
    result = shell("verify", str(log), "--anchor", str(place), "--signer", str(key.with_suffix(".pub")))
    assert (6, True) == (result.returncode, "is not signed" in result.stderr)


@pytest.fixture
def authority_url(tmp_path: Path) -> Iterator[str]:
    """A timestamp authority; its root certificate is in this folder."""
    with authority(tmp_path) as url:
        yield url


@pytest.mark.needs("openssl")
def test_a_timestamp_says_when_an_authority_saw_it(shell: Shell, log: Path, authority_url: str, tmp_path: Path) -> None:
    """Checked by the certificates of its root; without them it says that it was not."""
    place = anchored(shell, log, "--timestamp", authority_url)
    unchecked = shell("verify", str(log), "--anchor", str(place)).stdout
    checked = shell("verify", str(log), "--anchor", str(place), "--roots", str(tmp_path / "root.pem"))
    assert "the timestamp was not checked" in unchecked
    assert (0, True) == (checked.returncode, "by the authority" in checked.stdout)


@pytest.mark.needs("openssl")
def test_a_timestamp_of_something_else_does_not_hold(
    shell: Shell, log: Path, authority_url: str, tmp_path: Path
) -> None:
    """A token moved to another anchor, and one of an authority that nobody vouches for."""
    place = anchored(shell, log, "--timestamp", authority_url)
    root = str(tmp_path / "root.pem")
    (tmp_path / "else").mkdir()
    with authority(tmp_path / "else"):
        strange = shell("verify", str(log), "--anchor", str(place), "--roots", str(tmp_path / "else" / "root.pem"))
    cut = shell.folder / "cut.jsonl"
    cut.write_text("".join(log.read_text("utf-8").splitlines(keepends=True)[:2]), "utf-8")
    moved = json.loads(shell("anchor", str(cut)).stdout) | {"timestamp": json.loads(place.read_text())["timestamp"]}
    place.write_text(json.dumps(moved), "utf-8")
    result = shell("verify", str(log), "--anchor", str(place), "--roots", root)
    assert (6, 6) == (strange.returncode, result.returncode)
    assert "the timestamp does not hold" in strange.stderr
    assert "the timestamp does not hold" in result.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--timestamp", "http://127.0.0.1:9/"], "gave no token"),
        (["--timestamp", "no address"], "gave no token"),
        (["--key", "none.key"], "cannot be read"),
        (["--key", "rsa.key"], "expected an Ed25519 private key"),
        (["--key", "run.jsonl"], "expected an Ed25519 private key"),
        (["-o", "run.jsonl"], "is there already"),
        (["-o", "none/a"], "cannot be written"),
    ],
)
def test_what_cannot_be_anchored_is_one_line(shell: Shell, log: Path, options: list[str], said: str) -> None:
    """What was expected, what came and what to do."""
    rsa = generate_private_key(public_exponent=65537, key_size=2048)
    (shell.folder / "rsa.key").write_bytes(rsa.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    result = shell("anchor", "run.jsonl", *options)
    assert (True, "") == (result.returncode in (1, 2), result.stdout)
    assert said in result.stderr
    assert 1 == len(result.stderr.strip().splitlines())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--signer", "anchor.key.pub"], "give that with --receipt or --anchor"),
        (["--anchor", "run.jsonl"], "expected the JSON of an anchor"),
        (["--anchor", "none"], "cannot be read"),
        (["--anchor", "of-tomorrow"], "another one"),
        (["--anchor", "good", "--signer", "run.jsonl"], "expected an Ed25519 public key"),
        (["--anchor", "good", "--roots", "run.jsonl"], "no timestamp"),
    ],
)
def test_what_cannot_be_checked_is_one_line(shell: Shell, log: Path, options: list[str], said: str) -> None:
    """Nothing is said to hold then."""
    good = json.loads(shell("anchor", str(log)).stdout)
    (shell.folder / "good").write_text(json.dumps(good), "utf-8")
    (shell.folder / "of-tomorrow").write_text(json.dumps({**good, "format": "purestep-anchor-2"}), "utf-8")
    result = shell("verify", "run.jsonl", *options)
    assert result.returncode in (2, 6)
    assert said in result.stderr
    assert "anchored" not in result.stdout


def test_a_log_that_does_not_verify_is_not_anchored(shell: Shell, log: Path) -> None:
    """Nobody vouches for what does not hold."""
    log.write_text(log.read_text("utf-8").replace("17", "18"), "utf-8")
    result = shell("anchor", str(log))
    assert (6, "") == (result.returncode, result.stdout)
