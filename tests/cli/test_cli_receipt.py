"""Receipts at the command line: as who signs, and as an auditor with a folder, a receipt and a public key."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

import purestep
from purestep_hosts.redriven_text import log_paths
from tests.cli.conftest import Shell
from tests.hosts.odd_logs import odd_logs
from tests.hosts.signed_runs import paid


@pytest.fixture
def runs(shell: Shell) -> Path:
    """A folder with the logs of three runs."""
    folder = shell.folder / "runs"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.jsonl").write_bytes(paid(number))
    return folder


@pytest.fixture
def key(shell: Shell) -> Path:
    """A key of ssh-keygen; its public one lies beside it."""
    return made_by_ssh_keygen(shell.folder / "receipt.key", "ed25519")


def made_by_ssh_keygen(place: Path, kind: str) -> Path:
    """Make a pair of keys as the documentation says."""
    subprocess.run(["ssh-keygen", "-q", "-t", kind, "-N", "", "-f", str(place)], check=True)
    return place


def signed(shell: Shell, *logs: Path, key: Path, output: str = "the.receipt") -> Path:
    """Write the receipt of logs."""
    place = shell.folder / output
    done = shell("receipt", *map(str, logs), "--key", str(key), "-o", str(place))
    assert 0 == done.returncode, done.stderr
    return place


def said(shell: Shell, *arguments: object) -> tuple[int, str, str]:
    """What the command says: its exit code, stdout and stderr."""
    done = shell(*map(str, arguments))
    return done.returncode, done.stdout, done.stderr


def test_receipt_of_one_run(shell: Shell, runs: Path, key: Path) -> None:
    """Signed and checked; the acts are listed, and that all was derived."""
    place = signed(shell, runs / "0.jsonl", key=key)
    code, out, _ = said(shell, "verify", runs / "0.jsonl", "--receipt", place, "--signer", f"{key}.pub")
    assert 0 == code
    labels = [line.split()[0] for line in out.splitlines()]
    assert ["signed", "verified", "run", "definition", "acts", "pay"] == labels
    assert f"verified   8 lines of {runs / '0.jsonl'}, every decision derived again" in out


def test_receipt_of_a_folder(shell: Shell, runs: Path, key: Path) -> None:
    """One signature for all logs; a log or a run that is missing is told and fails."""
    place = signed(shell, runs, key=key)
    check = ("--receipt", place, "--signer", f"{key}.pub")
    code, out, _ = said(shell, "verify", runs, *check)
    assert (0, True) == (code, "3 of 3 verified, 24 lines, 3 acts, every decision derived again" in out)

    (runs / "1.jsonl").rename(shell.folder / "1.jsonl")
    (runs / "more.jsonl").write_bytes(paid(9))
    code, out, _ = said(shell, "verify", runs, *check)
    assert (6, 1, 1) == (code, out.count("the receipt says nothing of the run"), out.count("there is no log of it"))
    code, out, _ = said(shell, "verify", shell.folder / "1.jsonl", *check)
    assert (0, True) == (code, "every decision derived again" in out)


def test_two_logs_of_one_run_are_refused(shell: Shell, runs: Path, key: Path) -> None:
    """A copy counts for nothing; what came since is told."""
    place = signed(shell, runs, key=key)
    shutil.copy(runs / "1.jsonl", runs / "copy.jsonl")
    code, out, _ = said(shell, "verify", runs, "--receipt", place, "--signer", f"{key}.pub")
    assert (6, True) == (code, "copy.jsonl: it is of the same run as" in out), out
    (runs / "copy.jsonl").unlink()
    with (runs / "1.jsonl").open("ab") as file:
        state = purestep.replay(paid(1)).state
        file.write(purestep.step(state, purestep.UserMessage(content="Thank you.")).log.encode())
    code, out, _ = said(shell, "verify", runs, "--receipt", place, "--signer", f"{key}.pub")
    assert (0, True) == (code, "1 line came since in 1 of the logs, which nobody has signed" in out), out


def test_links_to_logs_and_to_folders_are_followed(shell: Shell, runs: Path, key: Path) -> None:
    """Each log counts once, by whatever names it is there; a link to a folder above ends."""
    place = signed(shell, runs, key=key)
    elsewhere = shell.folder / "elsewhere"
    elsewhere.mkdir()
    (runs / "1.jsonl").rename(elsewhere / "log.jsonl")
    (runs / "2.jsonl").rename(shell.folder / "2.jsonl")
    (runs / "session").symlink_to(elsewhere)
    (runs / "2.jsonl").symlink_to(shell.folder / "2.jsonl")
    (runs / "again.jsonl").symlink_to(runs / "0.jsonl")
    (runs / "above").symlink_to(runs)
    (runs / "nowhere.jsonl").symlink_to("nowhere")
    (shell.folder / "linked").symlink_to(runs)
    for given in (runs, shell.folder / "linked"):
        code, out, _ = said(shell, "verify", given, "--receipt", place, "--signer", f"{key}.pub")
        assert (0, True) == (code, "3 of 3 verified" in out), out
    names = [path.relative_to(runs).as_posix() for path in log_paths(runs)]
    assert ["0.jsonl", "2.jsonl", "session/log.jsonl"] == names


def test_logs_that_cannot_be_read_end_nothing(shell: Shell, runs: Path, key: Path) -> None:
    """The others are checked all the same."""
    place = signed(shell, runs, key=key)
    (runs / "empty.jsonl").write_bytes(b"")
    (runs / "odd.jsonl").write_bytes(b"\xff\xfe\n")
    code, out, _ = said(shell, "verify", runs, "--receipt", place, "--signer", f"{key}.pub")
    assert (6, 2, True) == (code, out.count("differs"), "3 of 5 verified" in out), out


def test_receipt_of_one_run_out_of_several(shell: Shell, runs: Path, key: Path) -> None:
    """It says nothing of the others, and has the same signature."""
    place = signed(shell, runs, key=key)
    run_id = json.loads(paid(1).splitlines()[0])["run_id"]
    part = shell.folder / "one.receipt"
    assert 0 == said(shell, "receipt", run_id, "--from", place, "-o", part)[0]
    code, out, _ = said(shell, "verify", "--receipt", part, "--signer", f"{key}.pub")
    assert (0, 1) == (code, len(re.findall("^run ", out, re.MULTILINE)))
    assert "the receipt has 1 of the 3 runs that were signed together" in out
    assert 0 == said(shell, "verify", runs / "1.jsonl", "--receipt", part, "--signer", f"{key}.pub")[0]
    code, out, _ = said(shell, "verify", runs / "0.jsonl", "--receipt", part, "--signer", f"{key}.pub")
    assert (6, True) == (code, "says nothing of the run" in out)


def test_receipt_by_a_program_that_signs(shell: Shell, runs: Path) -> None:
    """As for a key that leaves no device; what is no signature by that key makes no receipt."""
    secret, public = shell.folder / "key.pem", shell.folder / "key.pub"
    if shutil.which("openssl") is None:
        pytest.fail("openssl was not found")
    make = ["openssl", "ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", str(secret)]
    subprocess.run(make, check=True, capture_output=True)
    subprocess.run(
        ["openssl", "ec", "-in", str(secret), "-pubout", "-out", str(public)], check=True, capture_output=True
    )
    place = shell.folder / "hardware.receipt"
    sign = ("--signer", public, "-o", place)
    code, _, err = said(shell, "receipt", runs, "--sign-with", f"openssl dgst -sha256 -sign {secret}", *sign)
    assert 0 == code, err
    assert 0 == said(shell, "verify", runs, "--receipt", place, "--signer", public)[0]
    place.unlink()
    for command, words in (
        (f"openssl dgst -sha256 -sign {public}", "the program that signs ended with"),
        ("cat", "expected a signature in DER"),
        ("no-such-program", "cannot be run"),
        ("'", "cannot be run"),
        ("", "cannot be run"),
    ):
        code, _, err = said(shell, "receipt", runs, "--sign-with", command, *sign)
        assert (1, True, False) == (code, words in err, place.exists()), (command, err)


def test_false_decision_is_shown(shell: Shell, runs: Path, key: Path) -> None:
    """The line that differs, and what the facts lead to; nothing is signed of it either."""
    place = signed(shell, runs, key=key)
    log = runs / "0.jsonl"
    log.write_bytes(paid(0).replace(b'"amount":0', b'"amount":900', 2))
    for given in (log, runs):
        code, out, _ = said(shell, "verify", given, "--receipt", place, "--signer", f"{key}.pub")
        assert (6, True) == (code, "line 4" in out), out
    code, _, err = said(shell, "receipt", log, "--key", key, "-o", shell.folder / "another")
    assert (6, True) == (code, "0.jsonl: the log does not verify, so nothing vouches for it: line 4" in err)


def test_json_says_the_same(shell: Shell, runs: Path, key: Path) -> None:
    """For each log its code and line; for a receipt alone all that it says."""
    place = signed(shell, runs, key=key)
    (runs / "0.jsonl").write_bytes(paid(0).replace(b'"amount":0', b'"amount":900', 2))
    check = ("--receipt", place, "--signer", f"{key}.pub", "--json")
    code, out, _ = said(shell, "verify", runs, *check)
    logs = json.loads(out)["logs"]
    assert (6, [("bad_log", 4), (None, None), (None, None)]) == (
        code,
        [(each.get("code"), each.get("line")) for each in logs],
    )
    code, out, _ = said(shell, "verify", *check)
    assert (0, 3) == (code, len(json.loads(out)["statements"]))


@pytest.mark.parametrize("name", ["no line break at the end", "junk", "half a line", "a blank line"])
def test_log_with_more_than_its_lines_is_refused_as_verify_does(shell: Shell, runs: Path, key: Path, name: str) -> None:
    """Alone and in a folder, with the line; nothing is signed of it either."""
    place = signed(shell, runs, key=key)
    odd = odd_logs(paid(0))[name]
    log = runs / "0.jsonl"
    log.write_bytes(odd.log)
    check = ("--receipt", place, "--signer", f"{key}.pub")
    for given in (log, runs):
        code, out, _ = said(shell, "verify", given, *check)
        assert (6 if odd.code else 0, True) == (code, not odd.line or f"line {odd.line}" in out), out
        assert bool(odd.code) != out.split("\n")[1].startswith("verified") or given == runs, out
    code, _, err = said(shell, "receipt", log, "--key", key, "-o", shell.folder / "another")
    assert (6 if odd.code else 0, True) == (code, not odd.line or f"line {odd.line}" in err), err


@pytest.mark.parametrize(
    ("begin", "words"),
    [(b"", "the log holds no line"), (b"\xef\xbb\xbf", r"\ufeff"), (b"\xff\xfe", "line 1: ")],
)
def test_what_begins_no_run_is_told_as_by_verify(shell: Shell, runs: Path, key: Path, begin: bytes, words: str) -> None:
    """A log that is empty, or that an editor has saved in another encoding."""
    place = signed(shell, runs, key=key)
    log = runs / "0.jsonl"
    log.write_bytes(begin and begin + paid(0))
    told = said(shell, "verify", log)[1]
    check = ("--receipt", place, "--signer", f"{key}.pub")
    code, out, _ = said(shell, "verify", log, *check)
    assert (6, True) == (code, out.endswith(told)), (out, told)
    code, out, _ = said(shell, "verify", runs, *check)
    assert (6, 1, True) == (code, out.count("differs"), words in out), out


def test_what_cannot_be_derived_here_is_counted_by_itself(shell: Shell, runs: Path, key: Path) -> None:
    """A log under a policy that is not installed is none that was changed; one log has the exit code of a folder."""
    place = signed(shell, runs, key=key)
    strange = paid(0).replace(b'"tools":[', b'"policies":[{"use":"refund_hours","version":1}],"tools":[', 1)
    (runs / "0.jsonl").write_bytes(strange)
    check = ("--receipt", place, "--signer", f"{key}.pub")
    code, out, _ = said(shell, "verify", runs, *check)
    assert (6, True) == (code, out.endswith("logs       2 of 3 verified; 1 cannot be derived here\n")), out
    (runs / "1.jsonl").write_bytes(paid(7))
    code, out, _ = said(shell, "verify", runs, *check)
    counted = "1 of 3 verified; 1 is not what was signed; 1 cannot be derived here; 1 is missing"
    assert (6, True) == (code, counted in " ".join(out.split())), out
    code, out, _ = said(shell, "verify", runs / "0.jsonl", *check)
    assert (6, True) == (code, re.search("^open .*refund_hours", out, re.MULTILINE) is not None), out


def test_json_has_one_shape(shell: Shell, runs: Path, key: Path) -> None:
    """For one log, a folder, a receipt alone and one that does not hold, whether it is as it should be or not."""
    place = signed(shell, runs, key=key)
    (runs / "0.jsonl").write_bytes(paid(0) + b"junk")
    (shell.folder / "strange.jsonl").write_bytes(
        paid(1).replace(b'"tools":[', b'"policies":[{"use":"refund_hours","version":1}],"tools":[', 1)
    )
    (shell.folder / "damaged").write_bytes(place.read_bytes()[:300])
    found = {}
    for name, log, receipt in (
        ("alone", (), place),
        ("one", (runs / "1.jsonl",), place),
        ("torn", (runs / "0.jsonl",), place),
        ("strange", (shell.folder / "strange.jsonl",), place),
        ("folder", (runs,), place),
        ("damaged", (runs,), shell.folder / "damaged"),
    ):
        code, out, _ = said(shell, "verify", *log, "--receipt", receipt, "--signer", f"{key}.pub", "--json")
        found[name] = json.loads(out)
        assert ((0, True) if name in ("alone", "one") else (6, False)) == (code, found[name]["ok"]), name
    assert 1 == len({tuple(each) for each in found.values()})
    assert "ok" == next(iter(found["one"]))
    logs = [log for each in found.values() for log in each["logs"]]
    assert (6, 1) == (len(logs), len({tuple(log) for log in logs}))
    assert "" not in {log["run_id"] for log in logs}
    assert ["bad_log", "unknown_policy"] == [found[name]["logs"][0]["code"] for name in ("torn", "strange")]
    assert "bad_receipt" == found["damaged"]["failure"]["code"]


def test_receipt_key_and_anchor_may_come_from_pipes(shell: Shell, runs: Path, key: Path) -> None:
    """As a shell gives them for <(command); each is read once."""
    place = signed(shell, runs, key=key)
    anchor, log = shell.folder / "the.anchor", str(runs / "0.jsonl")
    assert 0 == shell("anchor", log, "-o", str(anchor)).returncode
    for options in (f"--receipt <(cat {place}) --signer <(cat {key}.pub)", f"--anchor <(cat {anchor})"):
        line = f"{shlex.join(shell.command('verify', log))} {options}"
        done = subprocess.run(
            ["bash", "-c", line], cwd=shell.folder, env=shell.environment, capture_output=True, text=True, check=False
        )
        assert (0, "") == (done.returncode, done.stderr), done.stdout


def test_what_is_missing_or_wrong_is_said(shell: Shell, runs: Path, key: Path) -> None:
    """Without a traceback, and without overwriting a receipt."""
    place = signed(shell, runs, key=key)
    other = made_by_ssh_keygen(shell.folder / "other.key", "ecdsa")
    rsa = made_by_ssh_keygen(shell.folder / "rsa.key", "rsa")
    cut = shell.folder / "cut.receipt"
    cut.write_bytes(place.read_bytes()[:300])
    for arguments, expected, words in (
        (("receipt", runs), 2, "expected a key with --key"),
        (("receipt", runs, "--key", key, "-o", place), 2, "is there already"),
        (("receipt", runs, "--key", rsa, "-o", "x"), 2, "expected a private key without a password"),
        (("receipt", runs, runs / "0.jsonl", "--key", key, "-o", "x"), 2, "two of the logs are of one run"),
        (("receipt", "nobody", "--from", place, "-o", "x"), 2, "says nothing of the run 'nobody'"),
        (("receipt", "nobody", "--from", place, "--key", key), 2, "keeps its signature"),
        (("verify",), 2, "expected a log"),
        (("verify", runs, "--receipt", place), 2, "give it with --signer"),
        (("verify", runs, "--receipt", place, "--signer", f"{rsa}.pub"), 2, "expected a public key"),
        (("verify", runs, "--receipt", place, "--signer", f"{other}.pub"), 6, "another kind of key"),
        (("verify", runs, "--receipt", cut, "--signer", f"{key}.pub"), 6, "the receipt is cut off"),
        (("receipt", "nobody", "--from", cut, "-o", "x"), 6, "the receipt is cut off"),
        (("verify", runs, "--receipt", "-", "--signer", f"{key}.pub"), 2, "only a log is read from stdin"),
        (("verify", runs, "--receipt", place, "--signer", "-"), 2, "only a log is read from stdin"),
        (("verify", runs, "--receipt", "none", "--signer", f"{key}.pub"), 2, "none cannot be read"),
        (("verify", runs, "--receipt", place, "--signer", f"{key}.pub", "--head", "0"), 2, "leave out --head"),
    ):
        code, out, err = said(shell, *arguments)
        assert (expected, True, "") == (code, words in err, out), (arguments, code, out, err)
        assert "Traceback" not in err


def test_issuer_is_shown_as_it_was_given(shell: Shell, runs: Path, key: Path) -> None:
    """In any language; what moves a terminal's cursor or turns words around is no name."""
    place = shell.folder / "odd.receipt"
    for issuer in ("Acme\x1b[31m", "Acme\u202e", "Acme\nverified", "x" * 2000):
        code, _, err = said(shell, "receipt", runs, "--key", key, "--issuer", issuer, "-o", place)
        assert (2, True) == (code, "expected an issuer" in err)
    assert 0 == said(shell, "receipt", runs, "--key", key, "--issuer", "株式会社 Überprüfung", "-o", place)[0]
    _, out, _ = said(shell, "verify", runs, "--receipt", place, "--signer", f"{key}.pub")
    assert "by the key expected, which calls itself 株式会社 Überprüfung" in out
