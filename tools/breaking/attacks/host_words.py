"""Attacks on what the reader promises of outputs that are cut, begun inside of reasoning, or no answers."""

import random
from typing import Any, Final

from purestep import Agent, Done, InvokeTool, ModelOutput, StreamCall, StreamText, UserMessage, start, step
from purestep.dialects import Sample, dialect_named
from purestep.entry.standalone import read_text, specs_of
from purestep.entry.stream import close_stream, feed, stream_of
from purestep.scanner import REASONING
from purestep.values import ReadCall
from purestep_formats.families.families import FAMILY_DIALECTS
from tools.breaking.attack import Attack

_TOOL: Final[dict[str, Any]] = {
    "name": "save",
    "parameters": {
        "type": "object",
        "properties": {"text": {"type": "string"}, "days": {"type": "integer"}},
        "required": ["text"],
    },
}
_AGENT: Final = Agent.load({"dialect": "auto", "tools": [_TOOL]})
_OPENED: Final = Agent.load({"dialect": "auto", "tools": [_TOOL], "models": [{"name": "m", "reasoning": "opened"}]})
_PIECES: Final = (
    "Bern", "a b", "\n", "{", "}", "]", ")", ",", ":", "x=1", "1", "\u6f22", "tool", "save", "<b>", "</p>", "&", "\\n",
)  # fmt: skip
_MARKERS: Final = (
    "<tool_call>", "</tool_call>", "<function=save>", "<arg_key>", "<think>", "[TOOL_CALLS]", "<|tool_call_begin|>",
    "<invoke name=", "<|tool_call>", "<|channel|>commentary to=functions.save", "<tool_calls>", "<|python_tag|>",
)  # fmt: skip


def _words(rng: random.Random, least: int = 0) -> str:
    return " ".join(rng.choice(_PIECES) for _ in range(rng.randint(least, 6)))


def _decided(agent: Agent, text: str, finish_reason: str) -> Any:
    begun = start(agent, UserMessage(content="q"), "r").state
    return step(begun, ModelOutput(content=text, finish_reason=finish_reason)).decision


def _cut_call(rng: random.Random) -> str | None:
    """Cut a call anywhere: what runs under `length` has the arguments that were written, all of them."""
    params = {"text": _words(rng, 1), "days": rng.randint(-5, 10**6)}
    text = dialect_named(rng.choice(FAMILY_DIALECTS).name).write(Sample(calls=(ReadCall(tool="save", params=params),)))
    cut = text[: rng.randrange(len(text))]
    decision = _decided(_AGENT, cut, "length")
    if isinstance(decision, InvokeTool) and decision.params != params:
        return f"{cut!r} runs with {decision.params}, written as {params}"
    return f"{cut!r} is the answer" if isinstance(decision, Done) else None


def _opened_reasoning(rng: random.Random) -> str | None:
    """Thoughts without a closing tag, in any pieces: nothing is shown, and nothing is the answer."""
    text = "".join(rng.choice((_words(rng), rng.choice(_MARKERS), rng.choice(REASONING)[0])) for _ in range(8))
    stream, shown = stream_of("auto", specs_of([_TOOL]), reasoning="opened"), ""
    at = 0
    while at < len(text):
        size = rng.randint(1, 9)
        stream, events = feed(stream, text[at : at + size])
        shown += "".join(event.text for event in events if isinstance(event, StreamText))
        at += size
    shown += "".join(event.text for event in close_stream(stream) if isinstance(event, StreamText))
    if shown:
        return f"{text!r} shows {shown!r}"
    return f"{text!r} is the answer" if isinstance(_decided(_OPENED, text, "stop"), Done) else None


def _markup_left(rng: random.Random) -> str | None:
    """A marker amid words: the text is never the answer as it stands."""
    marker = rng.choice(_MARKERS)
    text = f"It is {_words(rng)} {marker} {_words(rng)} so."
    decision = _decided(_AGENT, text, "stop")
    return f"{text!r} is the answer" if isinstance(decision, Done) and marker in decision.answer else None


def _unknown_tool(rng: random.Random) -> str | None:
    """A call of a tool that was not offered, in any family's form: it neither runs nor is the answer."""
    call = ReadCall(tool=rng.choice(("erase", "save_all", "python")), params={"text": _words(rng, 1)})
    text = dialect_named(rng.choice(FAMILY_DIALECTS).name).write(Sample(calls=(call,)))
    decision = _decided(_AGENT, text, "stop")
    return f"{text!r} becomes {type(decision).__name__}" if isinstance(decision, (Done, InvokeTool)) else None


def _streamed_cut(rng: random.Random) -> str | None:
    """A cut call in pieces gives the calls of the whole reading."""
    params = {"text": _words(rng, 1)}
    text = dialect_named(rng.choice(FAMILY_DIALECTS).name).write(Sample(calls=(ReadCall(tool="save", params=params),)))
    cut = text[: rng.randrange(len(text))]
    stream, calls = stream_of("auto", specs_of([_TOOL])), list[Any]()
    for char in cut:
        stream, events = feed(stream, char)
        calls += [event.params for event in events if isinstance(event, StreamCall)]
    calls += [event.params for event in close_stream(stream, truncated=True) if isinstance(event, StreamCall)]
    whole = [call["params"] for call in read_text(cut, "auto", [_TOOL], truncated=True).calls]
    return None if calls == whole else f"{cut!r}: {calls} in pieces, {whole} at once"


ATTACKS: Final = (
    Attack(name="cut-calls", promise="A call that was cut never runs.", trial=_cut_call, least=50),
    Attack(name="opened-reasoning", promise="Thoughts are never shown.", trial=_opened_reasoning, least=50),
    Attack(name="markup-left", promise="Markup is never an answer.", trial=_markup_left, least=50),
    Attack(name="unknown-tools", promise="Only offered tools run.", trial=_unknown_tool, least=50),
    Attack(name="cut-streams", promise="A stream gives what the whole text gives.", trial=_streamed_cut, least=50),
)
