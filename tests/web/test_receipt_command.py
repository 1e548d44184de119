"""The command that checks logs against a receipt in Node."""

import re
import subprocess
from pathlib import Path

import pytest

from purestep_hosts.receipts import only_runs
from tests.web.signed_logs import NOW, paid, public, receipt_of, signed_again, stated, with_claims

COMMAND = Path(__file__).resolve().parents[2] / "web" / "verify" / "verify_receipt.mjs"


def run_command(folder: Path, *arguments: str) -> tuple[int, str]:
    """Return the exit code of the command and what it prints."""
    done = subprocess.run(
        ["node", "--no-warnings", str(COMMAND), *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    assert "" == done.stderr
    return done.returncode, done.stdout


@pytest.fixture
def folder(node: str, tmp_path: Path) -> Path:
    """A folder with logs, a receipt of them and the key."""
    del node
    for number in (1, 2):
        path = tmp_path / "logs" / str(number) / "log.jsonl"
        path.parent.mkdir(parents=True)
        path.write_bytes(paid(f"run-{number}"))
    receipt = receipt_of(stated("run-1"), stated("run-2"), issued_at=NOW - 1_000_000_000)
    (tmp_path / "runs.receipt").write_bytes(receipt)
    (tmp_path / "key.pub").write_text(public("ed25519", "ssh"), "utf-8")
    return tmp_path


def test_the_command_derives_what_it_can_and_says_which(folder: Path) -> None:
    """A log or a folder, with the core or without it."""
    code, said = run_command(folder, "logs", "runs.receipt", "key.pub")
    assert 0 == code
    assert re.fullmatch(
        r"signed by Acme with urn:ietf:params:oauth:ckt:sha-256:\S{43} at 1995-05-09T06:13:20Z by its clock\n"
        r"verified run-1: 8 lines, 1 act, 4 hidden texts; every decision derived again\n"
        r"verified run-2: 8 lines, 1 act, 4 hidden texts; every decision derived again\n",
        said,
    ), said
    code, said = run_command(folder, "--plain", "logs/2/log.jsonl", "runs.receipt", "key.pub")
    assert (0, "fits run-2: 8 lines, 1 act, 4 hidden texts; no decision was derived") == (code, said.splitlines()[1])


def test_the_command_names_what_is_wrong_or_missing(folder: Path) -> None:
    """A run without a log, a log of another run, and a log that was changed."""
    (folder / "logs" / "2" / "log.jsonl").write_bytes(paid("run-\x1b[31m3"))
    (folder / "logs" / "1" / "log.jsonl").write_bytes(paid().replace(b'"accept"', b'"reject"'))
    code, said = run_command(folder, "logs", "runs.receipt", "key.pub")
    assert 6 == code
    assert re.search(r"^wrong logs/1/log.jsonl: .*line \d", said, re.MULTILINE)
    assert "wrong logs/2/log.jsonl: the receipt says nothing of the run of this log" in said
    assert "missing run-2: the receipt names it, and there is no log of it" in said


def test_the_command_follows_links(folder: Path) -> None:
    """To logs and to folders, and each log counts once."""
    logs = folder / "logs"
    (logs / "2").rename(folder / "elsewhere")
    (logs / "2").symlink_to(folder / "elsewhere")
    (logs / "again.jsonl").symlink_to(logs / "1" / "log.jsonl")
    (logs / "above").symlink_to(logs)
    (logs / "nowhere.jsonl").symlink_to("nowhere")
    code, said = run_command(folder, "logs", "runs.receipt", "key.pub", "--plain")
    assert (0, ["fits run-1", "fits run-2"]) == (code, [line.partition(":")[0] for line in said.splitlines()[1:]])


def test_a_log_that_cannot_be_read_or_is_there_twice_stops_no_other(folder: Path) -> None:
    """And a receipt of which some runs were taken out says of how many they are."""
    copy = folder / "logs" / "0" / "copy.jsonl"
    copy.parent.mkdir()
    copy.write_bytes(paid("run-2"))
    (folder / "logs" / "0" / "bad.jsonl").write_bytes(b"\xff" * 100)
    (folder / "logs" / "0" / "empty.jsonl").write_bytes(b"")
    (folder / "two.receipt").write_bytes(only_runs((folder / "runs.receipt").read_bytes(), ["run-2"]))
    code, said = run_command(folder, "logs", "two.receipt", "key.pub", "--plain")
    assert 6 == code
    first, *others = said.splitlines()
    assert first.endswith(" by its clock, 1 of 2 runs")
    assert [
        "wrong logs/0/bad.jsonl: line 1: the last line has no line break (100 bytes)",
        "fits run-2: 8 lines, 1 act, 4 hidden texts; no decision was derived",
        "wrong logs/0/empty.jsonl: line 1: the log holds no line; a log begins with run_started",
        "wrong logs/1/log.jsonl: the receipt says nothing of the run of this log",
        "wrong logs/2/log.jsonl: it is of the same run as logs/0/copy.jsonl; keep one",
    ] == others


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        ((), 2, "usage: node verify_receipt.mjs LOG RECEIPT PUBLIC_KEY [--plain]"),
        (("logs", "none", "key.pub"), 2, "none cannot be read (ENOENT)"),
        (("none", "runs.receipt", "key.pub"), 2, "none cannot be read (ENOENT)"),
        (("empty", "runs.receipt", "key.pub"), 2, "empty has no *.jsonl below it"),
        (("logs", "runs.receipt", "runs.receipt"), 2, "expected one public key alone"),
        (("logs", "key.pub", "key.pub"), 6, "expected a receipt"),
        (("logs", "runs.receipt", "other.pub"), 6, "the receipt was signed with another kind of key"),
        (("logs", "hostile.receipt", "key.pub"), 6, "signed by A?[31m?? with urn"),
    ],
)
def test_the_command_says_in_a_line_what_it_cannot_check(
    folder: Path, arguments: tuple[str, ...], status: int, said: str
) -> None:
    """Without the escape codes of a receipt."""
    (folder / "empty").mkdir()
    (folder / "other.pub").write_text(public("p256"), "utf-8")
    (folder / "hostile.receipt").write_bytes(signed_again(with_claims(issuer="A\x1b[31m\u202e\n", at=1)))
    code, printed = run_command(folder, *arguments, "--plain")
    lines = printed.splitlines()
    assert (status, True) == (code, any(line.startswith(said) for line in lines)), printed
