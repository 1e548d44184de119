"""Segments: a model's text taken apart into reasoning, visible text and blocks, once for whole and streamed text.

A segmenter is fed chunks and told the end; between two chunks it is a `Place`, a small frozen value. The end of a
block is found by a cheap scan that can be taken up anywhere, the block is read once from its whole text, so the
cost is linear however a text is cut, and any cut gives the same result because nothing else depends on it.
What may be the beginning of a marker is held back, never more.
"""

import re
from typing import Final

from .block_ends import NOTHING_SCANNED, End, find_end
from .jsontext import BLANK
from .markers import FENCE, MAX_OPENER_CHARS, NOTHING, TEXT, Block, Opener, Table, Taken, undecided_end
from .names import LETTER
from .places import START, Mark, Mode, Place, Segment, kept
from .reading import ReadCall, ignored_text, parse_error, repaired, truncated
from .toolspec import Tools

MAX_TRIED_CHARS: Final = 512 * 1024
"""Characters of blocks without an end that are looked through again, all in all: keeps the walk linear."""

MAX_BLOCKS: Final = 512
"""Blocks of one text that are read, and calls in them: eight times the calls a turn may hold."""

_NOT_BLANK: Final = re.compile(r"[^ \t\r\n]")
_MAX_BLANKS: Final = 16
"""Blanks between a call and what belongs to it that are waited for."""

_BRACKETS: Final = re.compile(r"[}\]](?:[ \t\r\n]{0,16}[}\]])*+")
_QUOTES: Final = ("`", "``", FENCE, '"', "'")
_NAMED: Final = re.compile(rf"[{LETTER}][{LETTER}0-9.:-]{{0,95}}[ \t\r\n]{{0,8}}", re.ASCII)


class Segmenter:
    """One text being taken apart; `out` holds the segments so far."""

    __slots__ = (
        "at", "begun", "blocks", "called", "fence", "final", "inside", "last", "mode", "opener", "out", "parts",
        "scanned", "shown", "stopped", "table", "text", "ticks", "tools", "tries",
    )  # fmt: skip

    def __init__(self, table: Table, tools: Tools | None, place: Place = START) -> None:
        self.table, self.tools = table, tools
        self.mode: Mode = place.mode
        self.opener, self.begun, self.scanned, self.parts = place.opener, place.begun, place.scanned, place.parts
        self.last, self.ticks, self.fence = place.last, place.ticks, place.fence
        self.shown, self.called, self.inside, self.stopped = place.shown, place.called, place.inside, place.stopped
        self.tries, self.blocks = place.tries, place.blocks
        self.text, self.at, self.final = place.held, 0, False
        self.out: list[Segment] = []

    def feed(self, chunk: str) -> None:
        """Take apart what is certain with one more chunk."""
        self.text = self.text[self.at :] + chunk
        self.at = 0
        while _STEPS[self.mode](self):
            pass

    def begin(self, chunk: str) -> str | None:
        """Take reasoning off the beginning; gives the text behind it once there is any."""
        self.text = self.text[self.at :] + chunk
        self.at = 0
        while True:
            while self.mode != "text" and _STEPS[self.mode](self):
                pass
            rest = self.text[self.at :]
            if self.mode != "text" or not self.inside:
                return rest if self.mode == "text" else None
            # The template may have opened reasoning of which there is none.
            closer = next((mark for mark in self.table.closers if mark.startswith(rest) or rest.startswith(mark)), None)
            if closer is None:
                return rest
            self.mode = "start"
            if not rest.startswith(closer):
                return None
            self.at, self.inside = self.at + len(closer), False

    def finish(self) -> None:
        """Decide what was held back, for the text is over."""
        self.final = True
        self.feed("")
        while self.mode in ("block", "reasoning"):
            self._end_open()
            while _STEPS[self.mode](self):
                pass

    def place(self) -> Place:
        """Give the value to go on from."""
        return Place(
            mode=self.mode, opener=self.opener, begun=self.begun, scanned=self.scanned, parts=self.parts,
            last=self.last, ticks=self.ticks, fence=self.fence, shown=self.shown, called=self.called,
            inside=self.inside, stopped=self.stopped, tries=self.tries, blocks=self.blocks, held=self.text[self.at :],
        )  # fmt: skip

    # --- the beginning ------------------------------------------------------------------------------------

    def _at_start(self) -> bool:
        """Tell reasoning, which comes first, and a call that begins with its tool's name, from everything else."""
        text, table = self.text, self.table
        found = _NOT_BLANK.search(text, self.at)
        if found is None:
            self.at = len(text)
            return False
        self.at = begun = found.start()
        if opened := table.thinking.match(text, begun):
            return self._think(opened[0], opened.end())
        rest = text[begun : begun + MAX_OPENER_CHARS]
        if not self.final and (rest in table.prefixes and any(mark.startswith(rest) for mark in table.reasoning)):
            return False
        if table.named >= 0 and (named := _NAMED.match(text, begun)):
            tail = text[named.end() : named.end() + MAX_OPENER_CHARS]
            if tail.startswith(table.tails) and self._may_be_named(named[0], tail):
                return self._open(table.named, "", begun)
            if not self.final and any(mark.startswith(tail) for mark in table.tails) and len(rest) < MAX_OPENER_CHARS:
                return False
        self.inside = self.inside and text[begun] not in "{[`"
        self.mode = "text"
        return True

    def _may_be_named(self, name: str, tail: str) -> bool:
        # A marker behind it makes any name a tool's; a bracket does so only for a tool that there is.
        if tail[0] == "(":
            return self.tools is None or name.strip(BLANK) in self.tools
        if tail[0] == "{":
            return name.startswith("call:") or (self.tools is not None and name.strip(BLANK) in self.tools)
        return True

    def _think(self, opened: str, at: int) -> bool:
        self.begun, self.at, self.parts = opened, at, ()
        self.inside = False
        self.mode = "reasoning"
        return True

    def _in_reasoning(self) -> bool:
        """Drop everything up to the end of the reasoning."""
        closer = self.table.reasoning[self.begun]
        close = self.text.find(closer, self.at)
        if close < 0:
            return self._keep(len(self.text) if self.final else undecided_end(self.text, self.at, (closer,)))
        thought = "".join((*self.parts, self.text[self.at : close]))
        self.out.append(Taken(reasoning=thought.removeprefix(_TITLES.get(self.begun, ""))))
        self.parts, self.at, self.mode = (), close + len(closer), "start"
        self.last = ""
        return True

    # --- visible text -------------------------------------------------------------------------------------

    def _in_text(self) -> bool:
        """Show text up to a marker, holding back what may be the beginning of one."""
        found = self.table.opening.search(self.text, self.at)
        if found is None:
            end = len(self.text) if self.final else self.table.undecided(self.text, self.at)
            self._show(self.at, end)
            self.at = end
            return False
        start, mark = found.span()[0], found[0]
        self._show(self.at, start)
        index = self.table.by_mark.get(mark)
        if index is None and (mark in self.table.reasoning or mark in self.table.closers):
            return self._reasoning_mark(mark, start, found.end())
        if index is None:
            number = (found.lastgroup or "p")[1:]
            index, inner = int(number.partition("_")[0]), found.start(f"i{number}")
            mark = self.text[start:inner]
        else:
            inner = found.end()
        self.at = inner
        match self.table.openers[index].scan:
            case "none":
                return self._pass_over(mark)
            case "closing":
                return self._pass_over(mark) if self.called else self._show_text(mark)
            case "result":
                return self._end_turn(mark)
            case "fence" if self.ticks % 2:
                return self._show_text(mark)  # the end of another
            case "fence":
                self.fence = mark
                return True
        return self._open(index, mark, inner)

    def _pass_over(self, mark: str) -> bool:
        """Leave out a marker that means nothing here, unless it is quoted."""
        return self._show_text(mark) if self.last in _QUOTES or self.ticks % 2 else True

    def _end_turn(self, mark: str) -> bool:
        """End the turn where a model makes a result up behind its calls; before any call the mark is text."""
        if not self.called:
            return self._show_text(mark)
        self.out.append(Taken(problems=(ignored_text("a result that the model made up was left out"),)))
        self._stop()
        self.mode = "over"
        return True

    def _stop(self) -> None:
        if not self.stopped:
            self.stopped = True
            self.out.append(Mark("stop", len(self.text) - self.at))

    def _reasoning_mark(self, mark: str, start: int, end: int) -> bool:
        quoted = self.last in _QUOTES
        if mark in self.table.reasoning and not quoted and self.last in ("", "\n"):
            self.last = ""
            return self._think(mark, end)
        if mark in self.table.closers and self.inside and not quoted:
            # The chat template had opened the reasoning: all that came so far was part of it.
            self.out.append(Mark("retract", len(self.text) - end))
            self.inside, self.shown, self.called, self.last, self.ticks = False, False, False, "", 0
            self.at, self.mode = end, "start"
            return True
        self._show(start, end)
        self.at = end
        return True

    def _show(self, begin: int, end: int) -> None:
        if begin < end:
            self._show_text(self.text[begin:end])

    def _show_text(self, text: str) -> bool:
        self.out.append(text)
        counted = (self.last if self.last in ("`", "``") else "") + text  # a fence may come in pieces
        run = len(counted) - len(counted.rstrip("`"))
        self.ticks += counted.count(FENCE)
        self.last = "`" * (run % 3 or 3) if run else text[-1]
        self.shown = self.shown or _NOT_BLANK.search(text) is not None
        return True

    def _behind_block(self) -> bool:
        """Leave out what belongs to a call and stands behind it: a bracket too many, the end of its fence."""
        found = _NOT_BLANK.search(self.text, self.at)
        place = found.start() if found else len(self.text)
        rest = self.text[place : place + len(FENCE)]
        if place - self.at > _MAX_BLANKS:
            self.mode = "text"
            return True
        if not self.final and (not rest or (rest != FENCE and self.fence and FENCE.startswith(rest))):
            return False
        if self.mode == "ending" and rest[:1] not in ("{", "[", "}", "]"):
            self._stop()
        mode, self.mode = self.mode, "text"
        if brackets := _BRACKETS.match(self.text, place):
            self.out.append(Taken(problems=(repaired("a bracket too many was left out"),)))
            self.at, self.mode = brackets.end(), mode
        elif rest[:1] == ";":
            self.at = place + 1
        elif rest == FENCE and self.fence:
            self.at, self.fence = place + len(FENCE), ""
        return True

    def _behind_answer(self) -> bool:
        """Leave out what stands behind an answer, and record it once."""
        if _MORE.search(self.text, self.at):
            self.out.append(Taken(problems=(ignored_text("text behind the answer was left out"),)))
            self.mode = "over"
        self.at = len(self.text)
        return False

    def _is_over(self) -> bool:
        """Drop everything behind the last block that is read."""
        self.at = len(self.text)
        return False

    # --- blocks -------------------------------------------------------------------------------------------

    def _open(self, index: int, begun: str, at: int) -> bool:
        self.opener, self.begun, self.at = index, begun, at
        self.scanned, self.parts = NOTHING_SCANNED, ()
        self.mode = "block"
        return True

    def _keep(self, end: int) -> bool:
        """Keep the block's text up to a place for later; what is behind it is not decided."""
        self.parts = kept(self.parts, self.text[self.at : end])
        self.at = end
        return False

    def _in_block(self) -> bool:
        """Look for the end of a block, and read it once it is there."""
        opener, tokens = self.table.openers[self.opener], self.table.tokens[self.opener]
        self.scanned, found = find_end(
            opener, tokens, self.scanned, self.text, self.at, kept=self.parts, final=self.final
        )
        return self._keep(found) if isinstance(found, int) else self._close(found, opener)

    def _close(self, found: End, opener: Opener) -> bool:
        """End a block at a token: read what is inside, and go on behind the token or with it."""
        token, start, end = found
        if token in opener.before:
            # The model went on, so nothing is cut: it left the closing marker out.
            inner_end = end = start
        else:
            inner_end = end if len(token) == 1 else start
        inner = "".join((*self.parts, self.text[self.at : inner_end]))
        self.parts, self.at, self.mode = (), end, "text"
        if token == "<|message|>":
            return True
        self._take(inner, self.text[inner_end:end], opener)
        return True

    def _take(self, inner: str, closer: str, opener: Opener) -> None:
        taken = self._read(opener, inner, closed=True) if self.blocks < MAX_BLOCKS else NOTHING
        self.blocks += max(1, len(taken.calls))
        if self.blocks > MAX_BLOCKS:
            self.out.append(Taken(problems=(parse_error(f"the output holds more than {MAX_BLOCKS} calls"),)))
            self.mode = "over"
            return
        if taken.is_text:
            self._show_block(self.begun + inner + closer)
            return
        if self.stopped and taken.calls:
            taken = Taken(problems=(ignored_text("calls behind the end of the calls were left out"),))
        if taken is not NOTHING:
            self.out.append(taken)
        self.called = self.called or bool(taken.calls)
        self.shown = self.shown or bool(taken.content)
        if self.ticks % 2 == 0:
            self.last = ""
        if self.fence or opener.scan in ("balanced", "python"):
            self.mode, self.fence = "behind", "\n" if self.fence else ""
        if opener.stops or taken.ends == "answer":
            self._stop()
        if taken.ends:
            self.mode = "rest" if taken.ends == "answer" else "ending"

    def _show_block(self, text: str) -> None:
        """Show a block that is text after all, with the fence before it."""
        self._show_text(self.fence + text)
        self.fence = ""

    def _read(self, opener: Opener, inner: str, *, closed: bool) -> Taken:
        taken = opener.read(Block(inner, closed, not self.shown, self.begun, bool(self.fence)), self.tools)
        quoted = self.last in _QUOTES or self.ticks % 2 or self.fence
        is_answer = taken.ends == "answer" and self.fence  # all of the output, in a fence
        if quoted and not taken.is_text and not is_answer and not self._names_a_tool(taken.calls, inner):
            return TEXT  # quoted markup that names no tool is an example
        return taken

    def _names_a_tool(self, calls: tuple[ReadCall, ...], inner: str) -> bool:
        if self.tools is None:
            return bool(calls) and self.last not in _QUOTES
        return any(call.tool in self.tools for call in calls) or (
            not calls and bool(self.fence) and any(name in inner for name in self.tools)
        )

    def _end_open(self) -> None:
        """End a block or reasoning that the text leaves open."""
        inner = "".join((*self.parts, self.text[self.at :]))
        self.parts, self.at, self.text = (), 0, ""
        if self.mode == "reasoning":
            self._end_reasoning(inner)
            return
        opener = self.table.openers[self.opener]
        self.mode = "text"
        self.tries += len(inner) + 1
        found = self._first_closer(opener, inner)
        if found is not None and self.tries <= MAX_TRIED_CHARS:
            # A quote too many hid the end: the first closer it is, and what is behind is looked at again.
            self.text = inner[found.end() :]
            self._take(inner[: found.start()], found[0], opener)
            if found[0] == FENCE:
                self.fence, self.mode = "", "text"
            return
        self._take_open(opener, inner)

    def _take_open(self, opener: Opener, inner: str) -> None:
        taken = self._read(opener, inner, closed=False)
        if self.shown and not taken.calls and not _MARKUP.search(inner):
            taken = TEXT  # prose that only mentions the marker
        if taken.is_text and self.tries <= MAX_TRIED_CHARS:
            self._show_block(self.begun or inner[:1])
            self.text = inner if self.begun else inner[1:]
            return
        self.blocks += max(1, len(taken.calls))
        if self.blocks > MAX_BLOCKS:
            taken = Taken(problems=(parse_error(f"the output holds more than {MAX_BLOCKS} calls"),))
        if taken.is_text:
            self._show_block(self.begun + inner)
        else:
            self.out.append(taken)

    def _first_closer(self, opener: Opener, inner: str) -> re.Match[str] | None:
        closers = opener.closers or ((FENCE,) if self.fence else ())
        if not closers or not (self.scanned.quote or self.scanned.depth):
            return None
        return re.compile("|".join(map(re.escape, closers))).search(inner)  # ascii: literals

    def _end_reasoning(self, inner: str) -> None:
        self.mode = "text"
        if self.shown:
            self._show_text(self.begun + inner)
            return
        self.out.append(Taken(reasoning=inner, problems=(truncated("the reasoning does not end"),)))


_TITLES: Final = {"<|channel>": "thought\n"}
"""What a tag of reasoning is followed by that is no part of it: Gemma names its channel."""

_MORE: Final = re.compile(r"[^ \t\r\n`]")
_MARKUP: Final = re.compile(r"[{}\[\]<>(=]")

_STEPS: Final = {
    "start": Segmenter._at_start,
    "text": Segmenter._in_text,
    "reasoning": Segmenter._in_reasoning,
    "block": Segmenter._in_block,
    "behind": Segmenter._behind_block,
    "ending": Segmenter._behind_block,
    "rest": Segmenter._behind_answer,
    "over": Segmenter._is_over,
}
