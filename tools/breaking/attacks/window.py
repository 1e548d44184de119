"""Long runs whose prompts are counted: none is larger than the window, changed without a line, or torn apart."""

import random
from typing import Final

from purestep.window import estimated_tokens

from ...window.runs import window_run
from ..attack import Attack


def over_window(chance: random.Random) -> str | None:
    """Make a long run for a model whose every token is as fine as the estimate allows, the worst that it allows for."""
    return window_run(chance, _finest).broken


def _finest(text: str) -> int:
    markers = text.count("<|im_start|>") + text.count("<|im_end|>")
    return markers + estimated_tokens(text.replace("<|im_start|>", "").replace("<|im_end|>", ""))


ATTACKS: Final = (
    Attack(
        name="window",
        promise="A prompt is never larger than the model's window less the answer's reserve.",
        trial=over_window,
        least=5,
    ),
)
