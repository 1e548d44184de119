"""An output of the model's that is no turn of the conversation: a summary, or a plan, in plain words."""

from msgspec.structs import replace

from ..dialects import dialect_named, read_output
from ..draft import Draft, count_usage
from ..json_text import BLANK
from ..values import ModelOutput, Reading, fatal_problem


def words_aside(draft: Draft, output: ModelOutput, reading: Reading) -> tuple[str, str]:
    """Return the words of an output, and why they cannot be used, "" if they can; it counts as a turn.

    reading: in the dialect that the conversation has.
    """
    used = replace(draft.exchange.used, turns=draft.exchange.used.turns + 1)
    draft.exchange = replace(draft.exchange, model_errors=0, used=used)
    if output.usage is not None:
        count_usage(draft, output.usage)
    if fatal_problem(reading) is not None and not output.tool_calls:
        # Plain words, in whatever form the dialect has for answers.
        opened = draft.window.model in draft.agent.opening_models
        reading = read_output(dialect_named("auto"), output.content or "", None, opened=opened)
    return (reading.content or "").strip(BLANK), _problem(output, reading)


def _problem(output: ModelOutput, reading: Reading) -> str:
    """Say why an output has no words that can be used; "" if it has."""
    if output.finish_reason == "content_filter":
        return "the server withheld it"
    if output.tool_calls or reading.calls:
        return "it is a call"
    if output.finish_reason == "length":
        return "it was cut off"
    return "" if fatal_problem(reading) is None else "it could not be read"
