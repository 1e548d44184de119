"""The families of models as dialects: each is a form over the one table of markers that all are read by.

A family's fine-tunes mix the forms of others, so every family reads all markers; what differs is what is taught,
how past turns and results are written, and to what an output is held.
"""

from typing import Final

from ..json_text import encode_sorted
from ..values import ReadCall, Tools
from .auto import EVERYTHING, read_any
from .base import Dialect, Sample, result_text
from .common import describe_tools
from .family_forms import FAMILIES, Family
from .forms import write_call, write_calls


def dialect_of(family: Family) -> Dialect:
    """Give the dialect of a family."""
    form = family.form
    shown = write_call(form, ReadCall(tool="NAME", params={"PARAMETER": "VALUE"}))

    def instruct(tools: Tools) -> str:
        if not tools:
            return ""
        return (
            f"You can use these tools:\n{describe_tools(tools)}\n\n"
            f"To use a tool, write exactly this, with the tool's name and its parameters:\n{shown}\n"
            "Then stop; the result follows. When you know the answer, write it as plain text."
        )

    def write(sample: Sample) -> str:
        return write_calls(form, sample.calls) if sample.calls else sample.answer or ""

    def result(tool: str, text: str, ok: bool) -> str:
        if form.result is None:
            return result_text(tool, text, ok)
        return f"{form.result[0]}{text if ok else f'Error: {text}'}{form.result[1]}"

    return Dialect(
        name=family.name,
        read=read_any,
        instruct=instruct,
        write=write,
        remind=f"To use a tool, write {encode_sorted(shown).decode()}; else answer in plain text.",
        result=result,
        form=form,
        table=EVERYTHING,
    )


FAMILY_DIALECTS: Final[tuple[Dialect, ...]] = tuple(dialect_of(family) for family in FAMILIES)
