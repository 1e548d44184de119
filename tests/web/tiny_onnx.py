"""A chat model of a few kilobytes, in the form that Transformers.js reads: it says one sentence, token by token.

Its next token depends on the last one alone: a table has a row of scores for each token. It has the inputs and outputs
of a model with a cache, so that the library treats it as any other. The ONNX file is written as protobuf here.
"""

import json
import struct
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

SPECIAL: Final = ("<unk>", "<|user|>", "<|assistant|>", "<|end|>")
SAID: Final = ('{"kind":', '"final","content":', '"Hello', " there,", " and", " good", ' day."}')
ANSWER: Final = "Hello there, and good day."
WINDOW: Final = 4096
TEMPLATE: Final = (
    "{% for m in messages %}{% if m['role'] == 'assistant' %}<|assistant|>{% else %}<|user|>{% endif %}"
    "{{ m['content'] }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
_CHARS: Final = ("\n", *map(chr, range(32, 127)))
VOCABULARY: Final = (*SPECIAL, *_CHARS, *SAID)
_END: Final = VOCABULARY.index("<|end|>")
_FLOAT, _INT64 = 1, 7


def write_model(folder: Path) -> None:
    """Write all files of the model."""
    (folder / "onnx").mkdir(parents=True)
    (folder / "onnx" / "model.onnx").write_bytes(_model())
    ids = {word: number for number, word in enumerate(VOCABULARY)}
    sizes = {"vocab_size": len(ids), "hidden_size": 1, "num_hidden_layers": 1, "head_dim": 1}
    heads = {"num_attention_heads": 1, "num_key_value_heads": 1}
    config = {"model_type": "llama", **sizes, **heads, "max_position_embeddings": WINDOW, "eos_token_id": _END}
    added = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    tokenizer = {
        "version": "1.0",
        "added_tokens": [{"id": ids[word], "content": word, **added} for word in SPECIAL],
        "normalizer": None,
        "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "[\\s\\S]"}, "behavior": "Isolated", "invert": False},
        "post_processor": None,
        "decoder": {"type": "Fuse"},
        "model": {"type": "WordLevel", "vocab": ids, "unk_token": "<unk>"},
    }
    names = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<|end|>", "unk_token": "<unk>"}
    for name, value in {
        "config": config,
        "generation_config": {"eos_token_id": _END},
        "tokenizer": tokenizer,
        "tokenizer_config": {**names, "clean_up_tokenization_spaces": False, "chat_template": TEMPLATE},
    }.items():
        (folder / f"{name}.json").write_text(json.dumps(value))


def _scores() -> list[float]:
    """Return the table: from the begin of an answer on, each token leads to the next one of the sentence."""
    width = len(VOCABULARY)
    table = [0.0] * width * width
    sentence = ["<|assistant|>", *SAID, "<|end|>"]
    following = dict(pairwise(sentence))
    for number, word in enumerate(VOCABULARY):
        table[number * width + VOCABULARY.index(following.get(word, "<|end|>"))] = 20.0
    return table


def _model() -> bytes:
    width = len(VOCABULARY)
    nodes = [
        _node("Gather", ["scores", "input_ids"], "logits"),
        _node("Cast", ["input_ids"], "numbers", _integer("to", _FLOAT)),
        _node("Unsqueeze", ["numbers", "axes"], "heads"),
        _node("Concat", ["past_key_values.0.key", "heads"], "present.0.key", _integer("axis", 2)),
        _node("Concat", ["past_key_values.0.value", "heads"], "present.0.value", _integer("axis", 2)),
    ]
    now, past, after = ["batch", "now"], ["batch", 1, "past", 1], ["batch", 1, "after", 1]
    inputs = [_value(name, _INT64, now) for name in ("input_ids", "position_ids")]
    inputs += [_value("attention_mask", _INT64, ["batch", "after"])]
    inputs += [_value(f"past_key_values.0.{name}", _FLOAT, past) for name in ("key", "value")]
    outputs = [_value("logits", _FLOAT, [*now, width])]
    outputs += [_value(f"present.0.{name}", _FLOAT, after) for name in ("key", "value")]
    tensors = [
        _tensor("scores", _FLOAT, [width, width], struct.pack(f"<{width * width}f", *_scores())),
        _tensor("axes", _INT64, [2], struct.pack("<2q", 1, 3)),
    ]
    named = [(1, nodes), (2, [b"tiny"]), (5, tensors), (11, inputs), (12, outputs)]
    graph = b"".join(_bytes(field, each) for field, given in named for each in given)
    return _number(1, 8) + _bytes(7, graph) + _bytes(8, _bytes(1, b"") + _number(2, 14))


def _node(kind: str, inputs: list[str], output: str, attribute: bytes = b"") -> bytes:
    given = b"".join(_bytes(1, name.encode()) for name in inputs)
    return given + _bytes(2, output.encode()) + _bytes(4, kind.encode()) + attribute


def _integer(name: str, value: int) -> bytes:
    return _bytes(5, _bytes(1, name.encode()) + _number(3, value) + _number(20, 2))


def _tensor(name: str, kind: int, dims: list[int], data: bytes) -> bytes:
    return b"".join(_number(1, dim) for dim in dims) + _number(2, kind) + _bytes(8, name.encode()) + _bytes(9, data)


def _value(name: str, kind: int, dims: Sequence[int | str]) -> bytes:
    shape = b"".join(_bytes(1, _number(1, dim) if isinstance(dim, int) else _bytes(2, dim.encode())) for dim in dims)
    return _bytes(1, name.encode()) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, shape)))


def _bytes(field: int, data: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])
