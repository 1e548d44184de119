"""Blocks: how a stretch of a model's text that is not shown begins and ends, who reads it, and the result."""

from collections.abc import Callable
from typing import Final, Literal, NamedTuple

from msgspec import Struct

from ..values import Problem, ReadCall, Tools, parse_error
from .raw_values import RawValues

EndScan = Literal[
    "none", "closing", "wrapper", "stray", "result", "fence", "raw", "json", "tagged", "balanced", "python", "message"
]
"""What follows a start marker.

No block: `none`: the marker is dropped; `closing`: dropped after a call, else text; `wrapper`: dropped after its
opening tag, else text; `stray`: the end of a value, which after a call shows that a value was cut, else text; `result`:
the turn ends there after a call, else text; `fence`: a code fence around the block that follows.
A block, by how its end is found: `raw`: the first closer; `json`: the first closer outside of strings; `tagged`: as
`json` where a bracket comes first, else as `raw`; `balanced`: the bracket that closes the first; `python`: the same,
with both quotes; `message`: a harmony header, then as `tagged`.
"""


class BlockResult(Struct, frozen=True, kw_only=True):
    """The result of reading a block: calls, problems, reasoning, an answer; `is_text`: it is visible text.

    ends: after an `answer` nothing counts; after `calls` nothing does unless another object follows at once. unsure:
    with a bracket too many after it, its members could belong to other objects of it.
    """

    calls: tuple[ReadCall, ...] = ()
    problems: tuple[Problem, ...] = ()
    reasoning: str | None = None
    content: str | None = None
    is_text: bool = False
    ends: Literal["", "answer", "calls"] = ""
    unsure: bool = False


TEXT: Final = BlockResult(is_text=True)
NOTHING: Final = BlockResult()
AMBIGUOUS: Final = parse_error("a value holds markers of tool calls, so that where it ends is not certain")


class Block(NamedTuple):
    """A block to be read.

    inner: its text without the markers around it. closed: its end was there, so nothing of it is cut.
    first: no visible text came before it. marker: its start marker as written. fenced: it is in a code fence.
    """

    inner: str
    closed: bool
    first: bool
    marker: str
    fenced: bool = False


BlockReader = Callable[[Block, Tools | None], BlockResult]


def drop(_block: Block, _tools: Tools | None) -> BlockResult:
    """Read a block whose text has no meaning to any reader."""
    return NOTHING


class BlockStart(Struct, frozen=True, kw_only=True):
    """One way in which a block begins.

    mark: a literal marker. pattern: instead of it, a pattern of bounded length that begins with one of `first_chars`
    and whose named group `inner` is where the block's text begins; `partial` matches what may become it. closers: end
    the block and are dropped. before: end it and begin what follows. skips: literals whose brackets do not count.
    shows: whether the body of a message with this header is visible text; answers: whether it is that and nothing else,
    so that markup in it is text too. stops: no calls count after the block. apart: its JSON is the arguments of a call
    alone, so that more of it may follow the bracket that seems to end them.
    """

    mark: str = ""
    pattern: str = ""
    partial: str = ""
    first_chars: str = ""
    scan: EndScan = "raw"
    closers: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    skips: tuple[str, ...] = ()
    values: RawValues | None = None
    read: BlockReader = drop
    shows: Callable[[str], bool] = lambda _head: False
    answers: Callable[[str], bool] = lambda _head: False
    stops: bool = False
    apart: bool = False


MESSAGE: Final = "<|message|>"
"""The marker between a harmony message's header and its body."""

MESSAGE_ENDS: Final = ("<|start|>", "<|channel|>", "<|end|>", "<|call|>", "<|return|>", "<|eom|>", "<|eot|>")
"""What ends a message that is nothing but the answer."""

FENCE: Final = "```"

WRAPPERS: Final = {"<response>": "</response>", "<answer>": "</answer>"}
"""The tags around an answer that follows reasoning: ERNIE, Hunyuan A13B."""
