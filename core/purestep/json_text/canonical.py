"""Canonical JSON, digests and idempotency keys.

Canonical means compact, with keys sorted by code point, and with floats of integral value written as integers: a
value that went through another JSON parser (JavaScript's has one number type) keeps its bytes.
"""

from hashlib import sha256
from typing import Any

from ..bounds import CALL_KEY_CHARS, SIGNATURE_CHARS
from .codec import encode_sorted

_FIRST_WITH_EXPONENT = 1e21
"""From here on JavaScript writes a number with an exponent; below, an integral one is written as an integer is."""


def plain_numbers(value: Any) -> Any:
    """Return the value with each float of integral value below 1e21 as an integer of the digits that JavaScript has."""
    match value:
        case float() if value.is_integer() and -_FIRST_WITH_EXPONENT < value < _FIRST_WITH_EXPONENT:
            return _integer(value)
        case dict():
            return {key: plain_numbers(item) for key, item in value.items()}
        case list():
            return [plain_numbers(item) for item in value]
        case _:
            return value


def _integer(value: float) -> int:
    """Return the integer of the fewest digits that the float is read from, filled up with zeros."""
    digits, _, exponent = repr(value).partition("e")
    whole, _, fraction = digits.partition(".")
    return int(whole + fraction.ljust(int(exponent), "0")) if exponent else int(whole)


def digest(value: Any) -> str:
    """Return the SHA-256 of the value's canonical JSON, 64 hex digits."""
    return sha256(encode_sorted(plain_numbers(value))).hexdigest()


def call_signature(tool: str, params: dict[str, Any]) -> str:
    """Return the signature that equal calls share: the SHA-256 of tool and canonical arguments, 64 hex digits."""
    return sha256(encode_sorted((tool, params))).hexdigest()


def call_key(run_id: str, ordinal: int, signature: str) -> str:
    """Return the idempotency key of a call, 32 hex digits.

    ordinal: the call's number in its run, from 1. The same call of the same run has the same key on every host and
    after every restart; two calls of a run never share one, since the ordinal counts up.
    """
    return sha256(f"{run_id}\n{ordinal}\n{signature}".encode()).hexdigest()[:CALL_KEY_CHARS]


def text_signature(text: str) -> str:
    """Return a short digest of a result text, 16 hex digits."""
    return sha256(text.encode()).hexdigest()[:SIGNATURE_CHARS]
