"""Streaming: what of a model's output may be shown while it still comes, which calls are complete, when to stop.

A filter is a frozen value: `feed` gives the next one and the events. Any split of the same text gives the same
in total, and what the whole-text reader gives: both walk by `segments.py`. Reasoning, markers, calls and the
envelope around an answer never reach the reader; what is not certain to be text is held back, never longer than
the longest marker, and shown by `close_stream` if it was.
"""

from functools import lru_cache
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from ..agent import agent_by_digest
from ..bounds import MAX_MARKER_TABLES
from ..dialects import Dialect, content_of, dialect_named, head_end
from ..scanner import (
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
    Segment,
    Table,
    kept,
    read_with_reasoning,
)
from ..values import (
    ReadCall,
    Reading,
    RunState,
    StreamCall,
    StreamEvent,
    StreamRetract,
    StreamStop,
    StreamText,
    Tools,
    ToolSpec,
)

Stage = Literal["start", "segments", "head", "content", "hidden"]


class Stream(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a filter stands.

    agent: the definition's digest, tools: specs by name; by them it is known which names are tools'. stage, place,
    watched: how far it is, in the text and in the object that may be the whole output. shown, calls, stopped: what
    was told. fed: the characters so far. whole, head: the output so far where it is read as one, and the text not
    decided in it.
    """

    dialect: str
    agent: str | None = None
    tools: dict[str, ToolSpec] | None = None
    stage: Stage = "start"
    place: Position = START
    watched: Position = START
    shown: bool = False
    calls: int = 0
    stopped: bool = False
    fed: int = 0
    whole: tuple[str, ...] = ()
    head: str = ""

    @property
    def held(self) -> str:
        """The text that is held back."""
        return self.head or self.place.held


def open_stream(state: RunState) -> Stream:
    """Give the filter for the model output that a run waits for; pure. Error codes: `unknown_agent`.

    It never says stop where the definition limits tokens: their number comes behind the text, and what the limits
    lead to hangs on it.
    """
    agent = agent_by_digest(state.agent)
    limits = agent.limits
    counts = limits.max_input_tokens is not None or limits.max_output_tokens is not None
    return replace(_opened(agent.dialect, state.agent, None), stopped=counts)


def stream_of(dialect: str, tools: dict[str, ToolSpec] | None = None) -> Stream:
    """Give the filter of a dialect; tools: the specs by name, None for any. Error codes: `unknown_dialect`."""
    return _opened(dialect_named(dialect), None, tools)


def _opened(dialect: Dialect, agent: str | None, tools: dict[str, ToolSpec] | None) -> Stream:
    stage: Stage = "segments" if dialect.stream == "text" else "start"
    return Stream(dialect=dialect.name, agent=agent, tools=tools, stage=stage)


def feed(stream: Stream, chunk: str) -> tuple[Stream, tuple[StreamEvent, ...]]:
    """Give the filter after a chunk, and what happened in it; pure and never raises on text.

    Error codes: `unknown_agent` when the filter is a run's whose definition is not loaded any more.
    """
    walk = _Feeding(stream)
    walk.feed(chunk)
    return walk.following(), tuple(walk.events)


def close_stream(stream: Stream) -> tuple[StreamEvent, ...]:
    """Give what is certain now that the output is over: text that was held back, calls without an end; pure."""
    walk = _Feeding(stream)
    walk.close()
    return tuple(walk.events)


class _Feeding:
    """One chunk being filtered; lives only inside of `feed` and `close_stream`, which are pure as a whole."""

    __slots__ = (
        "calls", "dialect", "events", "fed", "head", "place", "shown", "stage", "stopped", "stream", "tools", "watched",
        "whole",
    )  # fmt: skip

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.dialect = dialect_named(stream.dialect)
        self.tools: Tools | None = stream.tools
        if stream.agent is not None:
            self.tools = agent_by_digest(stream.agent).known_specs
        self.stage, self.place, self.watched = stream.stage, stream.place, stream.watched
        self.shown, self.calls, self.stopped = stream.shown, stream.calls, stream.stopped
        self.fed, self.whole, self.head = stream.fed, stream.whole, stream.head
        self.events: list[StreamEvent] = []

    def following(self) -> Stream:
        """Give the value to go on from."""
        return Stream(
            dialect=self.stream.dialect, agent=self.stream.agent, tools=self.stream.tools, stage=self.stage,
            place=self.place, watched=self.watched, shown=self.shown, calls=self.calls, stopped=self.stopped,
            fed=self.fed, whole=self.whole, head=self.head,
        )  # fmt: skip

    def feed(self, chunk: str) -> None:
        """Take one more chunk."""
        self.fed += len(chunk)
        if self.stage == "start":
            self._begin(chunk)
        elif self.stage == "segments":
            self._walk(chunk)
        else:
            self._read_on(chunk)

    def close(self) -> None:
        """Take the end."""
        if self.stage in ("start", "segments"):
            table = self._table() if self.stage == "segments" else THINKING
            walk = Scanner(table, self.tools, self.place)
            walk.finish()
            self._tell(walk.out)
            if self.dialect.table is None and self.dialect.stream == "text":
                self._tell_calls(read_with_reasoning(self.dialect.read, "".join(self.whole), self.tools).calls)
            return
        self._end_whole()

    # --- one way for each stage ---------------------------------------------------------------------------

    def _begin(self, chunk: str) -> None:
        """Pass over reasoning, then choose by the first character behind it."""
        walk = Scanner(THINKING, None, self.place)
        rest = walk.begin(chunk)
        if rest is None:
            self.place = walk.place()
            return
        kind = self.dialect.stream
        opens = rest[0] in "{`" if kind == "bare" else rest[0] == "{" or kind == "envelope"
        if not opens:
            self.stage, self.place = "segments", Position(inside=walk.inside)
            self._walk(rest)
            return
        self.stage, self.place = "hidden" if kind == "bare" else "head", Position(inside=walk.inside)
        self._read_on(rest)

    def _walk(self, chunk: str) -> None:
        text = self.place.held + chunk
        walk = Scanner(self._table(), self.tools, self.place)
        walk.feed(chunk)
        self.place = walk.place()
        if self.dialect.table is None:
            self.whole = kept(self.whole, chunk)
        for number, segment in enumerate(walk.out):
            if isinstance(segment, Mark) and segment.kind == "retract" and self.dialect.stream == "bare":
                # What the model says begins here.
                self._tell(walk.out[: number + 1])
                self.stage, self.place, self.whole = "start", Position(inside=False), ()
                self._begin(text[len(text) - segment.behind :])
                return
        self._tell(walk.out)

    def _table(self) -> Table:
        if self.dialect.stream == "bare":
            return THINKING
        return self.dialect.table or _hiding(tuple(self.dialect.hidden))

    def _read_on(self, chunk: str) -> None:
        """Go on with an output that is read as a whole."""
        self.whole = kept(self.whole, chunk)
        if self.stage in ("head", "content"):
            self._show_content(chunk)
        if self.stage == "segments":
            return
        watch = Scanner(_WATCHED[self.dialect.stream], self.tools, self.watched)
        watch.feed(chunk)
        self.watched = watch.place()
        self._tell([segment for segment in watch.out if not isinstance(segment, str)])

    def _show_content(self, chunk: str) -> None:
        """Show the content of a final envelope; a head that begins none is markup of another kind."""
        self.head += chunk
        if self.stage == "head":
            end = head_end(self.head)
            if end is None:
                return
            if end < 0:
                self._give_up()
                return
            self.stage, self.head = "content", self.head[end:]
        shown, at, over = content_of(self.head)
        self._show(shown)
        self.head = self.head[at:]
        if over:
            self.stage, self.head = "hidden", ""

    def _give_up(self) -> None:
        whole, self.head = "".join(self.whole), ""
        if self.dialect.stream != "auto":
            self.stage = "hidden"
            return
        self.stage, self.whole, self.watched = "segments", (), START
        self._walk(whole)

    def _end_whole(self) -> None:
        whole = "".join(self.whole)
        if self.stage == "head" and self.dialect.stream == "auto":
            walk = Scanner(self._table(), self.tools, self.place)
            walk.feed(whole)
            walk.finish()
            self._tell(walk.out)
            return
        reading = read_with_reasoning(self.dialect.read, whole, self.tools, self.place)
        if reading.content and not self.shown and not reading.calls:
            self._show(reading.content)
        self._tell_calls(reading.calls[self.calls :])
        watch = Scanner(_WATCHED[self.dialect.stream], self.tools, self.watched)
        watch.finish()
        self._tell([segment for segment in watch.out if isinstance(segment, Mark)])

    # --- telling ------------------------------------------------------------------------------------------

    def _tell(self, segments: list[Segment]) -> None:
        for segment in segments:
            match segment:
                case str():
                    self._show(segment)
                case BlockResult():
                    self._tell_calls(segment.calls)
                    self._show(segment.content or "")
                case Mark("stop", behind):
                    self._stop(self.fed - behind)
                case Mark("retract"):
                    self.events.append(StreamRetract())
                    self.shown, self.calls = False, 0

    def _show(self, text: str) -> None:
        if not text:
            return
        self.shown = True
        if self.events and isinstance(self.events[-1], StreamText):
            self.events[-1] = StreamText(text=self.events[-1].text + text)
        else:
            self.events.append(StreamText(text=text))

    def _tell_calls(self, calls: tuple[ReadCall, ...]) -> None:
        for call in calls:
            self.calls += 1
            if self.tools is None or call.tool in self.tools:
                self.events.append(StreamCall(tool=call.tool, params=call.params))

    def _stop(self, at: int) -> None:
        if not self.stopped:
            self.stopped = True
            self.events.append(StreamStop(at=at))


# --- an output that is one object -------------------------------------------------------------------------


def _watch(name: str) -> Table:
    """Give the table that tells when the object is whole that an output of this dialect consists of."""

    def read(block: Block, tools: Tools | None) -> BlockResult:
        reading: Reading = dialect_named(name).read(block.inner, tools)
        if not block.closed or not block.first or not (reading.calls or reading.closed):
            return TEXT
        return BlockResult(calls=reading.calls, ends="calls" if reading.calls and name == "envelope" else "answer")

    opener = BlockStart(pattern=r"(?P<inner>)\{", partial="(?!)", starts="{", scan="balanced", read=read)
    return Table((opener,))


_WATCHED: Final = {
    kind: _watch(name) for kind, name in (("envelope", "envelope"), ("auto", "envelope"), ("bare", "bare"))
}


@lru_cache(maxsize=MAX_MARKER_TABLES)
def _hiding(pairs: tuple[tuple[str, str], ...]) -> Table:
    """Give the table of a dialect with a reader of its own: its marker pairs hide what is between them."""
    openers = tuple(BlockStart(mark=begin, closers=(end,), scan="json") for begin, end in pairs)
    return Table(openers, reasoning=REASONING)
