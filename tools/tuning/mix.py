"""What is learnt, and how often: sources of trees, prepared as rows of tokens, and drawn by weight with a seed."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain, islice
from pathlib import Path
from random import Random
from typing import Final

import msgspec

from tools.tuning.generators import OwnChoice, own_trees, trees
from tools.tuning.packing import Encode, Row, encoded
from tools.tuning.tool_files import OwnTools
from tools.tuning.trees import Tree, read_trees

CHUNK: Final = 500
"""Trees that are made or encoded at a time, by one process."""


class Generated(msgspec.Struct, frozen=True, kw_only=True):
    """Generated trees: those of one seed, about made-up tools, or about a user's own."""

    seed: int
    number: int
    calendar: bool = False
    own: OwnTools | None = None
    choice: OwnChoice = OwnChoice()

    def trees(self) -> Iterator[Tree]:
        """Yield the trees."""
        if self.own is None:
            endless = trees(self.seed, calendar=self.calendar)
        else:
            endless = own_trees(self.seed, self.own, self.choice, calendar=self.calendar)
        return islice(endless, self.number)

    def chunks(self) -> Iterator["Generated"]:
        """Yield the parts that processes share; each has a seed of its own."""
        for number, begin in enumerate(range(0, self.number, CHUNK)):
            seed = self.seed * _SEEDS + number
            yield msgspec.structs.replace(self, seed=seed, number=min(CHUNK, self.number - begin))


_SEEDS: Final = 100_003
"""Chunks that a seed may have before they meet those of the next one."""


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """Trees that are there."""

    listed: tuple[Tree, ...]

    def trees(self) -> Iterator[Tree]:
        """Yield the trees."""
        return iter(self.listed)

    def chunks(self) -> Iterator["Listed"]:
        """Yield the parts that processes share."""
        for begin in range(0, len(self.listed), CHUNK):
            yield Listed(listed=self.listed[begin : begin + CHUNK])


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """A source by name, and how often a tree is drawn from it, beside the others' weights."""

    name: str
    weight: float
    of: Generated | Listed


def listed_source(path: Path, weight: float) -> Source:
    """Return the trees of a file as a source; raises TreeFileError."""
    return Source(name=path.stem, weight=weight, of=Listed(listed=tuple(read_trees(path))))


class NothingToLearnError(Exception):
    """No source has a tree that fits; `message` says what to do."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Prepared(msgspec.Struct, frozen=True, kw_only=True):
    """A source as rows with one tree each."""

    name: str
    weight: float
    rows: Sequence[Row]


def prepared(sources: Sequence[Source], encoder: Callable[[], Encode], longest: int, workers: int) -> list[Prepared]:
    """Return the sources as rows of at most `longest` tokens, made by so many processes.

    encoder: makes what encodes a text, in each of the processes. Raises NothingToLearnError.
    """
    work = [(number, chunk) for number, source in enumerate(sources) for chunk in source.of.chunks()]
    chunks = [chunk for _, chunk in work]
    if workers > 1:
        with ProcessPoolExecutor(workers, initializer=_begin, initargs=(encoder, longest)) as pool:
            made = list(pool.map(_encoded_chunk, chunks))
    else:
        encode = encoder()
        made = [_rows_of(chunk, encode, longest) for chunk in chunks]
    by_source: list[list[Row]] = [[] for _ in sources]
    for (number, _), rows in zip(work, made, strict=True):
        by_source[number] += rows
    named = zip(sources, by_source, strict=True)
    found = [Prepared(name=source.name, weight=source.weight, rows=rows) for source, rows in named if rows]
    if not found:
        raise NothingToLearnError(f"no tree fits into {longest} tokens; give longer rows, or more trees")
    return found


_encoders: list[tuple[Encode, int]] = []
"""What a process of the pool encodes with."""


def _begin(encoder: Callable[[], Encode], longest: int) -> None:
    _encoders.append((encoder(), longest))


def _encoded_chunk(chunk: Generated | Listed) -> list[Row]:
    return _rows_of(chunk, *_encoders[-1])


def _rows_of(chunk: Generated | Listed, encode: Encode, longest: int) -> list[Row]:
    return [row for tree in chunk.trees() if (row := encoded(tree, encode, longest)) is not None]


def drawn(sources: Sequence[Prepared], seed: int) -> Iterator[Row]:
    """Yield rows with one tree each without end, drawn by weight; a source is gone through in a new order each time."""
    chance = Random(seed)
    endless = [_endless(source.rows, Random(f"{seed} {source.name}")) for source in sources]
    weights = [source.weight for source in sources]
    while True:
        yield next(chance.choices(endless, weights)[0])


def _endless(rows: Sequence[Row], chance: Random) -> Iterator[Row]:
    while True:
        yield from chance.sample(rows, len(rows))


def learnt_tokens(sources: Sequence[Prepared]) -> int:
    """Return how many tokens all sources have together."""
    return sum(map(len, chain.from_iterable(source.rows for source in sources)))
