"""`cache-audit`: what prompt caches could have had of the requests of logs, and of other programs."""

import json

from tests.cli.conftest import Shell, call, final


def test_causes_are_counted(shell: Shell) -> None:
    """A run whose prompt grows, and one log that cannot be read, which is named."""
    shell.scripted(call("calculate", a=17, b=25, operation="plus"), "nonsense", final("It is 42."))
    broken = shell.folder / "broken.jsonl"
    broken.write_text("nothing\n", "utf-8")
    result = shell("cache-audit", str(shell.session()), str(broken))
    rows = [line.split("\t") for line in result.stdout.splitlines() if "\t" in line]
    assert 6 == result.returncode, result.stderr
    assert {("grows at its end", "2"), ("is the first", "1")} <= {(row[0], row[1]) for row in rows}, result.stdout
    assert ("unread" in result.stdout, "3 in 2 logs" in result.stdout) == (True, True)
    log = str(shell.session() / "log.jsonl")
    (found,) = json.loads(shell("cache-audit", log, "--json").stdout)
    assert ["start", "", ""] == [each["cause"] for each in found["requests"]]


def test_requests_of_another_program(shell: Shell) -> None:
    """A system text with the time in it keeps nothing, and so do tools that change."""
    kinds = [{"type": "function", "function": {"name": name}} for name in ("look", "pay")]
    said = [{"role": "user", "content": "Go"}]
    lines = [
        {"tools": kinds[:1], "messages": [{"role": "system", "content": f"It is 10:0{minute}."}, *said]}
        for minute in range(3)
    ]
    lines.append({**lines[-1], "tools": kinds})
    path = shell.folder / "requests.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    result = shell("cache-audit", "--requests", str(path))
    rows = {line.split("\t")[0]: line.split("\t")[1] for line in result.stdout.splitlines() if "\t" in line}
    found = (result.returncode, rows["is the first"], rows["system"], rows["tools"])
    assert (0, "1", "2", "1") == found, rows


def test_what_cannot_be_read_is_said(shell: Shell) -> None:
    """Nothing, a file that is not there, and one that is no JSON."""
    assert (2, True) == ((none := shell("cache-audit")).returncode, "--requests" in none.stderr)
    assert 2 == shell("cache-audit", "--requests", str(shell.folder / "missing")).returncode
    (shell.folder / "bad.jsonl").write_text("{\n", "utf-8")
    bad = shell("cache-audit", "--requests", str(shell.folder / "bad.jsonl"))
    assert (6, True) == (bad.returncode, "line 1" in bad.stdout), bad.stdout


def test_a_log_that_is_named_twice_counts_once(shell: Shell) -> None:
    """What was billed once is told once."""
    shell.scripted(final("It is 42."))
    log = shell.session() / "log.jsonl"
    assert "in 1 log" in shell("cache-audit", str(log), str(log.parent)).stdout
