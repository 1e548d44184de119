"""A model's text taken apart into reasoning, visible text and blocks, once for whole and for streamed text.

A `Table` says which markers begin a block, how its end is found and who reads it; a `Scanner` walks a text by a table
and is fed in pieces of any size. Between two pieces it is a `Position`, a small frozen value. The end of a block is
found by a cheap scan that can be resumed anywhere; the block is read once, from its whole text. So the cost is linear
however the text is cut, and every cut gives the same result. Only what may be the beginning of a marker is held back.
"""

from .collect import read_segments
from .markers import MESSAGE, NOTHING, TEXT, Block, BlockReader, BlockResult, BlockStart, Table
from .position import START, Mark, Position, Segment, kept
from .reasoning import REASONING, THINKING, read_with_reasoning
from .scanner import Scanner

__all__ = [
    "MESSAGE",
    "NOTHING",
    "REASONING",
    "START",
    "TEXT",
    "THINKING",
    "Block",
    "BlockReader",
    "BlockResult",
    "BlockStart",
    "Mark",
    "Position",
    "Scanner",
    "Segment",
    "Table",
    "kept",
    "read_segments",
    "read_with_reasoning",
]
