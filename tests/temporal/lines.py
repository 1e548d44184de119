"""Reads logs for the tests."""

from __future__ import annotations

import json
from typing import Any


def events(log: str, kind: str) -> list[dict[str, Any]]:
    """Return the lines of a log of one kind."""
    return [line for line in map(json.loads, log.splitlines()) if line["kind"] == kind]
