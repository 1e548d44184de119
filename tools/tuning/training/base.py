"""The base model as its GGUF file has it: shape, weights and vocabulary, of llama's architecture.

Rows of the query and key weights stay in the file's order, in which the two numbers that a position turns together are
neighbours; the model here turns neighbours too, so nothing is put in another order, neither here nor in an adapter.
"""

from pathlib import Path
from typing import Any, Final

import msgspec
import numpy
from gguf import GGMLQuantizationType, GGUFReader
from gguf.quants import dequantize
from tokenizers import Tokenizer

ARCHITECTURE: Final = "llama"
_SPECIAL: Final = 3
"""The type of tokens that are marks and no text."""


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """What a model of this architecture is made of; `epsilon` keeps its norms from dividing by zero."""

    layers: int
    width: int
    heads: int
    kv_heads: int
    rope_base: float
    epsilon: float


class BaseFileError(Exception):
    """The base file is of another kind; `message` says what was expected and what came."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Base:
    """An open base file."""

    def __init__(self, path: Path) -> None:
        """Open it; raises BaseFileError for another architecture."""
        self._reader: Any = GGUFReader(str(path))
        found = self._reader.fields["general.architecture"].contents()
        if found != ARCHITECTURE:
            raise BaseFileError(f"{path}: expected a model of llama's architecture, got {found}; choose another base")

    @property
    def shape(self) -> Shape:
        """The shape of the model."""
        return Shape(
            layers=self._number("block_count"),
            width=self._number("embedding_length"),
            heads=self._number("attention.head_count"),
            kv_heads=self._number("attention.head_count_kv"),
            rope_base=self._number("rope.freq_base"),
            epsilon=self._number("attention.layer_norm_rms_epsilon"),
        )

    def _number(self, name: str) -> Any:
        return self._reader.fields[f"{ARCHITECTURE}.{name}"].contents()

    def weights(self) -> dict[str, Any]:
        """Return the weights by their names in the file, as arrays of 32-bit floats."""
        return {tensor.name: floats(tensor) for tensor in self._reader.tensors}

    def tokenizer(self) -> Any:
        """Return the tokenizer that the file describes: pairs of bytes, each digit by itself, as llama.cpp has it."""
        fields = self._reader.fields
        tokens, merges, types = (
            fields[f"tokenizer.ggml.{name}"].contents() for name in ("tokens", "merges", "token_type")
        )
        kind = fields["tokenizer.ggml.pre"].contents()
        if kind not in _SPLITS:
            raise BaseFileError(
                f"expected a tokenizer of the kinds {', '.join(_SPLITS)}, got {kind}; choose another base"
            )
        special = [_added(number, token) for number, token in enumerate(tokens) if types[number] == _SPECIAL]
        vocabulary = {token: number for number, token in enumerate(tokens)}
        model = {"type": "BPE", "vocab": vocabulary, "merges": [merge.split(" ") for merge in merges], **_BPE}
        return Tokenizer.from_str(msgspec.json.encode({**_SHARED, "added_tokens": special, "model": model}).decode())


def floats(tensor: Any) -> Any:
    """Return a tensor of a GGUF file as an array of 32-bit floats."""
    if tensor.tensor_type == GGMLQuantizationType.F32:
        return numpy.array(tensor.data)
    return numpy.ascontiguousarray(dequantize(tensor.data, tensor.tensor_type).astype(numpy.float32))


_SPLITS: Final = ("smollm",)
"""The ways to split text before pairs are made that `_SHARED` writes."""
_BYTES: Final = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
_SHARED: Final = {
    "version": "1.0",
    "truncation": None,
    "padding": None,
    "normalizer": None,
    "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "Digits", "individual_digits": True}, _BYTES]},
    "post_processor": None,
    "decoder": _BYTES,
}
_BPE: Final = {
    "dropout": None,
    "unk_token": None,
    "continuing_subword_prefix": None,
    "end_of_word_suffix": None,
    "fuse_unk": False,
    "byte_fallback": False,
}


def _added(number: int, token: str) -> dict[str, Any]:
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return {"id": number, "content": token, "special": True, **flags}
