"""Which acts a result says were done: a status "sent", a log that tells of a deployment."""

from typing import Any

from ..bounds import MAX_CLAIM_ITEM_CHARS, MAX_TOLD_CHARS, MAX_TROUBLE_WORDS
from ..carry import said_texts, words_of
from .effects import Effects
from .lexicon import doing, stop_words


def kinds_told(text: str) -> tuple[str, ...]:
    """Give the kinds of act whose forms stand in a result's beginning, sorted."""
    said = {word.text for word in words_of(text[:MAX_TOLD_CHARS])}
    return tuple(sorted({kind for word in said for kind, _ in doing().get(word, ())}))


def trouble_words(error: str, effects: Effects, params: dict[str, Any]) -> tuple[str, ...]:
    """Give the words of a failure that say why: not those of the call, nor of what the tools act on."""
    own = {word.text for text in said_texts(params) for word in words_of(text[:MAX_TOLD_CHARS])}
    own |= {form for tool in effects.tools.values() for noun in tool.nouns for form in (noun, f"{noun}s")}
    said = [word.text for word in words_of(error[:MAX_TOLD_CHARS])]
    kept = [word for word in said if word not in own and word not in stop_words()]
    return tuple(dict.fromkeys(word for word in kept if len(word) <= MAX_CLAIM_ITEM_CHARS))[:MAX_TROUBLE_WORDS]
