"""Whatever the text and the outputs are: no exception, a bounded end, and only values that stand in the text."""

import json
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

import purestep
from purestep import CallModel, Done, ModelOutput, SkillStep
from tests.examples import examples

WORDS = [
    "Anna",
    "Kurz",
    "of",
    "von",
    "Bank",
    "Dr.",
    "a@b.co",
    "3",
    "May",
    "2024-05-03",
    "www.a.de",
    "'s",
    "-",
    "\n",
    "\u4eac",
    ".",
]
TEXTS = st.one_of(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join), st.text(min_size=1, max_size=30)
)
TARGETS = st.sampled_from(["date", "email", "entity", "name", "url"])


def values(data: Any) -> list[str]:
    """Return all texts in an output."""
    if isinstance(data, dict):
        return [value for member in data.values() for value in values(member)]
    return [value for item in data for value in values(item)] if isinstance(data, list) else [data]


def ended(step: SkillStep, outputs: list[str]) -> SkillStep:
    """Return each output to the model's call, until there is none."""
    for content in outputs:
        if isinstance(step.decision, CallModel):
            step = purestep.step_skill(step.state, ModelOutput(content=content))
    return step


@given(text=TEXTS, target=TARGETS, chosen=st.lists(st.sampled_from([*WORDS, "anna KURZ", "Zed"]), max_size=4))
@examples(200)
def test_output_holds_nothing_that_the_text_does_not(text: str, target: str, chosen: list[str]) -> None:
    """As the text writes it; the state of the end can be handed back."""
    inner = {"people": chosen, "organizations": [], "locations": chosen} if target == "entity" else chosen
    said = json.dumps({target: inner})
    step = ended(purestep.begin_skill("extract", {"text": text, "target": target}), [said, said])
    assert not isinstance(step.decision, CallModel)
    assert step == purestep.step_skill(step.state)
    if isinstance(step.decision, Done):
        assert [] == [value for value in values(step.decision.data[target]) if value not in text]


@given(content=st.one_of(st.text(max_size=40), st.sampled_from(['{"name":', '{"name":[{}]}', "[" * 200, "\ud800"])))
@examples(200)
def test_any_output_is_read(content: str) -> None:
    """Two of them end the skill."""
    step = purestep.begin_skill("extract", {"text": "Anna", "target": "name"})
    assert not isinstance(ended(step, [content, content]).decision, CallModel)


@given(data=st.data())
@examples(200)
def test_any_json_is_answered(data: st.DataObject) -> None:
    """States with members changed, too: the JSON form never raises and has no defect."""
    state: dict[str, Any] = msgspec.to_builtins(
        purestep.begin_skill("extract", {"text": "Anna", "target": "name"}).state
    )
    odd: Any = data.draw(
        st.sampled_from([None, 1, -1, 2**70, "", "x", [], {}, {"name": ["Bob"]}, {"kind": "x", "message": ""}])
    )
    state[data.draw(st.sampled_from([*state, "data", "fault", "outputs", "errors", "refused"]))] = odd
    output = json.loads(purestep.run_skill(json.dumps({"state": state})))
    assert "internal_error" != output.get("error", {}).get("code")
    assert "Bob" not in json.dumps(output.get("decision", {}))
