"""Negotiation: rules, as data, that change how a model is asked when its outputs fail, and what a run keeps of that."""

from typing import Annotated, Final, Literal, get_args

from msgspec import Meta, Struct

from ..bounds import MAX_NEGOTIATION_RULES, MAX_SAFE_INTEGER

Fault = Literal["unread", "unknown_tool", "invalid_arguments", "rejected_result", "repeated_call", "no_answer"]
"""Why an output led to nothing; a correction's cause is one of the codes that FAULT_OF has."""

Move = Literal["examples", "carry", "dialect", "model"]

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

    `to`: the dialect, or the carry level; without it the next one. The other moves have none.
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


class Negotiated(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What failed in an exchange, and how the model is asked since; kept from the first failure on.

    `faults`: how often each cause came, less what succeeded since. `moved`: the numbers of the rules that have made
    their move. `failed_at`: the index of the first of the latest outputs that led to nothing; 0 where the latest led to
    something. `skipped`: ranges of the transcript that are not sent. `examples`: corrections show one.
    """

    faults: dict[str, Annotated[int, Meta(ge=1, le=MAX_SAFE_INTEGER)]] = {}
    moved: tuple[int, ...] = ()
    failed_at: Annotated[int, Meta(ge=0, le=MAX_SAFE_INTEGER)] = 0
    skipped: tuple[tuple[int, int], ...] = ()
    dialect: str = ""
    carry: Literal["", "ground"] = ""
    examples: bool = False
