"""What a definition is explored with: the observations that may come in each phase, written as short texts.

A call is written as its tool and its one argument, "send a"; commas part the calls of one output, "send a, look b". A
result is written as its outcome; `OUTCOMES` says what the words mean.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from purestep import (
    Approval,
    Approvals,
    CallModel,
    Cancel,
    DataText,
    Decision,
    FilePart,
    InvokeTool,
    ModelError,
    ModelOutput,
    NativeCall,
    NativeFunction,
    Observation,
    OneTool,
    RequestApproval,
    Resumed,
    TextPart,
    ToolResult,
    ToolResults,
    Usage,
    UserMessage,
)

OUTCOMES: Final[dict[str, dict[str, Any]]] = {
    "fine": {"ok": True, "output": "It was fine."},
    "other": {"ok": True, "output": "It was another."},
    "bad": {"ok": True, "output": "It was bad."},
    "names b": {"ok": True, "output": "Then take b."},
    "number": {"ok": True, "output": 7},
    "failed": {"ok": False, "error": "it was busy"},
    "interrupted": {"ok": False, "error": "stopped", "error_kind": "interrupted"},
    "refused": {"ok": False, "error": "there is none", "error_kind": "invalid_arguments"},
    "yes": {"ok": True, "output": {"accept": True}},
    "no": {"ok": True, "output": {"accept": False}},
    "yes and no": {"ok": True, "output": "yes"},
}
"""What the words for results stand for; a definition may declare that `bad` breaks a check."""

BAD_ANSWER: Final = "That was bad."
"""What breaks the check that a definition may declare on its answer."""


SKILL: Final = "extract"
"""The skill that a definition may offer. Called with "phone" as its target, it refuses that."""

SEARCH: Final = "find_tools"
"""The built-in tool of a definition with many tools. Called with names of tools, it finds these."""

EXECUTED: Final = (SKILL, SEARCH)
"""What the core executes itself."""

SKILL_OUTPUTS: Final = {"right": '{"name":["Tom"]}', "wrong": '{"name":["Zed"]}'}
"""What the model may say within a skill."""


class Message(Struct, frozen=True):
    """A user message: its words and its tool choice.

    along: a text that comes with it and is not the user's. attached: so does a file. model: the one that is asked
    first, where the definition has rates.
    """

    content: str
    choice: str = ""
    along: str = ""
    attached: bool = False
    model: str = ""


_FILE: Final = FilePart(digest="0123456789abcdef" * 4, media_type="text/plain", bytes=9)


def said_by_user(message: Message, **members: Any) -> UserMessage:
    """Return a message as an observation."""
    content = (TextPart(text=message.content), _FILE) if message.attached else message.content
    data = (DataText(text=message.along),) if message.along else ()
    return UserMessage(content=content, data=data, **members)


PLANS: Final = {"of two": ("1. Look at a.\n2. Say it.", 2), "of one": ("Look at a.", 0)}
"""What a larger model may give as a plan, and how many steps of it can be asked."""


class Alphabet(Struct, frozen=True, kw_only=True):
    """The observations that a definition is explored with.

    calls: of one output each. texts: outputs that are neither calls nor answers. edits: what a person may write
    instead of an argument. late: when observations come that are past the deadline, in ms. tokens: what each output
    used. argument: the name of the tools' one argument. in_text: calls are written in the envelope's text, not apart
    from it. plain: answers are plain text, as a dialect without an envelope has them. verdicts: the outcomes of checks.
    elsewhere: calls may go on elsewhere, and their results come later.
    """

    calls: tuple[str, ...]
    answers: tuple[str, ...] = ("It is done.",)
    texts: tuple[str, ...] = ()
    outcomes: tuple[str, ...] = ("fine",)
    edits: tuple[str, ...] = ()
    errors: tuple[ModelError, ...] = ()
    messages: tuple[Message, ...] = (Message("Go on with it."),)
    resumes: bool = False
    cancels: bool = False
    late: int = 0
    tokens: int = 0
    argument: str = "to"
    in_text: bool = False
    verdicts: tuple[str, ...] = ()
    elsewhere: bool = False
    plain: bool = False
    steers: tuple[Message, ...] = ()
    """What the user may say in the middle of a run."""
    agents: tuple[str, ...] = ()
    """Of the tools, those that are agents, which take a question."""
    hand_offs: tuple[str, ...] = ()
    """Of the tools, those that hand the conversation over, which take nothing."""


class Move(Struct, frozen=True, kw_only=True):
    """One observation with its name, and what an onlooker knows of it besides: the calls, the answer, the message."""

    name: str
    observation: Observation
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()
    answer: str = ""
    message: Message | None = None
    skill: str = ""
    """What it says within a skill: a name of `SKILL_OUTPUTS`."""
    steers: bool = False
    """The message comes in the middle of a run."""
    late: bool = False
    """The results are of calls that went on elsewhere."""
    steps: int | None = None
    """How many steps the output gives, where a plan was asked for."""


def called_with(alphabet: Alphabet, tool: str, value: str) -> dict[str, Any]:
    """Return the arguments of a call of a tool, or of the skill."""
    if tool == SEARCH:
        return {"query": value}
    if tool in alphabet.hand_offs:
        return {}
    if tool in alphabet.agents:
        return {"question": value}
    if tool == SKILL:
        return {"text": "Tom", "target": "phone" if value == "phone" else "name"}
    return params_of(alphabet, value)


def params_of(alphabet: Alphabet, value: str) -> dict[str, Any]:
    """Return the arguments of a call; digits are a number, which no tool here takes."""
    return {alphabet.argument: int(value) if value.isdigit() else value}


def first_moves(alphabet: Alphabet) -> list[Move]:
    """Return the messages that may begin a run or a new exchange."""
    return [_message(message, at=0 if alphabet.late else None) for message in alphabet.messages]


def moves(alphabet: Alphabet, decision: Decision) -> Iterator[Move]:
    """Return every observation of the alphabet that answers a decision."""
    for move in _moves(alphabet, decision):
        yield move
        if alphabet.late and not isinstance(move.observation, UserMessage):
            late = replace(move.observation, at=alphabet.late)
            yield replace(move, name=f"{move.name} (late)", observation=late)


def _moves(alphabet: Alphabet, decision: Decision) -> Iterator[Move]:
    match decision:
        case InvokeTool():
            yield from _results(alphabet, [(call.call_id, bool(call.checks)) for call in decision.calls])
            if alphabet.resumes:
                yield Move(name="resumed", observation=Resumed())
        case RequestApproval():
            yield from _approvals(alphabet, [(call.call_id, call.key) for call in decision.calls])
        case CallModel(reason="skill"):
            for name, text in SKILL_OUTPUTS.items():
                yield Move(name=f"skill {name}", observation=ModelOutput(content=text), skill=name)
            yield from _errors(alphabet)
        case CallModel(reason="plan"):
            yield from _plans(alphabet)
        case CallModel():
            yield from outputs(alphabet)
        case _:
            yield from first_moves(alphabet)
            return
    for message in alphabet.steers:
        said = said_by_user(message)
        yield Move(name=f"steer {message.content!r}", observation=said, message=message, steers=True)
    if alphabet.cancels:
        yield Move(name="cancel", observation=Cancel())


def outputs(alphabet: Alphabet) -> Iterator[Move]:
    """Return the observations that may follow when the model is asked."""
    usage = Usage(completion_tokens=alphabet.tokens) if alphabet.tokens else None
    for written in alphabet.calls:
        calls = [part.split(" ", 1) for part in written.split(", ")]
        made = tuple((tool, called_with(alphabet, tool, value)) for tool, value in calls)
        yield Move(name=written, observation=_calling(made, alphabet.in_text, usage), calls=made)
    for answer in alphabet.answers:
        content = answer if alphabet.plain else json.dumps({"kind": "final", "content": answer})
        yield Move(name=f'"{answer}"', observation=ModelOutput(content=content, usage=usage), answer=answer)
    for text in alphabet.texts:
        yield Move(name=f"text {text!r}", observation=ModelOutput(content=text, usage=usage))
    yield from _errors(alphabet)


def _plans(alphabet: Alphabet) -> Iterator[Move]:
    """Yield what a larger model may answer that was asked for a plan: one, none, or a call."""
    for name, (text, steps) in PLANS.items():
        yield Move(name=f"plan {name}", observation=ModelOutput(content=text), steps=steps)
    for move in outputs(alphabet):
        yield move if isinstance(move.observation, ModelError) else replace(move, calls=(), answer="", steps=0)


def _errors(alphabet: Alphabet) -> Iterator[Move]:
    for error in alphabet.errors:
        yield Move(name=" ".join(filter(None, ("error", error.code, error.refused))), observation=error)


def _calling(calls: tuple[tuple[str, dict[str, Any]], ...], in_text: bool, usage: Usage | None) -> ModelOutput:
    if in_text and len(calls) == 1:
        [(tool, params)] = calls
        said = {"kind": "tool_call", "tool_name": tool, "arguments": params}
        return ModelOutput(content=json.dumps(said), usage=usage)
    native = tuple(NativeCall(function=NativeFunction(name=tool, arguments=params)) for tool, params in calls)
    return ModelOutput(tool_calls=native, usage=usage)


def _message(message: Message, at: int | None) -> Move:
    choice: Any = message.choice or None
    if message.choice.startswith("tool "):
        choice = OneTool(tool=message.choice.removeprefix("tool "))
    said = said_by_user(message, tool_choice=choice, at=at)
    return Move(name=f"user {message.choice or message.content!r}", observation=said, message=message)


def _results(alphabet: Alphabet, waiting: list[tuple[str, bool]]) -> Iterator[Move]:
    """Return each outcome for the first call and for the last, and the first outcome for all at once, last one first.

    waiting: the calls, and whether each is a check, which has verdicts for outcomes.
    """
    outcomes = {True: alphabet.verdicts, False: alphabet.outcomes}
    for call_id, checks in dict.fromkeys((waiting[0], waiting[-1])):
        for outcome in outcomes[checks]:
            yield _result([(outcome, call_id)])
    if len(waiting) > 1:
        yield _result([(outcomes[checks][0], call_id) for call_id, checks in waiting[::-1]])


def _result(given: list[tuple[str, str]]) -> Move:
    results = tuple(ToolResult(call_id=call_id, **OUTCOMES[outcome]) for outcome, call_id in given)
    outcomes, call_ids = dict.fromkeys(outcome for outcome, _ in given), [call_id for _, call_id in given]
    name = f"{' and '.join(outcomes)} for {' and '.join(call_ids)}"
    return Move(name=name, observation=ToolResults(results=results))


def _approvals(alphabet: Alphabet, waiting: list[tuple[str, str]]) -> Iterator[Move]:
    """Return yes, no and each edit for the first call and for the last, and yes for all at once."""
    for call_id, key in dict.fromkeys((waiting[0], waiting[-1])):
        yield _answer(f"yes to {call_id}", (call_id, key))
        yield _answer(f"no to {call_id}", (call_id, key), approved=False)
        for value in alphabet.edits:
            yield _answer(f"{call_id} with {value}", (call_id, key), params=params_of(alphabet, value))
    if len(waiting) > 1:
        yield _answer("yes to all", *waiting[::-1])


def _answer(name: str, *calls: tuple[str, str], approved: bool = True, params: dict[str, Any] | None = None) -> Move:
    answers = tuple(Approval(call_id=call_id, key=key, approved=approved, params=params) for call_id, key in calls)
    return Move(name=name, observation=Approvals(approvals=answers))
