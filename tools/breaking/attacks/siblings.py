"""Calls of all families whose markup is damaged, and JSON with quotes and brackets in its strings: no guess runs."""

import random
import re
from typing import Any, Final

from purestep.dialects import Form, dialect_named, read_output
from purestep.entry.stream import close_stream, feed, stream_of
from purestep.json_text import encode_sorted
from purestep.schema import compile_schema
from purestep.values import ReadCall, Reading, StreamCall, StreamEvent, fatal_problem
from purestep_formats.written_forms import write_calls

from ..attack import Attack
from ..spelling import says
from .markers import FORMS, SPECS

_VALUES: Final = (
    *("Oslo", "a.md", "see it there", "x = 1", "two\nlines", "it's 5 o'clock", "f(a) > b", "a, b", "7 days"),
    *("東京", "größe", "ｱｼｽﾀﾝﾄ", "مرحبا", "नमस्ते", "ⓦⓘⓟⓔ", "🙂 fine"),
)
"""Values without markup, so that each text with whole markup says one thing; letters of several scripts."""

_JSON_PARTS: Final = ('"', '"', "}", "{", "]", "[", ",", ": ", "x", "log(", ")", " and ", "n", "\\", "'", "\n", "3")


def _is_guess(reading: Reading, truth: tuple[ReadCall, ...]) -> bool:
    """Whether calls run that are not those that were meant."""
    if fatal_problem(reading) is not None or not reading.calls:
        return False
    if len(reading.calls) <= len(truth) and all(map(_says_as_much, reading.calls, truth)):
        return len(reading.calls) < len(truth) and not reading.content
    for call in reading.calls:
        spec = SPECS.get(call.tool)
        if spec is None or compile_schema(spec.parameters).check(call.params):
            return False  # it is sent back
    return True


def _says_as_much(call: ReadCall, meant: ReadCall) -> bool:
    """Whether a call is the one that was meant, but for a character that now stands at an end of a value."""
    if call.tool != meant.tool or call.params.keys() != meant.params.keys():
        return False
    return all(
        str(value) in str(call.params[key]) and len(str(call.params[key]).strip()) <= len(str(value)) + _EDGE_CHARS
        for key, value in meant.params.items()
    )


_EDGE_CHARS: Final = 2


def _told(text: str, truth: tuple[ReadCall, ...]) -> str | None:
    reading = read_output(dialect_named("auto"), text, SPECS)
    return f"{text!r} is read as {reading.calls!r}, and {truth!r} was meant" if _is_guess(reading, truth) else None


# --- siblings that are damaged ----------------------------------------------------------------------------

_MARKED: Final = {name: form for name, form in FORMS.items() if form.arguments in ("tags", "pairs")}


def _damaged_sibling(rng: random.Random) -> str | None:
    """Damage the markup between two values, or between two calls, and nothing else."""
    form = _MARKED[rng.choice(list(_MARKED))]
    # The values of the text are told apart by what stands in their places.
    first, second = rng.sample(_VALUES, 2)
    calls: tuple[ReadCall, ...] = (ReadCall(tool="save", params={"name": first, "text": second}),)
    if rng.randrange(3) == 0:
        calls = (*calls, ReadCall(tool="save", params={"text": rng.choice(_VALUES)}))
    text = write_calls(form, calls)
    between = _between(text, [str(value) for call in calls for value in call.params.values()])
    begin, end = rng.choice(between)
    return _told(text[:begin] + _damaged(text[begin:end], rng) + text[end:], calls)


def _between(text: str, values: list[str]) -> list[tuple[int, int]]:
    """Return where the markup between values is."""
    places, at = [], 0
    for value in values:
        begin = text.index(value, at)
        if at:
            places.append((at, begin))
        at = begin + len(value)
    return places


_TAG: Final = re.compile(r"<[^<>]*>|[^<>]+")


def _damaged(markup: str, rng: random.Random) -> str:
    """Return markup with a character or a tag missing, doubled or changed; names of arguments and tools stay."""
    kept = re.compile(r"text|name(?!=)|save")
    places = [
        place for place in range(len(markup)) if not any(m.start() <= place < m.end() for m in kept.finditer(markup))
    ]
    place = rng.choice(places)
    match rng.randrange(5):
        case 0:
            return markup[:place] + markup[place + 1 :]
        case 1:
            return markup[:place] + rng.choice("x<>/ =\"'\n") + markup[place + 1 :]
        case 2:
            return markup[:place] + rng.choice("x<>/ \n") + markup[place:]
        case 3:
            return markup[:place] + markup[place + 1 : place + 3] + markup[place + 3 :]
        case _:
            tags = [found.span() for found in _TAG.finditer(markup) if not kept.search(found[0])]
            begin, end = rng.choice(tags or [(place, place + 1)])
            return markup[:begin] + markup[end:]


# --- brackets and quotes in strings -----------------------------------------------------------------------

_BY_JSON: Final = {name: form for name, form in FORMS.items() if form.arguments == "json"}
_APART: Final = {
    "functionary": (">>>save\n", "", ""),
    "functionary tags": ("<function=save>", "</function>", ""),
    "react": ("Action: save\nAction Input: ", "", "\nObservation: 3"),
    "qwen-agent": ("✿FUNCTION✿: save\n✿ARGS✿: ", "", "\n✿RESULT✿: 3"),
    "internlm": ("<|action_start|><|action_name|>save<|action_args|>", "<|action_end|>", ""),
    "solar": ("<|tool_call:begin|>k3<|tool_call:name|>save<|tool_call:args|>", "<|tool_call:end|><|calls|>", ""),
    "tool use": ("<tool_use><name>save</name><arguments>", "</arguments></tool_use>", ""),
}


def _brackets_in_strings(rng: random.Random) -> str | None:
    """Leave the backslashes before quotes out, or put a bracket too early or too late."""
    params: dict[str, Any] = {"text": _json_value(rng), "name": rng.choice(_VALUES), "count": 3}
    whole = encode_sorted(params).decode()
    damaged = _with_damage(whole, rng)
    truth = (ReadCall(tool="save", params=params),)
    text = _placed(damaged, whole, truth, rng)
    told = _told(text, truth)
    if told is None:
        return None
    calls = read_output(dialect_named("auto"), text, SPECS).calls
    is_said = len(calls) == 1 and says(damaged, calls[0].params, is_cut=True)
    return None if is_said else told


def _json_value(rng: random.Random) -> str:
    return "".join(rng.choice(_JSON_PARTS) for _ in range(rng.randrange(1, 8)))


def _with_damage(whole: str, rng: random.Random) -> str:
    if rng.randrange(2):
        return whole.replace('\\"', '"')
    places = [found.start() for found in re.finditer(r"[,}]", whole)]
    place = rng.choice(places)
    return rng.choice(
        (whole[:place] + "}" + whole[place:], whole[:place] + whole[place + 1 :], whole + whole, whole + "x")
    )


def _placed(damaged: str, whole: str, truth: tuple[ReadCall, ...], rng: random.Random) -> str:
    name = rng.choice([*_BY_JSON, *_APART])
    if name in _APART:
        begin, end, after = _APART[name]
        return begin + damaged + end + after
    form: Form = _BY_JSON[name]
    return write_calls(form, truth).replace(whole, damaged)


# --- letters of all scripts -------------------------------------------------------------------------------

_LETTERS: Final = (
    *("abz", "\u00e9\u00df\u0130\u0131", "\u03b1\u03c9\u03c2", "\u0430\u044f\u0401", "\u0561\u0587", "\u05d0\u05ea"),
    *("\u0627\u0645\u0649", "\u0928\u0940\u0915\u094d\u0937", "\u0e01\u0e33\u0e40", "\u10d0\u10f0", "\u1200\u1300"),
    *("\u1780\u17c6", "\u3042\u30a2\uff71", "\u6771\u4eac", "\ud55c\uae00\u1112\u1161", "\U00010330"),
    *("\U0001d400", "\U00020000", "\u24e6\uff37", "e\u0301", "\ua000", "\u1d2c\u2c6f"),
)
"""Letters of alphabets, syllabaries and characters, also such as have marks, other cases or four bytes."""


def _letters(rng: random.Random) -> str | None:
    """Write values in letters of any script, which hold no markup: they are read as written, whole and streamed."""
    form = FORMS[rng.choice(list(FORMS))]
    words = ["".join(rng.choice(rng.choice(_LETTERS)) for _ in range(rng.randrange(1, 9))) for _ in range(3)]
    calls = (ReadCall(tool="save", params={"text": " ".join(words), "name": words[0]}),)
    text = write_calls(form, calls)
    reading = read_output(dialect_named("auto"), text, SPECS)
    stream, events = stream_of("auto", SPECS), list[StreamEvent]()
    for char in text:
        stream, happened = feed(stream, char)
        events += happened
    streamed = tuple(event.params for event in (*events, *close_stream(stream)) if isinstance(event, StreamCall))
    read = tuple(call.params for call in reading.calls)
    is_as_written = read == streamed == tuple(call.params for call in calls)
    return None if is_as_written else f"{text!r} is read as {read!r}, streamed as {streamed!r}"


# --- calls that are quoted --------------------------------------------------------------------------------

_QUOTES: Final = (
    "The page says `%s`, so I stop.", 'It says "%s" there.', "It says:\n```\n%s\n```\nI stop.",
    "It says:\n> %s\nI stop.",
    '{"kin": "final", "content": "%s"}', '{"kind" "final", "content": "It says %s there."}', '{"answer": "%s',
)  # fmt: skip


def _quoted_call(rng: random.Random) -> str | None:
    """Quote a call of any form in one line, or damage the envelope whose answer holds it."""
    form = FORMS[rng.choice(list(FORMS))]
    written = write_calls(form, (ReadCall(tool="save", params={"text": rng.choice(("Oslo", "東京", "größe"))}),))
    quote = rng.choice(_QUOTES)
    if "```" in written or (written[:1] in "[{" and ("```" not in quote or "json" in written)):
        return None  # a fence ends a fence, and bare JSON in an answer is data
    line = written.replace("\n", "")
    text = quote.replace("%s", encode_sorted(line).decode()[1:-1] if quote[0] == "{" else line)
    reading = read_output(dialect_named("auto"), text, SPECS)
    is_run = bool(reading.calls) and fatal_problem(reading) is None
    return f"{text!r} is read as {reading.calls!r}" if is_run else None


ATTACKS: Final = (
    Attack(
        name="letters",
        promise="Letters of any script are read as written",
        trial=_letters,
        least=100,
    ),
    Attack(
        name="quoted-calls",
        promise="A call in quotes, code or a damaged envelope never runs",
        trial=_quoted_call,
        least=300,
    ),
    Attack(
        name="damaged-siblings",
        promise="A value never swallows what follows it",
        trial=_damaged_sibling,
        least=500,
    ),
    Attack(
        name="brackets-in-strings",
        promise="What follows the arguments of a call is never left out",
        trial=_brackets_in_strings,
        least=500,
    ),
)
