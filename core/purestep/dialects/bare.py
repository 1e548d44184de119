"""The bare dialect: a JSON object with a "tool" key is a call, its other keys are the parameters; else an answer.

With a "skill" key instead it is the call of a skill, where those are offered or any name is taken.

Source: the two functions of agent.rs, whose programs run on it unchanged. Unlike there, a fenced call is read
and a damaged one is a problem, never an answer.
"""

import re
from typing import Any, Final

from ..json_text import BLANK, CLOSERS_MISSING, UNREADABLE, close_json, encode_sorted, find_json, read_json
from ..lazy import lazy_pattern
from ..scanner import REASONING, TEXT, Block, BlockResult, BlockStart, Table, read_segments
from ..values import ReadCall, Reading, Tools, parse_error, repaired, truncated
from .dialect import Dialect, Sample, describe_tools
from .lone_calls import unsure
from .skill_form import SKILL, SKILL_KEY, offers_skills, skill_call

_TOOL_KEY: Final = lazy_pattern(r"""[{,][ \t\r\n]*["']?tool["']?[ \t\r\n]*:""", re.ASCII)


def read(text: str, tools: Tools | None = None) -> Reading:
    """Read a whole output: the call it is, or the answer it is."""
    body = text.strip(BLANK)
    value = read_json(body) if body[:1] == "{" else UNREADABLE
    if isinstance(value, dict) and "tool" in value:
        return from_value(value)
    call = _call(value, tools)
    if call is not None:
        return Reading(calls=(call,), closed=True)
    if value is not UNREADABLE or not _has_key(body, tools):
        return Reading(content=body or None)
    return _mend(body, tools) if body[:1] == "{" else read_segments(_PROSE, body, tools)


def from_value(value: dict[str, Any]) -> Reading:
    """Read a decoded object with the key of a call."""
    call = _tool_call(value)
    if call is None:
        return Reading(problems=(parse_error('the "tool" key must hold a tool name'),))
    return Reading(calls=(call,), closed=True)


def _has_key(text: str, tools: Tools | None) -> bool:
    """Whether a text may hold a call: of a tool, or of a skill where those are called."""
    return bool(_TOOL_KEY.search(text) or (_takes_skills(tools) and SKILL_KEY.search(text)))


def _takes_skills(tools: Tools | None) -> bool:
    return tools is None or offers_skills(tools)


def _call(value: Any, tools: Tools | None) -> ReadCall | None:
    return _tool_call(value) or (skill_call(value) if _takes_skills(tools) else None)


def _tool_call(value: Any) -> ReadCall | None:
    if not isinstance(value, dict) or not isinstance(value.get("tool"), str) or not value["tool"].strip(BLANK):
        return None
    return ReadCall(tool=value["tool"], params={key: item for key, item in value.items() if key != "tool"})


def _mend(inside: str, tools: Tools | None) -> Reading:
    """Read a call that is damaged, or has text after it."""
    found = find_json(inside)
    if found is None or found.start:
        return Reading(problems=(parse_error("the tool call is not valid JSON"),))
    if found.missing:
        call = _call(close_json(inside, found), tools)
        if call is not None:
            return _if_sure(call, CLOSERS_MISSING, inside, tools)
        return Reading(problems=(truncated("the tool call ends before its object does"),))
    value = read_json(inside[: found.end])
    call = _call(value, tools)
    if call is not None:
        return _if_sure(call, "text after the call was left out", inside, tools)
    if value is UNREADABLE or "tool" in value or (_takes_skills(tools) and SKILL in value):
        return Reading(problems=(parse_error("the tool call is not valid"),))
    return Reading(content=inside)


def _read_fence(block: Block, tools: Tools | None) -> BlockResult:
    """Read an object in a code fence amid prose: a call, or text where it is none."""
    inside = block.inner.strip(BLANK)
    if not _has_key(inside, tools):
        return TEXT
    call = _call(read_json(inside), tools)
    if call is not None:
        return BlockResult(calls=(call,), problems=(repaired("the call stood in a code fence"),))
    reading = _mend(inside, tools)
    return BlockResult(calls=reading.calls, problems=reading.problems) if reading.content is None else TEXT


_FENCED: Final = BlockStart(
    pattern=r"```[A-Za-z0-9_-]{0,16}[ \t\r\n]{0,8}(?P<inner>)(?=\{)",
    partial=r"`{1,2}|```[A-Za-z0-9_-]{0,16}[ \t\r\n]{0,8}",
    first_chars="`",
    closers=("```",),
    scan="json",
    read=_read_fence,
)
_PROSE: Final = Table((_FENCED,))
BARE_TEXT: Final = Table((_FENCED,), reasoning=REASONING)
"""The markers of text that does not begin as a call: a call in a code fence counts there too."""


def _if_sure(call: ReadCall, note: str, inside: str, tools: Tools | None) -> Reading:
    """Return a damaged call, unless its parameters could be others."""
    problem = unsure(inside, 0, tools)
    return Reading(calls=(call,), problems=(repaired(note),)) if problem is None else Reading(problems=(problem,))


def instruct(tools: Tools) -> str:
    """Teach the form: one JSON object for a call, plain text for the answer."""
    if not tools:
        return ""
    return (
        "You can use these tools:\n"
        f"{describe_tools(tools)}\n\n"
        'To use a tool, reply with one JSON object only: "tool" holds the tool name, the other keys are its '
        "parameters. To answer, reply in plain text."
    )


def write(sample: Sample) -> str:
    """Write a call as one object, an answer as it is."""
    if not sample.calls:
        return sample.answer or ""
    return "\n".join(encode_sorted({"tool": c.tool, **c.params}).decode() for c in sample.calls)


BARE: Final = Dialect(
    name="bare",
    read=read,
    instruct=instruct,
    write=write,
    remind='To use a tool, reply with one JSON object and nothing else: "tool" and the parameters as its keys.',
    stream="bare",
)
