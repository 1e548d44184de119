"""Rows of tokens as tensors: what a token sees, and what it should say next."""

from collections.abc import Sequence
from typing import Final

import msgspec
import torch
from torch import Tensor

from tools.tuning.packing import NOT_LEARNT, PROMPT, Row

_NOTHING: Final = -1
"""The tree and branch of places that no row fills."""


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens and positions of (rows, tokens), what each sees, and its next token where that is learnt."""

    ids: Tensor
    positions: Tensor
    mask: Tensor
    targets: Tensor


def batch_of(rows: Sequence[Row], length: int, device: str) -> Batch:
    """Return rows of at most `length` tokens as one batch on a device."""
    ids, positions, trees, branches, labels = (
        _filled([getattr(row, name) for row in rows], length, empty).to(device)
        for name, empty in (
            ("ids", 0),
            ("positions", 0),
            ("trees", _NOTHING),
            ("branches", _NOTHING),
            ("labels", NOT_LEARNT),
        )
    )
    targets = torch.full_like(labels, NOT_LEARNT)
    targets[:, :-1] = labels[:, 1:]
    return Batch(ids=ids, positions=positions, mask=_mask(trees, branches), targets=targets)


def _mask(trees: Tensor, branches: Tensor) -> Tensor:
    same_tree = trees[:, :, None] == trees[:, None, :]
    in_reach = (branches[:, None, :] == PROMPT) | (branches[:, :, None] == branches[:, None, :])
    tokens = trees.shape[1]
    earlier = torch.ones(tokens, tokens, dtype=torch.bool, device=trees.device).tril()
    return (same_tree & in_reach & earlier)[:, None]


def _filled(lists: list[list[int]], length: int, empty: int) -> Tensor:
    filled = torch.full((len(lists), length), empty, dtype=torch.long)
    for number, values in enumerate(lists):
        filled[number, : len(values)] = torch.tensor(values, dtype=torch.long)
    return filled
