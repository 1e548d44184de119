"""Decodes the body of a reply piece by piece, none of them larger than a bound, whatever a few bytes expand to."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

_PIECE_BYTES = 65_536
_GZIP_OR_ZLIB = zlib.MAX_WBITS | 32


class UnknownEncoding(Exception):
    """The body is encoded in a way that was not asked for and cannot be undone."""


def decoded(pieces: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """Yield the decoded pieces of a body; `encoding` is its Content-Encoding.

    Plain bodies are asked for; a gateway may compress all the same. Raises UnknownEncoding.
    """
    name = encoding.strip().lower()
    if name in ("", "identity"):
        yield from pieces
    elif name in ("gzip", "x-gzip", "deflate"):
        yield from _inflated(pieces)
    else:
        raise UnknownEncoding


def _inflated(pieces: Iterable[bytes]) -> Iterator[bytes]:
    stream = zlib.decompressobj(_GZIP_OR_ZLIB)
    for piece in pieces:
        left = piece
        while left and not stream.eof:
            try:
                part = stream.decompress(left, _PIECE_BYTES)
            except zlib.error:
                raise UnknownEncoding from None
            left = stream.unconsumed_tail
            if part:
                yield part
