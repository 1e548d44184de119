"""Converters: folders of public data as trees. Each names its source and licence, and nothing is fetched."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from tools.tuning.converters.bfcl import bfcl_trees, held_out_trees
from tools.tuning.converters.clinc import clinc_trees
from tools.tuning.converters.sgd import sgd_trees
from tools.tuning.converters.snips import snips_trees
from tools.tuning.converters.source_folder import SourceFolderError
from tools.tuning.converters.xsid import xsid_trees
from tools.tuning.trees import Tree

CONVERTERS: Final[dict[str, Callable[[Path, int], Iterator[Tree]]]] = {
    "bfcl": bfcl_trees,
    "bfcl-held-out": held_out_trees,
    "clinc": clinc_trees,
    "sgd": sgd_trees,
    "snips": snips_trees,
    "xsid": xsid_trees,
}
"""What turns a folder into trees, by the name of the source; a seed says which tools and sentences go together."""

__all__ = ["CONVERTERS", "SourceFolderError"]
