"""Trees as rows of tokens: branches share a prompt, see it and themselves, and only outputs are learnt."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

import msgspec

from tools.tuning.form import ANSWER_HEAD, END, said_turn, system_turn
from tools.tuning.trees import Branch, Tree

Encode = Callable[[str], list[int]]
"""Returns the tokens of a text."""

NOT_LEARNT: Final = -100
"""The label of a token that is no output."""

PROMPT: Final = 0
"""The number of the prompt among the branches of a tree, which count from 1."""


class Row(msgspec.Struct, kw_only=True):
    """Tokens with their places: position in the text, tree and branch, and the token itself where it is learnt."""

    ids: list[int] = []
    positions: list[int] = []
    trees: list[int] = []
    branches: list[int] = []
    labels: list[int] = []

    def __len__(self) -> int:
        return len(self.ids)

    def add(self, ids: list[int], learnt: list[bool], first: int, branch: int) -> None:
        """Add tokens of tree 0 that begin at a position."""
        self.ids += ids
        self.positions += range(first, first + len(ids))
        self.trees += [0] * len(ids)
        self.branches += [branch] * len(ids)
        self.labels += [token if taken else NOT_LEARNT for token, taken in zip(ids, learnt, strict=True)]

    def append(self, other: "Row", tree: int) -> None:
        """Add a row with one tree, under this number."""
        self.ids += other.ids
        self.positions += other.positions
        self.trees += [tree] * len(other)
        self.branches += other.branches
        self.labels += other.labels


def encoded(tree: Tree, encode: Encode, longest: int) -> Row | None:
    """Return a tree as a row of at most `longest` tokens, without the branches that have no room; None without any."""
    row = Row()
    prompt = encode(system_turn(tree.system))
    row.add(prompt, [False] * len(prompt), 0, PROMPT)
    for branch in tree.branches:
        ids, learnt = _of_branch(branch, encode)
        if len(row) + len(ids) <= longest and any(learnt):
            row.add(ids, learnt, len(prompt), max(row.branches) + 1)
    return row if len(row) > len(prompt) else None


def _of_branch(branch: Branch, encode: Encode) -> tuple[list[int], list[bool]]:
    ids: list[int] = []
    learnt: list[bool] = []
    for turn in branch:
        said = encode(said_turn(turn.kind, turn.text))
        whole = turn.learnt == "all"
        output = encode(turn.output + END if whole else ANSWER_HEAD)
        ids += said + output
        learnt += [False] * len(said) + [True] * len(output)
        if not whole:
            break  # what would follow is not known
        line_end = encode("\n")
        ids += line_end
        learnt += [False] * len(line_end)
    return ids, learnt


def rows(trees: Iterable[Row], length: int) -> Iterator[Row]:
    """Yield rows of at most `length` tokens, filled with trees in their order; a longer tree is left out."""
    row, count = Row(), 0
    for tree in trees:
        if len(tree) > length:
            continue
        if len(row) + len(tree) > length:
            yield row
            row, count = Row(), 0
        count += 1
        row.append(tree, count)
    if len(row):
        yield row


def sees(row: Row, token: int, other: int) -> bool:
    """Whether a token sees another one: an earlier one of the same tree, in its prompt or in the same branch."""
    same = row.trees[token] == row.trees[other]
    return same and other <= token and row.branches[other] in (PROMPT, row.branches[token])
