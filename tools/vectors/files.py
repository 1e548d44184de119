"""The files of the vectors as they are stored."""

import json
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "vectors"


def vector_files(*folders: str) -> list[Path]:
    """Return the files of conformance vectors, of some folders or of all, in the order of their paths."""
    return sorted(path for folder in folders or ("*",) for path in FOLDER.glob(f"{folder}/*.jsonl"))


@cache
def stored_vectors(*folders: str) -> tuple[dict[str, Any], ...]:
    """Return the vectors of some folders or of all."""
    texts = (path.read_text(encoding="utf-8") for path in vector_files(*folders))
    return tuple(json.loads(line) for text in texts for line in text.splitlines())
