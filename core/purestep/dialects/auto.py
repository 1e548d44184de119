"""The auto dialect: reads what any family writes, by its markers and the tools given, and teaches the envelope."""

from typing import Final

from ..json_text import BLANK, UNREADABLE, read_json
from ..scanner import REASONING, Table, read_segments
from ..values import Reading, Tools
from . import envelope
from .base import Dialect
from .openers import (  # fmt: skip
    BARRED,
    CODE,
    DEEPSEEK,
    FUNCTION,
    FUNCTION_CALLS,
    GEMMA,
    GRANITE,
    HARMONY,
    INKLING,
    INVOKE,
    JSON_LISTS,
    KEYED,
    KIMI,
    KIMI_XTML,
    LFM2,
    LLAMA,
    MINIMAX,
    MISTRAL,
    PLAMO,
    SEED,
    SOLAR,
    STEP,
    TO_SELF,
    TOOL_CALL,
)
from .plain_openers import BARE_JSON, BARE_PYTHON, FUNCTIONARY, FUNCTOOLS, NAMED, TAILS
from .results import RESULTS
from .stray_markers import CLOSING, DROPPED
from .tool_tags import TAGS

_KINDS: Final = ("tool_call", "final")

EVERYTHING: Final = Table(
    (
        *(TAGS, TOOL_CALL, SEED, *FUNCTION, INVOKE, *MINIMAX, *FUNCTION_CALLS, *BARRED, *DEEPSEEK, *KIMI, MISTRAL),
        *(*LLAMA, LFM2, *GEMMA, *GRANITE, *HARMONY, *JSON_LISTS, *KEYED, FUNCTOOLS, BARE_JSON, BARE_PYTHON),
        *(FUNCTIONARY, *STEP, *KIMI_XTML, *SOLAR, PLAMO, *INKLING, TO_SELF, CODE, *RESULTS),
    ),
    reasoning=REASONING,
    dropped=DROPPED,
    closing=CLOSING,
    fences=True,
    named=NAMED,
    tails=TAILS,
)
"""The openers of every family."""


def read(text: str, tools: Tools | None = None) -> Reading:
    """Read an output by the marks it bears; text without any is the answer."""
    body = text.strip(BLANK)
    if body[:1] == "{":
        value = read_json(body)
        if value is not UNREADABLE and value.get("kind") in _KINDS:
            return envelope.from_value(value)
    return read_segments(EVERYTHING, text, tools)


def read_any(text: str, tools: Tools | None = None) -> Reading:
    """Read an output of a family's: by its markers, and by those of all others."""
    return read_segments(EVERYTHING, text, tools)


AUTO: Final = Dialect(
    name="auto",
    read=read,
    instruct=envelope.instruct,
    write=envelope.write,
    remind=envelope.ENVELOPE.remind,
    constrain=envelope.constrain,
    table=EVERYTHING,
    stream="auto",
)
