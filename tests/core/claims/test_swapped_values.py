"""The guardrail `claims` on values of two results that an answer gives to each other's subject."""

from typing import Any

import pytest

from tests.core.agents import call, final, said, tool
from tests.core.claims.billing import told
from tests.core.driver import Driver

S = {"type": "string"}
READS = {"annotations": {"readOnlyHint": True}}
TOOLS: dict[str, Any] = {
    "tools": [
        tool("temperature", {"city": S}, description="Current temperature of a city.", **READS),
        tool("hive_weight", {"hive": S}, description="Weight of a hive in kg.", **READS),
        tool("set_alert", {"city": S}, description="Set an alert.", annotations={"readOnlyHint": False}),
    ]
}
PARIS = ("temperature", {"city": "Paris"}, 14)
ROME = ("temperature", {"city": "Rome"}, {"celsius": 20})
BERN = ("temperature", {"city": "Bern"}, 14)
HIVES = (("hive_weight", {"hive": "3"}, 41.2), ("hive_weight", {"hive": "8"}, "36.9 kg"))


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("Paris 20, Rome 14.", (PARIS, ROME)),
        ("It is 20 degrees in Paris and 14 degrees in Rome.", (PARIS, ROME)),
        ("| city | now |\n| Paris | **20** |\n| Rome | **14** |", (PARIS, ROME)),
        ("Hive 3: 36.9 kg\nHive 8: 41.2 kg", HIVES),
    ],
)
def test_swapped_values_are_rejected(text: str, calls: tuple[Any, ...]) -> None:
    """Where subjects and values take turns, each value has to be of the result about its subject."""
    assert "guardrail" == told(TOOLS, "How is it in both?", text, *calls)


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("Paris 14, Rome 20.", (PARIS, ROME)),
        ("20 in Rome against 14 in Paris.", (PARIS, ROME)),
        ("Rome is 6 degrees warmer than Paris: 20 against 14.", (PARIS, ROME)),
        ("Rome is warmer than Paris, 20 to 14.", (PARIS, ROME)),
        ("Rome has 20 degrees, 6 more than Paris (14).", (PARIS, ROME)),
        ("41.2 kg and 36.9 kg for hives 3 and 8.", HIVES),
        ("Paris and Bern have 14, Rome has 20.", (PARIS, BERN, ROME)),
        ("Bern 14, Paris 14, Rome 20.", (PARIS, BERN, ROME)),
        ("It was 20 in Rome and 14 in Paris, then 20 in Rome again.", (PARIS, ROME)),
    ],
)
def test_values_told_of_their_own_subjects_are_taken(text: str, calls: tuple[Any, ...]) -> None:
    """Comparisons, other orders and values that several results have are no swap."""
    assert None is told(TOOLS, "How is it in both?", text, *calls)


def test_two_readings_of_one_subject_are_in_doubt() -> None:
    """What was read twice may have changed in between."""
    again = ("temperature", {"city": "Paris"}, 20)
    assert None is told(TOOLS, "How is Paris, now and once more?", "Paris 20, then Paris 14.", PARIS, again)


def test_correction_names_the_value_and_its_subject() -> None:
    """The model reads which value stands with what; nothing of an act."""

    driver = Driver(TOOLS, "How warm is it in Paris and Rome?")
    for name, params, output in (PARIS, ROME):
        driver.send(said(call(name, **params)))
        driver.give_all(output)
    driver.send(said(final("Paris 20, Rome 14.")))
    feedback = driver.prompt()[-1]["content"]
    assert 'it says "20" of "paris", and the results say that of another one' in feedback
    assert "no call" not in feedback
