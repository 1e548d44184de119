"""The checks that a definition uses by name, on outputs and on answers."""

import re
from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from ..bounds import MAX_ECHO_CHARS, MAX_PLANNING_CHARS, MAX_TOTAL_CHARS, MIN_ECHO_WORDS, MIN_OUTPUT_CHARS
from ..json_text import BLANK, excerpt_of, text_signature
from ..lazy import lazy_pattern
from ..text import fold, words_of
from .citations import without_marks, wrong_citations
from .judged import Cause, Judged, is_empty
from .numbers import unsaid_number
from .sections import lacks_observations

Reason = str

# --- on outputs -------------------------------------------------------------------------------------------

_TOTAL_LINE: Final = lazy_pattern(
    r"(?:[$#>] [^\n]*\n+)?total[ \t]+[0-9]+(?:[.,'\u00a0\u202f][0-9]+)*[kmgtp]?(?:i?b)?", re.ASCII
)
"""A line with the sum alone, as `ls -l` writes it before a listing, perhaps after the line of the command."""
_NUMBER: Final = lazy_pattern(r"[+-]?[0-9]+(?:\.[0-9]+)?%?", re.ASCII)


def not_empty(output: Any) -> Reason | None:
    """Reject nothing: null, no text, or white space alone."""
    return "the output is empty" if is_empty(output) else None


def not_metadata(output: Any) -> Reason | None:
    """Reject a single `total N` line, also as the only text of an object: the head of a listing without its entries."""
    text = _only_text(output)
    if len(text) <= MAX_TOTAL_CHARS and _TOTAL_LINE.fullmatch(fold(text.strip(BLANK))):
        return "the output is only a total line, without the data it counts"
    return None


def _only_text(output: Any) -> str:
    """Return a text, or the one that an object of plain values has, as shells give it; "" for anything else."""
    if isinstance(output, str):
        return output
    values = output.values() if isinstance(output, dict) else ()
    texts = [value for value in values if isinstance(value, str) and value.strip(BLANK)]
    return texts[0] if len(texts) == 1 and not any(isinstance(value, (dict, list)) for value in values) else ""


def has_substance(output: Any) -> Reason | None:
    """Reject text under three characters, or without any letter or digit; numbers and JSON values have substance."""
    if not isinstance(output, str):
        return None
    text = output.strip(BLANK)
    if _NUMBER.fullmatch(text):
        return None
    if len(text) < MIN_OUTPUT_CHARS:
        return f"the output has fewer than {MIN_OUTPUT_CHARS} characters"
    if not any(_is_wordlike(character) for character in text):
        return "the output holds no letter or digit"
    return None


def _is_wordlike(character: str) -> bool:
    # Outside ASCII every character counts but for punctuation and symbol blocks: character tables differ
    # between Unicode versions, these ranges do not.
    if character < "\x80":
        return "0" <= character <= "9" or "a" <= character <= "z" or "A" <= character <= "Z"
    return character >= "\xc0" and not ("\u2000" <= character <= "\u2bff" or "\u3000" <= character <= "\u303f")


def _plausible(output: Any) -> Reason | None:
    return not_empty(output) or not_metadata(output) or has_substance(output)


OUTPUT_CHECKS: Final[dict[str, Callable[[Any], Reason | None]]] = {
    "not_empty": not_empty,
    "not_metadata": not_metadata,
    "has_substance": has_substance,
    "plausibility": _plausible,
}
"""Checks of outputs by name; `plausibility` is the three before it in order."""


# --- on answers -------------------------------------------------------------------------------------------


class AnswerCheck(Struct, frozen=True):
    """A check of answers: the cause of its correction, what it says of an answer, and what is to be done then.

    `reason` takes what is judged and the tools that the definition names beside the check.
    """

    cause: Cause
    reason: Callable[[Judged, tuple[str, ...]], Reason | None]
    then: str = ""


_PLANNING: Final = lazy_pattern(
    r"(?:(?:sure|okay|ok|certainly|of course|great|alright|now|first|next|then|so)[,.!:]?[ \n]+)*"
    r"(?:(?:i will|i'll|i\u2019ll|i am going to|i'm going to|i\u2019m going to|we will|we'll|we\u2019ll)"
    r"(?! (?:not|never)\b| (?:leave|keep) [^.!?\n]{1,60} (?:as (?:it is|they are|is)|alone|unchanged|untouched)\b)|"
    r"i need to(?! know)|let me(?! know)|let us|let's|let\u2019s|we need to|to do this|step 1|my plan)(?![a-z])",
    re.ASCII | re.IGNORECASE,
)

PLACEHOLDERS: Final = frozenset({"<answer>", "<content>", "..."})
"""Placeholders for an answer in the prompt; an output that only copies one of them is not an answer."""


def is_placeholder(text: str) -> bool:
    """Whether a text is only a placeholder."""
    return text.strip(BLANK) in PLACEHOLDERS


def _planning(judged: Judged, _: tuple[str, ...]) -> Reason | None:
    """Reject a short text that only says what will be done, where nothing has been done."""
    plans = len(judged.text) <= MAX_PLANNING_CHARS and _PLANNING.match(judged.text.strip(BLANK))
    return "it says what you are going to do, and you did not do it" if plans and not judged.facts.acted else None


def echo_signature(text: str) -> str:
    """Return a digest of a text in small letters; "" for one too long to be repeated, or too short to be judged by."""
    judged = len(text) <= MAX_ECHO_CHARS and len(words_of(text)) >= MIN_ECHO_WORDS
    return text_signature(fold(text).strip(BLANK)) if judged else ""


def _echo(judged: Judged, _: tuple[str, ...]) -> Reason | None:
    """Reject the question once more."""
    asked = judged.facts.asked
    return "it only repeats the question" if asked and echo_signature(judged.text) == asked else None


def _obligation(judged: Judged, tools: tuple[str, ...]) -> Reason | None:
    """Reject an answer before a result of one of these tools, or of any."""
    if _is_met(judged, tools):
        return None
    which = f"one of these tools: {', '.join(tools)}" if tools else "a tool"
    return f"it needs a result of {which}"


def _is_met(judged: Judged, tools: tuple[str, ...]) -> bool:
    succeeded = judged.facts.succeeded
    return any(tool in succeeded for tool in tools) if tools else bool(succeeded)


def _observations(judged: Judged, tools: tuple[str, ...]) -> Reason | None:
    """Reject an answer after tool use that lacks one of its two sections."""
    return lacks_observations(judged.text) if _is_met(judged, tools) else None


def _values(judged: Judged, _: tuple[str, ...]) -> Reason | None:
    """Reject a number that neither the user nor a result has said, once there are results and all is known."""
    facts = judged.facts
    if not facts.results.text or facts.results.cut or facts.question.cut:
        return None
    number = unsaid_number(without_marks(judged.text), (facts.question.text, facts.results.text))
    return (
        None if number is None else f"it says {excerpt_of(number)}, which stands neither in a result nor in the request"
    )


def _citations(judged: Judged, _: tuple[str, ...]) -> Reason | None:
    """Reject citations that name no result, or sentences that say what the results they cite do not."""
    return wrong_citations(judged.text, judged.facts.citable, judged.facts.question)


ANSWER_CHECKS: Final = {
    "planning": AnswerCheck("inconclusive", _planning, "Make the call, or give the answer."),
    "echo": AnswerCheck("inconclusive", _echo, "Answer it, or say what is missing."),
    "obligation": AnswerCheck(
        "obligation", _obligation, "Do not answer from memory: call a tool, then answer with its result."
    ),
    "observations": AnswerCheck(
        "answer_schema",
        _observations,
        "Give it again with two sections: OBSERVATIONS, with facts from the tools' results, then FINAL ANSWER, which "
        "answers the request.",
    ),
    "values": AnswerCheck("guardrail", _values, "Give the values of the results as they are, or say what is missing."),
    "citations": AnswerCheck("guardrail", _citations),
}
"""Checks of answers by name."""

TAKES_TOOLS: Final = ("obligation", "observations")
"""Those beside which a definition may name tools."""

LOOKS_BACK: Final = ("values", "citations")
"""Those that look into what the user and the results have said, which the state then keeps."""

NEEDS_TEXT: Final = ("observations", "citations")
"""Those that judge the form of a text, so that the answer cannot be JSON."""
