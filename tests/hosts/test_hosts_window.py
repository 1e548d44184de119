"""The estimate and the window against a real tokenizer: that of the bundled model."""

import random
from collections.abc import Iterator

import pytest

from purestep.window import estimated_tokens, weighted_tokens
from purestep_formats.token_weights import TOKENIZERS
from tools.window.estimates import kinds
from tools.window.runs import Count, model_count, window_run
from tools.window.texts import KINDS, text_of


@pytest.fixture(scope="module")
def count() -> Iterator[Count]:
    """The bundled model's own count of tokens."""
    with model_count() as counting:
        yield counting


class _OneKind(random.Random):
    """A source of chance that always draws one kind of text."""

    kind = ""

    def choice(self, seq):  # type: ignore[no-untyped-def]
        return self.kind if self.kind in seq and len(seq) > 10 else super().choice(seq)


@pytest.mark.parametrize("kind", KINDS)
def test_estimate_is_never_below_the_models_count(count: Count, kind: str) -> None:
    """Whatever the script: a text of some length has at most the estimated tokens."""
    chance = _OneKind(7)
    chance.kind = kind
    for words in (20, 60, 400):
        text = text_of(chance, words)
        assert count(text) <= estimated_tokens(text), text[:80]


@pytest.mark.parametrize("kind", kinds())
def test_weights_of_its_own_tokenizer_are_near_the_models_count(count: Count, kind: str) -> None:
    """A first prompt, of which nobody has counted anything, is estimated within 15 %."""
    text = kinds()[kind]
    assert abs(weighted_tokens(text, TOKENIZERS["smollm2"]) - count(text)) * 100 <= 15 * count(text)


@pytest.mark.parametrize("seed", range(6))
def test_long_run_by_its_own_tokenizer_leaves_room_for_the_answer(count: Count, seed: int) -> None:
    """Texts of hostile kinds may take a little of what is left to the answer."""
    assert window_run(random.Random(seed), count, "smollm2").broken is None


@pytest.mark.parametrize("seed", range(12))
def test_long_run_never_sends_more_than_the_window(count: Count, seed: int) -> None:
    """By the model's own count, special tokens included, whatever the server says of usage."""
    assert window_run(random.Random(seed), count).broken is None
