"""Which acts a result says were done: a status "sent", a log that tells of a deployment."""

from collections.abc import Collection
from typing import Any, Final

from ..bounds import MAX_CLAIM_ITEM_CHARS, MAX_FAILING_WORDS, MAX_TOLD_CHARS, MAX_TROUBLE_WORDS
from ..carry import fold, said_texts, word_texts, words_of
from ..json_text import BLANK, read_json, without_terminal_codes
from .effects import Effects
from .items import is_digits
from .lexicon import all_words, doing, stop_words
from .phrases import phrases


def kinds_told(text: str) -> tuple[str, ...]:
    """Give the kinds of act whose forms stand at the beginning of what a result says, sorted."""
    said = doing().keys() & word_texts(text[:MAX_TOLD_CHARS])
    return tuple(sorted({kind for word in said for kind, _ in doing()[word]}))


def tells_failure(output: Any, kinds: Collection[str] = ()) -> bool:
    """Tell whether a result says that its call did nothing: by a member or status, or by the first words of a text.

    kinds: those of the tool; "rejected" is no failure of one that rejects. What a tool that may do anything says in its
    text is not judged: a failed test is no failure of the shell that ran it.
    """
    value = output
    if isinstance(output, str) and output.strip(BLANK)[:1] in ("{", "["):
        value = read_json(output)
    if isinstance(value, list):
        return bool(value) and all(isinstance(each, dict) and _object_fails(each, kinds) for each in value)
    if isinstance(value, dict):
        inner = [value[name] for name in _INNER if isinstance(value.get(name), dict)]
        return any(_object_fails(each, kinds) for each in (value, *inner))
    return value is False or (isinstance(output, str) and _text_fails(output, kinds))


def _object_fails(value: dict[str, Any], kinds: Collection[str]) -> bool:
    if any(_says_no(value[name]) for name in _SUCCESS if name in value):
        return True
    if any(value.get(name) is True for name in _FAILURE):
        return True
    if any(type(value.get(name)) is int and _CLIENT_ERROR <= value[name] <= _LAST_ERROR for name in _HTTP):
        return True
    failures = all_words("failures")
    for name in _STATUS:
        status = fold(value[name]) if isinstance(value.get(name), str) else ""
        if status in failures and not _is_own(status, kinds):
            return True
    if any(value.get(name) not in (0, None, False) for name in _CODES):
        return True
    for name, each in value.items():
        if _says_no(each) and _is_own(fold(name), kinds):
            return True  # "sent": false
        if name in failures and bool(each) and isinstance(each, (str, dict, list)):
            return True
        if name in _MESSAGES and isinstance(each, str) and _text_fails(each, kinds):
            return True
    return False


def _says_no(value: Any) -> bool:
    if isinstance(value, str):
        return fold(value) in ("false", "no")
    return value is False or (type(value) is int and value == 0)


def _is_own(word: str, kinds: Collection[str]) -> bool:
    """Tell whether a word is a form of the tool's own act; a verb that no language's file has is a kind of its own."""
    return any(kind in kinds for kind, _ in doing().get(word, ())) or any(
        word in (f"{kind}d", f"{kind}ed") for kind in kinds
    )


def _text_fails(text: str, kinds: Collection[str]) -> bool:
    if "run" in kinds:
        return False
    said = word_texts(without_terminal_codes(text[:MAX_TOLD_CHARS]))[:MAX_FAILING_WORDS]
    # "The email was not sent", "0 emails sent", "sent: 0"; and not "conflict resolved", "0 errors, sent".
    own = [at for at, word in enumerate(said) if _is_own(word, kinds)]
    if own:
        return all(_is_denied(said, at) for at in own)
    begin = said[1:] if said[:1] == ["http"] else said
    if begin and len(begin[0]) == _CODE_DIGITS and is_digits(begin[0]):
        if begin is not said and begin[0] >= str(_CLIENT_ERROR):
            return True
        begin = begin[1:]  # "404 Not Found"
    return said == ["false"] or phrases("failing").words_at(begin, 0) > 0


def _is_denied(said: list[str], at: int) -> bool:
    before = range(max(0, at - _NEAR_WORDS), at)
    none = [place for place in before if said[place] == "0" and said[place + 1] not in all_words("failures")]
    return bool(none) or said[at + 1 :] == ["0"] or not _DENYING.isdisjoint([said[place] for place in before])


_NEAR_WORDS: Final = 3
_DENYING: Final = frozenset({"not", "nothing", "never", "cannot", "nicht", "nichts", "nie", "pas"})
_CLIENT_ERROR: Final = 400
_LAST_ERROR: Final = 599
_CODE_DIGITS: Final = 3
_HTTP: Final = ("code", "status", "statusCode", "status_code", "httpStatus", "http_status")
_MESSAGES: Final = ("message", "detail", "reason")
_INNER: Final = ("data", "response", "result", "body")


def tells_beginning(output: Any, kinds: Collection[str] = ()) -> bool:
    """Tell whether a short result says that its call has only begun what it does: a status "queued".

    kinds: those of the tool; "started" is the end of one that starts something.
    """
    said = output.values() if isinstance(output, dict) else (output,)
    words = [fold(value) for value in said if isinstance(value, str)]
    return any(word in _BEGUN and not _is_own(word, kinds) for word in words)


_BEGUN: Final = frozenset({
    "queued", "pending", "started", "starting", "scheduled", "running", "processing", "in_progress", "in progress",
    "in warteschlange", "in der warteschlange", "ausstehend", "en attente", "en cours", "en cola", "pendiente",
    "en curso",
})  # fmt: skip
_SUCCESS: Final = ("ok", "success", "succeeded", "successful")
_FAILURE: Final = ("failed", "isError", "is_error")
_STATUS: Final = ("status", "state", "result", "outcome", "type")
_CODES: Final = ("rc", "errno", "returncode", "exit_code", "exitCode", "errorCode", "error_code")


def trouble_words(error: str, effects: Effects, params: dict[str, Any]) -> tuple[str, ...]:
    """Give the words of a failure that say why: not those of the call, nor of what the tools act on."""
    own = {word.text for text in said_texts(params) for word in words_of(text[:MAX_TOLD_CHARS])}
    own |= {form for tool in effects.tools.values() for noun in tool.nouns for form in (noun, f"{noun}s")}
    said = [word.text for word in words_of(error[:MAX_TOLD_CHARS])]
    kept = [word for word in said if word not in own and word not in stop_words()]
    return tuple(dict.fromkeys(word for word in kept if len(word) <= MAX_CLAIM_ITEM_CHARS))[:MAX_TROUBLE_WORDS]
