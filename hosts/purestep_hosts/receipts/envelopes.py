"""The envelope of a receipt: COSE_Sign1 (RFC 9052), as a Signed Statement of SCITT (RFC 9943) has it.

What is said of one run is the payload. What is said of several are the entries of a Merkle tree: the payload is its
root, detached, and the header has the entries with their inclusion proofs (RFC 9942), so that the receipt of one run
can be taken out of it under the same signature.

An envelope has one form only, deterministically encoded (RFC 8949, section 4.2): every other one is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

from purestep_hosts.extras import RECEIPT
from purestep_hosts.receipts.errors import MAX_NAME_CHARS, MAX_RECEIPT_BYTES, MAX_RUNS, ReceiptError
from purestep_hosts.receipts.keys import EDDSA, ES256, Signer
from purestep_hosts.receipts.trees import leaf_hash, root_and_paths, root_of

CONTENT_TYPE: Final = "application/vnd.purestep.statement+json"
_SIGN1: Final = b"\xd2"
"""The tag of COSE_Sign1, 18, in its one encoding."""
_ALGORITHM, _TYPE, _KEY, _CLAIMS, _STRUCTURE, _PROOFS = 1, 3, 4, 15, 395, 396
_ISSUER, _SUBJECT, _ISSUED_AT = 1, 2, 6
_INCLUSION: Final = -1
_RFC9162_SHA256: Final = 1
_ENTRIES: Final = "purestep-statements"
"""What the leaves of the tree are hashes of; this label and the next one are ours."""
_RUNS: Final = "purestep-runs"
"""How many leaves the tree has: signed, so that a receipt with fewer of them tells so."""

_MAX_DEPTH: Final = 8
_MAX_ITEMS: Final = 2 * MAX_RUNS + 100
"""Of a receipt of most runs: an entry and a proof for each, and the header."""
_LENGTHS: Final = {24: 1, 25: 2, 26: 4, 27: 8}
"""How many bytes the value of an item has, by what its first byte says of that."""
_STRINGS: Final = (2, 3)
"""The kinds whose value is a length."""


@dataclass(frozen=True)
class Envelope:
    """A signed receipt, taken apart.

    issuer: who says so, by its own words. issued_at: seconds since 1970, by the issuer's clock. entries: the statements
    as they were signed. proofs: of a tree, one for each entry; else none. runs: how many were signed together.
    """

    algorithm: int
    thumbprint: bytes
    issuer: str
    issued_at: int
    subject: str
    runs: int
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
        unprotected: dict[Any, Any] = {}
        if self.proofs:
            unprotected = {_PROOFS: {_INCLUSION: list(self.proofs)}, _ENTRIES: list(self.entries)}
        payload = None if self.proofs else self.payload
        return _SIGN1 + _encode([self.protected, unprotected, payload, self.signature])

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
    header: dict[int | str, Any] = {_ALGORITHM: signer.key.algorithm, _KEY: signer.key.thumbprint, _CLAIMS: claims}
    if len(entries) == 1:
        claims[_SUBJECT], header[_TYPE] = subject, CONTENT_TYPE
    else:
        header[_STRUCTURE], header[_RUNS] = _RFC9162_SHA256, len(entries)
        payload, paths = root_and_paths([leaf_hash(entry) for entry in entries])
        proofs = tuple([_encode([len(entries), index, path]) for index, path in enumerate(paths)])
    unsigned = Envelope(
        algorithm=signer.key.algorithm,
        thumbprint=signer.key.thumbprint,
        issuer=issuer,
        issued_at=issued_at,
        subject=subject if len(entries) == 1 else "",
        runs=len(entries),
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
    is_tree = payload is None
    _expect_members(header, _ALGORITHM, _KEY, _CLAIMS, *((_STRUCTURE, _RUNS) if is_tree else (_TYPE,)))
    claims = _expect(header[_CLAIMS], dict)
    _expect_members(claims, _ISSUER, _ISSUED_AT, *(() if is_tree else (_SUBJECT,)))
    _check_kind(header)
    entries, proofs = _entries_in(unprotected) if is_tree else _one_entry(payload, unprotected)
    return Envelope(
        algorithm=header[_ALGORITHM],
        thumbprint=_expect(header[_KEY], bytes),
        issuer=_text(claims[_ISSUER]),
        issued_at=_expect(claims[_ISSUED_AT], int),
        subject="" if is_tree else _text(claims[_SUBJECT]),
        runs=header.get(_RUNS, 1),
        entries=entries,
        proofs=proofs,
        protected=protected,
        payload=_common_root(entries, proofs, header[_RUNS]) if is_tree else entries[0],
        signature=signature,
    )


def _check_kind(header: dict[Any, Any]) -> None:
    if _expect(header.get(_STRUCTURE, _RFC9162_SHA256), int) != _RFC9162_SHA256:
        raise _unsupported("a tree of RFC 9162 with SHA-256")
    if header.get(_TYPE, CONTENT_TYPE) != CONTENT_TYPE:
        raise _unsupported(f"the content type {CONTENT_TYPE}")
    if _expect(header[_ALGORITHM], int) not in (EDDSA, ES256):
        raise _unsupported("a signature by Ed25519 (-8) or ES256 (-7)")


def _one_entry(payload: Any, unprotected: dict[Any, Any]) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    if unprotected:
        raise _malformed()
    return (_expect(payload, bytes),), ()


def _parts(data: bytes) -> tuple[bytes, Any, Any, bytes]:
    if len(data) > MAX_RECEIPT_BYTES:
        raise ReceiptError("bad_receipt", f"expected a receipt of at most {MAX_RECEIPT_BYTES} bytes")
    if not data.startswith(_SIGN1):
        raise _malformed()
    protected, unprotected, payload, signature = _several(_decode(data[len(_SIGN1) :]), 4)
    return _expect(protected, bytes), _expect(unprotected, dict), payload, _expect(signature, bytes)


def _entries_in(unprotected: dict[Any, Any]) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """Return the entries of a tree and the proof of each."""
    _expect_members(unprotected, _PROOFS, _ENTRIES)
    _expect_members(_expect(unprotected[_PROOFS], dict), _INCLUSION)
    proofs, entries = _expect(unprotected[_PROOFS][_INCLUSION], list), _expect(unprotected[_ENTRIES], list)
    if not 1 <= len(entries) == len(proofs) <= MAX_RUNS:
        raise _malformed()
    return tuple([_expect(each, bytes) for each in entries]), tuple([_expect(each, bytes) for each in proofs])


def _common_root(entries: Sequence[bytes], proofs: Sequence[bytes], runs: Any) -> bytes:
    """Return the root that all entries lead to by their proofs, in their order in a tree of so many runs."""
    read = [_several(_decode(proof), 3) for proof in proofs]
    roots = {_proved_root(entry, proof, runs) for entry, proof in zip(entries, read, strict=True)}
    root = roots.pop()
    if roots or root is None or any(one >= other for (_, one, _), (_, other, _) in pairwise(read)):
        raise ReceiptError("bad_receipt", "an inclusion proof does not fit its statement: the receipt was changed")
    return root


def _proved_root(entry: bytes, proof: list[Any], runs: Any) -> bytes | None:
    size, index, path = proof
    hashes = [_expect(each, bytes) for each in _expect(path, list)]
    if size != _expect(runs, int):
        return None
    return root_of(leaf_hash(entry), _expect(index, int), _expect(size, int), hashes)


def _text(value: Any) -> str:
    text: str = _expect(value, str)
    if not 0 < len(text) <= MAX_NAME_CHARS:
        raise _malformed()
    return text


def _several(value: Any, count: int) -> list[Any]:
    if len(_expect(value, list)) != count:
        raise _malformed()
    several: list[Any] = value
    return several


def _expect(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise _malformed()
    return value


def _expect_members(value: Any, *names: Any) -> None:
    if set(_expect(value, dict)) != set(names) or not {type(name) for name in value} <= {int, str}:
        raise _malformed()


def _encode(value: Any) -> bytes:
    with RECEIPT:
        import cbor2
    return cbor2.dumps(value, canonical=True)


def _decode(data: bytes) -> Any:
    """Return the value of CBOR that is deterministically encoded."""
    with RECEIPT:
        import cbor2
    if not _has_few_items(data):
        raise _malformed()
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


def _has_few_items(data: bytes) -> bool:
    """Whether CBOR has no more items than a receipt of most runs: each byte may be one, and takes a hundred decoded."""
    at = items = 0
    while at < len(data) and items <= _MAX_ITEMS:
        kind, value = data[at] >> 5, data[at] & 31
        size = _LENGTHS.get(value, 0)
        if size:
            value = int.from_bytes(data[at + 1 : at + 1 + size])
        at += 1 + size + (value if kind in _STRINGS else 0)
        items += 1
    return items <= _MAX_ITEMS


def _malformed() -> ReceiptError:
    return ReceiptError("bad_receipt", "expected a receipt, as `purestep receipt` writes it (COSE_Sign1)")


def _unsupported(expected: str) -> ReceiptError:
    return ReceiptError("unsupported_receipt", f"expected {expected}; this is another kind, or one of a newer release")
