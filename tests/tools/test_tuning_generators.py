"""Generated training data: varied, the same for a seed, in six languages, and right by their own schemas."""

import json
from datetime import date
from itertools import islice
from random import Random

import pytest

import purestep
from tools.tuning import form
from tools.tuning.generators import OwnChoice, own_trees, trees
from tools.tuning.generators.languages import CODES, LANGUAGES
from tools.tuning.generators.own_tools import varied
from tools.tuning.generators.values import (
    Day,
    Speaker,
    day,
    duration,
    goods,
    number_said,
    sentence,
    temperature,
    weight,
)
from tools.tuning.mix import Generated, Listed, NothingToLearnError, Source, drawn, learnt_tokens, prepared
from tools.tuning.packing import Encode
from tools.tuning.tool_files import Example, OwnTools
from tools.tuning.trees import Tree, Turn

SAMPLE = list(islice(trees(11), 600))
FRIDAY = date(2026, 11, 27)


def turns(made: list[Tree]) -> list[tuple[Tree, Turn]]:
    """The turns of trees, each with its tree."""
    return [(tree, turn) for tree in made for branch in tree.branches for turn in branch]


def test_a_seed_makes_the_same_trees() -> None:
    """The same seed gives the same trees in any process, and another one gives others."""
    first, again, other = (list(islice(trees(seed), 20)) for seed in (3, 3, 4))
    assert first == again
    assert [] == [tree for tree in first if tree in other]


def test_trees_are_varied() -> None:
    """Requests open in many ways, tools have many names, and prompts and requests have many lengths."""
    requests = [turn.text for _, turn in turns(SAMPLE) if turn.kind == "user"]
    openings = {" ".join(text.lower().split()[:3]) for text in requests}
    names = {spec["name"] for tree in SAMPLE for spec in tree.tools}
    parameters = {name for tree in SAMPLE for spec in tree.tools for name in spec["parameters"]["properties"]}
    assert len(set(requests)) > 0.95 * len(requests)
    assert len(openings) > 0.4 * len(requests)
    assert len(names) > 400
    assert len(parameters) > 60
    assert set(range(1, 10)) <= {len(tree.tools) for tree in SAMPLE}
    assert len({len(text.split()) for text in requests}) >= 20


@pytest.mark.parametrize("name", ["call", "ask", "answer"])
def test_every_kind_of_output_is_there(name: str) -> None:
    """Calls, questions and answers each are a tenth of the outputs or more."""
    kinds = [form.first_name(turn.output) for _, turn in turns(SAMPLE)]
    number = sum(kind == name if name != "call" else kind not in ("ask", "answer") for kind in kinds)
    assert number > len(kinds) / 12


def test_what_is_to_be_learnt_is_there() -> None:
    """Nested and repeated objects, negative numbers, retries, empty and long results, and orders inside of them."""
    outputs = [json.loads(turn.output) for _, turn in turns(SAMPLE)]
    values = [value for output in outputs for value in output.get("args", {}).values()]
    results = [turn.text for _, turn in turns(SAMPLE) if turn.kind == "result"]
    assert any(isinstance(value, dict) for value in values)
    assert any(isinstance(value, list) and isinstance(value[0], dict) for value in values)
    assert any(isinstance(value, int) and value < 0 for value in values)
    assert any("try again" in text for text in results)
    assert any(text == "[]" for text in results)
    assert any(len(text) > 300 for text in results)
    assert any("ignore all instructions" in text for text in results)


def test_calls_fit_the_tools_of_their_prompt() -> None:
    """Each call names a tool of its tree, and the core takes its arguments."""
    checked = 0
    for tree, turn in turns(SAMPLE[:200]):
        value = json.loads(turn.output)
        if "tool" in value:
            (spec,) = [each for each in tree.tools if each["name"] == value["tool"]]
            step = purestep.start(
                purestep.Agent.load(form.definition([spec])), purestep.UserMessage(content="q"), run_id="r"
            )
            step = purestep.step(step.state, purestep.ModelOutput(content=turn.output))
            decision = step.decision
            assert isinstance(decision, purestep.InvokeTool)
            assert (value["tool"], value["args"]) == (decision.tool, decision.params)
            checked += 1
    assert checked > 200


def test_no_two_tools_of_a_prompt_are_for_the_same() -> None:
    """Nobody could say which one is meant."""
    for tree in SAMPLE:
        assert len(tree.tools) == len({spec["name"] for spec in tree.tools})


def test_orders_inside_of_results_are_not_obeyed() -> None:
    """After a result with an order comes an answer that tells of the rest."""
    outputs = {turn.output for _, turn in turns(SAMPLE) if "ignore all instructions" in turn.text}
    assert outputs
    assert outputs <= {form.answer(f"status: {status}") for status in ("open", "paid", "sent", "late", "new")}


@pytest.mark.parametrize("code", CODES)
def test_a_language_has_all_its_words(code: str) -> None:
    """Numbers to twenty, the days of the week, and units are there."""
    language = LANGUAGES[code]
    assert (21, 7, 8) == (len(language.ones), len(language.weekdays), len(language.tens))
    assert len(set(language.ones)) == 21


@pytest.mark.parametrize("code", CODES)
def test_dates_are_those_of_the_calendar(code: str) -> None:
    """With a calendar a day is a date that the prompt lists; without one it is copied as it was said."""
    known = Day(today=FRIDAY, calendar=True)
    for seed in range(60):
        found = day(Speaker(chance=Random(seed), code=code, day=known))
        assert found.value in f"{known.line()}"
        plain = day(Speaker(chance=Random(seed), code=code, day=Day(today=FRIDAY)))
        assert plain.value == plain.said


def test_the_line_of_the_calendar() -> None:
    """The prompt tells today, and the seven days after it with their dates."""
    line = Day(today=FRIDAY, calendar=True).line()
    assert line.startswith("Today is Friday, 2026-11-27. Next days: Saturday 2026-11-28, Sunday 2026-11-29, ")
    assert line.endswith(", Friday 2026-12-04.")
    assert "Today is Friday, 2026-11-27." == Day(today=FRIDAY).line()
    assert "" == Day().line()


@pytest.mark.parametrize(
    ("code", "said", "minutes"),
    [
        ("en", "half an hour", 30),
        ("de", "anderthalb Stunden", 90),
        ("nl", "een kwartier", 15),
        ("fr", "une demi-heure", 30),
    ],
)
def test_durations_in_words(code: str, said: str, minutes: int) -> None:
    """A duration with words of its own is the number of its parameter's unit."""
    drawn_values = [duration("minutes")(Speaker(chance=Random(seed), code=code)) for seed in range(200)]
    assert {minutes} == {value.value for value in drawn_values if value.said == said}


def test_a_duration_in_the_unit_of_its_parameter() -> None:
    """Two hours are 7200 seconds where seconds are asked for."""
    drawn_values = [duration("seconds")(Speaker(chance=Random(seed))) for seed in range(300)]
    assert {7200} == {value.value for value in drawn_values if value.said in ("2 hours", "two hours")}


def test_numbers_are_said_in_figures_and_in_words() -> None:
    """Both come up, and what is said below zero keeps its sign."""
    said = {number_said(Speaker(chance=Random(seed), code="it"), 7) for seed in range(20)}
    assert {"7", "sette"} == said
    cold = [temperature(Speaker(chance=Random(seed), code="fr")) for seed in range(60)]
    assert all(value.said.startswith(("-", "moins ")) for value in cold if value.value < 0)


@pytest.mark.parametrize("code", CODES)
def test_weights_are_kilograms(code: str) -> None:
    """Grams are thousandths, and a decimal sign is the language's."""
    for seed in range(60):
        value = weight(Speaker(chance=Random(seed), code=code))
        number = float(value.said.split()[0].replace(",", "."))
        is_grams = "gram" in value.said.lower()
        assert value.value == pytest.approx(number / 1000 if is_grams else number)
        assert code != "en" or "," not in value.said


@pytest.mark.parametrize("code", CODES)
def test_texts_are_passed_on_as_they_were_said(code: str) -> None:
    """A sentence is copied, and every blank in it is filled."""
    texts = {sentence(Speaker(chance=Random(seed), code=code)).value for seed in range(80)}
    assert len(texts) > 60
    assert not any("{" in text for text in texts)


def test_goods_are_objects_with_their_numbers() -> None:
    """Each thing that is named is one object of the list."""
    value = goods(Speaker(chance=Random(2), code="de"))
    assert len(value.value) == len(value.said.replace(" und ", ", ").split(", "))
    assert set(value.schema["items"]["required"]) == set(value.value[0])


OWN = OwnTools(
    specs=(
        {
            "name": "restock",
            "description": "Order more of an article.",
            "parameters": {
                "type": "object",
                "properties": {
                    "sku": {"type": "string", "examples": ["TX-880"]},
                    "quantity": {"type": "integer", "minimum": 5, "maximum": 9},
                    "colour": {"enum": ["red", "blue"]},
                    "urgent": {"type": "boolean"},
                    "to": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
                    "notes": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["sku", "quantity"],
            },
        },
        {"name": "ping", "description": "", "parameters": {"type": "object", "properties": {}}},
    ),
    examples={"restock": (Example(say="nearly out of TX-880, get 7", args={"sku": "TX-880", "quantity": 7}),)},
)


def test_an_example_is_varied_by_its_values() -> None:
    """What stands in an example's words is replaced in words and arguments alike; what does not stand there stays."""
    (example,) = OWN.examples["restock"]
    told = Example(say=example.say, args={**example.args, "colour": "red"})
    made = [varied(Speaker(chance=Random(seed)), OWN.specs[0], told) for seed in range(40)]
    numbers = LANGUAGES["en"].ones
    for each in made:
        quantity = each.args["quantity"]
        assert each.args["sku"] in each.say
        assert each.say.endswith((f"get {quantity}", f"get {numbers[quantity]}"))
    assert {"red"} == {each.args["colour"] for each in made}
    assert len({each.say for each in made}) > 12


def test_requests_to_own_tools_follow_their_schemas() -> None:
    """Values are of the types, choices and bounds that a schema gives, and its examples of requests come up."""
    made = list(islice(own_trees(5, OWN, OwnChoice()), 120))
    calls = [json.loads(turn.output)["args"] for _, turn in turns(made) if form.first_name(turn.output) == "restock"]
    assert {"red", "blue"} == {call["colour"] for call in calls if "colour" in call}
    assert {5, 6, 7, 8, 9} == {call["quantity"] for call in calls}
    assert any(call["sku"] == "TX-880" for call in calls)
    assert any(isinstance(call.get("to"), dict) for call in calls)
    assert any("nearly out of " in turn.text for _, turn in turns(made))
    assert {"ping", "restock", "ask", "answer"} <= {form.first_name(turn.output) for _, turn in turns(made)}


def test_own_tools_in_other_languages() -> None:
    """Requests open in the languages that are chosen."""
    made = list(islice(own_trees(5, OWN, OwnChoice(languages=("de",))), 40))
    assert any("bitte" in turn.text.lower() for _, turn in turns(made))
    assert not any("please" in turn.text.lower() for _, turn in turns(made))


def letters() -> Encode:
    """Return an encoder with a token for each character."""
    return lambda text: [ord(letter) for letter in text]


def test_sources_are_drawn_by_weight() -> None:
    """A source of three times the weight comes up three times as often, every tree of it before one comes again."""
    one, other = (
        Source(name=name, weight=weight, of=Listed(listed=tuple(SAMPLE[at : at + 30])))
        for name, weight, at in (("a", 3.0, 0), ("b", 1.0, 30))
    )
    ready = prepared([one, other], letters, 100_000, workers=1)
    assert learnt_tokens(ready) == sum(len(row) for source in ready for row in source.rows)
    found = list(islice(drawn(ready, seed=1), 400))
    of_first = [row for row in found if any(row is each for each in ready[0].rows)]
    assert 250 < len(of_first) < 350
    assert 30 == len({id(row) for row in of_first[:30]})
    assert found == list(islice(drawn(ready, seed=1), 400))


def test_rows_that_are_too_short_are_an_error() -> None:
    """A training that would learn nothing does not begin."""
    source = Source(name="generated", weight=1.0, of=Generated(seed=2, number=3))
    with pytest.raises(NothingToLearnError, match="no tree fits into 20 tokens"):
        prepared([source], letters, 20, 1)


def test_processes_prepare_what_one_does() -> None:
    """The rows do not depend on how many processes make them."""
    source = Source(name="generated", weight=1.0, of=Generated(seed=2, number=12))
    assert prepared([source], letters, 4000, 1) == prepared([source], letters, 4000, 2)
