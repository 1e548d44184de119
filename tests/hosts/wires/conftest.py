"""Agents that ask the servers of the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.hosts.wires.asked import Asked


@pytest.fixture
def ask(web: Callable[[Any], str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Asked]:
    """Ask a server of a row that has these replies."""
    return lambda server, *replies, **members: Asked(server, web, monkeypatch, *replies, **members)
