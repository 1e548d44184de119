"""Tool specs: the data a definition declares about a tool. The tool itself is the host's code.

Source: MCP's tool shape (annotations), OpenAI's function shape (parameters), JSON Schema 2020-12.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct, field

from ..bounds import MAX_CHECKS, MAX_EXAMPLES, MAX_LABEL_CHARS, MAX_LABELS, MAX_TEXT_CHARS, MAX_TOOL_NAME_CHARS

ApprovalRule = Literal["auto", "ask", "deny"]
ToolName = Annotated[str, Meta(min_length=1, max_length=MAX_TOOL_NAME_CHARS, pattern=r"^[^\x00-\x1f\x7f]*$")]
"""No control characters: a name stands on a line of the system text."""
Label = Annotated[str, Meta(min_length=1, max_length=MAX_LABEL_CHARS, pattern=r"^[a-z0-9_-]+$")]
"""What a tool's results are marked with: `open` for text that anybody may have written, or a name of one's own."""


class Annotations(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """MCP's behaviour hints; hints only, a host that does not trust the tool's source sets `approval`."""

    title: str | None = None
    readOnlyHint: bool | None = None  # noqa: N815 (MCP's spelling)
    destructiveHint: bool | None = None  # noqa: N815
    idempotentHint: bool | None = None  # noqa: N815
    openWorldHint: bool | None = None  # noqa: N815


class Example(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One use of the tool, shown to the model as chat turns: a query, the call, its result, the answer."""

    query: str
    arguments: dict[str, Any]
    result: Any = None
    answer: str | None = None


class Check(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One check; besides `message`, which replaces its reason, it has exactly one form.

    `use`: a check by name; `tools` are those that `obligation` demands, and after which `observations` holds.
    `schema`: a JSON Schema that the value fits. `pattern`: a regular expression found in its text.
    `tool`: a tool of the host that accepts it, called with `params`; a text that begins with a slash is a JSON Pointer
    into `/output` or `/arguments`, anything else a constant. `any`: at least one of these accepts. `not`: this rejects.
    """

    use: str | None = None
    tools: tuple[str, ...] | None = None
    schema: dict[str, Any] | bool | None = None
    pattern: str | None = None
    tool: str | None = None
    params: dict[str, Any] | None = None
    any: "tuple[str | Check, ...] | None" = None
    negated: "str | Check | None" = field(name="not", default=None)
    message: str | None = None


# A type that names itself is written as text, which msgspec would compile anew for each refused definition: the types
# themselves (with their bounds) take its place, since no text runs as code in a step.
Checks = Annotated[tuple[str | Check, ...], Meta(max_length=MAX_CHECKS)]
Check.__annotations__ |= {
    "any": Annotated[tuple[str | Check, ...], Meta(min_length=1, max_length=MAX_CHECKS)] | None,
    "negated": str | Check | None,
}


class ToolSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A tool as the model sees it, and the schemas that the core validates its calls and outputs against.

    `always`: it is offered from the start, also where there are more tools than a model is offered. `late`: a call that
    goes on elsewhere (`tool_pending`) is waited for; else the model goes on without its result, and reads it later.
    """

    name: ToolName
    description: str = ""
    parameters: dict[str, Any] = field(default_factory=lambda: {"type": "object", "properties": {}})
    output_schema: dict[str, Any] | bool | None = None
    annotations: Annotations | None = None
    checks: Checks = ()
    max_output_chars: Annotated[int, Meta(ge=1, le=MAX_TEXT_CHARS)] | None = None
    approval: ApprovalRule | None = None
    labels: Annotated[tuple[Label, ...], Meta(max_length=MAX_LABELS)] = ()
    examples: Annotated[tuple[Example, ...], Meta(max_length=MAX_EXAMPLES)] = ()
    always: bool = False
    late: Literal["wait"] | None = None


class SkillSpec(ToolSpec, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A built-in skill as the model sees it beside the tools: where one is offered, more forms of calls are read."""


class OneTool(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """This tool has to be called first."""

    tool: ToolName


ToolChoice = Literal["auto", "required", "none"] | OneTool
"""`auto`: the model chooses; `required`: a tool before the answer; `none`: an answer without tools.

Source: OpenAI's `tool_choice`, held to a whole exchange instead of one model call.
"""

Tools = Mapping[str, ToolSpec]
"""Tool specs by name, sorted by name."""

OPEN: Final = "open"
"""The label of text that anybody may have written."""


OPEN_BY_DEFAULT: Final = "open-by-default"
"""The label of a tool that is read in MCP's shape and says nothing of its world: open, as MCP has it."""


def labels_of(spec: ToolSpec) -> tuple[str, ...]:
    """Return the labels of a tool's results, sorted: those that it names, and `open` where its world is."""
    said = labels_said(spec)
    return said if OPEN_BY_DEFAULT not in spec.labels else tuple(sorted({*said, OPEN}))


def labels_said(spec: ToolSpec) -> tuple[str, ...]:
    """Return the labels that a tool's definition gives its results itself, without what holds by default."""
    is_open = spec.annotations is not None and spec.annotations.openWorldHint is True
    return tuple(sorted({*spec.labels, *((OPEN,) if is_open else ())} - {OPEN_BY_DEFAULT}))
