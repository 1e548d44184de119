"""Logs with more or less in them than their lines, and what each is to who signs it or holds it against a receipt."""

from typing import NamedTuple


class OddLog(NamedTuple):
    """A log made of a whole one: the code that it is refused by, empty for none, and the line of that."""

    log: bytes
    code: str = "bad_log"
    line: int | None = None


def odd_logs(log: bytes) -> dict[str, OddLog]:
    """Return them by what is odd; `log` is whole and was signed so."""
    lines = log.splitlines(keepends=True)
    count, last = len(lines), len(lines) + 1
    return {
        "whole": OddLog(log, ""),
        "no line break at the end": OddLog(log[:-1], ""),
        "junk": OddLog(log + b"junk", line=last),
        "junk with a line break": OddLog(log + b"junk\n", line=last),
        "zero bytes": OddLog(log + bytes(300), line=last),
        "half a line": OddLog(log + lines[-1][:40], line=last),
        "an event cut to JSON": OddLog(log + b'{"seq":%d,"kind":' % count, line=last),
        "a blank line": OddLog(log + b"\n", line=last),
        "white space": OddLog(log + b" \t", line=last),
        "a line of white space": OddLog(log + b" \t\r\n", line=last),
        "a blank line and junk": OddLog(log + b"\njunk", line=last),
        "a blank line after the first": OddLog(b"\n".join([lines[0], b"".join(lines[1:])]), line=2),
        "a blank line after every one": OddLog(log.replace(b"\n", b"\n\n"), line=2),
        "a blank line before the first": OddLog(b"\n" + log, line=1),
        "a blank line before the last": OddLog(b"".join([*lines[:-1], b"\n", lines[-1]]), line=count),
    }
