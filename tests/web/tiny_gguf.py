"""A language model of four megabytes in llama.cpp's form, for tests of how a file gets into the browser.

It has all that llama.cpp loads (a vocabulary of bytes, one block, GGUF 3), and weights of zero: it says
nothing. What a model answers is tested with the default one.
"""

import struct
from pathlib import Path
from typing import Any, Final

_WIDTH: Final = 64
_INNER: Final = 5376  # makes up most of the file, whose size lets a download break off half way
_TOKENS: Final = ("<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)))
_UNKNOWN, _CONTROL, _BYTE = 2, 3, 6
_UINT32, _INT32, _FLOAT32, _STRING, _ARRAY = 4, 5, 6, 8, 9
_ALIGNMENT: Final = 32

_TENSORS: Final = {
    "token_embd.weight": (_WIDTH, len(_TOKENS)),
    "output_norm.weight": (_WIDTH,),
    "blk.0.attn_norm.weight": (_WIDTH,),
    **{f"blk.0.attn_{part}.weight": (_WIDTH, _WIDTH) for part in ("q", "k", "v", "output")},
    "blk.0.ffn_norm.weight": (_WIDTH,),
    "blk.0.ffn_gate.weight": (_WIDTH, _INNER),
    "blk.0.ffn_up.weight": (_WIDTH, _INNER),
    "blk.0.ffn_down.weight": (_INNER, _WIDTH),
}
_MEMBERS: Final[dict[str, tuple[int, Any]]] = {
    "general.architecture": (_STRING, "llama"),
    "llama.context_length": (_UINT32, 512),
    "llama.embedding_length": (_UINT32, _WIDTH),
    "llama.block_count": (_UINT32, 1),
    "llama.feed_forward_length": (_UINT32, _INNER),
    "llama.attention.head_count": (_UINT32, 2),
    "llama.attention.layer_norm_rms_epsilon": (_FLOAT32, 1e-5),
    "tokenizer.ggml.model": (_STRING, "llama"),
    "tokenizer.ggml.tokens": (_ARRAY, (_STRING, _TOKENS)),
    "tokenizer.ggml.scores": (_ARRAY, (_FLOAT32, [0.0] * len(_TOKENS))),
    "tokenizer.ggml.token_type": (_ARRAY, (_INT32, [_UNKNOWN, _CONTROL, _CONTROL, *[_BYTE] * 256])),
    "tokenizer.ggml.bos_token_id": (_UINT32, 1),
    "tokenizer.ggml.eos_token_id": (_UINT32, 2),
}


def write_model(path: Path, *, packed: bool = False) -> None:
    """Write the file; packed: with tables of weights as floats of 16 bits."""
    members = b"".join(
        _text(name) + struct.pack("<I", kind) + _value(kind, value) for name, (kind, value) in _MEMBERS.items()
    )
    tensors, size = b"", 0
    for name, shape in _TENSORS.items():
        is_packed = packed and len(shape) > 1
        tensors += _text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, is_packed, size)
        size += _padded((2 if is_packed else 4) * _count(shape))
    head = b"GGUF" + struct.pack("<IQQ", 3, len(_TENSORS), len(_MEMBERS)) + members + tensors
    path.write_bytes(head.ljust(_padded(len(head)), b"\0") + bytes(size))


def _text(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def _value(kind: int, value: Any) -> bytes:
    match kind:
        case 8:
            return _text(value)
        case 9:
            inner, items = value
            return struct.pack("<IQ", inner, len(items)) + b"".join(_value(inner, item) for item in items)
    return struct.pack({_UINT32: "<I", _INT32: "<i", _FLOAT32: "<f"}[kind], value)


def _count(shape: tuple[int, ...]) -> int:
    return shape[0] * (shape[1] if len(shape) > 1 else 1)


def _padded(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT
