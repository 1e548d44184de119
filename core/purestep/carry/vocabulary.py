"""What tools are known by: the words of their names, descriptions, parameters and examples, and words of their kind.

Each word is worth less the more tools share it.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from ..bounds import MAX_CANDIDATES, MAX_ROUTED_WORDS
from ..values import ToolSpec
from .languages import Language
from .sources import Parameter, name_words
from .words import stem, words_of

NAME_WEIGHT: Final = 3000
ABOUT_WEIGHT: Final = 1500
EXAMPLE_WEIGHT: Final = 1200
PARAMETER_WEIGHT: Final = 800
CHOICE_WEIGHT: Final = 1000
KIN_SHARE: Final = 60
"""Per cent of a word's weight that its kin have."""


class Vocabulary(Struct, frozen=True, kw_only=True):
    """What tools are known by in one language: for each stem the tools that it tells of, and each tool's own stems.

    `named`: those without words of their kind.
    """

    tools_by_stem: dict[str, tuple[tuple[str, int], ...]]
    own: dict[str, frozenset[str]]
    named: dict[str, frozenset[str]]


def vocabulary_of(
    tools: Mapping[str, ToolSpec], parameters: Mapping[str, tuple[Parameter, ...]], language: Language
) -> Vocabulary:
    """Give what tools are known by in a language, with the weight of each word."""
    own = {name: _weights(spec, parameters[name], language) for name, spec in tools.items()}
    kin = {name: _kin_weights(spec, own[name], language) for name, spec in tools.items()}
    by_stem: dict[str, list[tuple[str, int]]] = {}
    for name, rated in _with_rarity(own, kin).items():
        for word, weight in rated.items():
            by_stem.setdefault(word, []).append((name, weight))
    return Vocabulary(
        tools_by_stem={word: tuple(each) for word, each in by_stem.items()},
        own={name: frozenset(own[name] | kin[name]) for name in tools},
        named={name: frozenset(own[name]) for name in tools},
    )


def _weights(spec: ToolSpec, parameters: tuple[Parameter, ...], language: Language) -> dict[str, int]:
    """Give the weight of each stem that a tool is known by."""
    weights: dict[str, int] = {}

    def add(words: tuple[str, ...], weight: int) -> None:
        for word in words:
            if word not in language.stop_words and not word[:1].isdigit():  # ascii: words begin by known characters
                key = stem(word, language)
                weights[key] = max(weights.get(key, 0), weight)

    names = name_words(spec.name)
    about = tuple([word.text for word in words_of(spec.description)][:MAX_ROUTED_WORDS])
    for example in spec.examples:
        values = " ".join(str(value) for value in example.arguments.values())
        within = {word.text for word in words_of(values)}
        add(tuple([word.text for word in words_of(example.query) if word.text not in within]), EXAMPLE_WEIGHT)
    for parameter in parameters:
        add(parameter.words, PARAMETER_WEIGHT)
        add(parameter.about, PARAMETER_WEIGHT // 2)
        for _, _, said in parameter.choices[:MAX_CANDIDATES]:
            add(said, CHOICE_WEIGHT)
    add(about, ABOUT_WEIGHT)
    add(names, NAME_WEIGHT)
    return weights


def _kin_weights(spec: ToolSpec, own: dict[str, int], language: Language) -> dict[str, int]:
    """Give the weight of each stem of the same kind as a word that tells what a tool does."""
    about = [word.text for word in words_of(spec.description)[:_LEADING_WORDS]]
    telling = dict.fromkeys(about, ABOUT_WEIGHT) | dict.fromkeys(name_words(spec.name), NAME_WEIGHT)
    weights: dict[str, int] = {}
    for group in language.kin:
        shared = [telling[word] for word in group if word in telling]
        if shared:
            share = max(shared) * KIN_SHARE // 100
            for key in {stem(word, language): None for word in group}:
                weights[key] = max(weights.get(key, 0), own.get(key, 0), share)
    return {key: weight for key, weight in weights.items() if weight > own.get(key, 0)}


_LEADING_WORDS: Final = 6
"""The first words of a description say what a tool does; later ones say more than that."""


def _with_rarity(own: dict[str, dict[str, int]], kin: dict[str, dict[str, int]]) -> dict[str, dict[str, int]]:
    """Divide each word's weight by the share of tools that have it as strongly.

    To a tool that has the word itself, those that only have one of its kind are half a rival.
    """
    said, meant = _weights_by_word(own), _weights_by_word({name: own[name] | kin[name] for name in own})
    rated: dict[str, dict[str, int]] = {name: {} for name in own}
    for weights, near in ((kin, meant), (own, said)):
        for name, each in weights.items():
            for word, weight in each.items():
                halves = _as_strong(near[word], weight) + _as_strong(meant[word], weight)
                rated[name][word] = max(rated[name].get(word, 0), weight * 4 // (2 + halves))
    return rated


def _weights_by_word(tools: dict[str, dict[str, int]]) -> dict[str, list[int]]:
    by_word: dict[str, list[int]] = {}
    for weights in tools.values():
        for word, weight in weights.items():
            by_word.setdefault(word, []).append(weight)
    return by_word


def _as_strong(others: Sequence[int], weight: int) -> int:
    return sum([1 for other in others if other * 2 >= weight])


__all__ = ["Vocabulary", "vocabulary_of"]
