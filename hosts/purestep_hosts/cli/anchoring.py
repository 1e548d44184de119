"""The command `anchor`, and what `verify` says of an anchor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from purestep_hosts.anchors import (
    Held,
    anchor_of,
    check_anchor,
    private_key,
    public_key,
    read_anchor,
    signed,
    timestamped,
)
from purestep_hosts.cli import codes
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.key_files import read_small, write_new
from purestep_hosts.cli.logs import FoundLog
from purestep_hosts.show.printer import Printer, stderr_printer
from purestep_hosts.show.rows import Row
from purestep_hosts.show.sanitize import one_line

_KEY_CHARS = 12


class AnchorChoice(msgspec.Struct, frozen=True, kw_only=True):
    """What `verify` holds a log against; None for what was not given."""

    anchor: Path | None = None
    signer: Path | None = None
    roots: Path | None = None


def print_anchor(found: FoundLog, key: Path | None, authority: str | None, output: Path | None) -> int:
    """Write the anchor of a log, signed and timestamped where that is asked for; on stdout without a file."""
    anchor = anchor_of(found)
    if key is not None:
        anchor = signed(anchor, private_key(read_small(key)))
    if authority is not None:
        anchor = timestamped(anchor, authority)
    text = msgspec.json.format(msgspec.json.encode(anchor), indent=2).decode() + "\n"
    if output is None:
        print(text, end="", flush=True)
        return codes.DONE
    write_new(output, text.encode())
    printer = stderr_printer()
    printer.row(Row("anchored", f"{anchor.lines} lines of {one_line(found.name)}", "good"))
    printer.row(Row("kept in", f"{one_line(str(output))}; keep it where the log is not", "quiet"))
    return codes.DONE


def held(found: FoundLog, choice: AnchorChoice) -> Held | None:
    """Hold a log against an anchor; None where none is given. Raises AnchorError, UsageError."""
    if choice.anchor is None:
        if choice.signer or choice.roots:
            raise UsageError("--signer and --roots say how an anchor is checked; give the anchor with --anchor")
        return None
    anchor = read_anchor(read_small(choice.anchor))
    signer = None if choice.signer is None else public_key(read_small(choice.signer))
    roots = None if choice.roots is None else read_small(choice.roots)
    return check_anchor(found, anchor, signer=signer, roots=roots)


def print_held(printer: Printer, choice: AnchorChoice, result: Held) -> None:
    """Print what an anchor that holds says, and what was not looked at."""
    assert choice.anchor is not None
    since = f"; {came_since(result.lines_after)}" if result.lines_after else ""
    printer.row(Row("anchored", f"as {one_line(str(choice.anchor))} says{since}", "good"))
    if result.signer:
        whose = "the key expected" if result.is_known else "give --signer to say whose key that must be"
        printer.row(
            Row("signed", f"{result.signer[:_KEY_CHARS]}..., {whose}", "good" if result.is_known else "warning")
        )
    if result.at is not None:
        printer.row(Row("seen", f"{result.at.isoformat()}, by the authority", "good"))
    elif result.is_timestamped:  # the file is not read twice: it may be a pipe
        printer.row(
            Row("note", "the timestamp was not checked; give the authority's certificates with --roots", "quiet")
        )


def came_since(lines: int) -> str:
    """Return how many lines came since a log was signed or anchored, in words."""
    return "1 line came since" if lines == 1 else f"{lines:,} lines came since"


def held_data(result: Held) -> dict[str, Any]:
    """Return what an anchor says, for JSON."""
    at = None if result.at is None else result.at.isoformat()
    return {"lines_after": result.lines_after, "signer": result.signer, "is_known": result.is_known, "at": at}
