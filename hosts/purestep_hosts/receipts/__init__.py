"""Receipts: a signed statement of what runs did, whose every decision can be derived again from their logs.

    statements  what is said of one run, from its log: head, definitions, acts, what was hidden
    trees       Merkle trees over the statements of several runs
    envelopes   COSE_Sign1 over a statement or the root of a tree, in one form only
    keys        Ed25519, ES256, and programs that sign with keys that leave no device
    checking    a receipt against a key and a clock, a log against its statement

A signature says who vouches for a log. That the log's decisions follow from its facts is derived, here and by whoever
checks, so a false one is found also where the right key has signed it.
"""

from purestep_hosts.receipts.checking import HeldRun, Receipt, check_run, checked_receipt, make_receipt, only_runs
from purestep_hosts.receipts.errors import ReceiptError
from purestep_hosts.receipts.keys import PublicKey, Signer, public_key_of, signer_by_command, signer_of
from purestep_hosts.receipts.statements import Statement, ToldAct, statement_of

__all__ = [
    "HeldRun",
    "PublicKey",
    "Receipt",
    "ReceiptError",
    "Signer",
    "Statement",
    "ToldAct",
    "check_run",
    "checked_receipt",
    "make_receipt",
    "only_runs",
    "public_key_of",
    "signer_by_command",
    "signer_of",
    "statement_of",
]
