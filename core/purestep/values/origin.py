"""Where the text of an argument came from, and what a tool's results are marked with."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from ..bounds import MAX_LABEL_CHARS

Label = Annotated[str, Meta(min_length=1, max_length=MAX_LABEL_CHARS, pattern=r"^[a-z0-9_-]+$")]
"""What a tool's results are marked with: `open` for text that anybody may have written, or a name of one's own."""


class ArgumentOrigin(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """Where the text of an argument came from: the user's words, data that came along with them, a call's result, or
    the model, which worded it.

    `path`: JSON Pointer into the arguments. `call_id`, `tool`: of the result. `labels`: that the text carries; none
    for text that is trusted.
    """

    path: str
    source: Literal["user", "data", "result", "model"]
    call_id: str = ""
    tool: str = ""
    labels: tuple[str, ...] = ()
