"""The scanner: a model's text taken apart into segments, in chunks of any size or at once.

`MODES` is the whole machine: what is done in each mode, and which modes may follow. A step takes what is certain,
moves the scan to another place or mode, and says whether there is more to do with the text held.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from msgspec.structs import replace

from ..bounds import MAX_DRAFT_STARTS, MAX_RESCANNED_CHARS
from ..json_text import BLANK, NOT_BLANK
from ..values import Problem, ReadCall, Reading, Tools, fatal_problem, parse_error, repaired
from .block_modes import after_answer, after_block, after_end, end_open, in_block
from .blocks import BlockResult
from .markers import Table
from .position import START, Mark, Mode, Position, Segment, kept
from .reasoning import THINKING, reasoning_text, section_in
from .scan_state import ScanState
from .text_modes import at_start, in_reasoning, in_text


class ModeStep(NamedTuple):
    """What is done in a mode, and the modes it may lead to besides itself."""

    run: Callable[[ScanState], bool]
    leads_to: tuple[Mode, ...]


MODES: Final[dict[Mode, ModeStep]] = {
    "start": ModeStep(at_start, ("reasoning", "block", "text")),
    "text": ModeStep(in_text, ("reasoning", "block", "start", "over")),
    "reasoning": ModeStep(in_reasoning, ("start", "text")),
    "block": ModeStep(in_block, ("text", "behind", "ending", "rest", "over")),
    "behind": ModeStep(after_block, ("text",)),
    "ending": ModeStep(after_block, ("text",)),
    "rest": ModeStep(after_answer, ("over",)),
    "over": ModeStep(after_end, ("start",)),
}
"""The legal moves while text comes. Its end also ends an open block, as its own end would, and reasoning as text."""


_INSIDE: Final = repaired("the calls stood inside of the reasoning")


class Scanner(ScanState):
    """A scan that is fed its text."""

    __slots__ = ()

    def feed(self, chunk: str) -> None:
        """Take apart what is certain with one more chunk."""
        self.take(chunk)
        while self._step():
            pass

    def begin(self, chunk: str) -> str | None:
        """Take reasoning off the beginning; gives the text after it once there is any."""
        self.take(chunk)
        while True:
            may_be_reasoning = self.maybe_reasoning
            while self.mode != "text":
                may_be_reasoning = self.maybe_reasoning
                if not self._step():
                    return None
            rest = self.text[self.at :]
            # The template may have opened a reasoning block that stays empty.
            end = self._reasoning_end(rest) if self.maybe_reasoning else None
            if end is None:
                # A bracket may begin a header, after which reasoning may be: whoever reads the rest can tell.
                self.maybe_reasoning = may_be_reasoning if rest[0] == "[" else self.maybe_reasoning
                return rest
            self.go("start")
            if not rest.startswith(end):
                return None
            self.exclude_reasoning()
            self.at += len(end)

    def finish(self, cut: bool = False) -> None:
        """Decide what was held back, for the text is over; cut: the host says that it was cut."""
        self.final, self.cut = True, cut
        self.feed("")
        if self.draft and self.mode in ("start", "text") and not (self.cut or self.shown or self.blocks):
            self._take_draft()
            self.feed("")
        while self.mode in ("block", "reasoning"):
            if self.mode == "reasoning":
                self._end_reasoning_at_calls()
            else:
                end_open(self)
            while self._step():
                pass

    def _end_reasoning_at_calls(self) -> None:
        """End reasoning that the text leaves open, at the calls that it ends in or else at its end."""
        inner = self.take_inside(len(self.text))
        tag, is_first = self.start_marker, not self.shown
        section = section_in(self.table, tag, inner) if is_first else None
        place = self._calls_at_end(inner) if section is None and is_first and not self.cut else section
        if place is None:
            self.parts = kept((), inner)
            end_open(self)
            return
        problems = (_INSIDE,) if section is None else ()
        self.emit(BlockResult(reasoning=reasoning_text(tag, inner[:place]), problems=problems))
        self.begin_line()
        self.scan_again(inner[place:])
        self.go("text")

    def _take_draft(self) -> None:
        """Read the calls that reasoning ends in, where the output holds nothing else that is meant."""
        draft, self.draft = self.draft, ""
        place = self._calls_at_end(draft)
        if place is None:
            return
        self.emit(BlockResult(problems=(_INSIDE,)))
        self.scan_again(draft[place:])
        self.go("text")

    def _calls_at_end(self, inner: str) -> int | None:
        """Return where the calls begin that a text ends in: from there on it holds nothing else; None without any."""
        outside = Position(mode="text", maybe_reasoning=False)
        for number, mark in enumerate(self.table.patterns.starts.finditer(inner)):
            if number == MAX_DRAFT_STARTS or self.rescanned_chars > MAX_RESCANNED_CHARS:
                break
            if not self.table.is_call(mark):
                continue
            self.count_rescanned(len(inner) - mark.start())
            reading = read_segments(self.table, inner[mark.start() :], self.tools, outside, cut=True)
            known = self.tools is None or all(call.tool in self.tools for call in reading.calls)
            if reading.calls and known and reading.content is None and fatal_problem(reading) is None:
                return mark.start()
        return None

    def _step(self) -> bool:
        mode, step = self.mode, MODES[self.mode]
        has_more = step.run(self)
        assert self.mode == mode or self.mode in step.leads_to
        return has_more

    def _reasoning_end(self, rest: str) -> str | None:
        """Return the end of reasoning that a text is, or may become."""
        ends = self.table.reasoning_ends
        return next((end for end in ends if end.startswith(rest) or rest.startswith(end)), None)


# --- whole texts ------------------------------------------------------------------------------------------


def read_segments(
    table: Table, text: str, tools: Tools | None, position: Position = START, *, cut: bool = False
) -> Reading:
    """Read a text, whole or from a position on, by a table: the segments of its stream, put together.

    cut: the host says that the text was cut.
    """
    scanner = Scanner(table, tools, position)
    scanner.feed(text)
    scanner.finish(cut)
    reading = gathered(scanner.out)
    if reading == _EMPTY and NOT_BLANK.search(text):
        return Reading(problems=(parse_error("the output holds markers without a call or an answer"),))
    return reading


_EMPTY: Final = Reading()


def gathered(segments: list[Segment]) -> Reading:
    """Put segments together to a reading; what a text began inside of is reasoning."""
    visible: list[str] = []
    thoughts: list[str] = []
    closed = False
    calls: list[ReadCall] = []
    problems: list[Problem] = []
    for segment in segments:
        match segment:
            case str():
                visible.append(segment)
            case BlockResult():
                calls += segment.calls
                problems += (problem for problem in segment.problems if problem not in problems[-1:])
                if segment.reasoning is not None:
                    thoughts.append(segment.reasoning.strip(BLANK))
                if segment.content is not None:
                    visible.append(segment.content)
                closed = closed or segment.ends == "answer"
            case Mark("retract"):
                thoughts = ["".join(visible).strip(BLANK)]
                visible, calls, problems = [], [], []
    content = "".join(visible).strip(BLANK)
    return Reading(
        content=content or None,
        reasoning="\n".join(filter(None, thoughts)) if thoughts else None,
        calls=tuple(calls),
        problems=tuple(problems),
        closed=closed,
    )


Reader = Callable[[str, Tools | None], Reading]


def read_with_reasoning(read: Reader, text: str, tools: Tools | None, position: Position = START) -> Reading:
    """Read a text, whole or from a position on, by a dialect's reader, its reasoning split off first."""
    if position is START and (text[:1] == "{" or not THINKING.patterns.starts.search(text)):
        return read(text, tools)
    split = read_segments(THINKING, text, tools, position)
    if split.reasoning is None:
        return read(text, tools)
    if split.problems:
        return split
    return replace(read(split.content or "", tools), reasoning=split.reasoning)
