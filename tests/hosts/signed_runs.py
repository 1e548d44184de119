"""Runs and keys that tests of receipts sign."""

from functools import cache
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from purestep_hosts import Agent, ScriptedModel, calls, says, tool
from purestep_hosts.receipts import PublicKey, Signer, public_key_of, signer_of

NOW = 1_800_000_000


@tool
def pay(amount: int) -> str:
    """Pay an amount."""
    return f"{amount} paid"


@cache
def paid(amount: int = 5) -> bytes:
    """The log of a run that has paid an amount and says so."""
    agent = Agent(ScriptedModel([calls("pay", amount=amount), says("It is paid.")]), tools=[pay])
    return agent.run_sync(f"Pay {amount}.").log.encode()


def written(secret: Any) -> tuple[bytes, bytes]:
    """A pair of keys as files hold them: the private one in PEM, the public one in OpenSSH's form."""
    pem = secret.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return pem, secret.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH)


@cache
def pair(kind: str) -> tuple[Signer, PublicKey]:
    """What signs and what checks, by the kind of key: `ed25519` or `p256`."""
    secret = Ed25519PrivateKey.generate() if kind == "ed25519" else ec.generate_private_key(ec.SECP256R1())
    pem, public = written(secret)
    return signer_of(pem), public_key_of(public)
