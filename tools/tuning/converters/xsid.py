"""xSID: sixteen intents with slots, in seventeen languages and dialects.

Source: van der Goot et al. 2021, "From Masked Language Modeling to Translation", github.com/mainlp/xsid, files
`LANGUAGE.valid.conll`: each token with its slot, sentences apart by an empty line. Licence: CC BY-SA 4.0, so what is
taught with it is given under that licence. The test files are left alone.
"""

from collections.abc import Iterator
from pathlib import Path

from tools.tuning.converters.intents import Sentence, intent_trees
from tools.tuning.converters.source_folder import files_of
from tools.tuning.trees import Tree

_SLOT_COLUMN = -1
_WORD_COLUMN = 1


def xsid_trees(folder: Path, seed: int) -> Iterator[Tree]:
    """Yield trees, each of one language; raises SourceFolderError."""
    for number, path in enumerate(files_of(folder, "*.valid.conll", "xSID")):
        yield from intent_trees(_sentences(path), seed + number)


def _sentences(path: Path) -> Iterator[Sentence]:
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        lines = block.strip().split("\n")
        heads = dict(_head(line) for line in lines if line.startswith("#"))
        if "text" in heads and "intent" in heads:
            slots = _slots(heads["text"], [line.split("\t") for line in lines if line and not line.startswith("#")])
            if slots is not None:
                yield Sentence(text=heads["text"], intent=heads["intent"], slots=slots)


def _head(line: str) -> tuple[str, str]:
    name, _, value = line.removeprefix("#").partition("=")
    return name.strip(), value.strip()


def _slots(text: str, tokens: list[list[str]]) -> dict[str, str] | None:
    """Return what stands in each slot, as it is written in the text; None where that cannot be told."""
    found: dict[str, list[int]] = {}
    at, last = 0, ""
    for token in tokens:
        word, tag = token[_WORD_COLUMN], token[_SLOT_COLUMN]
        begin = text.find(word, at)
        if begin < 0:
            return None
        at = begin + len(word)
        kind, _, slot = tag.partition("-")
        if kind == "I" and slot == last:
            found[slot][1] = at
        elif slot:
            if slot in found:
                return None  # twice in one sentence
            found[slot] = [begin, at]
        last = slot
    return {slot: text[begin:end] for slot, (begin, end) in found.items()}
