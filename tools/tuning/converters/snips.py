"""SNIPS: seven intents with slots, in English.

Source: Coucke et al. 2018, github.com/sonos/nlu-benchmark, `2017-06-custom-intent-engines`, a folder for each intent
with `train_NAME_full.json`. Licence: CC0.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tools.tuning.converters.intents import Sentence, intent_trees
from tools.tuning.converters.source_folder import files_of, json_of
from tools.tuning.trees import Tree


def snips_trees(folder: Path, seed: int) -> Iterator[Tree]:
    """Yield trees of the training sentences; raises SourceFolderError."""
    return intent_trees(_sentences(folder), seed)


def _sentences(folder: Path) -> Iterator[Sentence]:
    for path in files_of(folder, "train_*_full.json", "SNIPS"):
        for intent, sentences in json_of(path).items():
            for each in sentences:
                yield from _sentence(intent, each["data"])


def _sentence(intent: str, parts: list[dict[str, Any]]) -> Iterator[Sentence]:
    """Yield the sentence of these parts, unless it names a slot twice."""
    text = " ".join("".join(part["text"] for part in parts).split())
    slots: dict[str, str] = {}
    for part in parts:
        if "entity" in part:
            if part["entity"] in slots:
                return
            slots[part["entity"]] = " ".join(part["text"].split())
    if all(value and value in text for value in slots.values()):
        yield Sentence(text=text, intent=intent, slots=slots)
