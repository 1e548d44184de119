"""CLINC150: 150 intents without slots, and questions that are out of scope.

Source: Larson et al. 2019, "An Evaluation Dataset for Intent Classification and Out-of-Scope Prediction",
github.com/clinc/oos-eval, `data_full.json`. Licence: CC BY 3.0.
"""

from collections.abc import Iterator
from pathlib import Path

from tools.tuning.converters.intents import Sentence, intent_trees
from tools.tuning.converters.source_folder import files_of, json_of
from tools.tuning.trees import Tree


def clinc_trees(folder: Path, seed: int) -> Iterator[Tree]:
    """Yield trees of the training sentences in `data_full.json`; raises SourceFolderError."""
    data = json_of(files_of(folder, "data_full.json", "CLINC150")[0])
    inside = [Sentence(text=text, intent=intent) for text, intent in data["train"]]
    outside = [Sentence(text=text, intent=None) for text, _ in data["oos_train"]]
    return intent_trees([*inside, *outside], seed)
