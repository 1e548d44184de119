"""Targets that take the text of a model: reading, streaming, loose JSON, what we write ourselves, and time."""

import re
from collections.abc import Callable
from random import Random
from typing import Any, Final

import msgspec

import purestep
from purestep.bounds import MAX_BLOCK_START_CHARS, MAX_VALUE_DEPTH
from purestep.dialects import Sample, dialect_named, read_output
from purestep.entry.standalone import read_text, specs_of
from purestep.entry.stream import Stream, close_stream, feed, stream_of
from purestep.json_text.codec import clean_text, encode_sorted
from purestep.json_text.extract import BLANK, UNREADABLE, read_json
from purestep.json_text.repair import repair_json
from purestep.scanner import Position, Scanner, Segment, Table, gathered
from purestep.values.reading import FATAL, NOTES, ReadCall, StreamCall, StreamReasoning, StreamRetract, StreamStop
from purestep.values.toolspec import Tools
from tools.growth import is_linear

from .expected import answered, asked, expect
from .seeds import DIALECTS, MARKS, ODD, TOOLS

HEADER: Final = 3
_SPECS: Final = specs_of(TOOLS)
_AS_TEXT: Final = ("auto", *(name for name in DIALECTS if dialect_named(name).form is not None))
"""Dialects whose streamed text is the reading's content; an envelope's content and problems are shown otherwise."""


def encoded(text: str) -> bytes:
    """Return a text as bytes, lone surrogates kept."""
    return text.encode("utf-8", "surrogatepass")


def decoded(data: bytes) -> str:
    """Return any bytes as a text; surrogates stay where they are alone, since no split parts a character."""
    try:
        text = data.decode("utf-8", "surrogatepass")
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace")


def _parts(data: bytes) -> tuple[str, list[dict[str, Any]] | None, Random, str]:
    header = data[:HEADER].ljust(HEADER, b"\0")
    return DIALECTS[header[0] % len(DIALECTS)], TOOLS if header[1] % 2 else None, Random(header[2]), decoded(data[3:])


def reading(data: bytes) -> None:
    """A reading is one of the contract's values, the same each time, and nothing falls through to nothing."""
    dialect, tools, _, text = _parts(data)
    first = read_text(text, dialect, tools)
    expect(first == read_text(text, dialect, tools), "reading twice gives the same", text)
    given = answered(purestep.read_model_output(asked(text=text, dialect=dialect, tools=tools)))
    expect("error" not in given, "no text is refused", given)
    codes = [problem["code"] for problem in given["problems"]]
    expect(not set(codes) - FATAL - NOTES, "problems have codes of the two sets", codes)
    said = given["content"] is not None or given["reasoning"] is not None
    expect(bool(said or given["calls"] or codes or not text.strip(BLANK)), "nothing falls through to nothing", text)
    names = [tool["name"] for tool in tools or ()]
    for call in given["calls"]:
        expect(isinstance(call["params"], dict) and bool(call["tool"]), "a call has a name and an object", call)
        expect(tools is None or call["tool"] in names, "only calls of known tools are given", call)
        expect(read_json(encode_sorted(call["params"]).decode()) != UNREADABLE, "arguments are JSON again", call)


# --- streams ----------------------------------------------------------------------------------------------


def streaming(data: bytes) -> None:
    """Any split gives the same text, calls and problems as the whole, and little is held back."""
    dialect, tools, random, text = _parts(data)
    specs = specs_of(tools)
    chunks = _split(text, random)
    kind = "a family" if dialect in _AS_TEXT[1:] else dialect
    whole, parts = _emitted(dialect, specs, [text]), _emitted(dialect, specs, chunks)
    expect(whole == parts, f"any split gives the same events ({kind})", dialect, text, chunks, whole, parts)
    alone = _emitted(dialect, specs, list(text))
    expect(whole == alone, f"single characters give the same events ({kind})", dialect, text, whole, alone)
    _expect_emitted_is_read(dialect, kind, specs, text, whole)
    table = dialect_named(dialect).table
    if table is not None:
        one, other = gathered(_segments(table, specs, [text])), gathered(_segments(table, specs, chunks))
        expect(one == other, "any split gives the same reading", dialect, text, one, other)


def _segments(table: Table, specs: Tools | None, chunks: list[str]) -> list[Segment]:
    """Return what chunks come to when the place between any two of them goes through JSON, as a host keeps it."""
    walk, out = Scanner(table, specs), list[Segment]()
    for chunk in chunks:
        walk.feed(chunk)
        out += walk.out
        walk = Scanner(table, specs, _through_json(walk.position()))
    walk.finish()
    return [*out, *walk.out]


def _through_json(place: Position) -> Position:
    try:
        return msgspec.json.decode(msgspec.json.encode(place), type=Position)
    except UnicodeEncodeError:
        return place  # a lone surrogate, which no JSON brought


def _split(text: str, random: Random) -> list[str]:
    chunks, at = list[str](), 0
    while at < len(text):
        size = random.choice((1, 1, 2, 3, 5, 8, 13, 50, 300))
        chunks.append(text[at : at + size])
        at += size
    return chunks


def _emitted(dialect: str, specs: Tools | None, chunks: list[str]) -> list[Any]:
    """Return what a stream tells in total: texts and reasoning joined, calls, stops and retracts as they came."""
    stream: Stream = stream_of(dialect, dict(specs) if specs is not None else None)
    emitted: list[Any] = []
    for chunk in chunks:
        stream, events = feed(stream, chunk)
        # A call without markers is kept until the character after its bracket is known.
        held = "" if stream.position.mode == "block" else stream.held
        expect(len(held) <= MAX_BLOCK_START_CHARS, "no more is held back than a marker", held)
        emitted += events
    merged: list[Any] = []
    for event in [*emitted, *close_stream(stream)]:
        last = merged[-1] if merged else None
        if event.text and isinstance(last, str):
            merged[-1] = last + event.text
        elif isinstance(event, StreamReasoning) and isinstance(last, StreamReasoning):
            merged[-1] = StreamReasoning(reasoning=last.reasoning + event.reasoning)
        else:
            merged.append(event.text or event)
    return merged


def _expect_emitted_is_read(dialect: str, kind: str, specs: Tools | None, text: str, emitted: list[Any]) -> None:
    retracts = [number for number, event in enumerate(emitted) if isinstance(event, StreamRetract)]
    emitted = emitted[retracts[-1] + 1 :] if retracts else emitted
    expect(sum(isinstance(event, StreamStop) for event in emitted) <= 1, "a stream stops once", text)
    text = clean_text(text)
    read = read_output(dialect_named(dialect), text, specs)
    told = () if _is_known_at_its_end(dialect, text, specs) else read.calls
    calls = [(call.tool, call.params) for call in told if specs is None or call.tool in specs]
    streamed = [(event.tool, event.params) for event in emitted if isinstance(event, StreamCall)]
    expect(calls == streamed, f"a stream tells the calls that are read ({kind})", dialect, text, calls, streamed)
    if dialect in _AS_TEXT:
        shown = "".join(event for event in emitted if isinstance(event, str))
        expect(
            shown == (read.content or ""),
            f"a stream shows what is read ({kind})",
            dialect,
            text,
            shown,
            read,
        )


def _is_known_at_its_end(dialect: str, text: str, specs: Tools | None) -> bool:
    """Whether the calls of a text are those of another form, without a marker of the dialect's own.

    The whole answer has to be one; a stream, which tells nothing before it is certain, has shown it as text by then.
    """
    return dialect in ("tool_tags", "bare") and not dialect_named(dialect).read(text, specs).calls


# --- what we write ----------------------------------------------------------------------------------------

_WORDS: Final = ("Rome", "a", "", " ", "\n", *MARKS, *ODD, '"}', "'}]", "\\", "</tool_call>\n", "{}", "none", "12")


_NOT_PLAIN: Final = re.compile("[<>|\"'`\r\0{}\\[\\]:\uff5c]")
"""What a form without escapes cannot have in a string, or may not be able to."""


def written(data: bytes) -> None:
    """What a family's own writer writes is read as the same calls, whatever its strings hold, and no byte is shown."""
    random = Random(data)
    family = random.choice(_AS_TEXT[1:])
    dialect = dialect_named(family)
    form = dialect.form
    assert form is not None
    calls = tuple(
        _random_call(random, is_escaped=form.arguments in ("json", "python")) for _ in range(random.randint(1, 3))
    )
    lead = random.choice(("", "", "I look it up.\n", "<think>\nHm.\n</think>\n"))
    text = lead + dialect.write(Sample(calls=calls))
    for reader in (dialect, dialect_named("auto")):
        read = read_output(reader, text, _SPECS)
        expect(calls == read.calls, "a call that we write is read", family, text, calls, read)
        expect(
            (read.content or "") in ("", lead.strip(BLANK)),
            "nothing of a call is shown",
            family,
            text,
            read,
        )
        expect(not read.problems, "nothing is wrong with what we write", family, text, read)


def _random_call(random: Random, *, is_escaped: bool) -> ReadCall:
    if random.random() < 0.15:  # noqa: PLR2004 (seldom)
        return ReadCall(tool="get_time", params={})
    text = "".join(random.choice(_WORDS) for _ in range(random.randint(0, 4))).encode("utf-8", "replace").decode()
    city = text if is_escaped else _NOT_PLAIN.sub("", text).strip("\n ")
    params: dict[str, Any] = {"city": city}
    if random.randint(0, 1):
        params |= {"days": random.randint(-(10**20), 10**20), "exact": random.choice((True, False)), "note": None}
    if random.randint(0, 1):
        params |= {"tags": [city] * random.randint(0, 2), "where": {"lat": random.choice((0, -1.5, 1e300, 0.1))}}
    return ReadCall(tool="get_weather", params=params)


# --- loose JSON -------------------------------------------------------------------------------------------


def loose(data: bytes) -> None:
    """Loose reading reads JSON as JSON, tells a cut, ends within the text, and its value is bounded JSON."""
    _, _, random, text = _parts(data)
    text = clean_text(text)
    begin = max(0, min((place for place in (text.find("{"), text.find("[")) if place >= 0), default=0))
    for at in (0, begin):
        for bare in (False, True):
            _expect_loose(text, at, bare)
    if begin < len(text):
        _expect_cut_is_emitted(text[begin:], random)


def _expect_loose(text: str, at: int, bare: bool) -> None:
    found = repair_json(text, at, bare=bare)
    expect(found == repair_json(text, at, bare=bare), "loose reading twice gives the same", text)
    if found is None:
        return
    expect(at <= found.end <= len(text), "a loose value ends in the text", text, found)
    expect(not found.cut or found.end == len(text), "a cut value is cut by the end", text, found)
    value = (
        read_json(encode_sorted(found.value).decode("utf-8", "replace"))
        if not found.cut and not found.guesses
        else None
    )
    expect(value is not UNREADABLE, "a loose value is JSON", text, found)
    expect(_depth(found.value) <= MAX_VALUE_DEPTH + 1, "a loose value is bounded", text)
    strict = read_json(text[at : found.end])
    if strict is not UNREADABLE and not found.cut and not isinstance(strict, int | float):
        expect(strict == found.value, "JSON is read as JSON", text, strict, found)


def _expect_cut_is_emitted(text: str, random: Random) -> None:
    found = repair_json(text)
    if found is None or found.cut or found.notes or found.guesses or text[0] not in "{[":
        return
    end = random.randint(1, max(1, found.end - 1))
    part = repair_json(text[:end]) if end < found.end else None
    expect(part is None or part.cut, "what is cut is never whole", text[:end], part)


def _depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth, inner), default=0)


# --- time -------------------------------------------------------------------------------------------------

UNIT: Final = "\x1f"
SMALL: Final = 12_000


def linear(data: bytes) -> None:
    """A text made of one part repeated costs in proportion to its length, read, streamed and mended.

    The input's text is what comes once, UNIT, and what is repeated.
    """
    dialect, tools, _, text = _parts(data)
    lead, _, unit = text.rpartition(UNIT)
    if not unit:
        return
    specs = specs_of(tools)
    works: tuple[Callable[[str], object], ...] = (
        lambda text: read_text(text, dialect, tools),
        lambda text: _streamed(dialect, specs, text),
        repair_json,
    )
    for number, work in enumerate(works):
        growth = is_linear(work, unit, lead=lead, chars=SMALL)
        expect(growth, "time grows with the length", number, dialect, tools, lead, unit)


def _streamed(dialect: str, specs: Tools | None, text: str) -> None:
    stream = stream_of(dialect, dict(specs) if specs is not None else None)
    for at in range(0, len(text), 64):
        stream, _ = feed(stream, text[at : at + 64])
    close_stream(stream)
