"""Checks of a definition, as data: what a tool's output and an answer must be."""

from typing import Annotated, Any

from msgspec import Meta, Struct, field

from ..bounds import MAX_CHECKS


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
