"""The envelope of a receipt: COSE_Sign1 (RFC 9052), as a Signed Statement of SCITT (RFC 9943) has it.

What is said of one run is the payload. What is said of several are the entries of a Merkle tree: the payload is its
root, detached, and the header has the entries with their inclusion proofs (RFC 9942), so that the receipt of one run
can be taken out of it under the same signature.

An envelope has one form only, deterministically encoded (RFC 8949, section 4.2): every other one is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from purestep_hosts.extras import RECEIPT
from purestep_hosts.receipts.errors import MAX_RECEIPT_BYTES, MAX_RUNS, ReceiptError
from purestep_hosts.receipts.keys import EDDSA, ES256, Signer
from purestep_hosts.receipts.trees import leaf_hash, root_and_paths, root_of

CONTENT_TYPE: Final = "application/vnd.purestep.statement+json"
_SIGN1: Final = 18
_ALGORITHM, _TYPE, _KEY, _CLAIMS, _STRUCTURE, _PROOFS = 1, 3, 4, 15, 395, 396
_ISSUER, _SUBJECT, _ISSUED_AT = 1, 2, 6
_INCLUSION: Final = -1
_RFC9162_SHA256: Final = 1
_ENTRIES: Final = "purestep-statements"
"""The one label that is ours: what the leaves of the tree are hashes of."""

_MAX_DEPTH: Final = 8
_MAX_TEXT: Final = 1024


@dataclass(frozen=True)
class Envelope:
    """A signed receipt, taken apart.

    issuer: who says so, by its own words. issued_at: seconds since 1970, by the issuer's clock. entries: the statements
    as they were signed. proofs: of a tree, one for each entry; else none.
    """

    algorithm: int
    thumbprint: bytes
    issuer: str
    issued_at: int
    subject: str
    entries: tuple[bytes, ...]
    proofs: tuple[bytes, ...]
    protected: bytes
    payload: bytes
    """What is signed with the header: the entry, or the root of the tree."""
    signature: bytes

    @property
    def signed_text(self) -> bytes:
        """What the signature is of: the Sig_structure of RFC 9052, section 4.4."""
        return _encode(["Signature1", self.protected, b"", self.payload])

    def encoded(self) -> bytes:
        """Return the bytes of the receipt."""
        from cbor2 import CBORTag

        unprotected: dict[Any, Any] = {}
        if self.proofs:
            unprotected = {_PROOFS: {_INCLUSION: list(self.proofs)}, _ENTRIES: list(self.entries)}
        payload = None if self.proofs else self.payload
        return _encode(CBORTag(_SIGN1, [self.protected, unprotected, payload, self.signature]))

    def only(self, chosen: Callable[[bytes], bool]) -> Envelope:
        """Return the receipt of some of its entries, under the same signature; a receipt of one run stays as it is."""
        if not self.proofs:
            return self
        kept = [(entry, proof) for entry, proof in zip(self.entries, self.proofs, strict=True) if chosen(entry)]
        return replace(self, entries=tuple([entry for entry, _ in kept]), proofs=tuple([proof for _, proof in kept]))


def signed_envelope(entries: Sequence[bytes], subject: str, signer: Signer, issuer: str, issued_at: int) -> Envelope:
    """Return the receipt of one or more entries; subject: the run's id where it is one. Raises `signing_failed`."""
    proofs: tuple[bytes, ...] = ()
    payload = entries[0]
    claims: dict[int, Any] = {_ISSUER: issuer, _ISSUED_AT: issued_at}
    header: dict[int, Any] = {_ALGORITHM: signer.key.algorithm, _KEY: signer.key.thumbprint, _CLAIMS: claims}
    if len(entries) == 1:
        claims[_SUBJECT], header[_TYPE] = subject, CONTENT_TYPE
    else:
        header[_STRUCTURE] = _RFC9162_SHA256
        payload, paths = root_and_paths([leaf_hash(entry) for entry in entries])
        proofs = tuple([_encode([len(entries), index, path]) for index, path in enumerate(paths)])
    unsigned = Envelope(
        algorithm=signer.key.algorithm,
        thumbprint=signer.key.thumbprint,
        issuer=issuer,
        issued_at=issued_at,
        subject=subject if len(entries) == 1 else "",
        entries=tuple(entries),
        proofs=proofs,
        protected=_encode(header),
        payload=payload,
        signature=b"",
    )
    return replace(unsigned, signature=signer.sign(unsigned.signed_text))


def read_envelope(data: bytes) -> Envelope:
    """Return a receipt taken apart, its signature not looked at; raises `bad_receipt`, `unsupported_receipt`."""
    protected, unprotected, payload, signature = _parts(data)
    header = _decode(protected)
    entries, proofs = (), ()
    if payload is None:
        _expect_members(header, _ALGORITHM, _KEY, _CLAIMS, _STRUCTURE)
        entries, proofs = _entries_in(unprotected)
        payload = _common_root(entries, proofs)
        _claims_in(header, _ISSUER, _ISSUED_AT)
        subject = ""
        if header[_STRUCTURE] != _RFC9162_SHA256:
            raise _unsupported("a tree of RFC 9162 with SHA-256")
    else:
        _expect_members(header, _ALGORITHM, _TYPE, _KEY, _CLAIMS)
        entries = (_expect(payload, bytes),)
        if unprotected != {}:
            raise _malformed()
        subject = _text(_claims_in(header, _ISSUER, _SUBJECT, _ISSUED_AT)[_SUBJECT])
        if header[_TYPE] != CONTENT_TYPE:
            raise _unsupported(f"the content type {CONTENT_TYPE}")
    if header[_ALGORITHM] not in (EDDSA, ES256):
        raise _unsupported("a signature by Ed25519 (-8) or ES256 (-7)")
    claims = header[_CLAIMS]
    return Envelope(
        algorithm=header[_ALGORITHM],
        thumbprint=_expect(header[_KEY], bytes),
        issuer=_text(claims[_ISSUER]),
        issued_at=_expect(claims[_ISSUED_AT], int),
        subject=subject,
        entries=entries,
        proofs=proofs,
        protected=protected,
        payload=payload,
        signature=signature,
    )


def _parts(data: bytes) -> tuple[bytes, Any, Any, bytes]:
    with RECEIPT:
        from cbor2 import CBORTag
    if len(data) > MAX_RECEIPT_BYTES:
        raise ReceiptError("bad_receipt", f"expected a receipt of at most {MAX_RECEIPT_BYTES} bytes")
    found = _decode(data)
    if not isinstance(found, CBORTag) or found.tag != _SIGN1 or len(_expect(found.value, list)) != 4:
        raise _malformed()
    protected, unprotected, payload, signature = found.value
    return _expect(protected, bytes), _expect(unprotected, dict), payload, _expect(signature, bytes)


def _entries_in(unprotected: dict[Any, Any]) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """Return the entries of a tree and the proof of each."""
    _expect_members(unprotected, _PROOFS, _ENTRIES)
    _expect_members(_expect(unprotected[_PROOFS], dict), _INCLUSION)
    proofs, entries = _expect(unprotected[_PROOFS][_INCLUSION], list), _expect(unprotected[_ENTRIES], list)
    if not 1 <= len(entries) == len(proofs) <= MAX_RUNS:
        raise _malformed()
    return tuple([_expect(each, bytes) for each in entries]), tuple([_expect(each, bytes) for each in proofs])


def _common_root(entries: Sequence[bytes], proofs: Sequence[bytes]) -> bytes:
    """Return the root that all entries lead to by their proofs."""
    roots = {_proved_root(entry, _decode(proof)) for entry, proof in zip(entries, proofs, strict=True)}
    root = roots.pop()
    if roots or root is None:
        raise ReceiptError("bad_receipt", "an inclusion proof does not fit its statement: the receipt was changed")
    return root


def _proved_root(entry: bytes, proof: Any) -> bytes | None:
    if len(_expect(proof, list)) != 3:
        raise _malformed()
    size, index, path = (_expect(each, kind) for each, kind in zip(proof, (int, int, list), strict=True))
    return root_of(leaf_hash(entry), index, size, [_expect(each, bytes) for each in path])


def _claims_in(header: dict[Any, Any], *names: int) -> dict[Any, Any]:
    claims: dict[Any, Any] = _expect(header[_CLAIMS], dict)
    _expect_members(claims, *names)
    return claims


def _text(value: Any) -> str:
    text: str = _expect(value, str)
    if not 0 < len(text) <= _MAX_TEXT:
        raise _malformed()
    return text


def _kinds(kind: type) -> tuple[type, ...]:
    """Return the types that a value of a kind has: inside a tag, cbor2 makes containers that cannot be changed."""
    with RECEIPT:
        from cbor2 import frozendict
    return {list: (list, tuple), dict: (dict, frozendict)}.get(kind, (kind,))


def _expect(value: Any, kind: type) -> Any:
    if type(value) not in _kinds(kind):
        raise _malformed()
    return value


def _expect_members(value: Any, *names: Any) -> None:
    if set(_expect(value, dict)) != set(names):
        raise _malformed()


def _encode(value: Any) -> bytes:
    with RECEIPT:
        import cbor2
    return cbor2.dumps(value, canonical=True)


def _decode(data: bytes) -> Any:
    """Return the value of CBOR that is deterministically encoded."""
    with RECEIPT:
        import cbor2
    try:
        value = cbor2.loads(data, max_depth=_MAX_DEPTH, allow_indefinite=False, allow_duplicate_keys=False)
        is_its_own = cbor2.dumps(value, canonical=True) == data
    except cbor2.CBORDecodeEOF:
        raise ReceiptError("bad_receipt", "the receipt is cut off; get the whole file") from None
    except (cbor2.CBORError, ValueError, TypeError, OverflowError, RecursionError, MemoryError):
        raise _malformed() from None
    if not is_its_own:
        raise ReceiptError("bad_receipt", "the receipt is encoded in another way than purestep receipt encodes it")
    return value


def _malformed() -> ReceiptError:
    return ReceiptError("bad_receipt", "expected a receipt, as `purestep receipt` writes it: COSE_Sign1 with its header")


def _unsupported(expected: str) -> ReceiptError:
    return ReceiptError("unsupported_receipt", f"expected {expected}; this is another kind, or one of a newer release")
