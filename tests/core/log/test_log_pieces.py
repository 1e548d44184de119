"""A log in pieces, as a file or a stream gives them, is what it is as a whole, and is never held as one."""

import json
import tracemalloc
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import purestep
from purestep import Agent, LogLines, ModelOutput, PurestepError, UserMessage, start, step
from purestep.log import lines
from tests.core.log.runs import rich_run

LOG = rich_run().log.encode()
HEAD = rich_run().state["head"]
AT = LOG.index(b"\n", len(LOG) // 2) + 1
"""Where a line in the middle begins."""

ODD: dict[str, bytes] = {
    "as written": LOG,
    "nothing": b"",
    "one line break": b"\n",
    "blanks": b" \n\t\r\n",
    "no line break at the end": LOG[:-1],
    "torn": LOG[:-9],
    "torn, and blanks after it": LOG[:-9] + b"  ",
    "torn amid a letter": LOG[:-1].replace(b"Hello", "Hellö".encode())[:-4] + "ö".encode()[:1],
    "blank lines": LOG.replace(b"\n", b"\n \n\r\n"),
    "a blank last line": LOG + b"  \n",
    "NUL within": LOG[:AT] + b"\0" + LOG[AT:],
    "a line of NUL": LOG[:AT] + b"\0\0\n" + LOG[AT:],
    "NUL at the end": LOG + b"\0" * 9,
    "half a letter": LOG[: AT + 20] + b"\xe2\x82" + LOG[AT + 20 :],
    "carriage returns": LOG.replace(b"\n", b"\r\n"),
    "two runs": LOG + LOG,
    "half a step": LOG[:AT],
    "no log": b"nothing\nnothing",
    "UTF-16": LOG.decode().encode("utf-16"),
    "byte order mark": b"\xef\xbb\xbf" + LOG,
}


def cut(data: bytes, places: list[int]) -> Iterator[bytes]:
    """Yield a log in pieces that are cut at these places, some of them empty."""
    for begin, end in pairwise([0, *sorted(place % (len(data) + 1) for place in places), len(data)]):
        yield data[begin:end]


@pytest.mark.parametrize("name", ODD)
@given(places=st.lists(st.integers(0, 10**6), max_size=40))
def test_pieces_give_what_the_whole_gives(name: str, places: list[int]) -> None:
    """Wherever it is cut: what is found, with numbers of lines, events and a torn end, and errors."""
    data = ODD[name]
    for head in (None, HEAD):
        assert purestep.verify(data, head) == purestep.verify(cut(data, places), head)
    assert _made(purestep.replay, data) == _made(purestep.replay, cut(data, places))
    assert _made(lambda log: list(purestep.read_events(log)), data) == _made(
        lambda log: list(purestep.read_events(log)), cut(data, places)
    )
    assert purestep.explain_log(data) == purestep.explain_log(cut(data, places))


@pytest.mark.parametrize("name", ODD)
def test_each_byte_as_a_piece(name: str) -> None:
    """The smallest pieces, also as other kinds of bytes."""
    data = ODD[name]
    assert purestep.verify(data, HEAD) == purestep.verify((data[at : at + 1] for at in range(len(data))), HEAD)
    assert purestep.verify(data, HEAD) == purestep.verify([bytearray(data), memoryview(b"")], HEAD)
    assert purestep.verify(data, HEAD) == purestep.verify(
        data.splitlines(keepends=True) if name != "UTF-16" else [data], HEAD
    )


def test_differences_of_logs_in_pieces() -> None:
    """`diff` takes them too, and tells of a line that cannot be read after the place where two runs part."""
    other = LOG.replace(b"Hello", b"Good day")
    assert purestep.diff(LOG, other) == purestep.diff(cut(LOG, [7, 99]), cut(other, [500]))
    for one, two in ((LOG, other + b"{}\n"), (LOG + b"{}\n", other)):
        assert "invalid_log" == _made(lambda log: purestep.diff(*log), (one, two))[0]


def test_lines_say_how_a_log_ends() -> None:
    """Blank lines and a torn last one are left out and told of."""
    found = LogLines(cut(LOG.replace(b"\n", b"\n\n", 1) + b'{"se', [3]))
    numbers = [number for number, _ in found]
    assert [1, *range(3, LOG.count(b"\n") + 2)] == numbers
    assert (4, 2, False) == (found.torn_bytes, found.blank, found.is_ended)


@pytest.mark.parametrize("call", [purestep.verify, purestep.replay, lambda log: list(purestep.read_events(log))])
def test_a_line_without_an_end_is_refused_before_it_is_held(
    call: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An endless line is read up to the bound and one piece more; the error names its line."""
    monkeypatch.setattr(lines, "MAX_LOG_LINE_BYTES", len(LOG))
    taken = 0

    def endless() -> Iterator[bytes]:
        nonlocal taken
        yield LOG
        while True:
            taken += 1
            yield b" " * 1000

    found = _made(call, endless())
    line = LOG.count(b"\n") + 1
    told = f"expected a line of at most {len(LOG)} bytes"
    if call is purestep.verify:
        assert ("input_too_large", line, told) == (found[1].code, found[1].line, found[1].message)
    else:
        assert ("input_too_large", f"line {line}: {told}") == found
    assert taken == len(LOG) // 1000 + 1


@pytest.mark.parametrize("piece", ["text", 7, None])
def test_pieces_that_are_no_bytes_are_refused(piece: object) -> None:
    """A file that was opened as text gives none; nothing is guessed of its encoding."""
    found = purestep.verify([piece])  # type: ignore[list-item]
    assert (False, "invalid_input") == (found.ok, found.code)
    assert "expected text or bytes" in (found.message or "")


def test_memory_does_not_grow_with_the_log() -> None:
    """Ten times as many exchanges take no more than before, besides a few bytes."""
    few, many = _peak(4), _peak(40)
    assert many < few + 64 * 1024
    assert few < 40 * LONG


LONG = 100_000


def _peak(exchanges: int) -> int:
    tracemalloc.start()
    try:
        assert purestep.verify(_long_run(exchanges)).ok
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _long_run(exchanges: int) -> Iterator[bytes]:
    agent = Agent.load({"instructions": "Answer."})
    run = start(agent, UserMessage(content="x" * LONG), run_id="long")
    for _ in range(exchanges):
        yield run.log.encode()
        run = step(run.state, ModelOutput(content=json.dumps({"kind": "final", "content": "y" * LONG})))
        yield run.log.encode()
        run = step(run.state, UserMessage(content="x" * LONG))
    yield run.log.encode()


def _made(make: Callable[..., object], log: object) -> tuple[object, ...]:
    """Return what is made of a log, or the error's code and words."""
    try:
        return True, make(log)
    except PurestepError as error:
        return error.code, error.message
