"""The attack with damaged JSON: no guess runs, nearly all that has one reading is read, and the judge can tell."""

import random

from tools.breaking.attacks.damages import judged
from tools.breaking.spelling import says

TRIALS = 600


def test_no_guess_runs_and_what_has_one_reading_is_read() -> None:
    """Of seeded damages none runs with a value that nobody wrote, and 85 % of the cosmetic ones are read as meant."""
    outcomes = [judged(random.Random(seed)) for seed in range(TRIALS)]
    assert [] == [output for outcome, _, _, output in outcomes if outcome == "broken"]
    cosmetic = [outcome for outcome, _, made, _ in outcomes if made.is_cosmetic]
    assert len(cosmetic) > TRIALS / 3
    assert cosmetic.count("read") >= 0.85 * len(cosmetic)


def test_text_says_a_value_only_if_all_of_it_stands_there() -> None:
    """The judge takes other ways of writing, and nothing that is lost, swallowed or left over."""
    value = {"city": "A", "days": 1}
    for text in ('{"city": "A", "days": 1}', "{city = 'A' days: +1,}", '{"city": "A", // why\n"days": 1}'):
        assert says(text, value, is_cut=False), text
    for text in ('{"city": "A}, "days": 1}', '{"city": "A"}, "days": 1}', '{"city": "A", "days": 1', '{"days": 1}'):
        assert not says(text, value, is_cut=False), text
    assert says('{"city": "A", "days": 1', value, is_cut=True)
    assert not says('{"city": "New York}}', {"city": "New York}}"}, is_cut=True)
    assert says('{"city": "say "hi" to"}', {"city": 'say "hi" to'}, is_cut=False)
    assert not says('{"city": "Pa"ris"}', {"city": 'Pa"ris'}, is_cut=False)
