"""Weights of GGUF files are unpacked for wllama: each packing bit for bit, and other files are left as they are."""

import json
import random
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
F32, F16, Q4_0, Q4_1, Q8_0, Q6_K = 0, 1, 2, 3, 8, 14
BLOCK = 32
WIDTH = 64
SUPER = 256  # weights in a block of Q6_K


def floats(values: list[float]) -> bytes:
    """Return the values as floats of 32 bits."""
    return struct.pack(f"<{len(values)}f", *values)


def half(bits: int) -> float:
    """Return the number that a float of 16 bits is."""
    (value,) = struct.unpack("<e", struct.pack("<H", bits))
    return float(value)


def packed(kind: int, blocks: int) -> tuple[bytes, list[float]]:
    """Return random packed weights, and what they are unpacked."""
    dice, data, values = random.Random(kind), b"", list[float]()
    for _ in range(blocks):
        # Any finite number: zeros, subnormal ones and both signs among them.
        scale, least = (dice.choice([0, 1, 0x8000, 0x83FF, 0x7BFF, dice.randrange(0x7C00)]) for _ in range(2))
        pairs = dice.randbytes(BLOCK // 2)
        nibbles = [pair & 15 for pair in pairs] + [pair >> 4 for pair in pairs]
        if kind == Q4_0:
            data += struct.pack("<H", scale) + pairs
            values += [nibble * half(scale) - 8 * half(scale) for nibble in nibbles]
        elif kind == Q4_1:
            data += struct.pack("<HH", scale, least) + pairs
            values += [nibble * half(scale) + half(least) for nibble in nibbles]
        elif kind == Q8_0:
            numbers = [dice.randint(-128, 127) for _ in range(BLOCK)]
            data += struct.pack(f"<H{BLOCK}b", scale, *numbers)
            values += [number * half(scale) for number in numbers]
        else:
            halves = [dice.randrange(0x7C00) for _ in range(BLOCK)]
            data += struct.pack(f"<{BLOCK}H", *halves)
            values += [half(bits) for bits in halves]
    return data, values


def text(said: str) -> bytes:
    """Return a text as the form has it."""
    data = said.encode()
    return struct.pack("<Q", len(data)) + data


def gguf(tensors: dict[str, tuple[int, int, bytes]], alignment: int, values: bytes = b"", count: int = 0) -> bytes:
    """Return a file; tensors: type, weights and bytes of each."""
    head, data = b"", b""
    for name, (kind, weights, content) in tensors.items():
        head += text(name) + struct.pack("<IQQIQ", 2, WIDTH, weights // WIDTH, kind, len(data))
        data += content.ljust(-(-len(content) // alignment) * alignment, b"\0")
    values += text("general.alignment") + struct.pack("<II", 4, alignment)
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), count + 1) + values + head
    return head.ljust(-(-len(head) // alignment) * alignment, b"\0") + data


def unpack(package: Path, folder: Path, most: int = 1 << 30) -> dict[str, Any]:
    """Unpack the files of a folder in Node."""
    command = ["node", HERE / "gguf_weights.mjs", package / "models" / "gguf_weights.js", folder, str(most)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (0, "") == (done.returncode, done.stderr)
    results: dict[str, Any] = json.loads(done.stdout)
    return results


@pytest.mark.parametrize("alignment", [32, 256])
def test_each_packing_is_unpacked(package: Path, tmp_path: Path, alignment: int) -> None:
    """The file holds the same tensors at new places, as floats; what cannot be unpacked stands as it stood."""
    # More weights than are unpacked at once.
    blocks = {Q4_1: (1 << 19) // BLOCK + 2, Q4_0: 6, Q8_0: 4, F16: 2}
    tensors, expected = {}, {}
    for kind, number in blocks.items():
        data, values = packed(kind, number)
        tensors[f"packed.{kind}"] = (kind, number * BLOCK, data)
        expected[f"packed.{kind}"] = (F32, number * BLOCK, floats(values))
    tensors["norm"] = expected["norm"] = (F32, WIDTH, floats([1.5] * WIDTH))
    tensors["other"] = expected["other"] = (Q6_K, SUPER, random.Random(0).randbytes(210))
    # A list of lists, a list of texts, and numbers of every length stand before what is looked for.
    values = text("lists") + struct.pack("<IIQ", 9, 9, 2) + 2 * struct.pack("<IQHH", 2, 2, 7, 8)
    values += text("texts") + struct.pack("<IIQ", 9, 8, 2) + text("ä") + text("")
    for kind, size in ((0, 1), (3, 2), (6, 4), (7, 1), (12, 8)):
        values += text(f"number.{kind}") + struct.pack("<I", kind) + bytes(size)
    (tmp_path / "model.gguf").write_bytes(gguf(tensors, alignment, values, 7))
    (result,) = unpack(package, tmp_path).values()
    assert gguf(expected, alignment, values, 7) == Path(result["path"]).read_bytes()


def test_other_files_are_left_as_they_are(package: Path, tmp_path: Path) -> None:
    """What is no GGUF file, is cut off, lies about itself, or has nothing to unpack is for llama.cpp to judge."""
    data, _ = packed(Q4_1, 2)
    whole = gguf({"packed": (Q4_1, 2 * BLOCK, data)}, 32)
    many = struct.pack("<Q", 1 << 62)
    others = {
        "empty": b"",
        "no header": b"GGUF",
        "half a header": whole[:60],
        "no weights": gguf({"norm": (F32, WIDTH, floats([0.0] * WIDTH))}, 32),
        "weights cut off": whole[: len(whole) - 32],
        "endless tensors": whole[:8] + many + whole[16:],
        "endless values": whole[:16] + many + whole[24:],
        "an endless text": whole[:24] + many + whole[32:],
        "odd alignment": gguf({"packed": (Q4_1, 2 * BLOCK, data)}, 32).replace(b"\4\0\0\0\x20\0", b"\4\0\0\0\0\0", 1),
        "lists without end": whole[:16]
        + struct.pack("<Q", 1)
        + text("l")
        + struct.pack("<I", 9) * 1
        + struct.pack("<IQ", 9, 1) * 100_000,
    }
    for name, content in others.items():
        (tmp_path / name).write_bytes(content)
    results = unpack(package, tmp_path)
    assert dict.fromkeys(others, True) == {name: result["isSame"] for name, result in results.items()}


def test_a_file_that_would_be_too_long_stays_packed(package: Path, tmp_path: Path) -> None:
    """The bound is that of the whole unpacked file."""
    data, _ = packed(Q4_1, 2)
    content = gguf({"packed": (Q4_1, 2 * BLOCK, data)}, 32)
    unpacked = len(content) - 64 + 2 * BLOCK * 4  # 40 bytes were padded to 64
    (tmp_path / "model.gguf").write_bytes(content)
    assert [True, False] == [
        unpack(package, tmp_path, most)["model.gguf"]["isSame"] for most in (unpacked - 1, unpacked)
    ]
