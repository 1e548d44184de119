"""Adapter files: a GGUF file that llama.cpp applies when it loads the base, and safetensors to go on training from."""

import json
from pathlib import Path
from typing import Any, Final

import numpy
import torch
from gguf import GGMLQuantizationType, GGUFReader, GGUFWriter
from gguf.quants import quantize

from tools.tuning.training.base import ARCHITECTURE, Shape, floats
from tools.tuning.training.llama import SCALE, Matrices

_PARTS: Final = ("lora_a", "lora_b")
_OF_TRANSFORMERS: Final = {
    "q_proj": "attn_q",
    "k_proj": "attn_k",
    "v_proj": "attn_v",
    "o_proj": "attn_output",
    "gate_proj": "ffn_gate",
    "up_proj": "ffn_up",
    "down_proj": "ffn_down",
}
"""The taught weights, as the library transformers names them, by their names in GGUF files."""


class AdapterFileError(Exception):
    """A file is no adapter, or one that does not fit; `message` says what was expected and what came."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def write_adapter(path: Path, matrices: Matrices) -> None:
    """Write matrices as a GGUF adapter, in blocks of 8-bit numbers: half the size of 16-bit floats, answers alike."""
    writer = GGUFWriter(str(path), ARCHITECTURE)
    writer.add_string("general.type", "adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", SCALE * _rank(matrices))
    for name, pair in matrices.items():
        for part, matrix in zip(_PARTS, pair, strict=True):
            kind = _kind(matrix.shape[1])
            values = quantize(numpy.ascontiguousarray(matrix.numpy(), dtype=numpy.float32), kind)
            writer.add_tensor(f"{name}.weight.{part}", values, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


_BLOCK: Final = 32
"""Numbers that share a scale: a row of a matrix is whole blocks, or it is written as 16-bit floats."""


def _kind(columns: int) -> GGMLQuantizationType:
    return GGMLQuantizationType.Q8_0 if columns % _BLOCK == 0 else GGMLQuantizationType.F16


def read_adapter(path: Path, shape: Shape) -> Matrices:
    """Read the matrices of an adapter: a GGUF file, or safetensors named as transformers does, of scale 2.

    Raises AdapterFileError.
    """
    matrices = _of_safetensors(path, shape) if path.suffix == ".safetensors" else _of_gguf(path)
    expected, found = (
        {f"blk.{number}" for number in range(shape.layers)},
        {name.rpartition(".")[0] for name in matrices},
    )
    if found != expected:
        raise AdapterFileError(f"{path}: expected an adapter of {shape.layers} layers, got {len(found)}")
    return matrices


def rank_of(path: Path, shape: Shape) -> int:
    """Return the rank of an adapter; raises AdapterFileError."""
    return _rank(read_adapter(path, shape))


def _rank(matrices: Matrices) -> int:
    return int(next(iter(matrices.values()))[0].shape[0])


def _of_gguf(path: Path) -> Matrices:
    try:
        reader: Any = GGUFReader(str(path))
        alpha = reader.fields["adapter.lora.alpha"].contents()
        found = {tensor.name: torch.from_numpy(floats(tensor)) for tensor in reader.tensors}
        names = dict.fromkeys(name.rpartition(".weight.")[0] for name in found)
        matrices = {name: (found[f"{name}.weight.lora_a"], found[f"{name}.weight.lora_b"]) for name in names}
    except (OSError, ValueError, KeyError, IndexError) as error:
        raise AdapterFileError(f"{path}: expected a GGUF adapter ({type(error).__name__}: {error})") from None
    factor = alpha / _rank(matrices) / SCALE
    return {name: (a, b * factor) for name, (a, b) in matrices.items()}


def _of_safetensors(path: Path, shape: Shape) -> Matrices:
    """Read a file of 16-bit floats: the length of a header in 8 bytes, the header as JSON, then the numbers."""
    with path.open("rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = file.read()
    found = {}
    for name, entry in header.items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            values = numpy.frombuffer(data[begin:end], numpy.float16).reshape(entry["shape"]).astype(numpy.float32)
            found[name] = torch.from_numpy(values)
    matrices: Matrices = {}
    for name in dict.fromkeys(each.rpartition(".")[0] for each in found):
        layer, _, module = name.partition(".")
        heads = {"q_proj": shape.heads, "k_proj": shape.kv_heads}.get(module)
        b = found[f"{name}.B"]
        matrices[f"blk.{layer}.{_OF_TRANSFORMERS[module]}"] = (
            found[f"{name}.A"],
            b if heads is None else neighbours(b, heads),
        )
    return matrices


def neighbours(rows: torch.Tensor, heads: int) -> torch.Tensor:
    """Return rows of queries or keys as GGUF files order them; transformers pairs the two halves of a head."""
    return rows.unflatten(0, (heads, 2, -1)).transpose(1, 2).flatten(0, 2)
