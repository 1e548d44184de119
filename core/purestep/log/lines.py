"""The lines of a log, read one at a time: of a whole text, or of pieces as a file or a stream gives them."""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from ..bounds import MAX_LOG_BYTES, MAX_LOG_LINE_BYTES
from ..errors import PurestepError
from ..json_text import checked_bytes, utf8, within_bounds
from ..values import decode_event
from .replayer import Mismatch

LogText = str | bytes | Iterable[bytes]
"""A log: its text, its bytes, or pieces of its bytes, cut anywhere."""


class LogLines:
    """The lines of a log with their numbers, from 1, without blank ones and without a torn last one; read once.

    No more than one piece and two lines are in memory. What is said of the end holds once all lines were taken.

    log: text or bytes, at most MAX_LOG_BYTES, or pieces of bytes, of any number; a line has at most MAX_LOG_LINE_BYTES.
    Error codes: `input_too_large`, which names the line; `invalid_input` for what is none of these.
    """

    def __init__(self, log: LogText) -> None:
        self.torn_bytes = 0
        """The length of a torn last line, as a crash leaves it."""
        self.blank: int | None = None
        """The number of the first blank line."""
        self.is_ended = False
        """Whether the last line has its line break."""
        self._pieces = _pieces(log)

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        held: tuple[int, bytes] | None = None
        for number, line in enumerate(self._every(), 1):
            if not line.strip():  # ascii: bytes
                self.blank = self.blank or number
                continue
            if held is not None:
                yield held
            held = number, line
        if held is None:
            return
        if self.is_ended or _is_whole(held[1]):
            yield held
        else:
            self.torn_bytes = len(held[1])

    def _every(self) -> Iterator[bytes]:
        """Yield each line without its line break; the last one too, where it has none."""
        begun: list[bytes] = []  # a line of which more is to come
        size = number = 0
        for given in self._pieces:
            piece, begin = checked_bytes(given), 0
            while begin < len(piece):
                end = piece.find(b"\n", begin)
                part = piece[begin:] if end < 0 else piece[begin:end]
                size += len(part)
                if size > MAX_LOG_LINE_BYTES:
                    raise _too_long(number + 1)
                if begun or end < 0:
                    begun.append(part)
                if end < 0:
                    break
                yield b"".join(begun) if begun else part
                begun, size, number, begin = [], 0, number + 1, end + 1
        self.is_ended = number > 0 and not begun
        if begun:
            yield b"".join(begun)


def _pieces(log: LogText) -> Iterable[bytes]:
    if not isinstance(log, (str, bytes, bytearray, memoryview, Mapping)) and isinstance(log, Iterable):
        return log
    data = utf8(log) if isinstance(log, str) else checked_bytes(log)
    if len(data) > MAX_LOG_BYTES:
        raise PurestepError("input_too_large", f"expected a log of at most {MAX_LOG_BYTES} bytes")
    return (data,)


def _too_long(number: int) -> Mismatch:
    return Mismatch("input_too_large", f"expected a line of at most {MAX_LOG_LINE_BYTES} bytes", number, None, None)


def _is_whole(line: bytes) -> bool:
    """Whether a line is an event, which a torn one is not; one nested too deep is refused later."""
    try:
        return not within_bounds(line) or bool(decode_event(line))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False


def whole_lines(text: str | bytes) -> tuple[list[bytes], int]:
    """Return a log's lines, blank ones among them, without a torn last one, and the length of that.

    Error codes: those of `LogLines`.
    """
    given, lines = LogLines(text), list[bytes]()
    for number, line in given:
        lines += [b""] * (number - 1 - len(lines))
        lines.append(line)
    return lines, given.torn_bytes
