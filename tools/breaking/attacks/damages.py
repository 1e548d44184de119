"""Damaged JSON with known true values: whatever is damaged, a call never runs with a value that had to be guessed."""

import json
import random
from typing import Any, Final

from purestep.entry.standalone import read_text
from purestep.schema import coerce, compile_schema

from ..attack import Attack
from ..damages import Damaged, damaged
from ..spelling import says

PLACES: Final = ("tags", "value", "bare")
"""Where the damaged JSON stands: a call in `<tool_call>` tags, one argument's value in tags, a call without markers."""

OUTCOMES: Final = ("read", "refused", "valid json", "says so", "broken")
"""What became of damaged JSON: read as meant; no call; a call with another value, because the text is JSON, or says
that value in another way of writing; or because it was guessed."""


def judged(rng: random.Random) -> tuple[str, str, Damaged, str]:
    """Make damaged JSON and read it; gives the outcome, the place, what was damaged, and the output."""
    place = rng.choice(PLACES)
    made = damaged(rng, is_call=place != "value")
    output, tool = _output(made, place)
    reading = read_text(output, "auto", [tool])
    fatal = any(problem.code not in ("repaired", "ignored_text") for problem in reading.problems)
    if fatal or len(reading.calls) == 0:
        return "refused", place, made, output
    schema = compile_schema(tool["parameters"])
    taken = [coerce(schema, call["params"])[0] for call in reading.calls]
    if any(schema.check(params) for params in taken) or any(call["tool"] != "act" for call in reading.calls):
        return "refused", place, made, output
    given = taken[0].get("value") if place == "value" and isinstance(taken[0], dict) else taken[0]
    if len(taken) == 1 and _same(given, made.truth):
        return "read", place, made, output
    return _why_other(made, reading.calls[0]["params"], place, len(taken)), place, made, output


def _output(made: Damaged, place: str) -> tuple[str, dict[str, Any]]:
    schema = made.schema
    if place == "value":
        schema = {"type": "object", "properties": {"value": schema}, "required": ["value"]}
        text = f"<tool_call>\n<function=act>\n<parameter=value>\n{made.text}\n</parameter>\n</function>\n</tool_call>"
    else:
        text = f"<tool_call>\n{made.text}\n</tool_call>" if place == "tags" else made.text
    return text, {"name": "act", "parameters": schema}


def _why_other(made: Damaged, params: dict[str, Any], place: str, number: int) -> str:
    said = params.get("value") if place == "value" else {"name": "act", "arguments": params}
    try:
        json.loads(made.text)
    except ValueError:
        pass
    else:
        return "valid json"
    is_said = number == 1 and says(made.text, said, is_cut=made.is_cut)
    return "says so" if is_said else "broken"


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _trial(rng: random.Random) -> str | None:
    outcome, place, made, output = judged(rng)
    if outcome != "broken":
        return None
    return f"a guess ran ({place}; {', '.join(made.damages)}): {output} for {json.dumps(made.truth)}"


ATTACKS: Final = (Attack(name="damages", promise="a guess never runs", trial=_trial, least=500),)
