"""Logs with one false decision, chained again and signed with the right key; and receipts that were changed."""

import json
import random
import re
from functools import lru_cache
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from msgspec.structs import replace

from purestep_hosts.receipts import (
    PublicKey,
    ReceiptError,
    Signer,
    Statement,
    check_run,
    checked_receipt,
    make_receipt,
    public_key_of,
    signer_of,
    statement_of,
)
from purestep_hosts.sessions import chain

from ...tampering.__main__ import recorded_logs
from ..attack import Attack
from ..mutation import changed, damaged
from ..scripted_runs import scripted_run

_RUNS: Final = 400
_NOW: Final = 1_800_000_000
_SEQ: Final = re.compile(rb'\A\{"seq":\d+,')
_PREV: Final = re.compile(rb'"prev":"[0-9a-f]{64}"')
_NOT_CHANGED: Final = ("seq", "prev", "kind", "at")


@lru_cache(maxsize=1)
def _recorded() -> list[bytes]:
    """Return the logs of the vectors, among them those of policies and of agents that call others."""
    return [log for _, log, _ in recorded_logs() if b'"prev"' in log]


@lru_cache(maxsize=2 * _RUNS)
def _honest(number: int) -> tuple[bytes, Statement] | None:
    """Return the log of a run and what is said of it; None for a whole state, which has no whole log."""
    if number >= _RUNS:
        log = _recorded()[number % len(_recorded())]
        return log, statement_of(log)
    run = scripted_run(number)
    log = run.log.encode()
    return None if run.is_whole or b'"prev"' not in log else (log, statement_of(log))


def _drawn(rng: random.Random) -> tuple[bytes, Statement]:
    while (found := _honest(rng.randrange(2 * _RUNS))) is None:
        pass
    return found


@lru_cache(maxsize=1)
def _keys() -> tuple[tuple[Signer, PublicKey], ...]:
    """Return a pair of each kind, made of a fixed number."""
    secrets = (
        Ed25519PrivateKey.from_private_bytes(bytes(range(32))),
        ec.derive_private_key(2**200 + 17, ec.SECP256R1()),
    )
    pairs = []
    for secret in secrets:
        pem = secret.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        public = secret.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH)
        pairs.append((signer_of(pem), public_key_of(public)))
    return tuple(pairs)


def _telling_lies(rng: random.Random) -> str | None:
    """Make one decision of a log false, chain and sign it: the signature holds, and the line is named."""
    log, statement = _drawn(rng)
    signer, key = rng.choice(_keys())
    forged, false_at = _forged(log.splitlines(), rng)
    claimed = replace(statement, lines=len(forged), head=chain(forged))
    receipt = checked_receipt(make_receipt([claimed], signer, issued_at=_NOW), key, now=_NOW)
    made = b"".join(line + b"\n" for line in forged)
    try:
        check_run([made], receipt.statements[0])
    except ReceiptError as error:
        found = (error.code, error.line)
        return None if found == ("bad_log", false_at) else f"{found} instead of line {false_at} of {made!r}"
    return f"accepted with a false line {false_at}: {made!r}"


def _forged(lines: list[bytes], rng: random.Random) -> tuple[list[bytes], int]:
    """Return a log with a false decision, and the line that has it."""
    while True:  # a change may be none
        forged = chained(_with_a_lie(lines, rng))
        false_at = _first_difference(lines, forged)
        if false_at is not None:
            return forged, false_at


def _with_a_lie(lines: list[bytes], rng: random.Random) -> list[bytes]:
    """Return lines of which one derived one is changed, missing, doubled or put elsewhere."""
    derived = [at for at, line in enumerate(lines) if b'"prev":"' in line]
    at = rng.choice(derived)
    match rng.randrange(6):
        case 0:
            return [*lines[:at], *lines[at + 1 :]]
        case 1:
            return [*lines[:at], lines[at], *lines[at:]]
        case 2:
            other = rng.choice(derived)
            return [*lines[:at], lines[other], *lines[at + 1 :]]
        case _:
            return [*lines[:at], _with_another_value(lines[at], rng), *lines[at + 1 :]]


def _with_another_value(line: bytes, rng: random.Random) -> bytes:
    members = json.loads(line)
    kept = {name: members.pop(name) for name in _NOT_CHANGED if name in members}
    return json.dumps({**kept, **changed(members, rng)}, ensure_ascii=False, separators=(",", ":")).encode(
        "utf-8", "surrogatepass"
    )


def chained(lines: list[bytes]) -> list[bytes]:
    """Return lines that are numbered and chained anew, as who can write a whole log would."""
    made: list[bytes] = []
    head = ""
    for number, line in enumerate(lines):
        numbered = _SEQ.sub(b'{"seq":%d,' % number, line, count=1)
        made.append(_with_prev(numbered, head))
        head = chain(made[-1:], head)
    return made


def _with_prev(line: bytes, head: str) -> bytes:
    """Return a derived line that names the head before it; what agents' runs name stands before that."""
    found = [*_PREV.finditer(line)]
    return line[: found[-1].start()] + b'"prev":"%s"' % head.encode() + line[found[-1].end() :] if found else line


def _first_difference(lines: list[bytes], forged: list[bytes]) -> int | None:
    """Return the first line, from 1, at which a forged log is another one; None where it is the same."""
    if lines == forged:
        return None
    pairs = zip(lines, forged, strict=False)
    return next((at for at, (one, other) in enumerate(pairs, 1) if one != other), min(len(lines), len(forged)) + 1)


def _keeping_honest_ones(rng: random.Random) -> str | None:
    """Sign what runs did, alone and together: each log meets its statement."""
    drawn = {each[1].run_id: each for each in (_drawn(rng) for _ in range(rng.choice([1, 1, 2, 3, 5])))}
    signer, key = rng.choice(_keys())
    try:
        receipt = checked_receipt(
            make_receipt([said for _, said in drawn.values()], signer, issued_at=_NOW), key, now=_NOW
        )
        for said in receipt.statements:
            check_run([drawn[said.run_id][0]], said)
    except ReceiptError as error:
        return f"an honest log is refused: {error.code} {error.message}"
    return None


def _changing_receipts(rng: random.Random) -> str | None:
    """Change a receipt anywhere: it is refused by a code, and no other way."""
    drawn = {each[1].run_id: each[1] for each in (_drawn(rng) for _ in range(rng.choice([1, 1, 2, 3])))}
    signer, key = rng.choice(_keys())
    receipt = make_receipt(list(drawn.values()), signer, issued_at=_NOW)
    other = damaged(receipt, rng)
    try:
        checked_receipt(other, key, now=_NOW)
    except ReceiptError:
        return None
    return None if other == receipt else f"accepted: {other.hex()} for {receipt.hex()}"


ATTACKS = (
    Attack(
        name="false-decisions",
        promise="A decision that does not follow from the facts is found and its line named, whoever has signed it",
        trial=_telling_lies,
        least=300,
    ),
    Attack(
        name="honest-receipts",
        promise="A log that was signed as it was written meets its receipt",
        trial=_keeping_honest_ones,
        least=100,
    ),
    Attack(
        name="changed-receipts",
        promise="A receipt that was changed in any byte is refused",
        trial=_changing_receipts,
        least=500,
    ),
)
