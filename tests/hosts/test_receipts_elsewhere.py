"""Receipts as other COSE libraries read them: pycose and python-cwt take them, and none that was changed."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from purestep_hosts.receipts import make_receipt, public_key_of, signer_of, statement_of
from purestep_hosts.receipts.envelopes import read_envelope
from tests.hosts.signed_runs import NOW, paid, written
from tests.locked_packages import ROOT, packages_of

KINDS = ("ed25519", "p256")
SCRIPT = Path(__file__).with_name("cose_elsewhere.py")


@cache
def key_and_receipts(kind: str) -> tuple[dict[str, str], dict[str, bytes]]:
    """A public key in parts, and receipts by it of one run and of three."""
    secret: Any = Ed25519PrivateKey.generate() if kind == "ed25519" else ec.generate_private_key(ec.SECP256R1())
    public = secret.public_key()
    pem, ssh = written(secret)
    if kind == "ed25519":
        x, y = public.public_bytes_raw(), b""
    else:
        x, y = (number.to_bytes(32) for number in (public.public_numbers().x, public.public_numbers().y))
    key = {
        "x": x.hex(),
        "y": y.hex(),
        "pem": public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode(),
        "kid": public_key_of(ssh).thumbprint.hex(),
    }
    runs = {"one": [paid()], "three": [paid(1), paid(2), paid(3)]}
    made = {
        name: make_receipt([*map(statement_of, logs)], signer_of(pem), issued_at=NOW) for name, logs in runs.items()
    }
    return key, made


def said_of(given: list[dict[str, Any]]) -> list[dict[str, str]]:
    """What the libraries say of receipts."""
    lines = "".join(f"{json.dumps(each)}\n" for each in given)
    done = subprocess.run(
        [sys.executable, str(SCRIPT)],
        input=lines,
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={"PYTHONPATH": str(packages_of("cose"))},
    )
    assert 0 == done.returncode, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("kind", KINDS)
def test_other_libraries_take_receipts(kind: str) -> None:
    """Of one run the statement is the payload, of several the root of the tree, which is detached."""
    key, made = key_and_receipts(kind)
    signed = {name: read_envelope(receipt).payload for name, receipt in made.items()}
    given = [
        {"receipt": made["one"].hex(), "key": key, "root": None},
        {"receipt": made["three"].hex(), "key": key, "root": signed["three"].hex()},
    ]
    expected = [dict.fromkeys(("pycose", "cwt"), signed[name].hex()) for name in ("one", "three")]
    assert expected == said_of(given)


@pytest.mark.parametrize("kind", KINDS)
def test_other_libraries_refuse_changed_receipts(kind: str) -> None:
    """Each byte of what is signed, and of the signature, is another one."""
    key, made = key_and_receipts(kind)
    receipt = made["one"]
    envelope = read_envelope(receipt)
    begin = receipt.index(envelope.protected)
    of_header = range(begin, begin + len(envelope.protected))
    of_payload = range(receipt.index(envelope.payload), receipt.index(envelope.payload) + len(envelope.payload), 7)
    of_signature = range(len(receipt) - 64, len(receipt))
    changed = [
        receipt[:at] + bytes([receipt[at] ^ 1]) + receipt[at + 1 :] for at in (*of_header, *of_payload, *of_signature)
    ]
    for said in said_of([{"receipt": each.hex(), "key": key, "root": None} for each in changed]):
        assert all(words.startswith("refused") for words in said.values()), said
