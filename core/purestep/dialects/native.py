"""The native dialect: the server is given the tools and returns calls beside the text (OpenAI `tool_calls`)."""

from collections.abc import Mapping, Sequence
from typing import Final

from ..bounds import MAX_SHOWN_CHARS
from ..json_text import BLANK, encode, plain_numbers
from ..scanner import THINKING
from ..values import NativeCall, NativeFunction, Problem, ReadCall, Reading, Tools, parse_error, truncated
from .dialect import Dialect, Sample
from .lone_calls import strict_arguments


def read(text: str, _tools: Tools | None = None) -> Reading:
    """Read text that came without calls: it is the answer."""
    return Reading(content=text.strip(BLANK) or None)


def read_calls(
    content: str | None, entries: Sequence[NativeCall], own_names: Mapping[str, str], *, cut: bool = False
) -> Reading:
    """Read the calls that a server returned beside the text, in its order.

    own_names: of tools that it was given under other names. cut: the length limit ended the output.
    """
    calls: list[ReadCall] = []
    problems: list[Problem] = []
    for entry in entries:
        params = strict_arguments(plain_numbers(entry.function.arguments))
        if not entry.function.name:
            problems.append(parse_error("a call has no tool name"))
        elif params is None:
            found = f'the arguments of "{entry.function.name}" are not one JSON object{_quoted(entry.function)}'
            problems.append(truncated(found) if cut else parse_error(found))
        else:
            name = own_names.get(entry.function.name, entry.function.name)
            calls.append(ReadCall(tool=name, params=params, call_id=entry.id))
    return Reading(content=content or None, calls=tuple(calls), problems=tuple(problems))


def _quoted(function: NativeFunction) -> str:
    """Return what the model wrote as arguments: the history that goes back to it has an object in their place."""
    written = function.arguments if isinstance(function.arguments, str) else encode(function.arguments).decode()
    return f": {written}" if len(written) <= MAX_SHOWN_CHARS else f": {written[:MAX_SHOWN_CHARS]}..."


def instruct(_tools: Tools) -> str:
    """Teach nothing: the server does."""
    return ""


def write(sample: Sample) -> str:
    """Write an answer as it is; calls have their own place in the message."""
    return sample.answer or ""


NATIVE: Final = Dialect(
    name="native",
    read=read,
    instruct=instruct,
    write=write,
    remind="Call a tool with one JSON object of arguments, or answer in plain text.",
    result_role="tool",
    native_tools=True,
    table=THINKING,
)
