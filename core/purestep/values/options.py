"""Options that a definition names among its policies, and that the step function itself carries out."""

from typing import Annotated, Final, Literal, get_args

from msgspec import Meta, Struct

from ..bounds import (
    DEFAULT_HISTORY_SLACK,
    DEFAULT_SUMMARY_TOKENS,
    MAX_HISTORY_COUNT,
    MAX_HISTORY_RULES,
    MAX_NEGOTIATION_RULES,
    MAX_REDACTION_POINTERS,
    MAX_REDACTION_RULES,
    MAX_RULE_TOOLS,
    MAX_SAFE_INTEGER,
    MIN_SUMMARISED_PROMPT,
)
from .rates import RateProfile

Fault = Literal["unread", "unknown_tool", "invalid_arguments", "rejected_result", "repeated_call", "no_answer"]
"""Why an output led to nothing; a correction's cause is one of the codes that FAULT_OF has."""

Move = Literal["examples", "carry", "dialect", "plan", "model"]

FAULTS: Final[tuple[Fault, ...]] = get_args(Fault)

FAULT_OF: Final[dict[str, Fault]] = {
    "parse_error": "unread",
    "truncated": "unread",
    "unknown_tool": "unknown_tool",
    "invalid_arguments": "invalid_arguments",
    "guardrail": "rejected_result",
    "postcondition": "rejected_result",
    "tool_failed": "rejected_result",
    "repeated_call": "repeated_call",
    "inconclusive": "no_answer",
    "obligation": "no_answer",
    "tool_choice": "no_answer",
    "answer_schema": "no_answer",
    "answer_postcondition": "no_answer",
    "answer_guardrail": "no_answer",
}
"""What each cause of a correction counts as; `tool_failed` is a call that its tool could not do, and
`answer_postcondition` and `answer_guardrail` what the answer broke."""


class NegotiationRule(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Once outputs have failed `count` times for this cause, make this move, once in an exchange.

    What succeeds counts against what failed. A run that would fail for the cause makes its next move at any count.

    `to`: the dialect, or the carry level; without it the next one. The other moves have none. With `plan` the next
    model gives steps, and the model at hand is asked one after another.
    """

    cause: Fault
    move: Move
    count: Annotated[int, Meta(ge=1, le=MAX_SAFE_INTEGER)] = 1
    to: str | None = None


Rules = Annotated[tuple[NegotiationRule, ...], Meta(max_length=MAX_NEGOTIATION_RULES)]


def _rules(cause: Fault, *moves: tuple[int, Move, str | None]) -> tuple[NegotiationRule, ...]:
    return tuple([NegotiationRule(cause=cause, move=move, count=count, to=to) for count, move, to in moves])


DEFAULT_RULES: Final = (
    *_rules("unread", (1, "examples", None), (2, "dialect", None), (3, "model", None), (4, "carry", "ground")),
    *_rules("unknown_tool", (1, "examples", None), (2, "carry", "ground"), (3, "model", None)),
    *_rules("invalid_arguments", (1, "examples", None), (2, "carry", "ground"), (3, "model", None)),
    *_rules("rejected_result", (2, "carry", "ground"), (3, "model", None)),
    *_rules("repeated_call", (2, "model", None)),
    *_rules("no_answer", (1, "examples", None), (2, "dialect", None), (3, "model", None)),
)
"""What `"negotiation": true` stands for: cheap moves first; docs/negotiation.md shows it as a table."""


class SummaryOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What leaves the prompt is summed up by the model; `max_tokens`: of a summary."""

    max_tokens: Annotated[int, Meta(ge=1, le=MAX_SAFE_INTEGER)] = DEFAULT_SUMMARY_TOKENS


class ResultRule(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Of the results of these tools, of all without `tools`, the latest `keep` are sent whole.

    Of older ones a notice is sent, with `shorten` after their first characters; their images and files go in both.
    """

    tools: Annotated[tuple[str, ...], Meta(max_length=MAX_RULE_TOOLS)] = ()
    keep: Annotated[int, Meta(ge=0, le=MAX_HISTORY_COUNT)] = 0
    then: Literal["shorten", "drop"] = "shorten"


class HistoryOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What of the conversation is sent.

    `keep_exchanges`: the latest, that in progress among them. `results`: the first rule with a tool holds for it.
    `pin`: the first user message and its answer stay. `summary_above`: estimated tokens of a prompt above which the
    oldest is summed up. `reasoning`: only that of the exchange in progress is sent. `slack`: how many exchanges, or
    results of a rule, more than asked for may gather before any are left out.
    """

    keep_exchanges: Annotated[int, Meta(ge=1, le=MAX_HISTORY_COUNT)] | None = None
    results: Annotated[tuple[ResultRule, ...], Meta(max_length=MAX_HISTORY_RULES)] = ()
    pin: Literal["first"] | None = None
    summary_above: Annotated[int, Meta(ge=MIN_SUMMARISED_PROMPT, le=MAX_SAFE_INTEGER)] | None = None
    reasoning: Literal["latest"] | None = None
    slack: Annotated[int, Meta(ge=0, le=MAX_HISTORY_COUNT)] = DEFAULT_HISTORY_SLACK

    def rule_of(self, tool: str) -> int | None:
        """Return the number of the rule that holds for the results of a tool; None where they are sent whole."""
        return next((at for at, rule in enumerate(self.results) if not rule.tools or tool in rule.tools), None)


class NegotiationOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the model is asked changes when its outputs fail, by `rules`."""

    rules: Rules = DEFAULT_RULES


class RatesOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The model that is asked first is chosen by rates of success: the smallest that surely has `least` per cent.

    `profile`: what `purestep rates` has folded from logs.
    """

    profile: RateProfile
    least: Annotated[int, Meta(ge=1, le=99)] = 80


class NoOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Of an option that has none of its own."""


SecretKind = Literal["secrets", "emails", "card_numbers", "ibans"]
"""What is known by its form: keys, tokens, private keys and passwords (`secrets`), and three kinds of personal data."""

Pointers = Annotated[tuple[str, ...], Meta(min_length=1, max_length=MAX_REDACTION_POINTERS)]


class RedactionSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Texts that are replaced by a digest before a step sees them.

    `kinds`: known by their form. `patterns`: regular expressions as in JSON Schema, which see one line at a time.
    `outputs`: JSON Pointers into the outputs of these tools; `*` stands for every member or item. `reveal`: tools that
    are given the text itself in their arguments, where the host still knows it.
    """

    kinds: tuple[SecretKind, ...] = ()
    patterns: Annotated[tuple[str, ...], Meta(max_length=MAX_REDACTION_RULES)] = ()
    outputs: dict[str, Pointers] = {}
    reveal: tuple[str, ...] = ()
