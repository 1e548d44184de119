"""The agent definition: its documented shape, and reading it strictly.

All keys are optional; unknown ones are refused with their path. `agent.Agent` is the compiled form that steps use.
"""

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from ..bounds import (
    DEFAULT_TOOLS_OFFERED,
    MAX_CALLS_PER_TURN,
    MAX_MODELS,
    MAX_POLICIES,
    MAX_SAFE_INTEGER,
    MAX_SKILL_DESCRIPTION_CHARS,
    MAX_SKILLS,
    MAX_SUB_AGENTS,
    MAX_TOOL_NAME_CHARS,
    MAX_TOOLS,
    MAX_VALUE_DEPTH,
    MIN_TOOL_NAME_CHARS,
)
from ..errors import PurestepError
from ..json_text import decode_json, encode, encode_sorted, plain_numbers, to_bytes, within_bounds
from ..lazy import lazy_decoder
from .agent_shapes import agents_in_own_shape
from .content import Count, RefusedMembers
from .former_keys import check_former_keys
from .price import Prices
from .schema_shapes import in_2020_12
from .shapes import shape_error
from .tool_shapes import in_own_shape
from .toolspec import ApprovalRule, Checks, ToolChoice, ToolName, ToolSpec

Name = Annotated[str, Meta(min_length=1)]
Positive = Annotated[int, Meta(ge=1, le=MAX_SAFE_INTEGER)]
ToolsOffered = Annotated[int, Meta(ge=1, le=MAX_TOOLS)]
"""How many tools a model is offered all at once; also how many found ones it is offered."""


class Limits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What one exchange (a user message to its answer) may use; null is the default or no limit.

    `max_cost` is in millionths of the unit of the models' prices. `final_answer`: the model is warned once before a
    limit, and the last model call before it asks for an answer instead of failing after it.
    """

    max_turns: Positive | None = None
    max_corrections: Count | None = None
    max_tool_calls: Count | None = None
    max_input_tokens: Positive | None = None
    max_output_tokens: Positive | None = None
    deadline_ms: Positive | None = None
    max_cost: Positive | None = None
    final_answer: bool = False
    max_repeats: Positive | None = None
    max_parallel: Annotated[int, Meta(ge=1, le=MAX_CALLS_PER_TURN)] | None = None


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
    "audio",
    "spans",
    "logprobs",
]


Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
"""A SHA-256 in hex digits."""


class Adapter(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Weights that are put on a model's own: what they are called, and their file's SHA-256."""

    name: Name
    sha256: Digest


WireName = Literal["openai", "responses", "anthropic", "google"]
"""How a server is asked: OpenAI's chat completions or Responses, Anthropic's Messages, Google's generateContent."""

TOOL_NAME_CHARS: Final = 64
"""Of a tool's name that every server takes. Source: OpenAI API reference, `tools[].function.name`."""


class Profile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a model's server wants to be asked; what is left out is as its `name`, a row of the table, has it.

    `wire`: for the host. `dialect`: of a definition that names none. `supports`, `reasoning`, `price`: of a model that
    says nothing of them. `constraint`: `strict` where the server holds an output to a schema in OpenAI's strict form.
    `refuses`: members of requests that it does not take; for tools, calls are written into the text. `system`: the role
    that the system text has. `roles`: `alternate` where the chat template takes no two messages of the user without an
    answer between them. `call_id_chars`: of a call's id exactly, without which any id is taken. `call_extra`: members
    of the first call of an output that another model has written, where the server takes none without. `name_chars`:
    of a tool's name at most. `parallel_calls`: whether several calls in one output are asked for or forbidden, by the
    member `parallel_tool_calls`. `tokenizer`: by which tokens are estimated.
    """

    name: Name | None = None
    wire: WireName | None = None
    dialect: Name | None = None
    supports: tuple[Feature, ...] | None = None
    constraint: Literal["json_schema", "strict"] | None = None
    reasoning: Literal["opened"] | None = None
    refuses: RefusedMembers | None = None
    system: Literal["system", "developer", "user"] | None = None
    roles: Literal["alternate"] | None = None
    call_id_chars: Annotated[int, Meta(ge=8, le=64)] | None = None
    call_extra: dict[str, Any] | None = None
    name_chars: Annotated[int, Meta(ge=MIN_TOOL_NAME_CHARS, le=MAX_TOOL_NAME_CHARS)] | None = None
    parallel_calls: bool | None = None
    tokenizer: Name | None = None
    price: Prices | None = None


class ModelSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A model the host has, and what its server takes.

    `profile`: how its server wants to be asked, or the name of that in the table of servers and models.
    `reasoning`: `opened` when its chat template opens the reasoning and the server hands it over in the text.
    `carry`: what the core does for it: nothing (`off`), or examples and arguments held to what was said (`ground`).
    What it `supports` may have `spans`: strings of arguments are copied from the conversation, where a grammar holds
    the output to that; and `logprobs`: the host tells how sure it was. `sha256` of its file and `adapter`, the weights
    put on it, tell which weights answered. `tools_offered`: of this model, in place of the definition's.
    """

    name: Name
    window_tokens: Positive | None = None
    price: Prices | None = None
    supports: tuple[Feature, ...] | None = None
    reasoning: Literal["opened"] | None = None
    carry: CarryLevel | None = None
    sha256: Digest | None = None
    adapter: Adapter | None = None
    profile: Name | Profile | None = None
    tools_offered: ToolsOffered | None = None

    @property
    def extra_model(self) -> str:
        """Which model it is for what a provider gives with its calls: by its kind of server and its name."""
        kind = self.profile.name if isinstance(self.profile, Profile) else self.profile
        return f"{kind}:{self.name}" if kind else self.name

    @property
    def spans(self) -> bool:
        """Whether its arguments are copied from the conversation, which it has to be taught."""
        return "spans" in (self.supports or ())


class SkillEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A skill of a definition: a built-in one by its name alone, else a written one, which has a description.

    The body of a written skill stays with the host; the model reads it with the tool `read_skill`.
    """

    name: ToolName
    description: Annotated[str, Meta(max_length=MAX_SKILL_DESCRIPTION_CHARS)] = ""


class ApprovalPolicy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Which calls need a person: per tool here, else the tool's own rule, else the default.

    `unknown_outcome`: what becomes of a run whose call may have run when its host was stopped, and may not run twice:
    a person is asked (`ask`) or the run fails (`fail`).
    """

    default: ApprovalRule | None = None
    tools: dict[str, ApprovalRule] = {}
    unknown_outcome: Literal["ask", "fail"] = "ask"


class SubAgent(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """An agent that another one may call: its whole `agent` definition, and what the caller's model reads of it.

    Without a `description` that is the beginning of its instructions. With `hand_off` it does not answer the caller: it
    takes the conversation over, from the model's call on.
    """

    agent: dict[str, Any]
    description: str = ""
    hand_off: bool = False


class AgentDefinition(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What an agent is, as data; see docs/agent-definition.md.

    `tools_offered`: of more tools than that a model is offered those that are `always` offered, and finds the others.
    `tools_ranked_by`: a tool that only the core calls, whose scores count beside the words of a search.
    `checks`: those of the answer. `sampling`: settings that are passed to the model as they are, by the names of its
    server; of these, `max_tokens` is read here too.
    """

    name: str = ""
    instructions: str = ""
    dialect: str = "envelope"
    tools: Annotated[tuple[ToolSpec, ...], Meta(max_length=MAX_TOOLS)] = ()
    tools_offered: ToolsOffered = DEFAULT_TOOLS_OFFERED
    tools_ranked_by: ToolName | None = None
    agents: Annotated[dict[ToolName, SubAgent], Meta(max_length=MAX_SUB_AGENTS)] = {}
    """Agents that the model may call as tools, by the tool's name: with a question, for an answer; or to hand over."""
    skills: Annotated[tuple[str | SkillEntry, ...], Meta(max_length=MAX_SKILLS)] = ()
    models: Annotated[tuple[ModelSpec, ...], Meta(max_length=MAX_MODELS)] = ()
    limits: Limits = Limits()
    approval: ApprovalPolicy = ApprovalPolicy()
    tool_choice: ToolChoice = "auto"
    answer_schema: dict[str, Any] | bool | None = None
    checks: Checks = ()
    sampling: dict[str, Any] = {}
    policies: Annotated[tuple[dict[str, Any], ...], Meta(max_length=MAX_POLICIES)] | None = None
    """Each `{"use": name, "version"?, ...options}`, in the order in which they are asked."""


_DECODER: Final = lazy_decoder(AgentDefinition)


def _encoded(source: dict[str, Any]) -> bytes:
    try:
        return encode(source)
    except (UnicodeEncodeError, TypeError, ValueError, RecursionError):
        raise PurestepError("invalid_agent", "expected a definition of JSON values in well-formed text") from None


def decoded_definition(source: str | bytes | dict[str, Any]) -> tuple[AgentDefinition, bytes]:
    """Return the definition as it is written, tools and schemas of other shapes in ours, and its canonical JSON bytes.

    Error codes: `invalid_json`, `invalid_agent` (with the path of what is wrong), `too_deep`.
    """
    value = decode_json(_encoded(source) if isinstance(source, dict) else to_bytes(source))
    if not isinstance(value, dict):
        raise PurestepError("invalid_agent", "expected a JSON object with the agent definition")
    check_former_keys(value)
    value = {name: item for name, item in value.items() if name != "$schema"}  # for editors alone
    value = agents_in_own_shape(value)
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
