"""Merkle trees over what is said of several runs: RFC 9162, section 2.1, with SHA-256.

A tree's root stands for all its entries; an inclusion proof shows one of them without the others.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def leaf_hash(entry: bytes) -> bytes:
    """Return the hash of an entry."""
    return hashlib.sha256(b"\x00" + entry).digest()


def root_and_paths(leaves: Sequence[bytes]) -> tuple[bytes, list[list[bytes]]]:
    """Return the root of a tree and the inclusion path of each leaf, from the leaf up.

    leaves: at least one leaf's hash. Source: RFC 9162, sections 2.1.1 and 2.1.3.1.
    """
    paths: list[list[bytes]] = [[] for _ in leaves]
    root = _grow(leaves, paths, 0, len(leaves))
    return root, paths


def _grow(leaves: Sequence[bytes], paths: list[list[bytes]], begin: int, end: int) -> bytes:
    """Return the hash over leaves [begin, end), and give each the hash beside it; as deep as log2 of their number."""
    if end - begin == 1:
        return leaves[begin]
    middle = begin + _split(end - begin)
    left, right = _grow(leaves, paths, begin, middle), _grow(leaves, paths, middle, end)
    for path in paths[begin:middle]:
        path.append(right)
    for path in paths[middle:end]:
        path.append(left)
    return _node_hash(left, right)


def _split(size: int) -> int:
    """Return the largest power of two that is smaller than a size of at least two."""
    return 1 << ((size - 1).bit_length() - 1)


def _node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def root_of(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """Return the root that an inclusion path leads to; None for a path that no leaf at that index has.

    index: from 0. size: how many leaves the tree has. Source: RFC 9162, section 2.1.3.2.
    """
    if not 0 <= index < size:
        return None
    at, last, found = index, size - 1, leaf
    for each in path:
        if last == 0:
            return None
        if at & 1 or at == last:
            found = _node_hash(each, found)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            found = _node_hash(found, each)
        at, last = at >> 1, last >> 1
    return found if last == 0 else None
