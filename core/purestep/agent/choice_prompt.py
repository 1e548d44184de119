"""The prompt by which a model scores tools: one request for each with its label, and some that need none.

It is the same for all requests to the same tools, and the message comes after it, so a server keeps what it has read.
Labels are words of the tools' names whose beginnings differ, so that the first token tells them apart.
"""

import re
from collections.abc import Mapping
from typing import Final

from ..lazy import lazy_pattern
from ..text import fold
from ..values import Message, ScoredChoice, ToolSpec

NO_TOOL: Final = ""
"""The id of the choice that stands for an answer without a tool."""
NO_TOOL_LABEL: Final = "none"
NO_TOOL_SHOTS: Final = ("What is the capital of Italy?", "Hello, how are you?", "Who wrote Hamlet?", "Tell me a joke.")
_TELLING_CHARS: Final = 3
"""Labels that differ within so many characters hardly ever share a first token."""


_PARTS: Final = lazy_pattern("(?<=[a-z0-9])(?=[A-Z])|[_.\\- /]+", re.ASCII)


def name_words(name: str) -> tuple[str, ...]:
    """Return the words that an identifier is made of, in small letters: "getUserName" is get, user, name."""
    return tuple([fold(word) for word in _PARTS.split(name) if word])


def labels_of(tools: Mapping[str, ToolSpec]) -> dict[str, str]:
    """Return a label for each tool: the word of its name that the fewest others have, else the whole name."""
    words = {name: name_words(name) for name in tools}
    numbers: dict[str, int] = {}
    for word in [word for each in words.values() for word in dict.fromkeys(each)]:
        numbers[word] = numbers.get(word, 0) + 1
    labels: dict[str, str] = {}
    taken = {NO_TOOL_LABEL[:_TELLING_CHARS]}
    for name, each in words.items():
        telling = sorted(dict.fromkeys(each), key=lambda word: (numbers[word], -len(word), word))
        label = next((word for word in telling if word[:_TELLING_CHARS] not in taken), name)
        labels[name] = label
        taken.add(label[:_TELLING_CHARS])
    return labels


def scored_choices(tools: Mapping[str, ToolSpec], asked: tuple[str, ...]) -> tuple[ScoredChoice, ...]:
    """Return the choices among some of the tools, and for none of them."""
    labels = labels_of(tools)
    return (*(ScoredChoice(id=name, text=labels[name]) for name in asked), ScoredChoice(id=NO_TOOL, text=NO_TOOL_LABEL))


def scoring_messages(tools: Mapping[str, ToolSpec]) -> tuple[Message, ...]:
    """Return the examples before the message whose label is scored."""
    labels, messages = labels_of(tools), list[Message]()
    # The last examples weigh the most: with those of no tool there, hardly any request would seem to need one.
    for query in NO_TOOL_SHOTS:
        messages += _shot(query, NO_TOOL_LABEL)
    for name, spec in tools.items():
        messages += _shot(_request(spec), labels[name])
    return tuple(messages)


def _shot(query: str, label: str) -> tuple[Message, Message]:
    return Message(role="user", content=query), Message(role="assistant", content=label)


def _request(spec: ToolSpec) -> str:
    """Return what a person may say to have a tool called: an example, the beginning of its description, or its name."""
    if spec.examples:
        return spec.examples[0].query
    return spec.description.partition(". ")[0][:_MAX_REQUEST_CHARS] or " ".join(name_words(spec.name))


_MAX_REQUEST_CHARS: Final = 120
"""A longer description is no request."""
