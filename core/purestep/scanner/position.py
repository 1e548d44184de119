"""The values between two chunks: where a scanner is in its text, and what it gives."""

from typing import Final, Literal

from msgspec import Struct

from .block_ends import QUOTES
from .blocks import BlockResult
from .end_search import NOTHING_SCANNED, Scanned
from .markers import OUTSIDE, Table
from .raw_values import IN_VALUE

Mode = Literal["start", "text", "reasoning", "block", "behind", "ending", "rest", "over"]
"""What a scanner reads at its place; `scanner.py` has the table of steps and legal moves.

`start`: blanks before anything else; `text`: visible text; `reasoning` and `block`: the inside of one; `behind`: what
may follow a balanced block and belongs to it; `ending`: the same, and no other block may follow text; `rest`: what
follows an answer; `over`: what nobody reads."""


class Position(Struct, frozen=True, kw_only=True, omit_defaults=True, rename={
    "block_start": "opener", "start_marker": "begun", "maybe_reasoning": "inside", "rescanned_chars": "tries",
}):  # fmt: skip
    """Where a scanner is in a text that comes in chunks.

    block_start, start_marker, scanned, parts: the block it is in: which start, its marker as written, how far the scan
    for its end is, its text so far. last, ticks: the last visible character, or as many backticks as may begin a fence,
    and the number of code fences. fence: the start of a code fence around calls, which is not shown; a line break once
    a call was taken. shown, called: visible text came, a call did. maybe_reasoning: the text may have started inside
    reasoning. answering: it is in a message that is nothing but the answer. wrapper: the closing tag of the answer's
    wrapper. draft: the reasoning before, where it may end in calls. stopped: no calls count any more. rescanned_chars,
    blocks: work done, both bounded. unsure: a bracket too many would make the last call another. brackets: after a call
    without a marker at its end, a sign of whether it was repaired and what closes those that the text opens, another
    sign where a quote is open in one, with a quote before them where one came. quoting: what is open in the text that
    is shown: quotes in its line, brackets where it begins with one, a quoted line, a blank where a line has only begun
    with blanks, and a mark where text that follows makes the last call a quoted one. held: not decided.
    In JSON block_start is `opener`, start_marker `begun`, maybe_reasoning `inside` and rescanned_chars `tries`.
    """

    mode: Mode = "start"
    block_start: int = 0
    start_marker: str = ""
    scanned: Scanned = NOTHING_SCANNED
    parts: tuple[str, ...] = ()
    last: str = ""
    ticks: int = 0
    fence: str = ""
    shown: bool = False
    called: bool = False
    maybe_reasoning: bool = True
    wrapper: str = ""
    draft: str = ""
    answering: bool = False
    stopped: bool = False
    rescanned_chars: int = 0
    blocks: int = 0
    unsure: bool = False
    brackets: str = ""
    quoting: str = ""
    held: str = ""


START: Final = Position()


def position_fits(table: Table, position: Position) -> bool:
    """Whether a scan of text by this table can be at a position; one that comes back may have been changed."""
    scanned = position.scanned
    counts = (position.ticks, position.rescanned_chars, position.blocks, scanned.stage, scanned.depth)
    if min(counts) < 0 or (scanned.stage < IN_VALUE and scanned.quote not in QUOTES):
        return False
    match position.mode:
        case "block":
            starts = table.starts
            return 0 <= position.block_start < len(starts) and starts[position.block_start].scan not in OUTSIDE
        case "reasoning":
            # Without a marker the chat template opened it.
            return position.start_marker == "" or position.start_marker in table.reasoning
        case _:
            return True


class Mark(Struct, frozen=True):
    """An event between segments: `stop`, or `retract`, when all before was reasoning.

    chars_after: how many characters of the text so far come after it.
    """

    kind: Literal["stop", "retract"]
    chars_after: int


Segment = str | BlockResult | Mark


def kept(parts: tuple[str, ...], text: str) -> tuple[str, ...]:
    """Return the parts of a growing text with one more."""
    if not text:
        return parts
    grown = [*parts, text]
    while len(grown) > 1 and len(grown[-2]) <= len(grown[-1]):
        # Like the digits of a binary counter: each character is copied a logarithmic number of times.
        grown[-2:] = [grown[-2] + grown[-1]]
    return tuple(grown)
