"""Which acts a result says were done: a status "sent", a log that tells of a deployment."""

from collections.abc import Collection
from typing import Any, Final

from ..bounds import MAX_CLAIM_ITEM_CHARS, MAX_TOLD_CHARS, MAX_TROUBLE_WORDS
from ..carry import fold, said_texts, words_of
from ..json_text import BLANK, read_json
from .effects import Effects
from .lexicon import all_words, doing, stop_words


def kinds_told(output: Any) -> tuple[str, ...]:
    """Give the kinds of act whose forms stand in a result's beginning, sorted."""
    text = output if isinstance(output, str) else " ".join(said_texts(output))
    said = {word.text for word in words_of(text[:MAX_TOLD_CHARS])}
    return tuple(sorted({kind for word in said for kind, _ in doing().get(word, ())}))


def tells_failure(output: Any, kinds: Collection[str] = ()) -> bool:
    """Tell whether a result says that its call did nothing: `ok` or `success` is false, or there is an error.

    kinds: those of the tool; "rejected" is no failure of one that rejects.
    """
    value = output
    if isinstance(output, str) and output.strip(BLANK)[:1] == "{":
        value = read_json(output)
    if not isinstance(value, dict):
        return False
    if any(value.get(name) is False for name in _SUCCESS) or any(value.get(name) is True for name in _FAILURE):
        return True
    failures = all_words("failures")
    status = next((fold(value[name]) for name in _STATUS if isinstance(value.get(name), str)), "")
    is_own = any(kind in kinds for kind, _ in doing().get(status, ()))
    if (status in failures and not is_own) or any(value.get(name) not in (0, None, False) for name in _CODES):
        return True
    return any(bool(text) and isinstance(text, (str, dict, list)) for name, text in value.items() if name in failures)


def tells_beginning(output: Any) -> bool:
    """Tell whether a short result says that its call has only begun what it does: a status "queued"."""
    if isinstance(output, dict):
        return any(isinstance(value, str) and fold(value) in _BEGUN for value in output.values())
    return isinstance(output, str) and fold(output) in _BEGUN


_BEGUN: Final = frozenset({
    "queued", "pending", "started", "starting", "scheduled", "running", "processing", "in_progress", "in progress",
})  # fmt: skip
_SUCCESS: Final = ("ok", "success", "succeeded", "successful")
_FAILURE: Final = ("failed", "isError", "is_error")
_STATUS: Final = ("status", "state")
_CODES: Final = ("rc", "errno")


def trouble_words(error: str, effects: Effects, params: dict[str, Any]) -> tuple[str, ...]:
    """Give the words of a failure that say why: not those of the call, nor of what the tools act on."""
    own = {word.text for text in said_texts(params) for word in words_of(text[:MAX_TOLD_CHARS])}
    own |= {form for tool in effects.tools.values() for noun in tool.nouns for form in (noun, f"{noun}s")}
    said = [word.text for word in words_of(error[:MAX_TOLD_CHARS])]
    kept = [word for word in said if word not in own and word not in stop_words()]
    return tuple(dict.fromkeys(word for word in kept if len(word) <= MAX_CLAIM_ITEM_CHARS))[:MAX_TROUBLE_WORDS]
