"""The streaming filter: what of a model's output may be shown while it comes, which calls are complete, when to stop.

A filter is a frozen value: `feed` gives the next one and the events. Any split of the same text gives the same events
in total, and what the whole-text reader gives, because both use the scanner. Markers, calls and the envelope around an
answer are never shown, and reasoning is an event of its own; what is not certain to be text is held back, never longer
than the longest marker, and shown by `close_stream` if it was text.

An output is read as text with blocks in it, or as one object, from its first character to its end. `STAGES` is the
whole machine: how each stage takes a chunk and the end, and which stages may follow.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from ..agent import agent_by_digest
from ..bounds import MAX_MARKER_TABLES
from ..dialects import BARE_TEXT, Dialect, content_of, dialect_named, head_end, may_be_undone, without_cut_calls
from ..errors import PurestepError
from ..json_text import UNREADABLE, clean_text, read_json
from ..scanner import (
    OPENED,
    REASONING,
    START,
    TEXT,
    THINKING,
    Block,
    BlockResult,
    BlockStart,
    Mark,
    Position,
    Scanner,
    Table,
    kept,
    open_reasoning,
    position_fits,
    read_with_reasoning,
)
from ..values import Reading, RunState, StreamEvent, Tools, ToolSpec, is_aside
from .emitted_events import NOT_BEGUN, EmittedEvents, Trimmed

Stage = Literal["start", "segments", "head", "content", "hidden"]
"""How an output is read.

`start`: the reasoning before it; `segments`: text with blocks in it; `head`: an object that may be an envelope with an
answer; `content`: that answer; `hidden`: an object of which nothing is shown.
"""


class Stream(Struct, frozen=True, kw_only=True, omit_defaults=True, rename={
    "position": "place", "object_position": "watched", "chars": "fed", "parts": "whole", "undecided": "head",
}):  # fmt: skip
    """The state of a filter.

    agent: the definition's digest, tools: specs by name; they say which names are tools'. stage: how the output is
    read. position, object_position: how far the scans are, of the text and of an object that is the whole output.
    shown, calls, stopped: what was emitted. chars: the characters so far. parts: the output so far where it is read at
    its end. undecided: the end of an object's text that is not decided. thought_chars: how much was taken of the
    reasoning that is open. text, thought: which white space waits for text after it, of the text and of the reasoning
    that is open. thoughts: reasoning was emitted before that. formatted: what the dialect's formatter holds back.
    truncated: the host says that the output was cut. silent: nothing is shown. In JSON position is `place`,
    object_position `watched`, chars `fed`, parts `whole` and undecided `head`.
    """

    dialect: str
    agent: str | None = None
    tools: dict[str, ToolSpec] | None = None
    stage: Stage = "start"
    position: Position = START
    object_position: Position = START
    shown: bool = False
    calls: int = 0
    stopped: bool = False
    chars: int = 0
    parts: tuple[str, ...] = ()
    undecided: str = ""
    thought_chars: int = 0
    text: Trimmed = NOT_BEGUN
    thought: Trimmed = NOT_BEGUN
    thoughts: bool = False
    formatted: str = ""
    truncated: bool = False
    silent: bool = False

    @property
    def held(self) -> str:
        """The text that is held back."""
        return self.undecided or self.position.held


def open_stream(state: RunState) -> Stream:
    """Return the filter for the model output that a run waits for; pure. Error codes: `unknown_agent`.

    Of a summary, a plan and a skill's output nothing is shown. It never says stop where the definition limits tokens:
    their number comes after the text and decides what follows.
    """
    agent = agent_by_digest(state.agent).asked(state)
    limits = agent.limits
    counts = limits.max_input_tokens is not None or limits.max_output_tokens is not None
    opened = _opened(agent.dialect, state.agent, None, state.window.model in agent.opening_models)
    is_silent = is_aside(state.exchange)
    return replace(opened, stopped=counts, silent=is_silent) if counts or is_silent else opened


def stream_of(
    dialect: str, tools: dict[str, ToolSpec] | None = None, *, reasoning: Literal["opened"] | None = None
) -> Stream:
    """Return the filter of a dialect.

    tools: the specs by name, None for any. reasoning: `opened` when the chat template opened it. Error codes:
    `unknown_dialect`.
    """
    return _opened(dialect_named(dialect), None, tools, reasoning == "opened")


def _opened(dialect: Dialect, agent: str | None, tools: dict[str, ToolSpec] | None, in_reasoning: bool) -> Stream:
    # Reasoning that the template opened may end at the markers of any family, which the table of `auto` has.
    is_text = dialect.stream == "text" or (in_reasoning and dialect.stream == "auto")
    stage: Stage = "segments" if is_text else "start"
    position = OPENED if in_reasoning else START
    return Stream(dialect=dialect.name, agent=agent, tools=tools, stage=stage, position=position)


def feed(stream: Stream, chunk: str) -> tuple[Stream, tuple[StreamEvent, ...]]:
    """Return the filter after a chunk, and what happened in it; pure and never raises on text.

    chunk: lone surrogates are read as U+FFFD.
    Error codes: `unknown_agent` when the filter is a run's whose definition is not loaded any more, `invalid_input` for
    a filter that was changed where it was kept.
    """
    if stream.silent:
        return stream, ()
    filtering, chunk = _filtering(stream), clean_text(chunk)
    filtering.emitted.chars += len(chunk)
    rest: str | None = chunk
    while rest is not None:
        before = filtering.stage
        rest = STAGES[before].feed(filtering, rest)
        assert filtering.stage == before or filtering.stage in STAGES[before].leads_to
    return filtering.following(), filtering.emitted.joined()


def is_one_object(stream: Stream, text: str) -> bool:
    """Whether a text with which an output begins is one JSON object: it has no stop before its end.

    stream: the filter, to which nothing was fed yet.
    """
    if text[:1] != "{" or text[-1] != "}" or stream.stage != "start" or stream.silent or stream.position != START:
        return False
    return dialect_named(stream.dialect).stream in (*_OBJECTS, "bare") and read_json(text) is not UNREADABLE


def close_stream(stream: Stream, *, truncated: bool = False) -> tuple[StreamEvent, ...]:
    """Return what is certain now that the output is over: text that was held back, calls without an end; pure.

    truncated: the server or the host ended the output, so a call without its own end is none.
    """
    if stream.silent:
        return ()
    stream = replace(stream, truncated=True) if truncated else stream
    filtering = _filtering(stream)
    STAGES[stream.stage].close(filtering)
    filtering.emitted.end()
    return filtering.emitted.joined()


def _filtering(stream: Stream) -> "_Filtering":
    """Return the filter ready for a chunk or the end; raises `invalid_input` for one that no text leads to."""
    filtering = _Filtering(stream)
    whole = _WHOLE_OBJECT.get(filtering.dialect.stream)
    if stream.stage == "segments":
        fits = position_fits(filtering.table(), stream.position)
    elif stream.stage == "start":
        fits = whole is not None and stream.position.mode in ("start", "reasoning")
        fits = fits and position_fits(THINKING, stream.position)
    else:
        fits = whole is not None and stream.position.mode == "start"
    if not fits or min(stream.chars, stream.calls, stream.thought_chars) < 0:
        raise _changed()
    if stream.object_position is not START and (whole is None or not position_fits(whole, stream.object_position)):
        raise _changed()
    return filtering


def _changed() -> PurestepError:
    return PurestepError("invalid_input", "expected a filter as it came back; this one was changed", "/stream")


class _Filtering:
    """A filter at work on one chunk, or on the end; lives only inside of `feed` and `close_stream`."""

    __slots__ = ("dialect", "emitted", "object_position", "parts", "position", "stage", "stream", "tools", "undecided")

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.dialect = dialect_named(stream.dialect)
        self.tools: Tools | None = stream.tools
        if stream.agent is not None:
            self.tools = agent_by_digest(stream.agent).known_specs
        self.stage, self.position, self.object_position = stream.stage, stream.position, stream.object_position
        self.parts, self.undecided = stream.parts, stream.undecided
        self.emitted = EmittedEvents(
            self.tools, stream.shown, stream.calls, stream.stopped, stream.chars, stream.thought_chars
        )
        self.emitted.formatter, self.emitted.formatted = self.dialect.formatter, stream.formatted
        self.emitted.text, self.emitted.thought, self.emitted.thoughts = stream.text, stream.thought, stream.thoughts

    def following(self) -> Stream:
        """Return the value to go on from."""
        stream, emitted = self.stream, self.emitted
        return Stream(
            dialect=stream.dialect, agent=stream.agent, tools=stream.tools, stage=self.stage,
            position=self.position, object_position=self.object_position, shown=emitted.shown, calls=emitted.calls,
            stopped=emitted.stopped, chars=emitted.chars, parts=self.parts, undecided=self.undecided,
            thought_chars=emitted.thought_chars, text=emitted.text, thought=emitted.thought,
            thoughts=emitted.thoughts, formatted=emitted.formatted, truncated=stream.truncated,
        )  # fmt: skip

    # --- a chunk: what is left of it is for the stage that follows -----------------------------------------

    def pass_reasoning(self, chunk: str) -> str | None:
        """Pass over reasoning, then choose the stage by the first character after it."""
        scanner = Scanner(THINKING, None, self.position)
        rest = scanner.begin(chunk)
        self.emitted.add([segment for segment in scanner.out if isinstance(segment, BlockResult)])
        if rest is None:
            self.position = scanner.position()
            self._think(THINKING)
            return None
        self.stage = _stage_for(self.dialect, rest[0])
        self.position = Position(maybe_reasoning=scanner.maybe_reasoning, wrapper=scanner.wrapper, draft=scanner.draft)
        return rest

    def scan_text(self, chunk: str) -> str | None:
        """Emit text and calls; if all text so far turns out to be reasoning, a bare output starts over."""
        text = self.position.held + chunk
        scanner = Scanner(self.table(), self.tools, self.position)
        scanner.feed(chunk)
        self.position = scanner.position()
        if self.dialect.table is None:
            self.parts = kept(self.parts, chunk)
        for number, segment in enumerate(scanner.out):
            if isinstance(segment, Mark) and segment.kind == "retract" and self.dialect.stream == "bare":
                self.emitted.add(scanner.out[: number + 1])
                self.stage, self.position, self.parts = "start", Position(maybe_reasoning=False), ()
                return text[len(text) - segment.chars_after :]
        self.emitted.add(scanner.out)
        self._think(self.table())
        return None

    def _think(self, table: Table) -> None:
        """Emit the new part of the reasoning that the text is in, up to what may be a call that ends it."""
        self.emitted.think(open_reasoning(table, self.position, self.emitted.thought_chars, self.table()))

    def read_object(self, chunk: str) -> str | None:
        """Keep an object's text, emit the answer in it, and its calls once it is complete."""
        self.parts = kept(self.parts, chunk)
        self.undecided += chunk if self.stage != "hidden" else ""
        if self.stage == "head":
            self._find_content()
        if self.stage == "content":
            self._show_content()
        if self.stage == "segments":
            text, self.parts, self.object_position = "".join(self.parts), (), START
            return text
        scanner = self._object_scanner()
        scanner.feed(chunk)
        self.object_position = scanner.position()
        self.emitted.add([segment for segment in scanner.out if not isinstance(segment, str)])
        return None

    def _find_content(self) -> None:
        """Look for the content of a final envelope; a head that begins none is markup of another kind."""
        end = head_end(self.undecided, compact=self.dialect.stream == "compact")
        if end is None:
            return
        if end >= 0:
            self.stage, self.undecided = "content", self.undecided[end:]
        else:
            self.stage, self.undecided = "segments" if self.dialect.stream == "auto" else "hidden", ""

    def _show_content(self) -> None:
        shown, at, is_over = content_of(self.undecided)
        self.emitted.show_exactly(shown)
        self.undecided = self.undecided[at:]
        if is_over:
            self.stage, self.undecided = "hidden", ""

    # --- the end -------------------------------------------------------------------------------------------

    def close_text(self) -> None:
        """End the scan of text; a dialect with a reader of its own reads the whole output now."""
        scanner = Scanner(self.table(), self.tools, self.position)
        scanner.finish(self.stream.truncated)
        # What may begin reasoning is no answer.
        is_held = self.stage == "start" and self.dialect.stream in _OBJECTS
        self.emitted.add([each for each in scanner.out if not (is_held and isinstance(each, str))])
        if self.dialect.table is None and self.dialect.stream == "text":
            self.emitted.add_calls(self._reading(START).calls)

    def close_head(self) -> None:
        """End an object whose head is not decided: for `auto` it may be markup of any kind."""
        if self.dialect.stream != "auto":
            self.close_object()
            return
        scanner = Scanner(self.table(), self.tools, self.position)
        scanner.feed("".join(self.parts))
        scanner.finish(self.stream.truncated)
        self.emitted.add(scanner.out)

    def close_object(self) -> None:
        """Read the complete object, and emit an answer and calls that were not emitted yet."""
        reading = self._reading(self.position)
        if reading.content and not self.emitted.shown and not reading.calls:
            self.emitted.show_exactly(reading.content)
        self.emitted.add_calls(reading.calls[self.emitted.calls :])
        scanner = self._object_scanner()
        scanner.finish()
        self.emitted.add([segment for segment in scanner.out if isinstance(segment, Mark)])

    def _reading(self, position: Position) -> Reading:
        reading = read_with_reasoning(self.dialect.read, "".join(self.parts), self.tools, position)
        return without_cut_calls(reading) if self.stream.truncated else reading

    # --- markers -------------------------------------------------------------------------------------------

    def table(self) -> Table:
        """Return the markers of the text."""
        if self.dialect.stream == "bare":
            return BARE_TEXT
        return self.dialect.table or _hiding(tuple(self.dialect.hidden))

    def _object_scanner(self) -> Scanner:
        return Scanner(_WHOLE_OBJECT[self.dialect.stream], self.tools, self.object_position)


def _stage_for(dialect: Dialect, first: str) -> Stage:
    """Return how an output is read that begins with this character."""
    if dialect.stream == "bare":
        return "hidden" if first in "{`" else "segments"
    return "head" if first == "{" or dialect.stream in _OBJECTS else "segments"


class StageSteps(NamedTuple):
    """How a stage takes a chunk and the end, and the stages that it may lead to besides itself."""

    feed: Callable[[_Filtering, str], str | None]
    close: Callable[[_Filtering], None]
    leads_to: tuple[Stage, ...]


STAGES: Final[dict[Stage, StageSteps]] = {
    "start": StageSteps(_Filtering.pass_reasoning, _Filtering.close_text, ("segments", "head", "hidden")),
    "segments": StageSteps(_Filtering.scan_text, _Filtering.close_text, ("start",)),
    "head": StageSteps(_Filtering.read_object, _Filtering.close_head, ("content", "hidden", "segments")),
    "content": StageSteps(_Filtering.read_object, _Filtering.close_object, ("hidden",)),
    "hidden": StageSteps(_Filtering.read_object, _Filtering.close_object, ()),
}


# --- tables of markers ------------------------------------------------------------------------------------


def _whole_object(name: str) -> Table:
    """Return the table that tells when the object is whole that an output of this dialect consists of."""

    def read(block: Block, tools: Tools | None) -> BlockResult:
        reading = dialect_named(name).read(block.inner, tools)
        if not block.closed or not block.first or not (reading.calls or reading.closed):
            return TEXT
        if reading.calls and may_be_undone(block.inner, tools):
            return TEXT  # were a bracket to follow, it would be no call: only the end tells
        return BlockResult(calls=reading.calls, ends="calls" if reading.calls and name != "bare" else "answer")

    start = BlockStart(pattern=r"(?P<inner>)\{", partial="(?!)", first_chars="{", scan="balanced", read=read)
    return Table((start,))


_OBJECTS: Final = ("envelope", "compact")
"""The ways to stream an output that is one object, whatever it says."""

_WHOLE_OBJECT: Final = {
    kind: _whole_object(name)
    for kind, name in (("envelope", "envelope"), ("compact", "compact"), ("auto", "envelope"), ("bare", "bare"))
}


@lru_cache(maxsize=MAX_MARKER_TABLES)
def _hiding(pairs: tuple[tuple[str, str], ...]) -> Table:
    """Return the table of a dialect with a reader of its own: its marker pairs hide what is between them."""
    starts = tuple(BlockStart(mark=begin, closers=(end,), scan="json") for begin, end in pairs)
    return Table(starts, reasoning=REASONING)
