"""Sentences with an intent and slots as trees: the intent is a tool, and its slots are parameters that are copied."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, Final

import msgspec

from tools.tuning import form
from tools.tuning.trees import Branch, Tree, Turn


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody said, what for, and the values that it names; without an intent, no tool is for it."""

    text: str
    intent: str | None
    slots: dict[str, str] = {}


_ALWAYS: Final = 0.95
"""The share of an intent's sentences that have a slot which is required: the others are left out."""
_TOOLS: Final = (3, 4, 5, 6, 8)
_SENTENCES: Final = 5
_OTHERS: Final = 0.2
"""The share of sentences in a tree whose tool is not there."""


def intent_trees(sentences: Iterable[Sentence], seed: int) -> Iterator[Tree]:
    """Yield trees in which each sentence with an intent comes up once: several tools, and a few sentences to each."""
    chance = Random(seed)
    by_intent: dict[str, list[Sentence]] = defaultdict(list)
    others = []
    for sentence in sentences:
        if sentence.intent is None:
            others.append(sentence)
        else:
            by_intent[sentence.intent].append(sentence)
    tools = {intent: _tool(intent, said) for intent, said in sorted(by_intent.items())}
    left = {intent: chance.sample(said, len(said)) for intent, said in sorted(by_intent.items())}
    while left:
        intents = chance.sample(sorted(tools), min(len(tools), chance.choice(_TOOLS)))
        open_ = [intent for intent in intents if intent in left] or [chance.choice(sorted(left))]
        intents = list(dict.fromkeys([*intents, *open_]))
        branches = [_said(tools[intent], sentence) for intent, sentence in _drawn(chance, left, open_)]
        if others and chance.random() < _OTHERS * _SENTENCES:
            branches.append(_nothing(chance.choice(others)))
        strangers = [intent for intent in sorted(by_intent) if intent not in intents]
        if strangers and chance.random() < _OTHERS * _SENTENCES:
            branches.append(_nothing(chance.choice(by_intent[chance.choice(strangers)])))
        specs = [tools[intent] for intent in intents]
        made = tuple(branch for branch in branches if branch is not None)
        if made:
            yield Tree(system=form.system_text(specs), branches=made, tools=tuple(specs))


def _drawn(chance: Random, left: dict[str, list[Sentence]], open_: list[str]) -> Iterator[tuple[str, Sentence]]:
    for _ in range(_SENTENCES):
        if not open_:
            return
        intent = chance.choice(open_)
        yield intent, left[intent].pop()
        if not left[intent]:
            del left[intent]
            open_.remove(intent)


def _tool(intent: str, said: list[Sentence]) -> dict[str, Any]:
    seen = Counter(slot for sentence in said for slot in sentence.slots)
    properties = {_name(slot): {"type": "string"} for slot in sorted(seen)}
    required = [_name(slot) for slot in sorted(seen) if seen[slot] >= _ALWAYS * len(said)]
    about = f"{_name(intent).replace('_', ' ').capitalize()}."
    parameters = {"type": "object", "properties": properties, "required": required}
    return {"name": _name(intent), "description": about, "parameters": parameters}


def _name(text: str) -> str:
    """Return an intent or a slot as a name: `AddToPlaylist` and `alarm/set_alarm` are words with lines between."""
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", text.rpartition("/")[2])
    return "_".join(words).lower()


def _said(tool: dict[str, Any], sentence: Sentence) -> Branch | None:
    arguments = {_name(slot): value for slot, value in sentence.slots.items()}
    if any(name not in arguments for name in tool["parameters"]["required"]):
        return None
    return (Turn(text=sentence.text, output=form.call(tool, arguments)),)


def _nothing(sentence: Sentence) -> Branch:
    return (Turn(text=sentence.text, output=form.answer(""), learnt="branch"),)
