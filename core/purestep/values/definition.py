"""The agent definition: its documented shape, and reading it strictly.

All keys are optional; unknown ones are refused with their path. `agent.Agent` is the compiled form that steps use.
"""

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from ..bounds import (
    MAX_CALLS_PER_TURN,
    MAX_GUARDRAILS,
    MAX_MODELS,
    MAX_POLICIES,
    MAX_SAFE_INTEGER,
    MAX_SKILLS,
    MAX_TOOLS,
    MAX_VALUE_DEPTH,
)
from ..errors import PurestepError
from ..json_text import decode_json, encode, encode_sorted, plain_numbers, to_bytes, within_bounds
from ..lazy import lazy_decoder
from ..schema import Formats
from .former_keys import check_former_keys
from .negotiation import Rules
from .postconditions import Postcondition
from .redaction import RedactionSpec
from .schema_shapes import in_2020_12
from .shapes import shape_error
from .skills import SkillEntry
from .tool_choice import ToolChoice
from .tool_shapes import in_own_shape
from .toolspec import ApprovalRule, ToolSpec

Name = Annotated[str, Meta(min_length=1)]
Positive = Annotated[int, Meta(ge=1, le=MAX_SAFE_INTEGER)]
Count = Annotated[int, Meta(ge=0, le=MAX_SAFE_INTEGER)]


class Limits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What one exchange (a user message to its answer) may use; null is the default or no limit.

    `max_cost` is in millionths of the unit of the models' prices. `warn_at_percent` of any limit the model is warned
    once. `final_answer`: the last model call before a limit asks for an answer instead of failing after it.
    """

    max_turns: Positive | None = None
    max_corrections: Count | None = None
    max_tool_calls: Count | None = None
    max_input_tokens: Positive | None = None
    max_output_tokens: Positive | None = None
    deadline_ms: Positive | None = None
    max_cost: Positive | None = None
    warn_at_percent: Annotated[int, Meta(ge=1, le=99)] | None = None
    final_answer: bool = False
    max_repeats: Positive | None = None
    max_parallel: Annotated[int, Meta(ge=1, le=MAX_CALLS_PER_TURN)] | None = None


class Price(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a million tokens cost, in millionths of a unit; `cached_input` is the input's price where it is left out."""

    input: Count = 0
    output: Count = 0
    cached_input: Count | None = None


CarryLevel = Literal["off", "ground"]
Feature = Literal[
    "tools",
    "json_schema",
    "tools_with_json_schema",
    "grammar",
    "ebnf",
    "structural_tag",
    "lark",
    "scores",
    "images",
    "files",
]


Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
"""A SHA-256 in hex digits."""


class Adapter(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Weights that are put on a model's own: what they are called, and their file's SHA-256."""

    name: Name
    sha256: Digest


class ModelSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A model the host has, and what its server takes.

    `reasoning`: `opened` when its chat template opens the reasoning and the server hands it over in the text.
    `carry`: what the core does for it: nothing (`off`), or examples and arguments held to what was said (`ground`).
    `spans`: strings of arguments are copied from the conversation, where a grammar holds the output to that. `sha256`
    of its file and `adapter`, the weights put on it, tell which weights answered.
    """

    name: Name
    window_tokens: Positive | None = None
    price: Price | None = None
    supports: tuple[Feature, ...] | None = None
    reasoning: Literal["opened"] | None = None
    carry: CarryLevel | None = None
    spans: bool = False
    sha256: Digest | None = None
    adapter: Adapter | None = None


class ApprovalPolicy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Which calls need a person: per tool here, else the tool's own rule, else the default.

    `unknown_outcome`: what becomes of a run whose call may have run when its host was stopped, and may not run twice:
    a person is asked (`ask`) or the run fails (`fail`).
    """

    default: ApprovalRule | None = None
    tools: dict[str, ApprovalRule] = {}
    unknown_outcome: Literal["ask", "fail"] = "ask"


class Guardrail(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A check by name; `tools` limits it to outputs of these (for `obligation`: one of these must be used)."""

    name: str
    tools: tuple[str, ...] | None = None


class Sampling(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Sampling settings, passed to the model as they are (OpenAI's and llama.cpp's names)."""

    temperature: Annotated[float, Meta(ge=0)] | None = None
    top_p: Annotated[float, Meta(ge=0, le=1)] | None = None
    top_k: Count | None = None
    min_p: Annotated[float, Meta(ge=0, le=1)] | None = None
    max_tokens: Positive | None = None
    seed: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    repeat_penalty: float | None = None


class SummarySpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How long a summary of what leaves the prompt may be, in tokens; null is the default."""

    max_tokens: Positive | None = None


class AgentDefinition(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What an agent is, as data; see docs/agent-definition.md."""

    name: str = ""
    instructions: str = ""
    dialect: str = "envelope"
    tools: Annotated[tuple[ToolSpec, ...], Meta(max_length=MAX_TOOLS)] = ()
    skills: Annotated[tuple[str | SkillEntry, ...], Meta(max_length=MAX_SKILLS)] = ()
    models: Annotated[tuple[ModelSpec, ...], Meta(max_length=MAX_MODELS)] = ()
    limits: Limits = Limits()
    guardrails: Annotated[tuple[str | Guardrail, ...], Meta(max_length=MAX_GUARDRAILS)] | None = None
    approval: ApprovalPolicy = ApprovalPolicy()
    tool_choice: ToolChoice = "auto"
    answer_schema: dict[str, Any] | bool | None = None
    answer_postconditions: Annotated[tuple[Postcondition, ...], Meta(max_length=MAX_GUARDRAILS)] = ()
    citations: Literal["required"] | None = None
    formats: Formats = "annotate"
    coerce: bool = False
    read_output: bool = False
    summary: bool | SummarySpec = False
    redaction: RedactionSpec | None = None
    sampling: Sampling | None = None
    negotiation: bool | Rules = False
    policies: Annotated[tuple[dict[str, Any], ...], Meta(max_length=MAX_POLICIES)] | None = None
    """Each `{"use": name, "version"?, ...options}`, in the order in which they are asked."""


_DECODER: Final = lazy_decoder(AgentDefinition)


def _encoded(source: dict[str, Any]) -> bytes:
    try:
        return encode(source)
    except (UnicodeEncodeError, TypeError, ValueError, RecursionError):
        raise PurestepError("invalid_agent", "expected a definition of JSON values in well-formed text") from None


def read_definition(source: str | bytes | dict[str, Any]) -> tuple[AgentDefinition, bytes]:
    """Return the definition and its canonical JSON bytes, in which tools and schemas of other shapes have ours.

    Error codes: `invalid_json`, `invalid_agent` (with the path of what is wrong), `too_deep`.
    """
    value = decode_json(_encoded(source) if isinstance(source, dict) else to_bytes(source))
    if not isinstance(value, dict):
        raise PurestepError("invalid_agent", "expected a JSON object with the agent definition")
    check_former_keys(value)
    if isinstance(value.get("tools"), list):
        value = {
            **value,
            "tools": [in_own_shape(entry, f"/tools/{index}") for index, entry in enumerate(value["tools"])],
        }
    if "answer_schema" in value:
        value = {**value, "answer_schema": in_2020_12(value["answer_schema"])}
    canonical = encode_sorted(plain_numbers(value))
    if not within_bounds(canonical, MAX_VALUE_DEPTH):
        raise PurestepError(
            "too_deep", f"expected a definition nested at most {MAX_VALUE_DEPTH} levels deep; flatten it"
        )
    try:
        return _DECODER.decode(canonical), canonical
    except msgspec.ValidationError:
        raise shape_error(AgentDefinition, value, "invalid_agent") from None
