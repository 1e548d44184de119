"""Decode and encode the JSON of hosts: one policy for every text.

Decided here, so that no decoder or platform decides it: nesting and number length are bounded, the last of
duplicate keys wins, NaN and Infinity are refused by the decoder and written as null, lone surrogates become
U+FFFD, integers keep every digit up to the bound. The words of a syntax error come from `diagnose`.
"""

import re
from collections.abc import Callable
from typing import Any, Final

import msgspec

from ..bounds import MAX_DEPTH, MAX_INPUT_BYTES, MAX_NUMBER_DIGITS, SAFE_BRACKETS
from ..errors import PurestepError
from ..lazy import lazy_pattern
from .diagnose import diagnose

encode: Final = msgspec.json.Encoder().encode
"""Encode a value as compact UTF-8 JSON, object keys in their own order."""

encode_sorted: Final = msgspec.json.Encoder(order="deterministic").encode
"""Encode a value as compact UTF-8 JSON, object keys sorted by code point."""

decode_value: Final = msgspec.json.Decoder().decode  # eager: one of any value takes no time to make
"""Decode without bounds: only for bytes that this module or the encoder made."""

_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_ALIKE = bytes.maketrans(b"{}", b"[]")
_LONG_NUMBER = lazy_pattern(rb"[0-9]{%d}" % (MAX_NUMBER_DIGITS + 1))
_SAMPLES = 10
"""In how many bytes of a sample a number past the bound shows: digests, half of whose digits are such, seldom do."""
_SAMPLED_DIGITS = lazy_pattern(rb"[0-9]{%d}" % _SAMPLES)
_HALVES = lazy_pattern("[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]")
_SURROGATES = lazy_pattern(
    r"\\\\|(\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|\\u[dD][89a-fA-F][0-9a-fA-F]{2}",
    re.ASCII,
)

_MARK = "\ufffe"
_ESCAPED_MARK = lazy_pattern(rb"\\u[fF]{3}[eE]")
_MARKED = lazy_pattern(_MARK + "([0-9a-fA-F]{4})", re.ASCII)


def to_bytes(text: str | bytes | bytearray | memoryview) -> bytes:
    """Return the UTF-8 bytes of a host's text, lone surrogates as U+FFFD; raises `input_too_large` past the bound."""
    data = utf8(text) if isinstance(text, str) else checked_bytes(text)
    if len(data) > MAX_INPUT_BYTES:
        raise PurestepError(
            "input_too_large", f"expected at most {MAX_INPUT_BYTES} bytes of input; send less at a time"
        )
    return data


def utf8(text: str) -> bytes:
    """Return the UTF-8 bytes of a text of any length, surrogate pairs joined and lone ones as U+FFFD."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _HALVES.sub(_joined, text).encode()


def checked_bytes(text: object) -> bytes:
    """Return a host's bytes, or raise `invalid_input` for what is neither text nor bytes."""
    if not isinstance(text, (bytes, bytearray, memoryview)):
        raise PurestepError("invalid_input", f"expected text or bytes; got {type(text).__name__}")
    return bytes(text)


def clean_text(text: str) -> str:
    """Return the text with surrogate pairs joined and lone ones as U+FFFD; other text is returned as it is."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return _HALVES.sub(_joined, text)
    return text


def _joined(halves: re.Match[str]) -> str:
    pair = halves[0]
    if len(pair) == 1:
        return "\ufffd"
    return chr(0x10000 + ((ord(pair[0]) - 0xD800) << 10) + ord(pair[1]) - 0xDC00)


def opening_brackets(data: bytes) -> int:
    """Return how many opening brackets bytes have, those in strings included."""
    # To leave a byte out takes a third of what to count it does: the one searches by words, the other byte by byte.
    return 2 * len(data) - len(data.replace(b"{", b"")) - len(data.replace(b"[", b""))


def within_bounds(data: bytes, depth: int = MAX_DEPTH, brackets: int | None = None) -> bool:
    """Whether JSON bytes keep to the nesting and number bounds, the same on every host's stack.

    brackets: how many opening ones there are, strings included, where the caller has counted them.
    """
    if brackets is None:
        brackets = opening_brackets(data)
    if brackets > depth and _may_be_deep(data, depth) and _is_deep(data, depth):
        return False
    # A run of digits longer than the bound puts so many neighbours of this sample on digits.
    sample = data[:: MAX_NUMBER_DIGITS // _SAMPLES]
    return len(sample) < _SAMPLES or not _SAMPLED_DIGITS.search(sample) or not _has_long_number(data)


def _may_be_deep(data: bytes, depth: int) -> bool:
    # A brace before an escaped quote is inside a string, and one after its sibling's end deepens nothing.
    # What is left bounds the nesting from above, at the cost of a few fast counts.
    left = opening_brackets(data)
    for passed_over in (b'{\\"', b'},{"', b'}, {"'):
        left -= data.count(passed_over)
        if left <= depth:
            return False
    return True


def _is_deep(data: bytes, depth: int) -> bool:
    # All brackets alike: were arrays removed before objects, one round could remove a level of each.
    brackets = _outside_strings(data).translate(_ALIKE, _NOT_BRACKETS)
    for _ in range(depth):
        # Each round removes the innermost level; brackets that no round removes do not match, so the text is not JSON.
        inner = brackets.replace(b"[]", b"")
        if len(inner) == len(brackets):
            return inner.count(b"[") > depth
        brackets = inner
    return bool(brackets)


def _outside_strings(data: bytes) -> bytes:
    return b" ".join(data.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')[::2])


def _has_long_number(data: bytes) -> bool:
    return _LONG_NUMBER.search(_outside_strings(data)) is not None


def replace_lone_surrogates(data: bytes) -> bytes:
    """Return JSON bytes with each escaped lone surrogate written as U+FFFD, pairs kept."""
    return _without_lone_surrogates(data, lambda escape: "\\ufffd")


def _without_lone_surrogates(data: bytes, write: Callable[[str], str]) -> bytes:
    text = data.decode("utf-8", "strict")
    return _SURROGATES.sub(lambda m: m[0] if m[1] or m[0] == "\\\\" else write(m[0]), text).encode()


def decode_cut_json(data: bytes) -> Any:
    """Decode JSON whose strings may be cut inside a character; raises as `decode_json` does.

    Escaped lone surrogates come out as they are, so that whoever joins the strings can join the halves too.
    """
    check_bounds(data)
    try:
        return decode_value(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        if _MARK.encode() in data or _ESCAPED_MARK.search(data):
            return _decode_slowly(data)
    try:
        # No decoder takes a lone surrogate, so its digits are passed after a mark that the text does not contain.
        marked = _without_lone_surrogates(data, lambda escape: _MARK + escape[2:])
        return _with_halves(decode_value(marked))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _decode_slowly(data)


def _with_halves(value: Any) -> Any:
    match value:
        case str():
            return _MARKED.sub(lambda half: chr(int(half[1], 16)), value)
        case list():
            return [_with_halves(item) for item in value]
        case dict():
            return {_with_halves(key): _with_halves(item) for key, item in value.items()}
        case _:
            return value


def check_bounds(data: bytes, brackets: int | None = None, depth: int = MAX_DEPTH) -> None:
    """Raise `too_deep` or `input_too_large` for JSON bytes past the nesting and number bounds."""
    if not within_bounds(data, depth, brackets):
        raise _out_of_bounds(data, depth)


def check_stack(data: bytes) -> int:
    """Raise as `check_bounds` does for bytes that a decoder could run out of stack on; quick for all others.

    Gives the number of opening brackets, for `check_bounds`, so that a step counts them once.
    """
    brackets = opening_brackets(data)
    if brackets > SAFE_BRACKETS and _may_be_deep(data, SAFE_BRACKETS):
        check_bounds(data, brackets)
    return brackets


def decode_json(data: bytes, depth: int = MAX_DEPTH) -> Any:
    """Decode JSON that came from outside; raises `invalid_json`, `invalid_utf8`, `too_deep`."""
    check_bounds(data, depth=depth)
    try:
        return decode_value(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _decode_slowly(data)


def _decode_slowly(data: bytes) -> Any:
    try:
        return decode_value(replace_lone_surrogates(data))
    except UnicodeDecodeError as error:
        raise PurestepError(
            "invalid_utf8", f"expected UTF-8; byte {error.start} does not fit; encode the text as UTF-8"
        ) from None
    except (msgspec.MsgspecError, RecursionError):
        why = diagnose(data.decode("utf-8", "replace")) or "expected JSON; the text cannot be read as such"
        raise PurestepError("invalid_json", why) from None


def _out_of_bounds(data: bytes, depth: int) -> PurestepError:
    if _has_long_number(data):
        return PurestepError(
            "input_too_large", f"expected numbers of at most {MAX_NUMBER_DIGITS} digits; send longer ones as strings"
        )
    return PurestepError("too_deep", f"expected JSON nested at most {depth} levels deep; flatten it")
