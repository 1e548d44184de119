"""What a seal is computed over: a run's state and transcript, and for whom and until when they are sealed.

A host that hands a run to a client seals it, and takes back only what the seal fits. The key and the HMAC are the
host's; that the same run always gives the same text, however its JSON was written again on the way, is decided here.
"""

from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from ..bounds import MAX_SEAL_KEY_CHARS
from ..json_text import decode_json, digest, encode_sorted
from ..values import Count, converted

SEAL_FORMAT: Final = "purestep-seal-v1"
"""Stands in every sealed text, so that a key which also signs something else seals nothing else."""


class Standing(Struct, frozen=True, kw_only=True):
    """The members of a state that a sealed text names; the digest holds the others."""

    agent: str | None
    run_id: str
    head: str


class SealInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a seal is asked for: where a run stands, who it is for, when it ends, and the key it is made with.

    `children`: the transcripts of the agents that go on, by the ids of their runs.
    """

    state: dict[str, Any]
    messages: tuple[dict[str, Any], ...]
    children: dict[str, tuple[dict[str, Any], ...]] = {}
    user: str
    expires_at: Count
    key_id: Annotated[str, Meta(min_length=1, max_length=MAX_SEAL_KEY_CHARS)]


def text_to_seal(data: bytes) -> bytes:
    """Return the bytes to seal. Error codes: `invalid_json`, `too_deep`, `invalid_input` with the path."""
    given: SealInput = converted(SealInput, decode_json(data), "invalid_input")
    standing: Standing = converted(Standing, given.state, "invalid_input", "/state")
    children = {run_id: list(messages) for run_id, messages in given.children.items()}
    return encode_sorted(
        {
            **({"children": digest(children)} if children else {}),
            "agent": standing.agent,
            "expires_at": given.expires_at,
            "format": SEAL_FORMAT,
            "head": standing.head,
            "key_id": given.key_id,
            "messages": digest(list(given.messages)),
            "run_id": standing.run_id,
            "state": digest(given.state),
            "user": given.user,
        }
    )
