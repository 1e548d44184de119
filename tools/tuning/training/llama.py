"""The model in torch: llama's architecture with low-rank matrices beside the weights of every layer.

The weights are frozen, and only the matrices are trained. What a token sees is given as a mask, since rows hold trees.
"""

import math
from typing import Any, Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from tools.tuning.training.base import Shape

MODULES: Final = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")
"""The weights of a layer that are taught, by their names in GGUF files."""

SCALE: Final = 2.0
"""What the product of the two matrices is multiplied with: an adapter's alpha is its rank times this."""

Matrices = dict[str, tuple[Tensor, Tensor]]
"""The two matrices of each taught weight, by its name in GGUF files without `.weight`."""


class AdaptedLinear(nn.Module):
    """A frozen weight, and the product of two small matrices on it."""

    weight: Tensor

    def __init__(self, weight: Tensor, rank: int) -> None:
        super().__init__()
        outputs, inputs = weight.shape
        self.register_buffer("weight", weight)
        # With b at zero the model starts as the base has it.
        self.a = nn.Parameter(torch.randn(rank, inputs) / math.sqrt(inputs))
        self.b = nn.Parameter(torch.zeros(outputs, rank))

    def forward(self, x: Tensor) -> Tensor:
        """Return the outputs for a batch of rows."""
        low = functional.linear(x, self.a.to(x.dtype))
        return functional.linear(x, self.weight) + functional.linear(low, self.b.to(x.dtype) * SCALE)


class Layer(nn.Module):
    """Attention and a gated product, each after a norm and added to what came in."""

    attn_norm: Tensor
    ffn_norm: Tensor

    def __init__(self, shape: Shape, weights: dict[str, Tensor], rank: int) -> None:
        super().__init__()
        self.shape = shape
        for name in ("attn_norm", "ffn_norm"):
            self.register_buffer(name, weights[name])
        self.adapted = nn.ModuleDict({name: AdaptedLinear(weights[name], rank) for name in MODULES})

    def forward(self, x: Tensor, turns: tuple[Tensor, Tensor], mask: Tensor) -> Tensor:
        """Return the rows after this layer."""
        x = x + self._attention(self._normed(x, self.attn_norm), turns, mask)
        h = self._normed(x, self.ffn_norm)
        gated = functional.silu(self.adapted["ffn_gate"](h)) * self.adapted["ffn_up"](h)
        down: Tensor = self.adapted["ffn_down"](gated)
        return x + down

    def _normed(self, x: Tensor, weight: Tensor) -> Tensor:
        return functional.rms_norm(x, (self.shape.width,), weight, self.shape.epsilon)

    def _attention(self, h: Tensor, turns: tuple[Tensor, Tensor], mask: Tensor) -> Tensor:
        shape = self.shape
        query = turned(self._heads("attn_q", h, shape.heads), turns)
        key = turned(self._heads("attn_k", h, shape.kv_heads), turns)
        value = self._heads("attn_v", h, shape.kv_heads)
        shared = shape.heads // shape.kv_heads
        key, value = (each.repeat_interleave(shared, 1) for each in (key, value))
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        output: Tensor = self.adapted["attn_output"](seen.transpose(1, 2).flatten(2))
        return output

    def _heads(self, name: str, h: Tensor, heads: int) -> Tensor:
        projected: Tensor = self.adapted[name](h)
        return projected.unflatten(2, (heads, -1)).transpose(1, 2)


def turned(x: Tensor, turns: tuple[Tensor, Tensor]) -> Tensor:
    """Return heads with each pair of neighbours turned by the angle of its position."""
    cosine, sine = turns
    first, second = x[..., 0::2], x[..., 1::2]
    return torch.stack((first * cosine - second * sine, second * cosine + first * sine), -1).flatten(-2)


class Llama(nn.Module):
    """The whole model; `forward` gives the last layer's rows, and `logits` the tokens' scores of some of them."""

    embedding: Tensor
    norm: Tensor
    output: Tensor
    angles: Tensor

    def __init__(self, shape: Shape, weights: dict[str, Any], rank: int, kind: torch.dtype) -> None:
        """Take the weights of a base file; `kind` is the type of numbers that is calculated with."""
        super().__init__()
        self.shape = shape
        given = {name.removesuffix(".weight"): torch.from_numpy(value).to(kind) for name, value in weights.items()}
        self.register_buffer("embedding", given["token_embd"])
        self.register_buffer("norm", given["output_norm"])
        self.register_buffer("output", given.get("output", given["token_embd"]))
        width = shape.width // shape.heads
        self.register_buffer("angles", shape.rope_base ** -(torch.arange(0, width, 2).float() / width))
        parts = [_of_layer(given, number) for number in range(shape.layers)]
        self.layers = nn.ModuleList(Layer(shape, part, rank) for part in parts)

    def forward(self, ids: Tensor, positions: Tensor, mask: Tensor) -> Tensor:
        """Return the last rows: ids and positions of (rows, tokens), the mask of (rows, 1, tokens, tokens)."""
        x = functional.embedding(ids, self.embedding)
        angles = positions[:, None, :, None].float() * self.angles
        turns = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        for layer in self.layers:
            x = layer(x, turns, mask)
        return functional.rms_norm(x, (self.shape.width,), self.norm, self.shape.epsilon)

    def logits(self, rows: Tensor) -> Tensor:
        """Return the score of every token after each of these rows."""
        return functional.linear(rows, self.output).float()

    def adapted(self) -> dict[str, AdaptedLinear]:
        """Return the taught weights by their names in GGUF files."""
        layers = enumerate(self.layers)
        return {f"blk.{number}.{name}": layer.adapted[name] for number, layer in layers for name in MODULES}

    def matrices(self) -> Matrices:
        """Return the matrices as they are now, in 32-bit floats."""
        return {
            name: (each.a.detach().float().cpu(), each.b.detach().float().cpu())
            for name, each in self.adapted().items()
        }

    def start_from(self, matrices: Matrices) -> None:
        """Take these matrices, which are of this rank."""
        for name, each in self.adapted().items():
            a, b = matrices[name]
            each.a.data.copy_(a)
            each.b.data.copy_(b)


def _of_layer(given: dict[str, Tensor], number: int) -> dict[str, Tensor]:
    begin = f"blk.{number}."
    return {name.removeprefix(begin): value for name, value in given.items() if name.startswith(begin)}
