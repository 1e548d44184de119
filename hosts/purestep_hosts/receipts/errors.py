"""What a receipt can fail by, and the bounds of its parts."""

from __future__ import annotations

from typing import Final

MAX_RECEIPT_BYTES: Final = 256 * 1024 * 1024
"""Of a file with a receipt: MAX_RUNS with twenty acts each take 250 MB."""

MAX_STATEMENT_BYTES: Final = 1024 * 1024
"""Of what is said of one run: MAX_TOLD_ACTS acts with the longest names take 340 kB."""

MAX_RUNS: Final = 100_000
"""Runs of one receipt: those of a month, and their inclusion proofs have 17 hashes each."""

MAX_TOLD_ACTS: Final = 1_000
"""Acts of a run that a statement lists; the others are counted, and the log has all."""

MAX_NAME_CHARS: Final = 1024
"""Of an issuer, and of the id of a run as the subject."""

CLOCK_SKEW_S: Final = 300
"""How far the clocks of who signs and who checks may be apart."""


class ReceiptError(Exception):
    """A receipt cannot be made, or does not hold; `code` is stable, `message` says what to do.

    line: of the log, from 1, which does not follow from the facts before it, or breaks off.

    Codes: `bad_key`, `bad_log`, `bad_issuer`, `unknown_run`, `signing_failed` where it is made; `bad_receipt`,
    `unsupported_receipt`, `signer_mismatch`, `signature_invalid`, `receipt_from_future`, `receipt_mismatch`,
    `newer_core` where it is checked.
    """

    def __init__(self, code: str, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.line = line
