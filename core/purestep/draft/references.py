"""Outputs whose bytes stay with the host: a result refers to them, and what is checked and told is the reference."""

from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from ..agent import corrections
from ..errors import PurestepError
from ..values import OutputReference, ToolResult
from .attachments import check_stored


def check_reference(result: ToolResult, path: str) -> None:
    """Raise `invalid_input` for a reference that is none, or stands beside what it is instead of."""
    reference = result.reference
    if reference is None:
        return
    if not result.ok or result.output is not None:
        raise PurestepError("invalid_input", "expected a reference instead of an output, in a result that is ok", path)
    check_stored(reference.digest, reference.media_type, path)


def with_output(result: ToolResult) -> ToolResult:
    """Return a result whose output is what is known of it: the members of its reference, where it has one."""
    if result.reference is None:
        return result
    known: Any = to_builtins(result.reference)
    return replace(result, output=known)


def reference_text(reference: OutputReference) -> str:
    """Return what the model reads of an output that a reference stands for."""
    return corrections.referred_output(reference.media_type, reference.bytes, reference.digest)
