"""The keys that receipts are signed and checked with: Ed25519, and ECDSA on P-256 as hardware keys have it."""

from __future__ import annotations

import hashlib
import shlex
import subprocess
from base64 import urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from purestep_hosts.extras import RECEIPT
from purestep_hosts.key_files import goes_on, loaded_key
from purestep_hosts.receipts.errors import ReceiptError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey, EllipticCurvePublicKey
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

EDDSA: Final = -8
ES256: Final = -7
"""Algorithms by their numbers in the registry of COSE (RFC 9053)."""

_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Of P-256: with (r, s) also (r, order - s) is a signature, so only the one with the smaller s counts as one."""

_SIGNATURE_BYTES: Final = 64
"""Of both algorithms: r and s of ES256 are 32 bytes each."""

_SIGNING_TIMEOUT_S: Final = 120.0
"""For a program that signs: a hardware key waits to be touched."""

_KEY_URI: Final = "urn:ietf:params:oauth:ckt:sha-256:"
"""Of a key by its thumbprint (RFC 9679)."""


@dataclass(frozen=True)
class PublicKey:
    """A public key: its algorithm in COSE, and its thumbprint (RFC 9679), which receipts name it by."""

    algorithm: int
    thumbprint: bytes
    _key: Any

    @property
    def uri(self) -> str:
        """The key as the name of an issuer."""
        return _KEY_URI + urlsafe_b64encode(self.thumbprint).decode().rstrip("=")

    def has_signed(self, text: bytes, signature: bytes) -> bool:
        """Whether a signature (64 bytes) is this key's signature of a text."""
        with RECEIPT:
            from cryptography.exceptions import InvalidSignature
        if len(signature) != _SIGNATURE_BYTES:
            return False
        try:
            if self.algorithm == EDDSA:
                self._key.verify(signature, text)
            else:
                _verify_es256(self._key, text, signature)
        except InvalidSignature:
            return False
        return self.algorithm == EDDSA or int.from_bytes(signature[32:]) <= _ORDER // 2


@dataclass(frozen=True)
class Signer:
    """What signs: a public key, and the function that gives the signature (64 bytes) of a text."""

    key: PublicKey
    sign: Callable[[bytes], bytes]


def signer_of(private_key: bytes | Ed25519PrivateKey | EllipticCurvePrivateKey) -> Signer:
    """Return what signs with a private key, or with that of a file without a password; raises `bad_key`."""
    with RECEIPT:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_ssh_private_key
    key: Any = private_key
    if isinstance(private_key, bytes):
        key = loaded_key(private_key, load_ssh_private_key, load_pem_private_key)
    if isinstance(key, Ed25519PrivateKey):
        return Signer(_public(key.public_key()), key.sign)
    if key is not None and _is_p256(key):
        return Signer(_public(key.public_key()), lambda text: _sign_es256(key, text))
    raise ReceiptError(
        "bad_key",
        "expected a private key without a password, Ed25519 or ECDSA on P-256; make one: "
        "ssh-keygen -t ed25519 -N '' -f receipt.key",
    )


def public_key_of(public_key: bytes | Ed25519PublicKey | EllipticCurvePublicKey) -> PublicKey:
    """Return a public key, or the only one of a file, PEM or OpenSSH; raises ReceiptError `bad_key`."""
    with RECEIPT:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
        from cryptography.hazmat.primitives.serialization import load_pem_public_key, load_ssh_public_key
    key: Any = public_key
    if isinstance(public_key, bytes):
        key = loaded_key(public_key, load_ssh_public_key, load_pem_public_key)
        if key is not None and (trouble := goes_on(public_key)):
            raise ReceiptError("bad_key", trouble)
    if isinstance(key, Ed25519PublicKey) or (key is not None and _is_p256(key)):
        return _public(key)
    raise ReceiptError("bad_key", "expected a public key, Ed25519 or ECDSA on P-256, such as receipt.key.pub")


def signer_by_command(command: str, key: PublicKey) -> Signer:
    """Return what signs with a program, for a key that leaves no device.

    command: a program with its arguments, run without a shell, such as `openssl dgst -sha256 -sign pkcs11:...`: it gets
    the text on stdin and prints the signature. key: the public key that the signature is checked with. Signing raises
    ReceiptError `signing_failed`.
    """

    def sign(text: bytes) -> bytes:
        printed = _printed_by(command, text)
        signature = printed if key.algorithm == EDDSA else _raw_es256(printed)
        if not key.has_signed(text, signature):
            raise ReceiptError("signing_failed", "what the program printed is no signature by the key of --signer")
        return signature

    return Signer(key, sign)


def _printed_by(command: str, text: bytes) -> bytes:
    try:
        done = subprocess.run(
            shlex.split(command), input=text, capture_output=True, timeout=_SIGNING_TIMEOUT_S, check=True
        )
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode("utf-8", "replace").strip().splitlines()
        told = f" and says: {said[-1][:200]}" if said else ""
        raise ReceiptError("signing_failed", f"the program that signs ended with {error.returncode}{told}") from None
    except subprocess.TimeoutExpired:  # whose own text has the arguments, such as a PIN
        raise ReceiptError("signing_failed", f"the program gave no signature in {_SIGNING_TIMEOUT_S:.0f} s") from None
    except (OSError, ValueError, IndexError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no command line"
        raise ReceiptError("signing_failed", f"the program that signs cannot be run: {why}") from None
    return done.stdout


def _is_p256(key: Any) -> bool:
    return getattr(getattr(key, "curve", None), "name", "") == "secp256r1"


def _public(key: Any) -> PublicKey:
    with RECEIPT:
        import cbor2
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    if isinstance(key, Ed25519PublicKey):
        algorithm, members = EDDSA, {1: 1, -1: 6, -2: key.public_bytes_raw()}
    else:
        at = key.public_numbers()
        algorithm, members = ES256, {1: 2, -1: 1, -2: at.x.to_bytes(32), -3: at.y.to_bytes(32)}
    return PublicKey(algorithm, hashlib.sha256(cbor2.dumps(members, canonical=True)).digest(), key)


def _sign_es256(key: Any, text: bytes) -> bytes:
    from cryptography.hazmat.primitives.asymmetric.ec import ECDSA
    from cryptography.hazmat.primitives.hashes import SHA256

    return _raw_es256(key.sign(text, ECDSA(SHA256())))


def _verify_es256(key: Any, text: bytes, signature: bytes) -> None:
    from cryptography.hazmat.primitives.asymmetric.ec import ECDSA
    from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
    from cryptography.hazmat.primitives.hashes import SHA256

    r, s = int.from_bytes(signature[:32]), int.from_bytes(signature[32:])
    key.verify(encode_dss_signature(r, s), text, ECDSA(SHA256()))


def _raw_es256(der: bytes) -> bytes:
    """Return a signature of P-256 as COSE has it, r and the smaller s in 32 bytes each; der: as OpenSSL gives it."""
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

    try:
        r, s = decode_dss_signature(der)
        return r.to_bytes(32) + min(s, _ORDER - s).to_bytes(32)
    except (ValueError, OverflowError):
        raise ReceiptError("signing_failed", "expected a signature in DER, as OpenSSL prints it") from None
