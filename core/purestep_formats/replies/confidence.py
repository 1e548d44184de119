"""How sure a model was of a decision, summed up from the log-probabilities that a server gives of the reply's tokens.

llama.cpp and OpenAI tell them alike, as `logprobs.content` of a choice: an entry for each token of what came. The reply
has to be one JSON object that begins with what is decided: `{"tool": NAME ..`, `{"ask": ..`, `{"answer": ..`, or the
envelope's `{"kind": .., "tool_name": NAME ..`. A token counts where it begins: in the branch, up to the key or kind; in
the tool's name; or in the rest. Of a reply of another form, or whose tokens are not all told, nothing is said.
"""

from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from purestep.bounds import MAX_CONFIDENCE_NATS
from purestep.json_text import clean_text, read_json
from purestep.lazy import lazy_pattern
from purestep.values import Confidence

from ..bounds import MAX_DECISION_CHARS

_BRANCH: Final = lazy_pattern(
    r'[ \t\r\n]*\{[ \t\r\n]*"(?:(tool|ask|answer)"[ \t\r\n]*:|kind"[ \t\r\n]*:[ \t\r\n]*"([^"\\]*)")'
)
"""The text in which it is decided whether a tool is called; groups: the key, or the kind."""

_NAME: Final = lazy_pattern(r'(?:[ \t\r\n]*,[ \t\r\n]*"tool_name"[ \t\r\n]*:)?[ \t\r\n]*"[^"\\]*"')
"""The text after it in which a tool is chosen."""

_ROUNDING: Final = 0.001
"""How far above 0 the logarithm of a probability may be that was computed in 32 bits."""


class TokenSums(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """The sums so far. text: of the tokens in which branch and name are decided. is_untold: a token was not told."""

    part: Literal["branch", "name", "args"] = "branch"
    text: str = ""
    branch: float = 0
    name: float = 0
    args: float = 0
    is_untold: bool = False


def with_tokens(sums: TokenSums, logprobs: Any, *, has_text: bool) -> TokenSums:
    """Return the sums after the tokens of one chunk; has_text: whether the chunk brought text."""
    content = logprobs.get("content") if isinstance(logprobs, dict) else None
    entries = content if isinstance(content, list) else []
    if has_text and not entries:
        return replace(sums, is_untold=True)
    for entry in entries:
        if sums.is_untold:
            break
        sums = _with_token(sums, entry)
    return sums


def _with_token(sums: TokenSums, entry: Any) -> TokenSums:
    token, told = (entry.get("token"), entry.get("logprob")) if isinstance(entry, dict) else (None, None)
    number = _log_probability(told)
    if not isinstance(token, str) or number is None:
        return replace(sums, is_untold=True)
    match sums.part:
        case "branch":
            sums = replace(sums, branch=sums.branch + number)
        case "name":
            sums = replace(sums, name=sums.name + number)
        case "args":
            return replace(sums, args=sums.args + number)
    text = sums.text + clean_text(token)
    if len(text) > MAX_DECISION_CHARS:
        return replace(sums, is_untold=True)
    return replace(sums, text=text, part=_part_after(text))


def _log_probability(told: Any) -> float | None:
    if not isinstance(told, int | float) or isinstance(told, bool) or told > _ROUNDING:
        return None
    return float(max(-MAX_CONFIDENCE_NATS, min(told, 0)))


def _part_after(text: str) -> Literal["branch", "name", "args"]:
    """Return where the next token begins."""
    branch = _BRANCH.match(text)
    if branch is None:
        return "branch"
    is_call = branch[1] == "tool" or branch[2] == "tool_call"
    return "name" if is_call and not _NAME.match(text, branch.end()) else "args"


def confidence_of(sums: TokenSums, text: str) -> Confidence | None:
    """Return how sure the model was of a text, which is all of the reply; None where that is not known."""
    if sums.is_untold or sums.part != "args" or not text.startswith(sums.text):
        return None
    if not isinstance(read_json(text.strip(" \t\r\n")), dict):
        return None
    return Confidence(branch=_rounded(sums.branch), name=_rounded(sums.name), args=_rounded(sums.args))


def _rounded(number: float) -> float:
    return round(max(number, -MAX_CONFIDENCE_NATS), 2) or 0.0  # exact: a number is rounded, which may be -0.0
