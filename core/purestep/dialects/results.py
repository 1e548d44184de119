"""Results that a model makes up: behind a call it goes on with what only its host can say.

The turn is over there, so a stream says `stop`, and nothing behind counts. Before any call such text is text.
Sources: the chat templates, which write results between these marks.
"""

from typing import Final

from ..scanner import BlockStart
from .family_forms import FAMILIES

_OTHERS: Final = (
    "</tool_response>", "<function_response", "<|START_TOOL_RESULT|>", "function result<|role_sep|>",
    *(f"<{bar}tool▁outputs▁begin{bar}>" for bar in ("｜", "|")), "<|tool▁output▁begin|>",
    "<|im_start|>", "<|start_header_id|>", "<start_of_turn>",
)  # fmt: skip
_MARKS: Final = sorted(
    {*_OTHERS, *(family.form.result[0].partition("\n")[0] for family in FAMILIES if family.form.result is not None)}
)

RESULTS: Final = (
    *(BlockStart(mark=mark, scan="result") for mark in _MARKS),
    BlockStart(
        pattern=r"(?:Result|Error) of [A-Za-z_][A-Za-z0-9_.-]{0,63}: (?P<inner>)",
        partial=r"R(?:e(?:s(?:u(?:lt?)?)?)?)?|E(?:r(?:r(?:or?)?)?)?|"
        r"(?:Result|Error) (?:of?)?|(?:Result|Error) of (?:[A-Za-z_][A-Za-z0-9_.-]{0,63}:?)?",
        starts="RE",
        scan="result",
    ),
)
"""What begins a result, in the families' forms and in the words of dialects without a form of their own."""
