"""The dialects that are read by the markers of all families: `auto`, and one for each family.

A family's fine-tunes mix the forms of others, so every family reads all markers; the families differ in what is taught,
how past turns and results are written, and what an output is held to.
"""

from typing import Final

from purestep.dialects import Dialect, Sample, constrain, describe_tools, envelope, result_text
from purestep.json_text import BLANK, UNREADABLE, encode_sorted, read_json
from purestep.scanner import REASONING, Table, read_segments
from purestep.values import ReadCall, Reading, Tools

from ..call_readers import has_answer_message
from ..written_forms import write_call, write_calls
from . import drifted_markers
from . import family_markers as marked
from . import unmarked_calls as unmarked
from .canonical import canonical_reading
from .family_forms import FAMILIES, Family
from .prompted_calls import ACTION_LABEL
from .stray_markup import answer_without_markup
from .tool_tags import TAGS, TOOL_TAGS

_KINDS: Final = ("tool_call", "final")

ALL_MARKERS: Final = Table(
    (
        *(TAGS, *marked.TAGGED, *marked.BARRED, *marked.TOKENS, *marked.HARMONY, *marked.JSON_LISTS, *marked.KEYED),
        *(unmarked.FUNCTOOLS, unmarked.BARE_JSON, unmarked.BARE_PYTHON, unmarked.FUNCTIONARY),
        *(*marked.STEP, *marked.KIMI_XTML, *marked.SOLAR, marked.PLAMO, *marked.INKLING, marked.TO_SELF, marked.CODE),
        *(*marked.RESULTS, *marked.STRAY_PATTERNS, *drifted_markers.ALL, *marked.PREFIXED),
    ),
    reasoning=REASONING,
    dropped=marked.DROPPED,
    closing=marked.CLOSING,
    strays=marked.STRAYS,
    fences=True,
    named=unmarked.NAMED,
    label=ACTION_LABEL,
)
"""The markers of every family. Streams hold a start by its index: new ones are added at the end."""


def read(text: str, tools: Tools | None = None) -> Reading:
    """Read an output by the markers in it; text without any is the answer."""
    body = text.strip(BLANK)
    if body[:1] == "{":
        value = read_json(body)
        if value is not UNREADABLE and value.get("kind") in _KINDS:
            return envelope.from_value(value, tools=tools)
    return read_any(text, tools)


def read_any(text: str, tools: Tools | None = None) -> Reading:
    """Read an output by the markers of all families."""
    reading = canonical_reading(ALL_MARKERS, text, tools)
    return reading if reading is not None else read_segments(ALL_MARKERS, text, tools)


AUTO: Final = Dialect(
    name="auto",
    read=read,
    instruct=envelope.instruct,
    write=envelope.write,
    remind=envelope.ENVELOPE.remind,
    constrain=constrain,
    table=ALL_MARKERS,
    stream="auto",
)


def dialect_of(family: Family) -> Dialect:
    """Return the dialect of a family."""
    shown = write_call(family, ReadCall(tool="NAME", params={"PARAMETER": "VALUE"}))

    def instruct(tools: Tools) -> str:
        if not tools:
            return ""
        return (
            f"You can use these tools:\n{describe_tools(tools)}\n\n"
            f"To use a tool, write exactly this, with the tool's name and its parameters:\n{shown}\n"
            "Then stop; the result follows. When you know the answer, write it as plain text."
        )

    def write(sample: Sample) -> str:
        return write_calls(family, sample.calls) if sample.calls else sample.answer or ""

    def result(tool: str, text: str, ok: bool) -> str:
        if family.result is None:
            return result_text(tool, text, ok)
        return f"{family.result[0]}{text if ok else f'Error: {text}'}{family.result[1]}"

    return Dialect(
        name=family.name,
        read=read_any,
        instruct=instruct,
        write=write,
        remind=f"To use a tool, write {encode_sorted(shown).decode()}; else answer in plain text.",
        result=result,
        form=family,
        table=ALL_MARKERS,
    )


FAMILY_DIALECTS: Final[tuple[Dialect, ...]] = tuple(dialect_of(family) for family in FAMILIES)

DIALECTS: Final[tuple[Dialect, ...]] = (AUTO, TOOL_TAGS, *FAMILY_DIALECTS)
"""All dialects of this package."""


def checked_answer(reading: Reading, text: str, tools: Tools | None) -> Reading:
    """Return the reading of an answer; text: the whole output. What is left of a family's markup in it is a problem."""
    return reading if has_answer_message(text) else answer_without_markup(reading, ALL_MARKERS, tools)
