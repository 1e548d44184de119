"""Whether a task was finished right: the expected calls in order, no further effect, and the right answer.

An expected value is compared by its kind: numbers by value; a text of several words without case, outer quotation
marks and end punctuation; any other text, such as a path or an address, exactly. An object with one of these keys
stands for more than one value:

- `{"any": [...]}`: one of these
- `{"optional": [...]}`: one of these, or left out; an empty list allows every value
- `{"holds": ["late"]}`: a text that holds these words, where the wording is free
- `{"result": 1}`: what the first expected call gave, as a value or as text
"""

import json
import re
from collections.abc import Sequence
from typing import Any

from bench.carry.sets import SimulatedTool, Task
from bench.carry.toolbox import Ran
from purestep_hosts.evaluation.matching import stands_in

_QUOTES = "\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb"
_ENDS = " \t\n.,;:!?\"'`" + _QUOTES
_DONE = re.compile(r"\b(?:done|noted|saved|sent|added|created|cancelled|deleted|erledigt|notiert)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{4,}|\d+")
_PHRASE = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*|.*\s.*", re.DOTALL)
"""A word, or anything with a space: not a path, an address, a code or a date."""


def wrong(task: Task, tools: dict[str, SimulatedTool], ran: Sequence[Ran], answer: str | None) -> str:
    """Say in one sentence what was not right; an empty text when all was."""
    reason = wrong_calls(task, tools, ran) or wrong_answer(task, tools, answer)
    if not reason and task.calls and not task.answer and not _is_about(ran, answer or ""):
        return f"the answer says nothing of what was done: {answer!r}"
    return reason


def wrong_calls(task: Task, tools: dict[str, SimulatedTool], ran: Sequence[Ran]) -> str:
    """Say what is not right about the calls."""
    results: list[Any] = []
    for call in ran:
        if len(results) < len(task.calls) and call.ok and _is_expected(task, results, tools, call):
            results.append(call.output)
        elif not task.calls:
            return f"a call where none was needed: {_shown(call)}"
        elif call.ok and tools[call.tool].has_effects:
            return f"a call with effects that was not asked for: {_shown(call)}"
    if len(results) < len(task.calls):
        made = "; ".join(map(_shown, ran)) or "nothing"
        return f"call {len(results) + 1} was not made: {json.dumps(task.calls[len(results)])}; made: {made}"
    return ""


def wrong_answer(task: Task, tools: dict[str, SimulatedTool], answer: str | None) -> str:
    """Say what is not right about the answer."""
    if answer is None or not answer.strip():
        return "no answer"
    if _plain(answer) == _plain(task.query):
        return "the answer repeats the question"
    if not task.answer and _plain(answer) in _answers_of_examples(tools):
        return f"the answer is an example's: {answer!r}"
    for wanted in task.answer:
        if not any(stands_in(text, answer) for text in ([wanted] if isinstance(wanted, str) else wanted)):
            return f"the answer lacks {json.dumps(wanted, ensure_ascii=False)}: {answer[:200]!r}"
    for unwanted in task.answer_not:
        if stands_in(unwanted, answer):
            return f"the answer holds {unwanted!r}: {answer[:200]!r}"
    return ""


def expected_arguments(task: Task, index: int) -> list[dict[str, Any]]:
    """Give the arguments of an expected call, any of which are right."""
    given = task.calls[index][1]
    return given if isinstance(given, list) else [given]


def _is_expected(task: Task, results: list[Any], tools: dict[str, SimulatedTool], call: Ran) -> bool:
    index = len(results)
    if task.calls[index][0] != call.tool:
        return False
    properties = tools[call.tool].spec["parameters"].get("properties", {})
    return any(_fits(expected, call.params, properties, results) for expected in expected_arguments(task, index))


def _fits(expected: dict[str, Any], params: dict[str, Any], properties: dict[str, Any], results: list[Any]) -> bool:
    left = {
        name: value
        for name, value in params.items()
        if name in expected or "default" not in properties.get(name, {}) or properties[name]["default"] != value
    }
    for name, wanted in expected.items():
        if name not in left:
            if not (isinstance(wanted, dict) and "optional" in wanted):
                return False
        elif not _same(wanted, left.pop(name), results):
            return False
    return not left


def _same(wanted: Any, value: Any, results: list[Any]) -> bool:
    match wanted:
        case {"any": options}:
            return any(_same(option, value, results) for option in options)
        case {"optional": options}:
            return not options or any(_same(option, value, results) for option in options)
        case {"holds": words}:
            return isinstance(value, str) and all(stands_in(word, value) for word in words)
        case {"result": number}:
            result = results[number - 1]
            return _same(result, value, results) or (isinstance(value, str) and _same(as_text(result), value, results))
        case str() if isinstance(value, str):
            return _plain(wanted) == _plain(value) if _PHRASE.fullmatch(wanted) else wanted == value.strip()
        case list() if isinstance(value, list):
            return len(wanted) == len(value) and all(map(lambda a, b: _same(a, b, results), wanted, value))
        case _:
            return wanted == value and isinstance(wanted, bool) == isinstance(value, bool)


def as_text(value: Any) -> str:
    """Give a result as the text that a later call takes."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _is_about(ran: Sequence[Ran], answer: str) -> bool:
    """Tell whether an answer confirms, or shares a longer word or a number with the calls and their results."""
    done = " ".join(f"{json.dumps(call.params, ensure_ascii=False)} {as_text(call.output)}" for call in ran)
    return bool(_DONE.search(answer)) or not _words(done).isdisjoint(_words(answer))


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def _answers_of_examples(tools: dict[str, SimulatedTool]) -> set[str]:
    examples = (example for tool in tools.values() for example in tool.spec.get("examples", ()))
    return {_plain(example["answer"]) for example in examples}


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold().strip(_ENDS)


def _shown(call: Ran) -> str:
    mark = "" if call.ok else f" -> {call.output}"
    return f"{call.tool}({json.dumps(call.params, ensure_ascii=False)[:200]}){mark}"
