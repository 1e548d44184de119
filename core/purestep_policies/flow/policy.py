"""The policy: what it is told, and what it says of a call."""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from purestep import (
    Allow,
    ApprovalSeen,
    Ask,
    CallProposed,
    ExchangeBegun,
    MessagesSeen,
    Refuse,
    ResultSeen,
    TranscriptChanged,
)
from purestep.values import ToolSpec, parts_of, text_of
from purestep.window import data_text, unframed

from .bounds import MAX_RULES
from .known_texts import DATA, KnownTexts, with_read, with_result, with_said
from .rules import OPEN, FlowRule, FlowRules
from .tracing import Traced, edited_texts, trace


class FlowOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`rules`: what becomes of calls into whose arguments labelled text flows; the first that fits holds."""

    rules: Annotated[tuple[FlowRule, ...], Meta(max_length=MAX_RULES)] = ()


class FlowPolicy:
    """Asks a person about calls that act with values that the user has not said, once labelled text was read."""

    name = "flow"
    version = 1
    Options = FlowOptions
    State = KnownTexts

    def __init__(self, options: FlowOptions, tools: Mapping[str, ToolSpec]) -> None:
        self._rules = FlowRules(options.rules, tools)

    def begin(self, kept: KnownTexts, exchange: ExchangeBegun) -> KnownTexts:
        """Keep the user's words, and that what came along with them is open."""
        kept = with_said(kept, exchange.text)
        if exchange.data:
            kept = with_result(kept, "", DATA, data_text(exchange.data))
        return with_read(kept, (OPEN,)) if exchange.data or exchange.attached else kept

    def observed(self, kept: KnownTexts, fact: Any) -> KnownTexts:
        """Keep what was read, and what a person has written into arguments."""
        match fact:
            case ResultSeen():
                kept = with_result(kept, fact.call_id, fact.tool, fact.text)
                return with_read(kept, self._rules.labels_of(fact.tool))
            case ApprovalSeen(edited=dict() as edited):
                texts = edited_texts(fact.params, edited, self._rules.names_of(fact.tool))
                return with_said(kept, "\n".join(texts)) if texts else kept
            case MessagesSeen():
                return self._of_messages(kept, fact)
            case TranscriptChanged():
                # What was read stays read, and the messages may hold anything now.
                return with_read(kept, tuple(self._rules.known_labels))
            case _:
                return kept

    def call(self, kept: KnownTexts, call: CallProposed) -> Allow | Ask | Refuse | None:
        """Ask about a call that acts with what the user has not said, or do as the definition's rules say."""
        if not kept.read and not call.asked:
            return None
        traced = trace(kept, self._rules.said_params(call.tool, call.params), self._rules.names_of(call.tool))
        if not kept.read:
            return Allow(origins=traced.shown)
        then = self._rules.strictest(call.tool, traced.origins, acts=call.acts)
        if then == "deny":
            return Refuse(text=_denied(call.tool, traced))
        return Ask(reason=_reason(traced), origins=traced.shown) if then == "ask" else Allow(origins=traced.shown)

    def _of_messages(self, kept: KnownTexts, seen: MessagesSeen) -> KnownTexts:
        """Return what is known of messages that another program kept.

        After the first output of a model a user's message may hold a tool's result, whose source nobody knows. What a
        message frames as data was not said by the user either: it came along.
        """
        roles = [message.role for message in seen.messages]
        first = next((at for at, role in enumerate(roles) if role in ("assistant", "tool")), len(roles))
        for at, message in enumerate(seen.messages):
            if message.role != "user":
                continue
            said, along = unframed(text_of(message.content))
            kept = with_said(kept, said) if at < first else kept
            for text in along:
                kept = with_read(with_result(kept, "", DATA, text), (OPEN,))
            kept = with_read(kept, (OPEN,)) if parts_of(message.content) else kept
        return with_read(kept, tuple(self._rules.known_labels)) if first < len(roles) else kept


def _reason(traced: Traced) -> str:
    """Return why a person is asked about a call."""
    return f"text that {_what(traced)} and that the user has not said is in its arguments{traced.places}"


def _what(traced: Traced) -> str:
    return "may come from outside" if traced.labels == (OPEN,) else f"may be {' and '.join(traced.labels)}"


def _denied(tool: str, traced: Traced) -> str:
    """Return what the model reads of a call that a rule denies."""
    return (
        f"Not run: {tool} takes no text that comes from such a source{traced.places}. "
        "Do not try it another way; answer, or ask the user."
    )


POLICY = FlowPolicy
