"""The texts of `./build.sh bench extract`, and what the core finds in them without a model."""

import json

import msgspec
import pytest
from bench.extract.judge import TARGETS, Outcome, count
from bench.extract.texts import GROUPS, Half, marked_texts

import purestep
from purestep import CallModel, Done, ModelSpec

HALVES: tuple[Half, ...] = ("tune", "final")


@pytest.mark.parametrize("half", HALVES)
def test_each_marked_value_stands_in_its_text(half: Half) -> None:
    """Thirty texts with ids of their own; several hold nothing."""
    texts = marked_texts(half)
    assert 30 == len({each.id for each in texts})
    for each in texts:
        for group in ("email", "url", "date", *GROUPS):
            for value in getattr(each, group):
                assert all(writing in each.text for writing in value.split("|")), (each.id, value)


@pytest.mark.parametrize("target", TARGETS)
def test_all_that_the_core_finds_stands_in_the_text(target: str) -> None:
    """On the half to tune on nothing is made up, four fifths are found, and the state can be handed back."""
    outcomes = []
    for each in marked_texts("tune"):
        step = purestep.begin_skill(
            "extract", {"text": each.text, "target": target}, ModelSpec(name="m", carry="route")
        )
        state = json.loads(purestep.run_skill(json.dumps({"state": _data(step.state)})))["state"]
        assert state == _data(step.state)
        if isinstance(step.decision, CallModel):
            outcomes.append(Outcome(marked=each, target=target, data=None))
            continue
        assert isinstance(step.decision, Done)
        outcomes.append(Outcome(marked=each, target=target, data=step.decision.data))
    found = count(outcomes)
    assert found.given == found.standing
    assert found.recall > 0.8


def _data(state: purestep.SkillState) -> object:
    return json.loads(msgspec.json.encode(state))
