"""What a model call is offered besides the messages: the tools of a native dialect, and what the output is held to."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import replace

from ..constraints import constraint_for, constraint_of_answer, in_strict_form
from ..dialects import Dialect
from ..errors import PurestepError, closest
from ..json_text import encode
from ..values import NO_PROFILE, AgentDefinition, OneTool, ToolChoice, ToolSpec, profile_in
from ..window import TokenCounter
from .corrections import shown
from .definition_checks import takes
from .prompt import native_tools

Specs = dict[str, ToolSpec]


class Offer(Struct, frozen=True, kw_only=True):
    """What a model call is offered besides the messages, encoded once."""

    tools: Raw | UnsetType = UNSET
    tool_choice: Raw | UnsetType = UNSET
    response_format: Raw | UnsetType = UNSET
    grammar: str | UnsetType = UNSET
    sampling: Raw | UnsetType = UNSET
    tokens: int = 0
    """Of the tools, where a window is kept."""

    def counted(self, counter: TokenCounter) -> "Offer":
        """Return the offer with the tokens of its tools."""
        return self if self.tools is UNSET else replace(self, tokens=counter.text(bytes(self.tools).decode()))


def make_offer(
    definition: AgentDefinition,
    dialect: Dialect,
    model: int,
    specs: Specs,
    choice: ToolChoice,
    sent: Mapping[str, str],
    *,
    answers_again: bool = False,
    plain: bool = False,
) -> Offer:
    """Return what a call of a model is offered with these tools.

    choice: whether they may, must or must not be used now. sent: the names of those tools that a server would not take
    under their own. answers_again: the model has answered, in another form than the answer's schema. plain: the server
    is given schemas of a few keywords alone.
    """
    models = definition.models
    supports = models[model].supports if models else None
    profile = profile_in(models[model]) if models else NO_PROFILE
    tools = native_tools(specs, sent, plain=plain) if dialect.native_tools and takes("tools", supports) else None
    held = _held_to(specs, choice)
    answers = not held or choice == "auto"
    if dialect.native_tools:
        is_due = answers and (not held or answers_again or _leaves_calls_free(supports))
        schema = definition.answer_schema if is_due else None
        constraint = constraint_of_answer(schema, supports, tools=bool(tools))
    else:
        copies = bool(models) and models[model].spans
        constraint = constraint_for(dialect, held, definition.answer_schema, supports, answers=answers, copies=copies)
    if profile.constraint == "strict":
        constraint = in_strict_form(constraint)
    chosen = _native_choice(choice, specs, sent) if tools else None
    sampling = definition.sampling
    if tools and profile.parallel_calls is not None:
        sampling = {"parallel_tool_calls": profile.parallel_calls, **sampling}
    return Offer(
        tools=Raw(encode(tools)) if tools else UNSET,
        tool_choice=Raw(encode(chosen)) if chosen else UNSET,
        response_format=Raw(encode(constraint.response_format)) if constraint.response_format else UNSET,
        grammar=constraint.grammar or UNSET,
        sampling=Raw(encode(sampling)) if sampling else UNSET,
    )


def _leaves_calls_free(supports: tuple[str, ...] | None) -> bool:
    """Tell a server that holds an answer to a schema, and lets the model call tools instead.

    Most hold the whole output to it, so that no call is possible: llama.cpp and vLLM do.
    """
    return supports is not None and "tools_with_json_schema" in supports


def _held_to(specs: Specs, choice: ToolChoice) -> Specs:
    """Return the tools that the output may call: a tool that is withheld cannot be the one to call."""
    if choice == "none":
        return {}
    if isinstance(choice, OneTool) and choice.tool in specs:
        return {choice.tool: specs[choice.tool]}
    return specs


def _native_choice(choice: ToolChoice, specs: Specs, sent: Mapping[str, str]) -> Any:
    """Return a choice as OpenAI's servers take it, beside all tools: the head of the prompt stays as it is."""
    if not isinstance(choice, OneTool):
        return None if choice == "auto" else choice
    if choice.tool not in specs:
        return "required"
    return {"type": "function", "function": {"name": sent.get(choice.tool, choice.tool)}}


def choice_problem(choice: ToolChoice, tools: Sequence[str]) -> tuple[str, str] | None:
    """Return what is wrong with a choice among these tools, and the path of it below the choice; None if it fits."""
    if isinstance(choice, OneTool) and choice.tool not in tools:
        near = closest(choice.tool, tools)
        hint = f'did you mean "{near}"?' if near else f"the tools are: {', '.join(tools) or 'none'}"
        return f'no tool is named "{shown(choice.tool)}"; {hint}', "/tool"
    if choice == "required" and not tools:
        return "expected auto or none, since there are no tools; got required", ""
    return None


def check_choice(definition: AgentDefinition, tools: tuple[str, ...]) -> None:
    """Hold the choice of tools to those that there are; raises `invalid_agent`."""
    problem = choice_problem(definition.tool_choice, tools)
    if problem is not None:
        raise PurestepError("invalid_agent", problem[0], f"/tool_choice{problem[1]}")
