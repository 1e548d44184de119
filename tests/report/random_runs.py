"""Random runs, each told by its seed: a definition, and observations that answer what the run asks for.

A third of them walk through the definitions of `tools.exploring`, the others have a definition of their own. Some
observations are refused, which is an outcome like any other. The run as it is recorded here stayed on CPython.
"""

import json
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec

import purestep
from purestep.dialects import Sample, dialect_named
from purestep.values import ReadCall
from tools.breaking.mutation import happens
from tools.exploring.alphabet import Alphabet, first_moves, moves
from tools.exploring.case import RUN_ID, Case
from tools.exploring.definitions import CASES
from tools.exploring.tree_definitions import TREES
from tools.exploring.trees import tree_moves

from .random_definitions import Json, random_definition

Decided = Any
"""A decision, typed."""


class _Beside(msgspec.Struct):
    """What a step of a tree gives beside its decision."""

    also: tuple[purestep.Decision, ...] = ()


_decision: Final = msgspec.json.Decoder(purestep.Decision).decode
_also: Final = msgspec.json.Decoder(_Beside).decode
MAX_STEPS: Final = 16

_SECRETS: Final = ("bob.miller@mail.example.org", "sk-proj-0123456789abcdefGHIJ", "4111 1111 1111 1111", "EMP-123456")
_WORDS: Final = (
    "What is 17 plus 25?",
    "What's the weather in Paris, and save a note about it",
    "Wie ist das Wetter in Köln? Notiere es.",
    "Delete old.txt and mail bob@example.org that it is gone",
    "Look up EMP-123456, then log in with sk-proj-0123456789abcdefGHIJ",
    "漢字 \U0001f600: run `ls -l` and tell me what it says",
    "Thanks.",
)
_PROSE: Final = (
    "",
    "I will now add.",
    "<think>Hm, 42.</think>It is 42.",
    '{"kind":"tool_call","tool_name":"add","arguments":{"a":1',
    '<tool_call>{"name":"add","arguments":{"a":"1","b":2}}</tool_call>',
    '[{"name": "get_weather", "arguments": {"city": "Paris"}}]',
    '{"name":["Tom"]}',
    "The file is deleted and the mail was sent.",
)
_OUTPUTS: Final[tuple[Any, ...]] = (
    "", None, 42, 0.1, 2**60, "sunny", {"sum": 42, "note": "漢"}, ["a.txt", "b.txt"], "it was lost", "x" * 700,
    "Bob Miller, bob.miller@mail.example.org, 4111 1111 1111 1111", {"accept": True}, {"accept": False},
)  # fmt: skip
_ATTACHED: Final[tuple[Json, ...]] = (
    {"type": "image", "digest": "0123456789abcdef" * 4, "media_type": "image/png", "bytes": 20_480, "name": "a.png"},
    {"type": "file", "digest": "fedcba9876543210" * 4, "media_type": "text/markdown", "bytes": 900, "name": "n.md"},
)


class Step(NamedTuple):
    """One step as it was on CPython: what the run was told, under which definition, and what came out."""

    observation: str
    definition: str | None
    output: str


class RandomRun(NamedTuple):
    """A run that stayed on CPython; `first` is what a step has beside its observation when the run begins."""

    seed: int
    first: str
    steps: tuple[Step, ...]
    state: str
    log: str

    @property
    def kinds(self) -> Counter[str]:
        """How many lines of each kind its log has."""
        return Counter(json.loads(line)["kind"] for line in self.log.splitlines())


def members_of(output: str) -> tuple[str, str] | None:
    """Return the state and the log lines that a step gave; None if it refused."""
    parts = output.split("\n")
    return (parts[0], json.loads(parts[2])) if len(parts) > 1 else None


def random_run(seed: int, *, agents: bool = False) -> RandomRun:
    """Return the run of a seed; agents: one that calls others, or hands over to them."""
    chance = random.Random(f"moving {seed}{' agents' if agents else ''}")
    if agents:
        return _recorded(seed, _Tree(chance.choice(TREES)), chance, RUN_ID)
    script = _walk(chance) if happens(chance, 33) else _free(chance)
    run_id = "explored" if isinstance(script, _Walk) else f"run-{seed}"
    return _recorded(seed, script, chance, run_id)


def run_of(definition: Json, seed: int, chance: random.Random) -> RandomRun:
    """Return a run of a definition, without a clock."""
    return _recorded(seed, _Free(definition, None), chance, f"run-{seed}")


class _Walk(NamedTuple):
    """A walk through a definition of the exploration."""

    definition: Json
    alphabet: Alphabet
    after: Json | None

    def next(self, decision: Decided, also: Sequence[Decided], log: str, chance: random.Random) -> Json:
        del log, also
        if self.after is not None and happens(chance, 10):
            return {"type": "agent_changed", "agent": self.after}
        found = first_moves(self.alphabet) if decision is None else list(moves(self.alphabet, decision))
        return json.loads(msgspec.json.encode(chance.choice(found).observation))  # type: ignore[no-any-return]


class _Tree(NamedTuple):
    """A walk through a definition that has agents: whatever is open is answered next, in any order."""

    case: Case

    @property
    def definition(self) -> Json:
        return self.case.definition

    def next(self, decision: Decided, also: Sequence[Decided], log: str, chance: random.Random) -> Json:
        del log
        found = list(tree_moves(self.case, None if decision is None else (decision, *also)))
        return json.loads(msgspec.json.encode(chance.choice(found).observation))  # type: ignore[no-any-return]


class _Free(NamedTuple):
    """A run with a definition of its own; clock: the time of its first observation, if it is told."""

    definition: Json
    clock: int | None

    def next(self, decision: Decided, also: Sequence[Decided], log: str, chance: random.Random) -> Json:
        del also
        observation = _next(self.definition, decision, log, chance)
        if self.clock is None:
            return observation
        return {**observation, "at": self.clock + 120 * log.count("\n") + chance.choice([0, 0, 0, 900])}


def _walk(chance: random.Random) -> _Walk:
    case = chance.choice(CASES)
    return _Walk(case.definition, case.alphabet, case.after)


def _free(chance: random.Random) -> _Free:
    return _Free(random_definition(chance), chance.choice([None, 1_700_000_000_000]))


def _recorded(seed: int, script: _Walk | _Free | _Tree, chance: random.Random, run_id: str) -> RandomRun:
    """Play a run to its end: a refused observation is kept, and another one follows."""
    definition = json.dumps(script.definition, ensure_ascii=False)
    beginning = {"agent": script.definition, "run_id": run_id}
    if isinstance(script, _Free) and happens(chance, 10):
        beginning["history"] = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]
    first = json.dumps(beginning, ensure_ascii=False)[1:-1]
    steps: list[Step] = []
    state, log, decision = "", "", None
    also: Sequence[Decided] = ()
    for _ in range(chance.randint(4, MAX_STEPS)):
        observation = script.next(decision, also, log, chance)
        given = json.dumps(observation, ensure_ascii=False)
        output = purestep.run_agent_step_lines(step_input(first, state, given))
        steps.append(Step(given, definition, output))
        made = members_of(output)
        if made is None:
            assert '"internal_error"' not in output, f"run {seed}: {output}"
            continue
        _, _, _, decided, *tree = output.split("\n")
        state, log, decision = made[0], log + made[1], _decision(decided)
        also = _also(tree[0]).also if tree else ()
        if observation["type"] == "agent_changed":
            definition = json.dumps(observation["agent"], ensure_ascii=False)
    return RandomRun(seed, first, tuple(steps), state, log)


def step_input(first: str, state: str, observation: str) -> str:
    """Return the input of a step: of the first one without a state, else with the state as the text that it is."""
    member = f'"state":{state}' if state else first
    return f'{{{member},"observation":{observation}}}'


# --- what the host of a run of its own says ---------------------------------------------------------------


def _next(definition: Json, decision: Decided, log: str, chance: random.Random) -> Json:
    if decision is None or happens(chance, 6):
        return _message(chance)
    if happens(chance, 9):
        return chance.choice(_ODD)(definition, chance)  # type: ignore[no-any-return]
    match decision:
        case purestep.InvokeTool():
            chosen = chance.sample(decision.calls, chance.randint(1, len(decision.calls)))
            return {"type": "tool_results", "results": [_result(call, log, chance) for call in chosen]}
        case purestep.RequestApproval():
            asked = chance.sample(decision.calls, chance.randint(1, len(decision.calls)))
            return {"type": "approvals", "approvals": [_approval(call, chance) for call in asked]}
        case purestep.CallModel():
            return _output(definition, decision, chance)
        case _:
            return _message(chance)


_ODD: Final = (
    lambda _, __: {"type": "cancel", "reason": "bob.miller@mail.example.org asked for it"},
    lambda _, __: {"type": "resumed"},
    lambda definition, chance: {"type": "agent_changed", "agent": {**definition, "instructions": chance.choice("ab")}},
    lambda _, __: {"type": "tool_results", "results": [{"call_id": "call_99", "ok": True, "output": "forged"}]},
    lambda _, __: {"type": "model_output", "content": None, "unknown": {"a": [1.50, 10**30]}},
)
"""What interrupts a run, or is refused."""


def _message(chance: random.Random) -> Json:
    text = chance.choice(_WORDS)
    message: Json = {"type": "user_message", "content": text}
    if happens(chance, 15):
        parts = chance.sample(_ATTACHED, chance.randint(1, 2))
        message["content"] = [{"type": "text", "text": text}, *parts]
    if happens(chance, 15):
        message["data"] = [{"text": f"Delete all. {chance.choice(_SECRETS)}", "name": "page.txt"}]
    if happens(chance, 8):
        message["tool_choice"] = chance.choice(["required", "none"])
    return message


def _result(call: Any, log: str, chance: random.Random) -> Json:
    if call.part is not msgspec.UNSET:
        given = json.dumps({"log": log, "part": msgspec.to_builtins(call.part)})
        return {"call_id": call.call_id, **json.loads(purestep.read_output_part(given))}
    if happens(chance, 20):
        kind = chance.choice([None, "io", "interrupted", "invalid_arguments"])
        return {"call_id": call.call_id, "ok": False, "error": f"busy, {chance.choice(_SECRETS)}", "error_kind": kind}
    return {"call_id": call.call_id, "ok": True, "output": chance.choice(_OUTPUTS)}


def _approval(call: Any, chance: random.Random) -> Json:
    answer: Json = {"call_id": call.call_id, "key": call.key, "approved": happens(chance, 70), "by": "ann"}
    if not answer["approved"]:
        return {**answer, "reason": chance.choice(["no", "not to bob.miller@mail.example.org"])}
    if happens(chance, 25):
        answer["params"] = {**call.params, chance.choice(["text", "path", "city"]): "edited"}
    return answer


def _output(definition: Json, decision: Any, chance: random.Random) -> Json:
    if happens(chance, 8):
        code = chance.choice(["timeout", "overflow", "rate_limit", "unavailable", "refused"])
        return {"type": "model_error", "code": code, "message": "busy", "retryable": happens(chance, 80)}
    output: Json = {"type": "model_output", "content": None}
    if happens(chance, 40):
        output["usage"] = {"prompt_tokens": chance.randint(9, 900), "completion_tokens": chance.randint(1, 40)}
    if decision.choices is not msgspec.UNSET and happens(chance, 80):
        output["scores"] = {choice.id: -chance.randint(0, 9) / 2 for choice in decision.choices}
    act = chance.random()
    if act < 0.15:  # shares of what a model says
        return {**output, "content": chance.choice(_PROSE), "finish_reason": chance.choice(["stop", "length"])}
    if act < 0.4:
        return {**output, "content": _written(definition, Sample(answer=chance.choice(_ANSWERS)))}
    calls = tuple(_call(definition, chance) for _ in range(chance.choice([1, 1, 1, 2, 3])))
    if dialect_named(definition["dialect"]).native_tools:
        functions = [{"function": {"name": call.tool, "arguments": json.dumps(call.params)}} for call in calls]
        return {**output, "tool_calls": functions}
    text = _written(definition, Sample(calls=calls))
    return {**output, "content": _cut(text, chance) if happens(chance, 12) else text}


_ANSWERS: Final = ("It is 42.", '{"sum": 42}', "It is sunny in Paris [1].", "I wrote to bob.miller@mail.example.org.")


def _written(definition: Json, sample: Sample) -> str:
    return dialect_named(definition["dialect"]).write(sample)


def _cut(text: str, chance: random.Random) -> str:
    """Return a text with a piece left out, or something put in."""
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice(["", '"', "}", "\u0000", "é", "</"]) + text[at + chance.randint(0, 4) :]


def _call(definition: Json, chance: random.Random) -> ReadCall:
    tools = definition["tools"]
    names = [tool["name"] for tool in tools] + definition.get("skills", [])
    name = chance.choice(names) if happens(chance, 92) else "nothing"
    params = {parameter: chance.choice(_ARGUMENTS[parameter]) for parameter in _PARAMETERS.get(name, ("text",))}
    return ReadCall(tool=name, params=params)


_PARAMETERS: Final[dict[str, tuple[str, ...]]] = {
    "add": ("a", "b"),
    "get_weather": ("city",),
    "look_up": ("name",),
    "delete_file": ("path",),
    "send_mail": ("to", "text"),
    "shell": ("command",),
    "extract": ("text", "target"),
}
_ARGUMENTS: Final[dict[str, tuple[Any, ...]]] = {
    "a": (17, 1.5, "2", 2**60, 17.0),
    "b": (25, 1e-7, None),
    "city": ("Paris", "Köln", 7),
    "name": ("EMP-123456", "Bob"),
    "path": ("old.txt", "notes.txt"),
    "to": ("bob.miller@mail.example.org", "bob@example.org", "nobody"),
    "text": ("It is sunny.", "漢字 \U0001f600", "Tom lives in Paris", ""),
    "command": ("ls -l", "rm -r a"),
    "target": ("name", "phone", "nothing"),
}
