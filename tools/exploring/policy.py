"""What a definition says of its tools and limits, read off its data by the words of the documentation.

The core compiles the same data; this is the onlooker's own reading, so neither checks itself.
"""

from typing import Any

from msgspec import Struct

from .alphabet import BAD_ANSWER, SEARCH
from .case import Case

_MAX_CORRECTIONS = 1
_MAX_REPEATS = 1
_MAX_TURNS = 20
_MAX_PARALLEL = 8


class ToolPolicy(Struct, frozen=True, kw_only=True):
    """What holds for one tool: whether calls ask or are denied, and what a second run of a call would do.

    acts_once: it says that it changes something, and not that it may be repeated.
    check: the tool that has to accept its outputs. checks: it is such a tool itself, which the model may not call.
    is_open: anybody may have written its results. asks_of_open: what such results led to is not its argument unasked.
    """

    rule: str
    acts_once: bool = False
    destructive: bool
    repeatable: bool
    reads: bool
    rejects_bad: bool
    check: str = ""
    checks: bool = False
    is_open: bool = False
    asks_of_open: bool = False


_SKILL = ToolPolicy(rule="auto", destructive=False, repeatable=True, reads=True, rejects_bad=False)
"""What holds for a skill: it has no effect, so nobody is asked."""


class Policy(Struct, frozen=True, kw_only=True):
    """What holds for a definition: its tools by name, its limits, its choice, and what becomes of unknown outcomes."""

    tools: dict[str, ToolPolicy]
    most_found: int
    """How many found tools the model is offered; 0 where it is offered all from the start."""
    head: tuple[str, ...]
    """Those that it is offered from the start elsewhere."""
    choice: str
    traced: bool
    """Some results may have been written by anybody, so that values are followed."""
    native: bool
    fails_unknown: bool
    rejects_bad_answer: bool
    cites: bool
    """An answer after tool use cites the results that it rests on."""
    max_turns: int
    max_corrections: int
    max_repeats: int
    max_parallel: int
    max_tool_calls: int | None
    max_output_tokens: int | None
    deadline_ms: int | None
    max_cost: int | None
    prices: dict[str, int]
    """Of each model's outputs, for a million tokens."""
    history: dict[str, Any]
    """The rules of history; none where all of the conversation is sent."""
    instructions: str
    values: tuple[str, ...]
    """The values that arguments may have."""


def policy_of(case: Case, definition: dict[str, Any]) -> Policy:
    """Read what a case's definition says, or the one that it goes on under."""
    approval, limits = definition.get("approval", {}), definition.get("limits", {})
    return Policy(
        tools={tool["name"]: _tool_policy(tool, definition) for tool in definition["tools"]}
        | dict.fromkeys(definition.get("skills", ()), _SKILL)
        | dict.fromkeys((SEARCH,) if "tools_offered" in definition else (), _SKILL),
        most_found=definition.get("tools_offered", 0),
        head=(*[tool["name"] for tool in definition["tools"] if tool.get("always")], SEARCH),
        choice=definition.get("tool_choice", "auto"),
        traced=any(use["use"] == "flow" for use in definition.get("policies", ()))
        or any(_is_open(tool) for tool in definition["tools"]),
        native=definition.get("dialect") == "native",
        fails_unknown=approval.get("unknown_outcome") == "fail",
        rejects_bad_answer=_rejects_bad(definition),
        cites="citations" in definition.get("checks", ()),
        max_turns=limits.get("max_turns", _MAX_TURNS),
        max_corrections=limits.get("max_corrections", _MAX_CORRECTIONS),
        max_repeats=limits.get("max_repeats", _MAX_REPEATS),
        max_parallel=limits.get("max_parallel", _MAX_PARALLEL),
        max_tool_calls=limits.get("max_tool_calls"),
        max_output_tokens=limits.get("max_output_tokens"),
        deadline_ms=limits.get("deadline_ms"),
        max_cost=limits.get("max_cost"),
        prices={model["name"]: model["price"]["output"] for model in definition.get("models", ()) if "price" in model},
        history=next((use for use in definition.get("policies", ()) if use["use"] == "history"), {}),
        instructions=definition.get("instructions", ""),
        values=("a", "b"),
    )


def _checks(definition: dict[str, Any]) -> frozenset[str]:
    checks = [check for tool in definition["tools"] for check in tool.get("checks", ())]
    return frozenset([check["tool"] for check in checks if "tool" in check])


def _rejects_bad(holder: dict[str, Any]) -> bool:
    """Whether the checks of a tool, or of the answer, reject what is bad."""
    return any("not" in check for check in holder.get("checks", ()))


def _is_open(tool: dict[str, Any]) -> bool:
    """Whether anybody may have written a tool's results."""
    return bool(tool.get("annotations", {}).get("openWorldHint")) or "open" in tool.get("labels", ())


def _allowed(definition: dict[str, Any]) -> frozenset[str]:
    """Return the tools that take open text unasked."""
    return frozenset(
        rule["to"]
        for use in definition.get("policies", ())
        for rule in use.get("rules", ())
        if rule.get("then") == "allow"
    )


def _tool_policy(tool: dict[str, Any], definition: dict[str, Any]) -> ToolPolicy:
    approval, checks, allowed = definition.get("approval", {}), _checks(definition), _allowed(definition)
    hints = tool.get("annotations", {})
    reads, destroys = hints.get("readOnlyHint"), hints.get("destructiveHint")
    idempotent = hints.get("idempotentHint", False)
    by_hint = "ask" if destroys else None
    acts = not reads and (reads is False or destroys is True)
    return ToolPolicy(
        rule=approval.get("tools", {}).get(tool["name"])
        or tool.get("approval")
        or by_hint
        or approval.get("default", "auto"),
        acts_once=acts and not idempotent,
        destructive=acts and destroys is not False and not idempotent,
        repeatable=bool(idempotent or reads),
        reads=bool(reads),
        rejects_bad=_rejects_bad(tool),
        check=next((check["tool"] for check in tool.get("checks", ()) if "tool" in check), ""),
        checks=tool["name"] in checks,
        is_open=_is_open(tool),
        asks_of_open=not reads and tool["name"] not in allowed,
    )


def is_bad_answer(policy: Policy, answer: str) -> bool:
    """Whether an answer breaks the definition's check."""
    return policy.rejects_bad_answer and answer == BAD_ANSWER
