"""A whole training: base and first matrices, rows from sources, the trainer, and the adapter's file."""

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import msgspec
import torch

from tools.tuning.mix import Source, drawn, learnt_tokens, prepared
from tools.tuning.packing import Encode, rows
from tools.tuning.training.adapter_file import rank_of, read_adapter, write_adapter
from tools.tuning.training.base import Base
from tools.tuning.training.llama import Llama
from tools.tuning.training.trainer import Plan, Progress, Trainer

Say = Callable[[str], None]


class Teaching(msgspec.Struct, frozen=True, kw_only=True):
    """What to teach: base, the adapter to go on from (None: from nothing, with this rank), the plan, and the seed."""

    base: Path
    start: Path | None
    rank: int
    plan: Plan
    seed: int = 0
    workers: int = 1
    device: str = "cpu"


def device_here() -> str:
    """Return where to train: on the GPU, if there is one that torch can use."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def rows_here(device: str) -> int:
    """Return how many rows of 1,024 tokens a step has room for: a GPU of 80 GB takes 48 of them, a smaller one less."""
    if device == "cpu":
        return _ROWS_ON_CPU
    memory = torch.cuda.get_device_properties(device).total_memory
    return max(1, min(_MOST_ROWS, int(memory / _GIB * _ROWS_FOR_A_GIB)))


_ROWS_ON_CPU = 2
_MOST_ROWS = 48
_GIB = 1 << 30
_ROWS_FOR_A_GIB = 0.6


def teach(teaching: Teaching, sources: Sequence[Source], target: Path, say: Say) -> list[Progress]:
    """Train, write the adapter to `target`, and return what each step did.

    Raises AdapterFileError, BaseFileError, NothingToLearnError.
    """
    os.environ["TOKENIZERS_PARALLELISM"] = "false"  # processes share the work instead
    torch.manual_seed(teaching.seed)
    plan, device = teaching.plan, teaching.device
    ready = prepared(sources, partial(encoder_of, teaching.base), plan.length, teaching.workers)
    for source in ready:
        say(f"{source.name}: {len(source.rows)} trees, {sum(map(len, source.rows))} tokens, weight {source.weight:g}")
    say(f"{learnt_tokens(ready)} tokens in all; training on {device}")
    base = Base(teaching.base)
    rank = teaching.rank if teaching.start is None else rank_of(teaching.start, base.shape)
    model = Llama(base.shape, base.weights(), rank, torch.float32 if device == "cpu" else torch.bfloat16)
    if teaching.start is not None:
        model.start_from(read_adapter(teaching.start, base.shape))
    trainer = Trainer(model, rows(drawn(ready, teaching.seed), plan.length), plan, device)
    made: list[Progress] = []

    def tell(progress: Progress) -> None:
        made.append(progress)
        if progress.step in _SHOWN or progress.step % _EVERY == 0:
            say(shown(progress))

    write_adapter(target, trainer.run(tell))
    return made


_SHOWN = (1, 2, 5, 10, 20)
_EVERY = 50


def shown(progress: Progress) -> str:
    """Return what a step did as a line."""
    speed = f"{progress.tokens_per_second:.0f} tokens/s"
    return f"step {progress.step}: loss {progress.loss:.3f}, {100 * progress.right:.1f} % of tokens right, {speed}"


def encoder_of(base: Path) -> Encode:
    """Return what encodes a text with the base's tokenizer."""
    tokenizer = Base(base).tokenizer()

    def encode(text: str) -> list[int]:
        ids: list[int] = tokenizer.encode(text, add_special_tokens=False).ids
        return ids

    return encode
