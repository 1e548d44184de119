"""`cache-audit`: what prompt caches could have had of the requests of logs, and of other programs."""

import json
from pathlib import Path

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


def test_bad_lines_are_left_out_and_named(shell: Shell) -> None:
    """The first of them; the others are compared."""
    request = json.dumps({"messages": [{"role": "user", "content": "Go"}]})
    path = shell.folder / "requests.jsonl"
    path.write_text("\n".join([request, *["{"] * 5, request]), "utf-8")
    result = shell("cache-audit", "--requests", str(path))
    said = [text in result.stdout for text in ("5 lines are left out", "line 2", "line 4", "and 2 more", "2 in 1 log")]
    assert (6, [True] * 5) == (result.returncode, said), result.stdout
    assert "line 5" not in result.stdout


def test_only_what_is_sent_is_sent_anew(shell: Shell) -> None:
    """A request that ends sooner sends nothing again; one with another system text all of what came before."""
    long = [{"role": "user", "content": "One"}, {"role": "assistant", "content": "It is so. " * 50}]
    path = shell.folder / "requests.jsonl"
    path.write_text("\n".join(json.dumps({"messages": each}) for each in (long, long[:1])), "utf-8")
    assert ["messages", "1", "0"] == row_of(shell, path, "messages")
    systems = [[{"role": "system", "content": f"It is {hour}."}, *long] for hour in ("nine", "four")]
    path.write_text("\n".join(json.dumps({"messages": each}) for each in systems), "utf-8")
    before = shell("cache-audit", "--requests", str(path)).stdout.splitlines()[2].split("\t")[2]
    assert ["system", "1", before] == row_of(shell, path, "system")


def row_of(shell: Shell, path: Path, cause: str) -> list[str]:
    """Return a cause of a file of requests, how often it is there, and what it sent anew."""
    rows = [line.split("\t") for line in shell("cache-audit", "--requests", str(path)).stdout.splitlines()]
    return next([row[0], row[1], row[4]] for row in rows if row[0] == cause)


def test_nothing_to_compare_is_said(shell: Shell) -> None:
    """A file without requests, a log without lines, and one whose last line is torn, which is read up to there."""
    shell.scripted(final("It is 42."))
    log = (shell.session() / "log.jsonl").read_text("utf-8")
    empty, torn = shell.folder / "empty.jsonl", shell.folder / "torn.jsonl"
    empty.write_text("", "utf-8")
    torn.write_text(f'{log}{{"seq":9,', "utf-8")
    found = [shell("cache-audit", *args) for args in (("--requests", str(empty)), (str(empty),), (str(torn),))]
    said = [text in each.stdout for text, each in zip(("has no requests", "no line", "torn"), found, strict=True)]
    assert ([6] * 3, [True] * 3) == ([each.returncode for each in found], said), [each.stdout for each in found]
    assert "1 in 1 log" in found[2].stdout


def test_a_log_that_is_named_twice_counts_once(shell: Shell) -> None:
    """What was billed once is told once."""
    shell.scripted(final("It is 42."))
    log = shell.session() / "log.jsonl"
    assert "in 1 log" in shell("cache-audit", str(log), str(log.parent)).stdout
