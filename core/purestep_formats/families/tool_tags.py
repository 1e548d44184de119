"""The tool_tags dialect: `[TOOL_CALL]{"name":...,"args":{...}}[/TOOL_CALL]` amid text.

Source: ambi's tool parser. The tags hold one object or an array; a code fence is tolerated, missing brackets are
added where nothing can have been cut, and what cannot be read is a problem, never text.
"""

from typing import Final

from purestep.dialects import Dialect, Sample, describe_tools
from purestep.json_text import encode_sorted
from purestep.scanner import REASONING, Block, BlockResult, BlockStart, Table, read_segments
from purestep.values import Reading, Tools

from ..call_readers import FAULTS, read_block
from .family_markers import RESULTS

OPEN: Final = "[TOOL_CALL]"
CLOSE: Final = "[/TOOL_CALL]"


def _read_block(block: Block, tools: Tools | None) -> BlockResult:
    """Read what is in the tags: one call or a list of them; damage is a problem, never text."""
    result = read_block(block, tools)
    if result.calls and any(problem in FAULTS for problem in result.problems):
        return BlockResult(problems=result.problems)
    return result


TAGS: Final = BlockStart(mark=OPEN, closers=(CLOSE,), before=(OPEN,), scan="json", read=_read_block)
TABLE: Final = Table((TAGS, *RESULTS), reasoning=REASONING)


def read(text: str, tools: Tools | None = None) -> Reading:
    """Read a whole output: the calls in its tags, and the text around them."""
    return read_segments(TABLE, text, tools)


def instruct(tools: Tools) -> str:
    """Teach the tags."""
    if not tools:
        return ""
    return (
        "You can use these tools:\n"
        f"{describe_tools(tools)}\n\n"
        f'To use a tool, write {OPEN}{{"name":"NAME","args":{{...}}}}{CLOSE} and stop; the result follows. '
        "When you know the answer, write it as plain text without tags."
    )


def write(sample: Sample) -> str:
    """Write calls in their tags, an answer as it is."""
    return sample.answer or "\n".join(
        f"{OPEN}{encode_sorted({'name': c.tool, 'args': c.params}).decode()}{CLOSE}" for c in sample.calls
    )


TOOL_TAGS: Final = Dialect(
    name="tool_tags",
    read=read,
    instruct=instruct,
    write=write,
    remind=f'To use a tool, write {OPEN}, one JSON object with "name" and "args", and {CLOSE}; else answer in text.',
    table=TABLE,
)
