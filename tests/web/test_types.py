"""The TypeScript types are the core's own shapes."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BOUNDS = ROOT / "web" / "src" / "generated" / "reply_bounds.ts"
TYPES = ROOT / "web" / "src" / "generated" / "wire.ts"


def test_types_are_what_the_shapes_of_the_core_give(node: str, tmp_path: Path) -> None:
    """A changed shape shows here; ./build.sh types writes them again."""
    made = tmp_path / "wire.ts"
    command = [sys.executable, "-m", "tools.types.wire_schema"]
    schema = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run([node, ROOT / "web/scripts/make_types.mjs", made], input=schema, check=True)
    assert made.read_text() == TYPES.read_text()


def test_bounds_are_those_of_the_core() -> None:
    """A changed bound shows here; ./build.sh types writes them again."""
    command = [sys.executable, "-m", "tools.types.reply_bounds", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (0, "") == (done.returncode, done.stderr)
    assert "MAX_REPLY_LINE_BYTES" in BOUNDS.read_text()
