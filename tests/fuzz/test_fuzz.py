"""The fuzzer itself, and a few hundred executions of each of its targets: the same ones on every run."""

from pathlib import Path

import pytest

from tools.fuzz.expected import expect
from tools.fuzz.findings import BrokenProperty, found_by, kept, minimised
from tools.fuzz.loops import BY_NAME, mutate_alone
from tools.fuzz.targets import TARGETS, Target

EXECUTIONS = {"linear": 8, "step": 120, "streaming": 300, "reading": 800, "run": 300, "splits-of-forms": 60}
"""Mutations of each target beside its seeds: a second or two; 500 of those not named here."""


@pytest.mark.parametrize("target", TARGETS, ids=list(BY_NAME))
def test_properties_hold_for_hostile_input(target: Target) -> None:
    """What each target promises holds for its seeds and for some hundred mutations of them."""
    wanted = EXECUTIONS.get(target.name, 500)
    done = len(target.seeds()) + wanted
    ran = mutate_alone(target, 0, lambda ran: ran.executions < done)
    assert {} == {kind: finding.message for kind, finding in ran.findings.items()}
    assert done == ran.executions


# --- the fuzzer -------------------------------------------------------------------------------------------


def _no_xy(data: bytes) -> None:
    expect(not (b"x" in data and b"y" in data), "no x with y", data)
    if b"z" in data:
        raise KeyError("z")


BREAKABLE = Target(
    name="breakable",
    seeds=lambda: [b"abcdef"],
    mutate=lambda data, random, _seeds: data + bytes(random.choice(b"abcxyz") for _ in range(random.randint(0, 9))),
    check=_no_xy,
)


def test_broken_property_is_found_and_made_small() -> None:
    """What breaks a property is found, told apart from another breach, and made as small as it can be."""
    ran = mutate_alone(BREAKABLE, 1, lambda ran: ran.executions < 200)
    assert {"no x with y", "KeyError in test_fuzz.py _no_xy"} == ran.findings.keys()
    smallest = minimised(BREAKABLE, ran.findings["no x with y"])
    assert [b"x", b"y"] == sorted(bytes([byte]) for byte in smallest.data)


def test_same_seed_makes_the_same_inputs() -> None:
    """A finding can be had again by its seed; another seed makes other inputs."""

    def inputs(seed: int) -> list[bytes]:
        seen: list[bytes] = []
        target = Target(name="n", seeds=BREAKABLE.seeds, mutate=BREAKABLE.mutate, check=seen.append)
        mutate_alone(target, seed, lambda ran: ran.executions < 50)
        return seen

    assert inputs(1) == inputs(1)
    assert inputs(1) != inputs(2)


def test_finding_is_kept_as_a_file_that_breaks_again(tmp_path: Path) -> None:
    """The file holds the input itself, and beside it stands what was said."""
    finding = BrokenProperty(target="breakable", kind="no x with y", message="m", data=b"xy")
    path = kept(finding, tmp_path)
    again = found_by(BREAKABLE, path.read_bytes())
    assert again is not None
    assert "no x with y" == again.kind
    assert "no x with y\nm\n" == path.with_suffix(".txt").read_text("utf-8")


def test_slow_input_is_measured_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """One slow run is no finding, four are."""
    seconds = iter([0, 5, *([0, 5] * 2), 0, 0.1, *([0, 5] * 4)])
    monkeypatch.setattr("tools.fuzz.findings._yardstick", lambda: 0.05)
    monkeypatch.setattr("tools.fuzz.findings.time.process_time", lambda: next(seconds))
    slow = Target(name="slow", seeds=list, mutate=BREAKABLE.mutate, check=lambda _data: None)
    assert found_by(slow, b"") is None
    found = found_by(slow, b"")
    assert found is not None
    assert "slow" == found.kind
