"""The reasoning of an output that the log holds raw: what its provider sent beside the text, and what its tags hold."""

from typing import Final

from ..dialects import Dialect, dialect_named, read_output
from ..errors import PurestepError
from ..scanner import REASONING, THINKING
from ..values import ModelResponse, Tools, reasoning_beside

_HARMONY: Final = "<|channel|>"
"""Begins a message of harmony, whose reasoning stands in no tags."""

_SIGNS: Final = tuple(
    dict.fromkeys([tag.partition(" ")[0] if "A" <= tag[0] <= "Z" else tag[0] for tags in REASONING for tag in tags])
)
"""What a text with a tag holds in any case, so that most texts are looked through quickly."""


def logged_reasoning(event: ModelResponse, dialect: str, tools: Tools | None, *, opened: bool) -> str:
    """Return the reasoning of an output; "" where it has none.

    dialect: the name of the one that the model was asked in; `auto` stands for one that this host does not have. tools:
    the specs by name, None for any. opened: the chat template opened the reasoning.
    """
    beside = "" if event.extra is None else reasoning_beside(event.extra)
    text = event.content
    if not isinstance(text, str) or not text or not (opened or _may_hold_reasoning(text)):
        return beside
    cut = event.finish_reason == "length"
    return beside + (read_output(_known(dialect), text, tools, opened=opened, cut=cut).reasoning or "")


def _may_hold_reasoning(text: str) -> bool:
    for sign in _SIGNS:
        if sign in text:
            return THINKING.patterns.starts.search(text) is not None or _HARMONY in text
    return False


def _known(dialect: str) -> Dialect:
    try:
        return dialect_named(dialect)
    except PurestepError:
        return dialect_named("auto")
