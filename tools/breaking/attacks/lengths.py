"""Long texts: whatever is repeated, four times as much of it costs about four times as much, in every function."""

import json
import random
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import purestep
from purestep.scanner import BlockStart
from purestep_formats.families.families import ALL_MARKERS
from purestep_tools.html_pages import html_text
from tools.growth import is_linear
from tools.vectors.scenarios.streams.replies import REPLIES

from ..attack import Attack
from ..mutation import happens

LONG_CHARS: Final = 1 << 18
"""The shorter of two texts; the longer one is four times as long."""

_DIALECTS: Final = tuple(json.loads(purestep.core_info())["dialects"])
_TARGETS: Final = ("date", "url", "email", "number", "amount", "phone", "a name")
_SMALL: Final = tuple(" \n\ta0_-:.,;'\"\\{}[]()<>`=/|@#&%$+*\u00e9\u4e00\u2581\uff5c\u0661\u05d0\x1b")
_PIECES: Final = (
    *('"a":', '{"name":"a","arguments":{', '"a":"', "'a':", "a-", "a.", "a_", '\\"', '"\\', "```", "```json\n"),
    *("/*", "//", "<think>", "</think>", "<!--", "-->", "&quot;", "&#", "a@", "a@b.", "http://", "://a:", "2024-"),
    *("1,", "1.", "DE89 ", "sk-", "password=", "eyJ", "-----BEGIN PRIVATE KEY-----", "[hidden ", "data: ", "\r\n"),
    *("data:\n\n", "call:a{", "a(a=", "<a>", "</a>", "<a b='", "\x1b[", "\x1b]8;;", "Action: a\n", "tool.0."),
    *("EMP-1", "$.a", "[^1]", "\u2060", "\ud83d\ude00", "/etc/", "C:\\", "a b ", "#/", "12:30 ", "Mon, "),
)
_SOURCES: Final = (
    *("(a|a)*b", r"(\w+\s?)*$", "EMP-[0-9]{6}", "(a*)*c", "(?=a+b)a", r"\b\d+\b", "^(a|b|ab)*c$"),
    "x{1,99}y{2,9}z",
)

Function = Callable[[str], object]


@cache
def _marks() -> tuple[str, ...]:
    starts: list[BlockStart] = list(ALL_MARKERS.starts)
    return tuple(sorted({mark for start in starts for mark in (start.mark, *start.closers) if mark}))


def _called(call: Callable[[str], str], **members: Any) -> Callable[[str, str], object]:
    return lambda name, text: call(json.dumps({**members, name: text}))


def _reading(chance: random.Random) -> tuple[str, Function]:
    dialect = chance.choice(_DIALECTS)
    tools = [{"name": "a", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}}]
    ask = _called(purestep.read_model_output, dialect=dialect, tools=tools)
    return f"read_model_output as {dialect}", lambda text: ask("text", text)


def _stream(chance: random.Random) -> tuple[str, Function]:
    dialect = chance.choice(_DIALECTS)
    stream = json.loads(purestep.stream_model_output(json.dumps({"dialect": dialect})))["stream"]
    ask = _called(purestep.stream_model_output, stream=stream)
    return f"stream_model_output as {dialect}", lambda text: ask("chunk", text)


def _extract(chance: random.Random) -> tuple[str, Function]:
    target = chance.choice(_TARGETS)
    return f"extract {target}", lambda text: purestep.run_skill(
        json.dumps({"skill": "extract", "params": {"text": text, "target": target}})
    )


def _redaction(chance: random.Random) -> tuple[str, Function]:
    kinds = ["secrets", "emails", "card_numbers", "ibans"]
    patterns = chance.sample(_SOURCES, chance.randint(0, 1))
    agent = {"policies": [{"use": "redaction", "kinds": kinds, "patterns": patterns}]}

    def redact(text: str) -> object:
        said = {"type": "user_message", "content": text}
        return purestep.redact_observation(json.dumps({"agent": agent, "observation": said, "salt": "s"}))

    return f"redact_observation with {patterns}", redact


def _pattern(chance: random.Random) -> tuple[str, Function]:
    schema = {"type": "string", "pattern": chance.choice(_SOURCES)}
    ask = _called(purestep.check_value, schema=schema)
    return f"check_value with {schema['pattern']}", lambda text: ask("value", text)


def _log(chance: random.Random) -> tuple[str, Function]:
    name = chance.choice(["verify_log", "replay_log", "explain_log", "redrive_log"])
    return name, getattr(purestep, name)


def _reply(chance: random.Random) -> tuple[str, Function]:
    chunks = [chunk for _, groups, _ in REPLIES.values() for group in groups for chunk in group]
    chunk = chance.choice(chunks)
    opened = json.loads(purestep.receive_model_reply("{}"))["reply"]
    function = chance.choice(["chunk", "fault"])

    def receive(text: str) -> object:
        if function == "fault":
            return purestep.read_model_fault(json.dumps({"status": 400, "body": text}))
        written = json.dumps(chunk).replace('"content": "', '"content": "' + json.dumps(text)[1:-1], 1)
        return purestep.receive_model_reply(json.dumps({"reply": opened, "chunks": [json.loads(written)]}))

    return f"a reply's {function}", receive


def _page(chance: random.Random) -> tuple[str, Function]:
    del chance
    return "html_text", html_text


_FUNCTIONS: Final = (_reading, _reading, _reading, _stream, _extract, _redaction, _pattern, _log, _reply, _page)


def _fragment(chance: random.Random) -> str:
    sources = (_SMALL, _PIECES, _marks())
    return "".join(chance.choice(chance.choice(sources)) for _ in range(chance.choice((1, 1, 1, 2, 2, 3))))


def _grows(chance: random.Random) -> str | None:
    name, function = chance.choice(_FUNCTIONS)(chance)
    lead = (
        "".join(chance.choice(_marks() + _PIECES) for _ in range(chance.randint(0, 2))) if happens(chance, 70) else ""
    )
    unit = _fragment(chance)
    for chars in (500, 4_000, 32_000, LONG_CHARS):
        if not is_linear(function, unit, lead=lead, chars=chars) and not _is_step(function, unit, lead, chars):
            return f"{name} is not linear at {chars:,} characters of {unit!r} after {lead!r}"
    return None


def _is_step(function: Function, unit: str, lead: str, chars: int) -> bool:
    """Whether the cost only steps up, once: four times the longer text costs about four times as much.

    What is scanned or searched again is so up to MAX_RESCANNED_CHARS and MAX_SEARCHED_CHARS, which lie between the two
    longest texts: a text that exceeds them is shown as it is, which may cost more than what a scan of it ends at.
    """
    return chars == LONG_CHARS and is_linear(function, unit, lead=lead, chars=4 * LONG_CHARS)


ATTACKS: Final = (Attack(name="long-texts", promise="Hostile text is read in linear time", trial=_grows, least=1),)
