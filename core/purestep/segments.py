"""Segments: a model's text taken apart into reasoning, visible text and blocks, once for whole and streamed text.

A segmenter is fed chunks and told the end; between two chunks it is a `Place`, a small frozen value. The end of a
block is found by a cheap scan that can be taken up anywhere, the block is read once from its whole text, so the
cost is linear however a text is cut, and any cut gives the same result because nothing else depends on it.
What may be the beginning of a marker is held back, never more.
"""

import re
from typing import Final

from .jsontext import BLANK
from .markers import MAX_OPENER_CHARS, NOTHING, TEXT, Block, Opener, Table, Taken, undecided_end
from .places import RETRACT, START, Mark, Mode, Place, Segment, kept
from .reading import ReadCall, parse_error, truncated
from .toolspec import Tools

MAX_TRIED_CHARS: Final = 512 * 1024
"""Characters of blocks without an end that are looked through again, all in all: keeps the walk linear."""

MAX_BLOCKS: Final = 512
"""Blocks of one text that are read: eight times the calls a turn may hold."""

_NOT_BLANK: Final = re.compile(r"[^ \t\r\n]")
_QUOTED: Final = {
    '"': re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL),
    "'": re.compile(r"[^'\\]*+(?:\\.[^'\\]*+)*+", re.DOTALL),
}
_QUOTES: Final = ("`", '"', "'")
_NAMED: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,95}[ \t\r\n]{0,8}", re.ASCII)


class Segmenter:
    """One text being taken apart; `out` holds the segments so far."""

    __slots__ = (
        "at", "begun", "block_at", "blocks", "depth", "fenced", "final", "inside", "last", "mode", "opener", "out",
        "parts", "quote", "shown", "stage", "stopped", "table", "text", "ticks", "tools", "tries",
    )  # fmt: skip

    def __init__(self, table: Table, tools: Tools | None, place: Place = START) -> None:
        self.table, self.tools = table, tools
        self.mode: Mode = place.mode
        self.opener, self.stage, self.depth = place.opener, place.stage, place.depth
        self.quote, self.begun, self.last, self.ticks = place.quote, place.begun, place.last, place.ticks
        self.shown, self.inside, self.stopped, self.fenced = place.shown, place.inside, place.stopped, place.fenced
        self.tries, self.blocks, self.parts = place.tries, place.blocks, place.parts
        self.text, self.at, self.block_at, self.final = place.held, 0, 0, False
        self.out: list[Segment] = []

    def feed(self, chunk: str) -> None:
        """Take apart what is certain with one more chunk."""
        self.text = self.text[self.at :] + chunk
        self.at = self.block_at = 0
        while _STEPS[self.mode](self):
            pass

    def begin(self, chunk: str) -> str | None:
        """Take reasoning off the beginning; gives the text behind it once there is any."""
        self.text = self.text[self.at :] + chunk
        self.at = self.block_at = 0
        while self.mode != "text" and _STEPS[self.mode](self):
            pass
        return self.text[self.at :] if self.mode == "text" else None

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
            mode=self.mode, opener=self.opener, stage=self.stage, depth=self.depth, quote=self.quote, begun=self.begun,
            last=self.last, ticks=self.ticks, shown=self.shown, inside=self.inside, stopped=self.stopped,
            fenced=self.fenced, tries=self.tries, blocks=self.blocks, parts=self.parts, held=self.text[self.at :],
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
        self.begun, self.at, self.block_at, self.parts = opened, at, at, ()
        self.inside = False
        self.mode = "reasoning"
        return True

    def _in_reasoning(self) -> bool:
        """Drop everything up to the end of the reasoning."""
        closer = self.table.reasoning[self.begun]
        close = self.text.find(closer, self.at)
        if close < 0:
            return self._keep(len(self.text) if self.final else undecided_end(self.text, self.at, (closer,)))
        thought = "".join((*self.parts, self.text[self.block_at : close]))
        self.out.append(Taken(reasoning=thought))
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
            inner = found.start(f"i{number}")
            self.fenced = self.fenced or self.text[start] == "`"
            return self._open(int(number.partition("_")[0]), self.text[start:inner], inner)
        if self.table.openers[index].scan == "none":
            return self._pass_over(mark, found.end())
        return self._open(index, mark, found.end())

    def _pass_over(self, mark: str, end: int) -> bool:
        """Leave out a marker that means nothing here, unless it is quoted."""
        if self.last in _QUOTES or self.ticks % 2:
            self._show(end - len(mark), end)
        self.at = end
        return True

    def _reasoning_mark(self, mark: str, start: int, end: int) -> bool:
        quoted = self.last in _QUOTES
        if mark in self.table.reasoning and not quoted and self.last in ("", "\n"):
            self.last = ""
            return self._think(mark, end)
        if mark in self.table.closers and self.inside and not quoted:
            # The chat template had opened the reasoning: all that came so far was part of it.
            self.out.append(RETRACT)
            self.inside, self.shown, self.last, self.ticks = False, False, "", 0
            self.at, self.mode = end, "start"
            return True
        self._show(start, end)
        self.at = end
        return True

    def _show(self, begin: int, end: int) -> None:
        if begin < end:
            self._show_text(self.text[begin:end])

    def _show_text(self, text: str) -> None:
        self.out.append(text)
        self.last = text[-1]
        self.ticks += text.count("```")
        self.shown = self.shown or _NOT_BLANK.search(text) is not None

    def _behind_fence(self) -> bool:
        """Leave out the fence that ends behind a call in it."""
        found = _NOT_BLANK.search(self.text, self.at)
        if found is None:
            self.at = len(self.text)
            return False
        self.at = found.start()
        rest = self.text[self.at : self.at + len(_FENCE)]
        if rest != _FENCE and _FENCE.startswith(rest) and not self.final:
            return False
        if rest == _FENCE:
            self.at, self.fenced = self.at + len(_FENCE), False
        self.mode = "text"
        return True

    def _is_over(self) -> bool:
        """Drop everything behind the last block that is read."""
        self.at = len(self.text)
        return False

    # --- blocks -------------------------------------------------------------------------------------------

    def _open(self, index: int, begun: str, at: int) -> bool:
        self.opener, self.begun, self.at, self.block_at = index, begun, at, at
        self.stage, self.depth, self.quote, self.parts = 0, 0, "", ()
        self.mode = "block"
        return True

    def _keep(self, end: int) -> bool:
        """Keep the block's text up to a place for later; what is behind it is not decided."""
        self.parts = kept(self.parts, self.text[self.block_at : end])
        self.at = self.block_at = end
        return False

    def _in_block(self) -> bool:
        opener = self.table.openers[self.opener]
        if opener.scan == "tagged" and not self.stage and not self._choose():
            return False
        if opener.scan in ("balanced", "python", "json") or self.stage == _STRINGS:
            return self._scan(opener)
        found = self._next_mark(opener)
        if found is None:
            return self._wait(opener)
        return self._close(found[0], found.start(), found.end(), opener)

    def _next_mark(self, opener: Opener) -> re.Match[str] | None:
        """Give the closer of a block without strings; a harmony header is passed over on the way."""
        tokens = self.table.tokens[self.opener]
        while found := tokens.search(self.text, self.at):
            token = found[0]
            if token == "<|message|>" and not self.stage:
                self.stage = 1
                if opener.shows("".join((*self.parts, self.text[self.block_at : found.start()]))):
                    return found
            elif token not in ('"', "<|message|>") and not (token == "<|channel|>" and not self.stage):
                return found
            self.at = found.end()
        return None

    def _wait(self, opener: Opener) -> bool:
        marks = (*opener.closers, *opener.before, *opener.skips)
        if opener.scan == "message":
            marks = (*marks, "<|message|>")
        return self._keep(len(self.text) if self.final else undecided_end(self.text, self.at, marks))

    def _choose(self) -> bool:
        """Tell by the first character whether a block holds strings."""
        found = _NOT_BLANK.search(self.text, self.at)
        if found is None:
            self._keep(len(self.text))
            return False
        self.stage = _STRINGS if found[0] in "{[" else _RAW
        return True

    def _scan(self, opener: Opener) -> bool:
        """Look for the end of a block outside of its strings."""
        text, tokens = self.text, self.table.tokens[self.opener]
        while True:
            if self.quote:
                found = _QUOTED[self.quote].match(text, self.at)
                end = found.end() if found else self.at
                if not text.startswith(self.quote, end):
                    return self._keep(len(text) if self.final else end)
                self.quote, self.at = "", end + 1
            found = tokens.search(text, self.at)
            if found is None:
                return self._wait(opener)
            near = opener.skips and not self.final and len(text) - found.start() < _LONGEST_SKIP
            if near and len(found[0]) == 1 and undecided_end(text, found.start(), opener.skips) == found.start():
                return self._keep(found.start())
            self.at = found.end()
            if self._is_end(found[0], opener):
                return self._close(found[0], found.start(), found.end(), opener)

    def _is_end(self, token: str, opener: Opener) -> bool:
        match token:
            case '"' | "'":
                self.quote = token if self.depth or opener.scan in ("json", "tagged") else ""
                return False
            case "{" | "[" | "(":
                self.depth += 1
                return False
            case "}" | "]" | ")":
                self.depth -= 1
                return self.depth <= 0
            case _:
                return token not in opener.skips

    def _close(self, token: str, start: int, end: int, opener: Opener) -> bool:
        """End a block at a token: read what is inside, and go on behind the token or with it."""
        if token in opener.before:
            # The model went on, so nothing is cut: it left the closing marker out.
            inner_end = end = start
        else:
            inner_end = end if len(token) == 1 else start
        inner = "".join((*self.parts, self.text[self.block_at : inner_end]))
        self.parts, self.at, self.mode = (), end, "text"
        if token == "<|message|>":
            return True
        self._take(inner, self.text[inner_end:end], opener)
        return True

    def _take(self, inner: str, closer: str, opener: Opener) -> None:
        self.blocks += 1
        if self.blocks > MAX_BLOCKS:
            self.out.append(Taken(problems=(parse_error(f"the output holds more than {MAX_BLOCKS} blocks"),)))
            self.mode = "over"
            return
        taken = self._read(opener, Block(inner, True, not self.shown, self.begun))
        if taken.is_text:
            self.fenced = False
            self._show_text(self.begun + inner + closer)
            return
        if taken is not NOTHING:
            self.out.append(taken)
        if taken.content:
            self.shown = True
        if self.ticks % 2 == 0:
            self.last = ""
        if self.fenced:
            self.mode = "fence"
        if opener.stops and not self.stopped:
            self.stopped = True
            self.out.append(Mark("stop", len(self.text) - self.at))

    def _read(self, opener: Opener, block: Block) -> Taken:
        taken = opener.read(block, self.tools)
        if not taken.is_text and (self.last in _QUOTES or self.ticks % 2) and not self._names_a_tool(taken.calls):
            return TEXT  # quoted markup that names no tool is an example
        return taken

    def _names_a_tool(self, calls: tuple[ReadCall, ...]) -> bool:
        if self.tools is None:
            return bool(calls) and self.last not in _QUOTES
        return any(call.tool in self.tools for call in calls)

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
            return
        self._take_open(opener, inner)

    def _take_open(self, opener: Opener, inner: str) -> None:
        taken = self._read(opener, Block(inner, False, not self.shown, self.begun))
        if self.shown and not taken.calls and not _MARKUP.search(inner):
            taken = TEXT  # prose that only mentions the marker
        if taken.is_text and self.tries <= MAX_TRIED_CHARS:
            self._show_text(self.begun or inner[:1])
            self.text = inner if self.begun else inner[1:]
            return
        self.blocks += 1
        if taken.is_text:
            self._show_text(self.begun + inner)
        else:
            self.out.append(taken)

    def _first_closer(self, opener: Opener, inner: str) -> re.Match[str] | None:
        if not opener.closers or not (self.quote or self.depth):
            return None
        return re.compile("|".join(map(re.escape, opener.closers))).search(inner)  # ascii: literals

    def _end_reasoning(self, inner: str) -> None:
        self.mode = "text"
        if self.shown:
            self._show_text(self.begun + inner)
            return
        self.out.append(Taken(reasoning=inner, problems=(truncated("the reasoning does not end"),)))


_MARKUP: Final = re.compile(r"[{}\[\]<>(=]")
_LONGEST_SKIP: Final = 16
_FENCE: Final = "```"
_RAW: Final = 1
_STRINGS: Final = 2

_STEPS: Final = {
    "start": Segmenter._at_start,
    "text": Segmenter._in_text,
    "reasoning": Segmenter._in_reasoning,
    "block": Segmenter._in_block,
    "fence": Segmenter._behind_fence,
    "over": Segmenter._is_over,
}
