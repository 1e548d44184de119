"""Anchors: what is kept apart from a log, so that nobody can change or cut it later and say it was always so.

An anchor names the run, how many lines its log had and the head after them. It may be signed with an Ed25519 key, and
carry a token of a timestamp authority (RFC 3161) over the same text. A log that has grown since still meets it.
"""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from purestep import LogLines, decode_as, events, read_events, verify
from purestep_hosts.extras import ANCHOR
from purestep_hosts.key_files import goes_on, loaded_key
from purestep_hosts.sessions import chain

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

FORMAT: Final = "purestep-anchor-1"
_TOKEN_TYPE: Final = "application/timestamp-query"
_MAX_TOKEN_BYTES: Final = 64 * 1024
_TIMEOUT_S: Final = 30.0


class AnchorError(Exception):
    """An anchor cannot be made, or does not hold; `code` is stable, `message` says what to do.

    Codes: `bad_anchor`, `bad_key`, `bad_log`, `timestamp_failed`; `anchor_mismatch`, `signature_invalid`,
    `signer_mismatch`, `timestamp_invalid`.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Anchor(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a log was: `head` is that after its first `lines` lines.

    signer, signature: the raw Ed25519 public key and its signature of `signed_text`, in base64. timestamp: the
    authority's answer over the same text, in base64.
    """

    format: str
    run_id: str
    lines: Annotated[int, msgspec.Meta(ge=1)]
    head: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
    signer: str = ""
    signature: str = ""
    timestamp: str = ""

    def signed_text(self) -> bytes:
        """Return what is signed and timestamped: four lines, each with its newline."""
        return f"{self.format}\n{msgspec.json.encode(self.run_id).decode()}\n{self.lines}\n{self.head}\n".encode()


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """What an anchor that holds says of a log.

    lines_after: those that came since. signer: the key that signed it, if any. is_known: it is one that was expected.
    at: when an authority that is trusted saw it. is_timestamped: the anchor has a token of an authority, looked at or
    not.
    """

    lines_after: int
    signer: str = ""
    is_known: bool = False
    at: datetime | None = None
    is_timestamped: bool = False


def anchor_of(log: bytes | Iterable[bytes]) -> Anchor:
    """Return the anchor of a log that verifies, of its whole lines; raises AnchorError `bad_log`.

    log: its bytes, or what gives pieces of them anew each time that it is iterated over, as no generator does.
    """
    verdict = verify(log)
    first = next(read_events(log), None) if verdict.ok else None
    if first is None or not isinstance(first[1], events.RunStarted):
        raise AnchorError("bad_log", f"the log does not verify, so nothing vouches for it: {verdict.message}")
    return Anchor(format=FORMAT, run_id=first[1].run_id, lines=verdict.lines, head=verdict.head)


def read_anchor(data: bytes) -> Anchor:
    """Return the anchor that a file holds; raises AnchorError `bad_anchor`."""
    try:
        anchor = decode_as(data, Anchor)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise AnchorError("bad_anchor", "expected the JSON of an anchor, as `purestep anchor` writes it") from None
    if anchor.format != FORMAT:
        raise AnchorError("bad_anchor", f"expected an anchor of the format {FORMAT}; got another one")
    return anchor


def private_key(data: bytes) -> Ed25519PrivateKey:
    """Return the key of a file without a password, PEM or OpenSSH; raises AnchorError `bad_key`."""
    with ANCHOR:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_ssh_private_key
    key = loaded_key(data, load_ssh_private_key, load_pem_private_key)
    if isinstance(key, Ed25519PrivateKey):
        return key
    text = "expected an Ed25519 private key without a password; make one: ssh-keygen -t ed25519 -N '' -f anchor.key"
    raise AnchorError("bad_key", text)


def public_key(data: bytes) -> Ed25519PublicKey:
    """Return the key of a file, PEM or OpenSSH; raises AnchorError `bad_key`."""
    with ANCHOR:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
        from cryptography.hazmat.primitives.serialization import load_pem_public_key, load_ssh_public_key
    key = loaded_key(data, load_ssh_public_key, load_pem_public_key)
    if key is not None and (trouble := goes_on(data)):
        raise AnchorError("bad_key", trouble)
    if isinstance(key, Ed25519PublicKey):
        return key
    raise AnchorError("bad_key", "expected an Ed25519 public key, such as the file anchor.key.pub of ssh-keygen")


def signed(anchor: Anchor, key: Ed25519PrivateKey) -> Anchor:
    """Return an anchor with a signature."""
    raw = key.public_key().public_bytes_raw()
    signature = key.sign(anchor.signed_text())
    return msgspec.structs.replace(
        anchor, signer=b64encode(raw).decode("ascii"), signature=b64encode(signature).decode("ascii")
    )


def timestamped(anchor: Anchor, url: str) -> Anchor:
    """Return an anchor with the token of a timestamp authority; raises AnchorError `timestamp_failed`."""
    with ANCHOR:
        import httpx2
        from rfc3161_client import TimestampRequestBuilder, VerificationError, decode_timestamp_response
    query = TimestampRequestBuilder().data(anchor.signed_text()).build()
    try:
        reply = httpx2.post(
            url, content=query.as_bytes(), headers={"Content-Type": _TOKEN_TYPE}, timeout=_TIMEOUT_S
        ).raise_for_status()
        token = reply.content[:_MAX_TOKEN_BYTES]
        answer = decode_timestamp_response(token)
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, VerificationError) as error:
        text = f"the timestamp authority gave no token ({type(error).__name__}); check its address and try again"
        raise AnchorError("timestamp_failed", text) from None
    if answer.status != 0 or answer.tst_info.nonce != query.nonce:
        raise AnchorError("timestamp_failed", "the timestamp authority did not grant this request")
    return msgspec.structs.replace(anchor, timestamp=b64encode(token).decode("ascii"))


def check_anchor(
    log: bytes | Iterable[bytes], anchor: Anchor, *, signer: Ed25519PublicKey | None = None, roots: bytes | None = None
) -> Held:
    """Hold a log against an anchor.

    log: its bytes, or pieces of them. signer: the key that has to have signed it; without one a signature is checked,
    and whose it is stays open. roots: certificates (PEM) of which one has to vouch for the authority; without them a
    token is not looked at. Raises AnchorError: `anchor_mismatch`, `signature_invalid`, `signer_mismatch`,
    `timestamp_invalid`.
    """
    lines, head, run_id = 0, "", ""
    for lines, (_, line) in enumerate(LogLines(log), 1):
        if lines == 1:
            run_id = run_id_of(line)
        if lines <= anchor.lines:
            head = chain([line], head)
    if lines < anchor.lines:
        text = f"the log has {lines} lines, and had {anchor.lines} when it was anchored: the others were cut off"
        raise AnchorError("anchor_mismatch", text)
    if head != anchor.head or run_id != anchor.run_id:
        text = f"the first {anchor.lines} lines are not those that were anchored: it is another log, or it was changed"
        raise AnchorError("anchor_mismatch", text)
    is_known = _check_signature(anchor, signer)
    at = _checked_time(anchor, roots) if roots is not None else None
    return Held(
        lines_after=lines - anchor.lines,
        signer=anchor.signer,
        is_known=is_known,
        at=at,
        is_timestamped=bool(anchor.timestamp),
    )


def _check_signature(anchor: Anchor, signer: Ed25519PublicKey | None) -> bool:
    """Return whether the expected key has signed."""
    if not anchor.signature:
        if signer is not None:
            raise AnchorError("signer_mismatch", "the anchor is not signed, and a signer is expected")
        return False
    with ANCHOR:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    try:
        raw = b64decode(anchor.signer, validate=True)
        key = Ed25519PublicKey.from_public_bytes(raw)
        key.verify(b64decode(anchor.signature, validate=True), anchor.signed_text())
    except (InvalidSignature, ValueError, binascii.Error):
        raise AnchorError("signature_invalid", "the signature does not fit the anchor: it was changed") from None
    if signer is not None and signer.public_bytes_raw() != raw:
        raise AnchorError("signer_mismatch", "the anchor was signed with another key than the one expected")
    return signer is not None


def _checked_time(anchor: Anchor, roots: bytes) -> datetime:
    if not anchor.timestamp:
        raise AnchorError("timestamp_invalid", "the anchor has no timestamp, and one is expected")
    with ANCHOR:
        from cryptography.x509 import load_pem_x509_certificates
        from rfc3161_client import VerificationError, VerifierBuilder, decode_timestamp_response
    try:
        certificates = load_pem_x509_certificates(roots)
    except ValueError:
        raise AnchorError("bad_key", "expected certificates in PEM, such as those of the authority") from None
    try:
        answer = decode_timestamp_response(b64decode(anchor.timestamp, validate=True))
        VerifierBuilder(roots=certificates).build().verify_message(answer, anchor.signed_text())
    except (VerificationError, ValueError, binascii.Error) as error:
        raise AnchorError("timestamp_invalid", f"the timestamp does not hold ({error})") from None
    at: datetime = answer.tst_info.gen_time
    return at


def run_id_of(line: bytes) -> str:
    """Return the id of the run that a log's first line begins; empty for another line. Raises PurestepError."""
    first = next((event for _, event in read_events(line)), None)
    return first.run_id if isinstance(first, events.RunStarted) else ""
