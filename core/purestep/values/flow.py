"""Information flow: rules of a definition, where an argument's text came from, and what the state keeps for both."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from ..bounds import MAX_LABEL_CHARS

Label = Annotated[str, Meta(min_length=1, max_length=MAX_LABEL_CHARS, pattern=r"^[a-z0-9_-]+$")]
"""What a tool's results are marked with: `open` for text that anybody may have written, or a name of one's own."""

FlowVerdict = Literal["allow", "ask", "deny"]


class FlowRule(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What becomes of a call into whose arguments text with a label flows; the first rule that fits holds.

    `source` (`from` in JSON): a label, or `model` for what the model worded itself after it had read labelled text.
    `to`: a tool's name, `TOOL/ARGUMENT`, or `*` for every tool.
    """

    source: str = field(name="from")
    to: str
    then: FlowVerdict


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


class KnownResult(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """The beginning of what a call gave, in small letters, to find values in; without labels it is trusted.

    Without `call_id` and `tool`, it came along with a user message.
    """

    call_id: str
    tool: str
    text: str
    labels: tuple[str, ...] = ()


class FlowState(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What values may have come from, over the whole run; bounded, whatever its length.

    `said`: what the user has said, in small letters, the latest last. `results`: of the latest calls, the latest last.
    `read`: labels of words that the model has read. `lost`: labels of text that is not kept any more, which any value
    may have come from.
    """

    said: str = ""
    results: tuple[KnownResult, ...] = ()
    read: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
