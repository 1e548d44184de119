"""Receipts made and checked: a signature by a key and a clock, and each log by deriving it again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

import msgspec

from purestep import LogLines, PurestepError
from purestep_hosts.receipts.envelopes import Envelope, read_envelope, signed_envelope
from purestep_hosts.receipts.errors import CLOCK_SKEW_S, MAX_NAME_CHARS, MAX_RUNS, MAX_STATEMENT_BYTES, ReceiptError
from purestep_hosts.receipts.keys import PublicKey, Signer
from purestep_hosts.receipts.software import installed_software, is_newer
from purestep_hosts.receipts.statements import Statement, read_statement, statement_of

_TOLD: Final = {
    "run_id": "the run's id",
    "head": "the head of the chain",
    "definitions": "the digests of the definitions",
    "policies": "the policies",
    "phase": "where the run stood",
    "acts": "the acts",
    "acts_left_out": "the number of acts",
    "hidden": "the number of hidden texts",
    "hidden_for_good": "the number of hidden secrets",
}
"""The members of a statement that the log has to lead to, in words."""


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """A receipt whose signature holds.

    statements: what it says of each run. runs: how many were signed together; more than these where some were taken
    out. issuer: who signed, by its own words. issued_at: seconds since 1970, by the issuer's clock. signer: the key, as
    a URI with its thumbprint (RFC 9679).
    """

    statements: tuple[Statement, ...]
    runs: int
    issuer: str
    issued_at: int
    signer: str


class HeldRun(msgspec.Struct, frozen=True, kw_only=True):
    """A log that is what a statement says, each of its decisions derived again.

    lines_after: lines that came since. same_software: the sources that derived it here are those that it was signed
    with; other ones derive the same all the same.
    """

    statement: Statement
    lines_after: int
    same_software: bool


def make_receipt(statements: Sequence[Statement], signer: Signer, *, issued_at: int, issuer: str = "") -> bytes:
    """Return the receipt of one or more runs, as bytes of COSE_Sign1.

    issued_at: now, in seconds since 1970. issuer: a name or an address, at most 1,024 characters; without one it is the
    key's URI. Raises ReceiptError `bad_log` for no run, too many or the same one twice, `bad_issuer`, `signing_failed`.
    """
    if not 1 <= len(statements) <= MAX_RUNS:
        raise ReceiptError("bad_log", f"expected 1 to {MAX_RUNS} runs; got {len(statements)}")
    twice = next(iter(_seen_twice([each.run_id for each in statements])), None)
    if twice is not None:
        raise ReceiptError("bad_log", f"two of the logs are of one run ({twice}); give one of them")
    name = issuer or signer.key.uri
    if len(name) > MAX_NAME_CHARS or not name.isprintable():
        text = f"expected an issuer of at most {MAX_NAME_CHARS} characters, all of them printable"
        raise ReceiptError("bad_issuer", text)
    entries = [_entry(each) for each in statements]
    return signed_envelope(entries, statements[0].run_id, signer, name, issued_at).encoded()


def _entry(statement: Statement) -> bytes:
    entry = statement.encoded()
    if len(entry) > MAX_STATEMENT_BYTES:
        text = f"the statement of the run {statement.run_id} is longer than {MAX_STATEMENT_BYTES} bytes"
        raise ReceiptError("bad_log", f"{text}: it had {len(statement.definitions):,} definitions")
    return entry


def _seen_twice(names: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            yield name
        seen.add(name)


def checked_receipt(data: bytes, key: PublicKey, *, now: int) -> Receipt:
    """Return what a receipt says, once its signature is that of a key.

    now: seconds since 1970. Raises ReceiptError: `bad_receipt`, `unsupported_receipt`, `signer_mismatch`,
    `signature_invalid`, `receipt_from_future`.
    """
    envelope = read_envelope(data)
    _check_signature(envelope, key)
    if envelope.issued_at > now + CLOCK_SKEW_S:
        ahead = envelope.issued_at - now
        raise ReceiptError(
            "receipt_from_future",
            f"the receipt was issued {ahead} s from now, by its issuer's clock; set the clock that is wrong",
        )
    statements = tuple([read_statement(entry) for entry in envelope.entries])
    if any(_seen_twice(each.run_id for each in statements)):
        raise ReceiptError("bad_receipt", "two of its statements are about one run")
    if not envelope.proofs and envelope.subject != statements[0].run_id:
        raise ReceiptError("bad_receipt", "its header names another run than its statement")
    return Receipt(
        statements=statements, runs=envelope.runs, issuer=envelope.issuer, issued_at=envelope.issued_at, signer=key.uri
    )


def _check_signature(envelope: Envelope, key: PublicKey) -> None:
    if envelope.algorithm != key.algorithm:
        raise ReceiptError("signer_mismatch", "the receipt was signed with another kind of key than the one expected")
    if envelope.thumbprint != key.thumbprint:
        raise ReceiptError("signer_mismatch", "the receipt was signed with another key than the one expected")
    if not key.has_signed(envelope.signed_text, envelope.signature):
        raise ReceiptError("signature_invalid", "the signature does not fit: the receipt was changed")


def only_runs(data: bytes, run_ids: Collection[str]) -> bytes:
    """Return the receipt of some runs out of that of several, under the same signature.

    Raises ReceiptError: `bad_receipt`, `unsupported_receipt`, `unknown_run` for one that it does not name.
    """
    envelope = read_envelope(data)
    missing = set(run_ids) - {read_statement(entry).run_id for entry in envelope.entries}
    if missing or not run_ids:
        raise ReceiptError("unknown_run", f"the receipt says nothing of the run {min(missing, default='')!r}")
    return envelope.only(lambda entry: read_statement(entry).run_id in run_ids).encoded()


def check_run(log: Iterable[bytes], statement: Statement) -> HeldRun:
    """Derive a log again and hold it against what a receipt says of it; a log that has grown since still meets it.

    log: pieces of its bytes, iterated over twice, and once more where something came since. A blank line and a torn
    last one are differences wherever they are; the last line may lack its line break. Raises ReceiptError:
    `receipt_mismatch` names what differs, `bad_log` the line that does not follow, `newer_core` where that may be since
    a newer core has written it; PurestepError `unknown_policy`, `unsupported_version`.
    """
    lines, is_whole = _counted(log)
    if lines < statement.lines:
        raise ReceiptError(
            "receipt_mismatch", f"the log has {lines} lines, and had {statement.lines}: the others were cut off"
        )
    here = installed_software()
    try:
        found = statement_of(_first_lines(log, statement.lines), software=statement.software)
    except (ReceiptError, PurestepError) as error:
        if is_newer(statement.software.version, here.version):
            raise _newer(statement, here.version, error) from None
        raise
    differing = next((text for name, text in _TOLD.items() if getattr(found, name) != getattr(statement, name)), None)
    if differing is not None:
        raise ReceiptError("receipt_mismatch", f"the log does not lead to what the receipt says: {differing}")
    if lines > statement.lines or not is_whole:
        statement_of(log)  # what came since has to follow too
    return HeldRun(statement=statement, lines_after=lines - statement.lines, same_software=statement.software == here)


def _counted(log: Iterable[bytes]) -> tuple[int, bool]:
    """Return how many lines a log has, blank ones too and a torn one not, and whether it has none of these two."""
    breaks = last = 0

    def pieces() -> Iterator[bytes]:
        nonlocal breaks
        for piece in log:
            breaks += piece.count(b"\n")
            yield piece

    lines = LogLines(pieces())
    for number, _ in lines:
        last = number
    return max(last, breaks), lines.blank is None and not lines.torn_bytes


def _newer(statement: Statement, version: str, error: ReceiptError | PurestepError) -> ReceiptError:
    return ReceiptError(
        "newer_core",
        f"purestep {statement.software.version} has signed it and this is {version}, which does not derive the same; "
        f"nothing is shown: take that release, and if there is none, the log is false. {error.message}",
        error.line if isinstance(error, ReceiptError) else None,
    )


def _first_lines(log: Iterable[bytes], count: int) -> Iterator[bytes]:
    """Yield the bytes of so many lines, blank ones among them: every byte of what was signed is settled."""
    for piece in log:
        at = 0
        while count and (end := piece.find(b"\n", at)) >= 0:
            count, at = count - 1, end + 1
        yield piece if count else piece[:at]
        if not count:
            return
