"""The window: how large a prompt may be, how large it is at most, and what is left out of it when that is too much.

The core does not hold the transcript, so the state keeps the estimated size of what is sent (`Sent`): a bounded number
of parts, each the user's message or an output with its results, which are sent or dropped together. Estimates are on
the safe side, and the model's own counts (`usage.prompt_tokens`) only ever correct them in a safe way: they raise the
ratio by which estimates are multiplied, and they replace the estimate of exactly the prompt that was counted, while
later prompts append to it.

A prompt is appended to as long as it fits. When it does not, images and files of earlier exchanges are left out first,
then old tool outputs are shortened, then the oldest exchanges are dropped, then the oldest turns of this one; the
user's message and the last output with its results stay. It is shrunk by more than needed, so that the next prompts
have a stable prefix again. A summary of what was dropped is a part of its own, after the task.
"""

from .data_frame import data_text, framed, unframed, with_data
from .history import (
    result_cut,
    sent_cuts,
    texts_cut,
    with_cuts,
    without_cuts,
    without_exchanges_before,
    without_turns_before,
)
from .sent import (
    Entry,
    TextCut,
    apart,
    appended,
    counted_prompt,
    estimated_prompt,
    largest_prompt,
    less,
    prompt_entries,
    prompt_room,
    prompt_tokens,
    recounted,
    shrunk,
    summed_up,
    with_summary,
)
from .sizes import OutputPlace, attachment_tokens, message_tokens, with_attachments
from .token_counters import (
    ANY_TOKENIZER,
    SCRIPTS,
    TokenCounter,
    TokenWeights,
    counter_by,
    longest_start,
    weighted_tokens,
)
from .tokens import estimated_tokens
