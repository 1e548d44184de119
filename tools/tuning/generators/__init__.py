"""Generators: trees made from parts with a seed, the same ones for the same seed.

`languages` and `entities` hold words, `values` draws values and how they are said, `things` says what made-up tools are
about, and `made_tools` makes tools and requests of them. `requests` and `talk` make branches, `own_tools` those of a
user's own tools, and `mixed` lays branches into trees.
"""

from tools.tuning.generators.mixed import OwnChoice, own_trees, trees

__all__ = ["OwnChoice", "own_trees", "trees"]
