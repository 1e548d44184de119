"""Guardrails and postconditions: verdicts on tool outputs and on answers.

A guardrail has a name and gives accept, or reject with a reason; a chain stops at the first rejection.
Sources: agent.rs (plausibility of outputs, planning without action, tool obligation).
"""

import re
from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from ..bounds import MAX_PLANNING_CHARS, MAX_TOTAL_CHARS, MIN_OUTPUT_CHARS
from ..json_text import BLANK, encode_sorted, plain_value, without_terminal_codes
from ..lazy import lazy_pattern
from ..text import fold

Reason = str
OutputCheck = Callable[[Any], Reason | None]


class Rejection(Struct, frozen=True, kw_only=True):
    """A check said no: its name, why, and the correction's cause."""

    check: str
    reason: str
    cause: str


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


# --- guardrails on tool output ----------------------------------------------------------------------------

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


OUTPUT_CHECKS: Final[dict[str, tuple[OutputCheck, ...]]] = {
    "not_empty": (not_empty,),
    "not_metadata": (not_metadata,),
    "has_substance": (has_substance,),
    "plausibility": (not_empty, not_metadata, has_substance),
}
"""Guardrails on outputs by the name a definition gives; `plausibility` is the three in order."""

ANSWER_CHECKS: Final = ("planning", "obligation", "echo", "observations", "values")
"""Guardrails on answers by the name a definition gives."""

BARE_GUARDRAILS: Final = ("plausibility", "planning")
"""What the bare form has; a definition has those that it names."""


def judge_output(names: tuple[str, ...], output: Any) -> Rejection | None:
    """Return the first rejection of a chain of output guardrails, or None."""
    for name in names:
        for check in OUTPUT_CHECKS[name]:
            if reason := check(output):
                return Rejection(check=name, reason=reason, cause="guardrail")
    return None


# --- guardrails on answers --------------------------------------------------------------------------------

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


def is_planning(text: str) -> bool:
    """Whether a short text only says what will be done ("I will now list...")."""
    if len(text) > MAX_PLANNING_CHARS:
        return False
    return _PLANNING.match(text.strip(BLANK)) is not None
