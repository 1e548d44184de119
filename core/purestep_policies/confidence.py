"""Confidence: a person is asked about a call of which the model was not sure, and an unsure answer is none.

Theory of operation. A host that can tells with each output how probable the model found what it wrote, in three sums of
natural log-probabilities: of the branch (a call, a question or an answer), of the tool's name, and of the rest. How
sure a call is, is branch and name together: the rest grows with its length, and copied values are sure by themselves.
Below the threshold a person is asked, with the question in words. A threshold belongs to one model: it is calibrated on
requests that the model was not taught.

An answer is refused where the sum over its text is below another threshold, `answers_below`: a small model that makes
up a text is not sure of its words, and one that repeats a result is. Questions to the user are never refused, nor is
what stands beside calls that have changed something: what was done is told as facts.

Where the host tells nothing, a call that may act is asked about, and one that only reads is made. With
`{"acting": "ask"}` what may act is always asked about, unless the definition says `auto` of its tool: the choice for a
model that is sometimes wrong and sure.

Source: selective classification by a threshold on the model's own probability (El-Yaniv and Wiener 2010).
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from purestep import AnswerProposed, Ask, CallProposed, ExchangeBegun, OutputSeen, Refuse, ResultSeen
from purestep.bounds import MAX_CONFIDENCE_NATS
from purestep.json_text import excerpt_of
from purestep.values import ToolSpec

MAX_SHOWN_ARGUMENTS: Final = 6
"""Arguments that the question names: a sentence has room for a few, and whoever asks shows all of them beside it."""

MAX_SHOWN_ARGUMENT_CHARS: Final = 60
"""Characters of such an argument: an address or a title."""

MAX_SHOWN_ANSWER_CHARS: Final = 300
"""Characters of a refused answer that a person reads; the log has all of it."""


class ConfidenceOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What becomes of outputs of which the model was not sure.

    `below`: the threshold of calls, a natural logarithm. `then`: what becomes of those below it, `acting` of acting
    ones. `answers_below`: the threshold of answers; without it none is refused.
    """

    below: Annotated[float, Meta(ge=-MAX_CONFIDENCE_NATS, le=0)] = -0.3
    then: Literal["ask"] = "ask"
    acting: Literal["ask"] | None = None
    answers_below: Annotated[float, Meta(ge=-MAX_CONFIDENCE_NATS, le=0)] | None = None


class LastOutput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How sure the model was of its last output, in hundredths of a nat; None where its host did not tell."""

    sure: int | None = None
    said: int | None = None
    """Of the text or the arguments alone."""
    acted: bool = False
    """A call of this exchange has changed something: what was done stands beside the answer, whatever its words are."""


class ConfidencePolicy:
    """Asks a person about calls of which the model was not sure."""

    name = "confidence"
    version = 1
    wants_confidence = True
    Options = ConfidenceOptions
    State = LastOutput

    def __init__(self, options: ConfidenceOptions, tools: Mapping[str, ToolSpec]) -> None:
        self._below = _hundredths(options.below)
        self._asks_to_act = options.acting == "ask"
        self._acting = frozenset([name for name, tool in tools.items() if not _only_reads(tool)])
        self._answers_below = None if options.answers_below is None else _hundredths(options.answers_below)

    def begin(self, kept: LastOutput, exchange: ExchangeBegun) -> LastOutput:
        """Begin anew."""
        return LastOutput()

    def observed(self, kept: LastOutput, fact: Any) -> LastOutput:
        """Keep how sure the model was of what it said, and whether a call has changed something."""
        if isinstance(fact, ResultSeen):
            acted = kept.acted or (fact.ok and fact.tool in self._acting)
            return LastOutput(sure=kept.sure, said=kept.said, acted=acted)
        if not isinstance(fact, OutputSeen):
            return kept
        told = fact.confidence
        if told is None:
            return LastOutput(acted=kept.acted)
        sure, said = _hundredths(told.branch + told.name), _hundredths(told.args)
        return LastOutput(sure=sure, said=said, acted=kept.acted)

    def call(self, kept: LastOutput, call: CallProposed) -> Ask | None:
        """Ask about a call below the threshold, and about one that may act where that is not known, or always."""
        if kept.sure is not None and kept.sure < self._below:
            return _ask("I am not sure", call)
        if kept.sure is None and call.acts:
            return _ask("I cannot tell how sure I am, since the model's host tells no log-probabilities", call)
        if self._asks_to_act and call.acts and not (call.trusted or call.asked):
            return _ask("This may change something", call)
        return None

    def answer(self, kept: LastOutput, answer: AnswerProposed) -> Refuse | None:
        """Refuse an answer of whose words the model was not sure; one beside what was done is judged by that."""
        if self._answers_below is None or kept.acted or kept.said is None or kept.said >= self._answers_below:
            return None
        return Refuse(text=f"the model was not sure of this answer: {excerpt_of(answer.text, MAX_SHOWN_ANSWER_CHARS)}")


def _only_reads(tool: ToolSpec) -> bool:
    return tool.annotations is not None and tool.annotations.readOnlyHint is True


def _hundredths(nats: float) -> int:
    return round(nats * 100)  # exact: to an integer


def _ask(why: str, call: CallProposed) -> Ask:
    """Return the verdict with its question in words."""
    given = [f"{name} {_shown(value)}" for name, value in list(call.params.items())[:MAX_SHOWN_ARGUMENTS]]
    left_out = len(call.params) - len(given)
    listed = ", ".join([*given, f"and {left_out} more"] if left_out else given)
    return Ask(reason=POLICY.name, note=f"{why}: run `{call.tool}`{' with ' + listed if listed else ''}?")


def _shown(value: Any) -> str:
    """Return a value as a sentence has it: texts without quotes, in one line."""
    text = excerpt_of(value, MAX_SHOWN_ARGUMENT_CHARS)
    return text.removeprefix('"').removesuffix('"') if isinstance(value, str) else text


POLICY = ConfidencePolicy
