"""Logs, keys and receipts that Python has made, for what checks them in JavaScript."""

import base64
import json
import re
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from msgspec.structs import replace

from purestep import PurestepError
from purestep_hosts.receipts import (
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
from purestep_hosts.session_log import chain
from tests.core.agents import call, said, tool
from tests.core.driver import Driver

NOW = 1_800_000_000
PROGRAM = Path(__file__).with_name("receipts.mjs")
KINDS = ("ed25519", "p256")
FORMS = {"pem": (Encoding.PEM, PublicFormat.SubjectPublicKeyInfo), "ssh": (Encoding.OpenSSH, PublicFormat.OpenSSH)}


@cache
def paid(run_id: str = "run-1", *, is_ended: bool = True) -> bytes:
    """Return the log of a run that has paid, and says so."""
    agent = {"tools": [tool("pay", {"text": {"type": "string"}})]}
    run = Driver(agent, "Pay [hidden email 0123456789abcdef] [hidden]", run_id=run_id)
    run.send(said(call("pay", text="five")))
    run.give_all("paid")
    if is_ended:
        run.send(said('{"kind":"final","content":"Done. [hidden]"}'))
    return run.log.encode()


@cache
def secret(kind: str, number: int = 1) -> Any:
    """Return a private key, the same one each time."""
    if kind == "ed25519":
        return Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)
    return ec.derive_private_key(2**200 + number, ec.SECP256R1())


@cache
def signer(kind: str, number: int = 1) -> Signer:
    """Return what signs with that key."""
    return signer_of(secret(kind, number).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


@cache
def public(kind: str, form: str = "pem", number: int = 1) -> str:
    """Return the public key as a file holds it."""
    return str(secret(kind, number).public_key().public_bytes(*FORMS[form]).decode())


@cache
def stated(run_id: str = "run-1", *, is_ended: bool = True) -> Statement:
    """Return what is said of that run."""
    return statement_of(paid(run_id, is_ended=is_ended))


def chained(lines: Iterable[bytes]) -> bytes:
    """Return lines with `prev` written anew, as who writes all of a log can."""
    made: list[bytes] = []
    head = ""
    for line in lines:
        made.append(re.sub(rb'"prev":"[0-9a-f]{64}"', b'"prev":"%s"' % head.encode(), line))
        head = chain(made[-1:], head)
    return b"".join(line + b"\n" for line in made)


@cache
def lied() -> tuple[bytes, Statement, int]:
    """Return a log with a false decision that is chained anew, what its signer says of it, and the false line."""
    lines = paid().splitlines()
    at = next(at for at, line in enumerate(lines) if b'"kind":"verdict"' in line)
    lines[at] = lines[at].replace(b'"verdict":"accept"', b'"verdict":"reject"')
    log = chained(lines)
    return log, replace(stated(), head=chain(log.splitlines(), "")), at + 1


def receipt_of(*statements: Statement, kind: str = "ed25519", issuer: str = "Acme", issued_at: int = NOW) -> bytes:
    """Return a receipt of runs."""
    return make_receipt(statements, signer(kind), issued_at=issued_at, issuer=issuer)


def case(
    receipt: bytes | None = None, log: bytes | None = None, statement: Statement | None = None, **more: Any
) -> dict[str, Any]:
    """Return what the program in JavaScript is told."""
    given = {"key": public("ed25519"), "now": NOW, "derive": False, **more}
    if receipt is not None:
        given["receipt"] = base64.b64encode(receipt).decode()
    if log is not None:
        given["log"] = base64.b64encode(log).decode()
    if statement is not None:
        given["statement"] = json.loads(statement.encoded())
    return given


def found_by_node(node: str, cases: Iterable[dict[str, Any]], *options: str) -> list[dict[str, Any]]:
    """Return what JavaScript finds in Node."""
    sent = "".join(json.dumps(each) + "\n" for each in cases)
    done = subprocess.run(
        [node, "--no-warnings", *options, str(PROGRAM)], input=sent, capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def code_of_receipt(receipt: bytes, kind: str = "ed25519") -> str:
    """Return the code by which Python refuses a receipt; empty: it takes it."""
    try:
        checked_receipt(receipt, public_key_of(public(kind).encode()), now=NOW)
    except ReceiptError as error:
        return error.code
    return ""


def code_of_log(log: bytes, statement: Statement) -> str:
    """Return the code by which Python refuses a log for a statement; empty: it takes it."""
    try:
        check_run([log], statement)
    except (ReceiptError, PurestepError) as error:
        return error.code
    return ""


def codes(found: list[dict[str, Any]]) -> list[str]:
    """Return the codes of what was refused; empty for what was taken."""
    return [str(each.get("code") or each.get("name") or "") for each in found]


def rewritten(receipt: bytes, **parts: Any) -> bytes:
    """Return a receipt of which parts are written otherwise, as anybody can."""
    names = ("protected", "unprotected", "payload", "signature")
    value = dict(zip(names, cbor2.loads(receipt).value, strict=True))
    return b"\xd2" + cbor2.dumps([({**value, **parts})[name] for name in names], canonical=True)


def with_claims(**claims: Any) -> bytes:
    """Return the receipt of a run with other claims in its header, which its signature does not fit any more."""
    header = cbor2.loads(cbor2.loads(receipt_of(stated())).value[0])
    labels = {"issuer": 1, "subject": 2, "at": 6}
    told = {**header[15], **{labels.get(name, name): value for name, value in claims.items()}}
    return rewritten(receipt_of(stated()), protected=cbor2.dumps({**header, 15: told}, canonical=True))


def signed_again(receipt: bytes) -> bytes:
    """Return a receipt of a run, whatever it is, signed by the right key."""
    protected, _, payload, _ = cbor2.loads(receipt).value
    text = cbor2.dumps(["Signature1", protected, b"", payload], canonical=True)
    return rewritten(receipt, signature=signer("ed25519").sign(text))
