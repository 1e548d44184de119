"""Values that an earlier result holds under a parameter's name."""

from typing import Any, Final

from ..json_text import UNREADABLE, read_json
from .clauses import Words
from .sources import Parameter, name_words


def named_in_result(parameter: Parameter, words: Words) -> tuple[Any, ...]:
    """Give the value that the last result holds under the parameter's name, or its end: the `id` for `message_id`."""
    value = read_json(words.results[0]) if words.results and words.results[0][:1] in ("{", "[") else UNREADABLE
    found = _first_object(value, _RESULT_DEPTH)
    by_words = {name_words(key): member for key, member in found.items()}
    for known in (parameter.words, parameter.words[-1:], ("id",)):
        member = by_words.get(known)
        if isinstance(member, str | int) and not isinstance(member, bool):
            return (member if _takes_number(parameter) else str(member),)
    return ()


def _first_object(value: Any, depth: int) -> dict[str, Any]:
    """Give the first entry of what was found, or the object itself where it holds no list."""
    if isinstance(value, list) and value and depth:
        return _first_object(value[0], depth - 1)
    if not isinstance(value, dict):
        return {}
    inner = next((each for each in value.values() if isinstance(each, list) and each), None)
    return _first_object(inner, depth - 1) if inner is not None and depth else value


_RESULT_DEPTH: Final = 4


def _takes_number(parameter: Parameter) -> bool:
    return parameter.source == "number"
