"""The texts of the examples that a model is shown, so that an answer is known that only repeats one of them.

Of each text the words are kept that tell what it is about: those of the example's values. An answer may have a text's
words where the user or a result has said these.
"""

from collections.abc import Iterator
from typing import Final

from ..bounds import MAX_ECHO_CHARS, MAX_SHOWN_TEXTS, MAX_TELLING_WORDS, MIN_ECHO_WORDS
from ..carry import LANGUAGES
from ..text import said_texts, word_texts
from ..values import Example, ToolSpec
from .carried_prompt import SHOWN_ANSWERS
from .guardrails import answer_text, output_text
from .prompt import PLAIN_ANSWER, PLAIN_QUERY

ShownTexts = dict[tuple[str, ...], frozenset[str]]
"""By the words of a text, those that somebody has to have said before it is an answer."""

_COMMON: Final = frozenset().union(*[language.stop_words for language in LANGUAGES])


def shown_texts(specs: list[ToolSpec], instructions: str) -> ShownTexts:
    """Give the texts of the examples of tools, and of those that every prompt has; not what instructions say too."""
    known = frozenset(word_texts(instructions))
    found: ShownTexts = {}
    for text, about in [
        *_OWN,
        *[each for spec in specs for example in spec.examples for each in _texts(spec, example)],
    ]:
        said = tuple(word_texts(text[:MAX_ECHO_CHARS]))
        telling = list(dict.fromkeys([word for word in said if word in about and word not in known]))
        if len(said) >= MIN_ECHO_WORDS and telling and len(text) <= MAX_ECHO_CHARS and len(found) < MAX_SHOWN_TEXTS:
            found[said] = frozenset(telling[:MAX_TELLING_WORDS])
    return found


def _texts(spec: ToolSpec, example: Example) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the request, the result and the answer of an example, each with the words that its values are made of."""
    values = [*said_texts(list(example.arguments.values())), *said_texts(example.result)]
    about = frozenset([word for value in values for word in word_texts(value)]) - _COMMON
    yield example.query, about
    yield answer_text(spec.name, output_text(example.result)), about
    if example.answer is not None:
        yield example.answer, about


_ITALY: Final = frozenset({"italy"})
_OWN: Final = ((PLAIN_QUERY, _ITALY), (PLAIN_ANSWER, _ITALY), *SHOWN_ANSWERS)
"""The examples of every prompt, with what they are about."""
