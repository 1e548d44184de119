"""The trainer: steps of AdamW over batches, a rate that warms up and falls as a cosine, checkpoints, and going on."""

import math
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec
import torch
from torch.nn import functional

from tools.tuning.packing import NOT_LEARNT, Row
from tools.tuning.training.batches import Batch, batch_of
from tools.tuning.training.llama import Llama, Matrices

_WARM_UP: Final = 40
"""Steps in which the rate rises: the first gradients are those of matrices at zero."""
_LEAST: Final = 0.03
"""The share of the rate that is left at the end."""
_BETAS: Final = (0.9, 0.98)
_DECAY: Final = 0.01
_MOST_GRADIENT: Final = 1.0


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """How long and how fast: `steps`, or `minutes` where that is given; `rows` of `length` tokens are one step.

    smoothing: the share of the label that other tokens get, which keeps probabilities from 1; 0.05 calibrates.
    """

    steps: int = 1000
    minutes: float | None = None
    rate: float = 1e-3
    rows: int = 48
    length: int = 1024
    smoothing: float = 0.0
    checkpoint: Path | None = None
    checkpoint_steps: int = 200

    @property
    def warm_up(self) -> int:
        """The steps in which the rate rises, a tenth of a short training."""
        return _WARM_UP if self.minutes is not None else max(1, min(_WARM_UP, self.steps // 10))


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """What one step did: the mean loss of its learnt tokens, the share of them foretold, and the speed so far."""

    step: int
    loss: float
    right: float
    tokens_per_second: float


class Trainer:
    """A model in training."""

    def __init__(self, model: Llama, rows: Iterator[Row], plan: Plan, device: str) -> None:
        """Go on from the plan's checkpoint, where there is one; `rows` are the same as when it was written."""
        self._model = model.to(device)
        self._rows, self._plan, self._device = rows, plan, device
        parameters = [each for each in model.parameters() if each.requires_grad]
        self._parameters = parameters
        fused = device != "cpu"
        self._optimizer = torch.optim.AdamW(parameters, lr=plan.rate, betas=_BETAS, weight_decay=_DECAY, fused=fused)
        self._step, self._spent = 0, 0.0
        if plan.checkpoint is not None and plan.checkpoint.exists():
            self._go_on(torch.load(plan.checkpoint, map_location=device, weights_only=True))

    def run(self, tell: Callable[[Progress], None]) -> Matrices:
        """Train to the end of the plan and return the matrices; `tell` is told of each step."""
        self._model.train()
        begun, before, tokens = time.monotonic(), self._spent, 0
        while (done := self._done()) < 1:
            rows = list(islice(self._rows, self._plan.rows))
            if not rows:
                break
            for group in self._optimizer.param_groups:
                group["lr"] = self._plan.rate * rate_share(self._step, done, self._plan.warm_up)
            loss, right = self._learn(batch_of(rows, self._plan.length, self._device))
            self._step += 1
            tokens += sum(map(len, rows))
            took = time.monotonic() - begun
            self._spent = before + took
            tell(Progress(step=self._step, loss=loss, right=right, tokens_per_second=tokens / took))
            if self._step % self._plan.checkpoint_steps == 0:
                self._keep()
        matrices: Matrices = self._model.matrices()
        return matrices

    def _done(self) -> float:
        plan = self._plan
        return self._step / plan.steps if plan.minutes is None else self._spent / (plan.minutes * 60)

    def _learn(self, batch: Batch) -> tuple[float, float]:
        loss, right = loss_of(self._model, batch, self._plan.smoothing)
        loss.backward()  # type: ignore[no-untyped-call, unused-ignore]
        torch.nn.utils.clip_grad_norm_(self._parameters, _MOST_GRADIENT)
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        return float(loss.detach()), right

    def _keep(self) -> None:
        if self._plan.checkpoint is not None:
            kept = {"step": self._step, "spent": self._spent, "matrices": self._model.matrices()}
            part = self._plan.checkpoint.with_suffix(".part")
            torch.save({**kept, "optimizer": self._optimizer.state_dict()}, part)
            part.replace(self._plan.checkpoint)

    def _go_on(self, kept: dict[str, Any]) -> None:
        self._step, self._spent = kept["step"], kept["spent"]
        self._model.start_from(kept["matrices"])
        self._optimizer.load_state_dict(kept["optimizer"])
        for _ in islice(self._rows, self._step * self._plan.rows):
            pass  # what was learnt before


def rate_share(step: int, done: float, warm_up: int) -> float:
    """Return the share of the rate at a step: it rises at first, and falls as a cosine with the share that is done."""
    cosine = 0.5 * (1 + math.cos(math.pi * min(done, 1.0)))
    return min(1.0, (step + 1) / warm_up) * (cosine * (1 - _LEAST) + _LEAST)


def loss_of(model: Llama, batch: Batch, smoothing: float = 0.0) -> tuple[torch.Tensor, float]:
    """Return the mean loss of a batch's learnt tokens, and the share of them that the model would have chosen."""
    last = model(batch.ids, batch.positions, batch.mask)
    learnt = batch.targets != NOT_LEARNT
    logits, targets = model.logits(last[learnt]), batch.targets[learnt]
    loss = functional.cross_entropy(logits, targets, label_smoothing=smoothing)
    return loss, float((logits.argmax(-1) == targets).float().mean())
