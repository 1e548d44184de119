"""Calls written in a family's form, as its data says: past turns, and what grammars hold outputs to."""

from typing import Any, Final

from purestep.dialects import Form
from purestep.json_text import encode_sorted
from purestep.values import ReadCall

from .call_readers import on_lines


def write_calls(form: Form, calls: tuple[ReadCall, ...]) -> str:
    """Write calls in a form."""
    return form.open + form.between.join(_one(form, call, index) for index, call in enumerate(calls)) + form.close


def write_call(form: Form, call: ReadCall) -> str:
    """Write one call as a whole output."""
    return write_calls(form, (call,))


def opened(form: Form, tool: str, index: int = 0) -> str:
    """Return what comes before the arguments of a call."""
    return form.begin.replace("{name}", tool).replace("{index}", str(index))


def _one(form: Form, call: ReadCall, index: int) -> str:
    return opened(form, call.tool, index) + _arguments(form, call.params) + form.end


def _arguments(form: Form, params: dict[str, Any]) -> str:
    match form.arguments:
        case "json":
            return encode_sorted(params).decode()
        case "tags":
            given = sorted(params.items())
            is_exact = form.tag[1].startswith("\n") or "string" in form.tag[0]  # an attribute says what the text is
            if not is_exact and on_lines(_raw(value) for _, value in given):
                # Their breaks would be taken for those around values on lines of their own.
                given = [(key, f"\n{value}\n" if value else value) for key, value in given]
            return "".join(tagged(form, key, value) for key, value in given)
        case "python":
            return ", ".join(f"{key}={python_literal(value)}" for key, value in sorted(params.items()))
        case "pairs":
            return ",".join(f"{key}:{quoted(form.quote, value)}" for key, value in sorted(params.items()))


def tagged(form: Form, key: str, value: Any) -> str:
    """Return an argument in its tag."""
    return opening_tag(form, key, isinstance(value, str)) + _raw(value) + form.tag[1]


def _raw(value: Any) -> str:
    return value if isinstance(value, str) else encode_sorted(value).decode()


def opening_tag(form: Form, key: str, is_text: bool) -> str:
    """Return the tag that an argument begins with."""
    return form.tag[0].replace("{key}", key).replace("{string}", "true" if is_text else "false")


_PYTHON_WORDS: Final = {True: "True", False: "False", None: "None"}


def python_literal(value: Any) -> str:
    """Write a value as Python does."""
    match value:
        case None | bool():
            return _PYTHON_WORDS[value]
        case dict():
            items = (f"{encode_sorted(key).decode()}: {python_literal(item)}" for key, item in sorted(value.items()))
            return "{" + ", ".join(items) + "}"
        case list():
            return "[" + ", ".join(python_literal(item) for item in value) + "]"
        case _:
            return encode_sorted(value).decode()


def quoted(quote: str, value: Any) -> str:
    """Write a value with bare names and with strings in a mark."""
    match value:
        case str():
            return f"{quote}{value}{quote}"
        case dict():
            return "{" + ",".join(f"{key}:{quoted(quote, item)}" for key, item in sorted(value.items())) + "}"
        case list():
            return "[" + ",".join(quoted(quote, item) for item in value) + "]"
        case _:
            return encode_sorted(value).decode()
