"""Seals in JavaScript: the vectors of native hosts, a host's own users, and a store of what is spent."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.edge.drivers import HERE, ROOT

VECTORS = ROOT / "tests" / "vectors" / "seals" / "seals.json"


@pytest.fixture(scope="module")
def found(node: str, package: Path) -> dict[str, Any]:
    """What seals.mjs found."""
    del package
    command = [node, str(HERE / "seals.mjs")]
    given = VECTORS.read_text(encoding="utf-8")
    done = subprocess.run(command, input=given, check=False, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_seals_are_those_of_native_hosts(found: dict[str, Any]) -> None:
    """Made and taken byte for byte; the MAC is compared by WebCrypto, which takes the same time for each."""
    assert [] == found["differing"]
    assert len(json.loads(VECTORS.read_text(encoding="utf-8"))["vectors"]) == found["vectors"] == found["verified"]


def test_run_of_a_user_is_nobody_elses(found: dict[str, Any]) -> None:
    """By what the host's own authentication says; where it says nothing, nothing runs."""
    expected = {
        "others": ["403 seal_invalid"] * 2,
        "before": 0,
        "own": "200",
        "after": 1,
        "unknown": ["500 internal_error", 0],
    }
    assert expected == found["users"]


def test_run_moves_on_once_from_each_point_with_a_store(found: dict[str, Any]) -> None:
    """Also of two requests at once; to look and to be mistaken spends nothing, and a store that fails runs nothing."""
    expected = {
        "both": ["200", "409 seal_spent"],
        "late": "409 seal_spent",
        "looking": "200",
        "ran": 1,
        "mistaken": "400 stale_approval",
        "mended": "200",
        "ends": True,
        "unsure": "500 internal_error",
        "unsureRan": 0,
    }
    assert expected == found["store"]


def test_users_who_choose_the_same_run_id_spend_their_own_points(found: dict[str, Any]) -> None:
    """B10: the same words at the same moment give the same head, and the point is the user's as well."""
    expected = {"heads": 1, "codes": ["200", "200", "200", "409 seal_spent"], "calls": 3, "points": 3}
    assert expected == found["alike"]


def test_chat_moves_on_once_from_each_point_with_a_store(found: dict[str, Any]) -> None:
    """An approval is taken once, the next message goes on, and one from an earlier message is told why it does not."""
    expected = {"refused": ["409 seal_spent"], "calls": 1, "next": 1, "anew": "409 seal_spent"}
    assert expected == found["chats"]


def test_service_does_not_start_without_keys_unless_told(found: dict[str, Any]) -> None:
    """Nor with keys that are too short, both ways at once, or something like true."""
    assert ["invalid_config"] * 7 == found["refused"]
