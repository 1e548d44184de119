"""What is judged, an output or an answer, and the one form of a verdict against it."""

from collections.abc import Mapping
from typing import Any, Final, Literal

from msgspec import Struct

from ..json_text import BLANK, encode_sorted, plain_value, without_terminal_codes
from .citations import CitedText

Cause = Literal["guardrail", "postcondition", "inconclusive", "obligation", "answer_schema"]
"""The cause of a correction: `guardrail` where a named check says no, `postcondition` where a condition that the
definition spells out does; what an answer lacks has causes of its own."""


class Rejection(Struct, frozen=True, kw_only=True):
    """A check says no: its name, why, the correction's cause, what is to be done instead, and the tools it demands."""

    check: str
    reason: str
    cause: Cause
    then: str = ""
    tools: tuple[str, ...] = ()


class AnswerFacts(Struct, frozen=True, kw_only=True):
    """What is known of the exchange that an answer ends.

    `asked`: the signature of its question, where an answer must not repeat it. `question`, `results`: what the user and
    the accepted results have said, where a check looks there. `citable`: results by the number that cites them.
    `succeeded`: the tools that gave an accepted result. `acted`: whether one of these may have changed something, or
    nothing could be done.
    """

    asked: str = ""
    question: CitedText = CitedText("", cut=False)
    results: CitedText = CitedText("", cut=False)
    citable: Mapping[int, CitedText] = {}
    succeeded: tuple[str, ...] = ()
    acted: bool = False


class Judged(Struct, frozen=True, kw_only=True):
    """What is judged: an output with the arguments of its call, or an answer with what is known of its exchange.

    `value`: an answer's data, or its text. `text`: it as the model reads or writes it.
    """

    what: Literal["output", "answer"]
    value: Any
    text: str
    arguments: dict[str, Any] = {}
    facts: AnswerFacts = AnswerFacts()


def output_text(output: Any) -> str:
    """Return a tool output as the model reads it: text as it is, other values as canonical JSON.

    Codes for a terminal are left out.
    """
    if isinstance(output, str):
        return without_terminal_codes(output)
    text = encode_sorted(output).decode()
    return encode_sorted(plain_value(output)).decode() if _ESCAPED in text else text


_ESCAPED: Final = "\\u001b"
"""How JSON writes the character that codes for a terminal begin with."""


def is_empty(output: Any) -> bool:
    """Whether an output is nothing: null, no text, or white space alone."""
    return output is None or (isinstance(output, str) and not output.strip(BLANK))
