"""Attacks with markers in arguments: a value that holds any marker of its family is read as it was, or not at all."""

import random
import re
from collections.abc import Iterator
from typing import Any, Final

from purestep.dialects import Form, Sample, dialect_named, read_output
from purestep.entry.standalone import specs_of
from purestep.entry.stream import close_stream, feed, stream_of
from purestep.json_text import encode_sorted
from purestep.scanner import REASONING
from purestep.values import ReadCall, Reading, StreamCall, StreamRetract, ToolSpec, fatal_problem
from purestep_formats.families.families import FAMILY_DIALECTS
from purestep_formats.families.family_forms import FAMILIES
from purestep_formats.written_forms import write_calls

from ..attack import Attack

_STRING: Final = {"type": "string"}
_SAVE: Final[dict[str, Any]] = {
    "name": "save",
    "parameters": {
        "type": "object",
        "properties": {"text": _STRING, "name": _STRING, "count": {"type": "integer"}},
        "required": ["text"],
    },
}
SPECS: Final[dict[str, ToolSpec]] = (
    specs_of([_SAVE, {"name": "get_time", "parameters": {"type": "object", "properties": {}}}]) or {}
)

_BAR: Final = "\uff5c"
_M3: Final = "]<]minimax[>["
OTHER_FORMS: Final = {
    "kimi_k3": Form(
        open="<|open|>tools<|sep|>",
        begin='<|open|>call tool="{name}" index="1"<|sep|>',
        end="<|close|>call<|sep|>",
        close="<|close|>tools<|sep|>",
        arguments="tags",
        tag=('<|open|>argument key="{key}" type="string"<|sep|>', "<|close|>argument<|sep|>"),
    ),
    "solar": Form(
        begin="<|tool_call:start|>{name}\n",
        end="<|tool_call:end|>",
        arguments="tags",
        tag=("<|tool_arg:start|>{key}<|tool_arg:value|>", "<|tool_arg:end|>\n"),
    ),
    "hunyuan": Form(
        open="<tool_calls>",
        begin="<tool_call>{name}<tool_sep>",
        end="</tool_call>",
        close="</tool_calls>",
        arguments="tags",
        tag=("<arg_key>{key}</arg_key>\n<arg_value>", "</arg_value>\n"),
    ),
    "step": Form(
        open=f"<{_BAR}tool_calls_begin{_BAR}>",
        begin=f'<{_BAR}tool_call_begin{_BAR}>function<{_BAR}tool_sep{_BAR}><steptml:invoke name="{{name}}">',
        end=f"</steptml:invoke><{_BAR}tool_call_end{_BAR}>",
        close=f"<{_BAR}tool_calls_end{_BAR}>",
        arguments="tags",
        tag=('<steptml:parameter name="{key}">', "</steptml:parameter>"),
    ),
}
"""Forms that are read, of families without a dialect of their own."""

FORMS: Final[dict[str, Form]] = {**{f.name: f for f in FAMILIES}, **OTHER_FORMS}

_WORDS: Final = (
    "a",
    "see ",
    " here",
    "x = 1",
    "\n",
    "\n\n",
    " ",
    '"',
    "'",
    "`",
    "```",
    "```json\n",
    "{",
    "}",
    "[",
    "]",
    "),",
)
_KEYS: Final = ("text", "name", "count", "x")
_TOOLS: Final = ("save", "get_time", "f")
_PARTS: Final = re.compile(r"<[^<>]*>?|[^<>]+", re.DOTALL)


def pieces(form: Form) -> list[str]:
    """Return what values are made of: the markers of a form, whole and in parts, reasoning, quotes and words."""
    parts = (form.open, form.begin, form.end, form.between, form.close, *form.tag, form.quote)
    whole = [part for part in parts if part]
    halves = [found for part in whole for found in _PARTS.findall(part) if len(found) > 1]
    marked = [each for part in (*whole, *halves, *halves) for each in _filled(part)]
    return [*marked, *_WORDS, *(mark for pair in REASONING[:8] for mark in pair)]


def _filled(part: str) -> Iterator[str]:
    if "{key}" in part:
        yield from (part.replace("{key}", key).replace("{string}", "true") for key in _KEYS)
    elif "{name}" in part:
        yield from (part.replace("{name}", tool).replace("{index}", "0") for tool in _TOOLS)
    else:
        yield part


def marked_arguments(form: Form, rng: random.Random) -> dict[str, Any]:
    """Return arguments whose values hold markers of a form and can be told from several values."""
    made = pieces(form)
    while True:
        params: dict[str, Any] = {"text": _value(made, rng)}
        if rng.randrange(2):
            params["name"] = _value(made, rng)
        if not rng.randrange(3) and form not in OTHER_FORMS.values():
            params["count"] = rng.randrange(100)
        if is_one_call(form, params):
            return params


def _value(made: list[str], rng: random.Random) -> str:
    return "".join(rng.choice(made) for _ in range(rng.randrange(1, 7)))


def is_one_call(form: Form, params: dict[str, Any]) -> bool:
    """Whether a call with these values is one to everybody.

    A value that holds the end of a value and the beginning of another, or of a call, as the family writes them, is two
    values or two calls: nobody can tell.
    """
    blanks, end, begin = r"[ \n]*", "", []
    if form.arguments == "tags":
        end = re.escape(form.tag[1].strip())
        outer = "".join(
            f"(?:{blanks}{re.escape(part)})?" for part in _PARTS.findall(form.end + form.close) if part.strip()
        )
        heads = (form.open.strip(), form.begin.partition("{name}")[0].strip())
        begin = [
            re.escape(form.tag[0].partition("{key}")[0]),
            *(outer + blanks + re.escape(head) for head in heads if head),
        ]
    elif form.arguments == "pairs":
        end = re.escape(form.quote)
        begin = [f",{blanks}[a-z]+:", f"}}{blanks}{re.escape(form.end[1:])}"]
    two = [re.compile(f"{end}{blanks}{each}") for each in begin]
    texts = [value for value in params.values() if isinstance(value, str)]
    return not any(pattern.search(text) for pattern in two for text in texts)


def misread(reading: Reading, call: ReadCall) -> str | None:
    """Say what is wrong with the reading of a call: anything but the call, or a problem that is sent back."""
    if fatal_problem(reading) is not None or reading.calls == (call,):
        return None
    return f"read as {reading.calls!r} with the text {reading.content!r}"


def told_by_stream(text: str, rng: random.Random) -> tuple[ReadCall, ...]:
    """Return the calls that a stream tells whose chunks end at random."""
    stream, at, events = stream_of("auto", SPECS), 0, list[Any]()
    while at < len(text):
        size = rng.choice((1, 1, 2, 5, 30))
        stream, happened = feed(stream, text[at : at + size])
        at, events = at + size, [*events, *happened]
    calls: list[ReadCall] = []
    for event in (*events, *close_stream(stream)):
        if isinstance(event, StreamCall):
            calls.append(ReadCall(tool=event.tool, params=event.params))
        elif isinstance(event, StreamRetract):
            calls.clear()
    return tuple(calls)


def marked_call(rng: random.Random) -> tuple[str, ReadCall]:
    """Return a text of a form with a call whose values hold markers, and the call."""
    name = rng.choice(list(FORMS))
    call = ReadCall(tool="save", params=marked_arguments(FORMS[name], rng))
    own = {dialect.name: dialect for dialect in FAMILY_DIALECTS}
    written = own[name].write(Sample(calls=(call,))) if name in own else write_calls(FORMS[name], (call,))
    return rng.choice(("", "I look.\n")) + written + rng.choice(("", "", "\nThat is it.")), call


def _is_read_or_sent_back(rng: random.Random) -> str | None:
    text, call = marked_call(rng)
    reading = read_output(dialect_named("auto"), text, SPECS)
    wrong = misread(reading, call)
    if wrong is None:
        told = told_by_stream(text, rng)
        known = tuple(each for each in reading.calls if each.tool in SPECS)
        wrong = None if told == known else f"streamed as {told!r}, but read as {known!r}"
    return None if wrong is None else f"{text!r} is {wrong}"


# --- tags named after the arguments --------------------------


def _is_read_by_name(rng: random.Random) -> str | None:
    """Try MiniMax M3's form, whose tags depend on the arguments."""
    tags = [f"{_M3}<{slash}{name}>" for slash in ("", "/") for name in (*_KEYS, "tool_call", "invoke", "item")]
    made = [*tags, *tags, f'{_M3}<invoke name="save">', _M3, *_WORDS]
    params = {key: _value(made, rng) for key in ("text", "name")[: rng.randrange(1, 3)]}
    both = re.compile(rf"{re.escape(_M3)}</[a-z_]+>[ \n]*(?:{re.escape(_M3)}</[a-z_]+>[ \n]*)*{re.escape(_M3)}<[a-z]")
    if any(both.search(value) for value in params.values()):
        return None
    inner = "".join(f"{_M3}<{key}>{value}{_M3}</{key}>" for key, value in params.items())
    text = f'{_M3}<tool_call>{_M3}<invoke name="save">{inner}{_M3}</invoke>{_M3}</tool_call>'
    reading = read_output(dialect_named("auto"), text, SPECS)
    wrong = misread(reading, ReadCall(tool="save", params=params))
    if wrong is None and told_by_stream(text, rng) != tuple(call for call in reading.calls if call.tool in SPECS):
        wrong = "streamed otherwise"
    return None if wrong is None else f"{text!r} is {wrong}"


# --- arguments twice --------------------------


def _is_not_guessed(rng: random.Random) -> str | None:
    """Try a call that gives one argument two values."""
    forms = {name: form for name, form in FORMS.items() if form.arguments == "tags"}
    form = forms[rng.choice(list(forms))]
    one, two = rng.sample(("a", "b", "3", "{}", "", "x y"), 2)
    text = write_calls(form, (ReadCall(tool="save", params={"text": one, "zzz": two}),)).replace("zzz", "text")
    reading = read_output(dialect_named("auto"), text, SPECS)
    return None if fatal_problem(reading) is not None else f"{text!r} is read as {encode_sorted(str(reading.calls))!r}"


ATTACKS: Final = (
    Attack(
        name="markers",
        promise="A value that holds markers is read as it was written, or the output is sent back",
        trial=_is_read_or_sent_back,
        least=500,
    ),
    Attack(
        name="markers-by-name",
        promise="A value that holds markers is read as it was written, or the output is sent back",
        trial=_is_read_by_name,
        weight=0.3,
        least=200,
    ),
    Attack(
        name="arguments-twice",
        promise="A call that gives an argument twice is sent back",
        trial=_is_not_guessed,
        weight=0.1,
        least=100,
    ),
)
