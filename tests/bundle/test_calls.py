"""Calls across the boundary: any text, of any length, gives what the core gives natively, and nothing is thrown."""

import json
import subprocess
from pathlib import Path

import pytest

import purestep
from tests.bundle.engines import FOLDER, LOADER

LENGTHS = (0, 1, 170, 511, 512, 513, 4095, 4096, 70_000, 1_500_000)
LETTERS = {"ascii": "a", "latin": "é", "wide": "漢", "astral": "😀", "quote": '"\\', "lone": "\ud800", "mark": "\ufeff"}


def called(node: str, folder: Path, calls: list[list[str | None]], tier: str = "snapshot") -> list[str]:
    """Make the calls in one process of Node and give their outputs."""
    job = folder / "job.json"
    job.write_text(json.dumps({"loader": LOADER.as_uri(), "tier": tier, "calls": calls}))
    done = subprocess.run(
        [node, FOLDER / "calls_probe.mjs", job], check=False, capture_output=True, text=True, timeout=180
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_text_of_every_length_and_width_crosses_unchanged(node: str, bundle: Path, tmp_path: Path) -> None:
    """Short text goes as a str and long text by way of buffers, in both directions: the outputs are the native ones."""
    texts = [letter * length for letter in LETTERS.values() for length in LENGTHS]
    inputs = [json.dumps({"text": text, "tools": None}, ensure_ascii=False) for text in texts]
    calls = [["create_agent_state", text, None, "run-1"] for text in texts] + [["read_model_output", i] for i in inputs]
    expected = [getattr(purestep, name)(*args) for name, *args in calls]

    found = called(node, tmp_path, calls)

    assert [len(each) for each in expected] == [len(each) for each in found]
    assert expected == found


def test_calls_after_the_memory_grew_are_right(node: str, bundle: Path, tmp_path: Path) -> None:
    """A view of a buffer is lost when the memory grows; the next call takes it anew."""
    small = json.dumps({"text": "a" * 2000, "tools": None})
    large = json.dumps({"text": "b" * 12_000_000, "tools": None})
    calls = [["read_model_output", text] for text in (small, large, small, large, small)]
    expected = [purestep.read_model_output(args[1]) for args in calls]

    assert expected == called(node, tmp_path, calls)


def test_text_that_memory_cannot_hold_is_refused(node: str, bundle: Path) -> None:
    """Texts past all memory come back as an error, and the calls after it are right."""
    long = json.dumps({"text": "a" * 2000, "tools": None})
    script = (
        f"const {{ boot }} = await import({json.dumps(LOADER.as_uri())});"
        "const { call } = await boot();"
        "const half = 'a'.repeat(500e6);"
        "const refused = call('create_agent_state', half, half);"
        f"console.log(JSON.stringify([refused, call('read_model_output', {json.dumps(long)})]));"
    )

    done = subprocess.run([node, "--input-type=module", "-e", script], check=True, capture_output=True, text=True)

    refused, after = json.loads(done.stdout)
    assert "input_too_large" == json.loads(refused)["error"]["code"]
    assert "the memory of this host" in refused
    assert purestep.read_model_output(long) == after


@pytest.mark.parametrize("tier", ["snapshot", "zip"])
def test_nothing_is_thrown(node: str, bundle: Path, tmp_path: Path, tier: str) -> None:
    """A function that is not there and arguments that do not fit come back as errors in the core's own form."""
    long = "x" * 1000
    calls: list[list[str | None]] = [
        ["no_such"],
        ["no_such", long],
        ["core_info", "1", long],
        ["load_agent", None],
        ["__name__"],
    ]

    errors = [json.loads(output)["error"] for output in called(node, tmp_path, calls, tier)]

    assert ["unknown_function", "unknown_function", "internal_error"] == [error["code"] for error in errors[:3]]
    assert "unknown_function" == errors[4]["code"]
    assert all({"code", "message", "path"} == error.keys() for error in errors)
