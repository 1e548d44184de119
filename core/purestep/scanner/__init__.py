"""A model's text taken apart into reasoning, visible text and blocks, once for whole and for streamed text.

A `Table` says which markers begin a block, how its end is found and who reads it; a `Scanner` takes a text apart by a
table and is fed in chunks of any size. Between two chunks it is a `Position`, a small frozen value. The end of a block
is found by a cheap scan that can be resumed anywhere; the block is read once, from its whole text. So the cost is
linear however the text is cut, and every split gives the same result. Only what may be the beginning of a marker is
held back.

The markers in a raw value are part of it: `raw_values` finds the end of a block outside of them.

`scanner` has the table of modes with their steps (`text_modes`, `block_modes`) and legal moves; `scan_state` every
change that a step may make.
"""

from .block_modes import BEHIND_THE_END, CUT
from .blocks import AMBIGUOUS, MESSAGE, NOTHING, TEXT, WRAPPERS, Block, BlockResult, BlockStart
from .markers import FENCE_BEGUN, OUTSIDE, NamedStart, Table, any_mark, any_prefix, is_words
from .position import START, Mark, Position, Segment, kept, position_fits
from .raw_values import RawValues
from .reasoning import OPENED, REASONING, THINKING, leading_reasoning, open_reasoning, reasoning_text
from .scan_state import GOES_ON
from .scanner import Scanner, gathered, read_segments, read_with_reasoning
from .text_modes import TURN_MARKS
