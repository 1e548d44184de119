"""Models that fail in every way in turn: negotiation moves a bounded number of times, and its prompts stay whole."""

import json
import random
from typing import Any, Final

from msgspec import UNSET

import purestep

from ..attack import Attack

_CAUSES: Final = ("unread", "unknown_tool", "invalid_arguments", "rejected_result", "repeated_call", "no_answer")
_MOVES: Final = ("examples", "carry", "dialect", "dialect", "model")
_DIALECTS: Final = ("envelope", "tool_tags", "native", "native", "hermes_json", "auto", "gemma4")
_TARGETS: Final = ("envelope", "tool_tags", "hermes_json", "auto", "gemma4")
_TURNS: Final = 60

_TEXT: Final = {"type": "string"}
_TOOLS: Final = [
    {
        "name": name,
        "description": about,
        "parameters": {"type": "object", "properties": {parameter: _TEXT}, "required": [parameter]},
        **members,
    }
    for name, about, parameter, members in (
        ("fetch_page", "Fetch a web page.", "url", {"annotations": {"readOnlyHint": True}}),
        ("get_weather", "Get the weather of a city.", "city", {"checks": ["plausibility"]}),
        ("save_note", "Save a note.", "note", {"approval": "ask"}),
        ("run", "Run a command.", "command", {"annotations": {"readOnlyHint": False}}),
    )
]
_OUTPUTS: Final = ("total 0", "", "fine", "y" * 5000)
_QUERIES: Final = (
    "Fetch https://example.org/a and save it as a note",
    "What is the weather in Lisbon?",
    "hm",
    "Save a note: milk",
    "x " * 3000,
)


def endless_switching(chance: random.Random) -> str | None:
    """Fail in a random order of ways under random rules; say what of the promises did not hold."""
    definition = _definition(chance)
    try:
        run = _Run(definition, chance.choice(_QUERIES))
    except purestep.PurestepError as error:
        return None if error.code in ("invalid_agent", "unknown_dialect") else f"refused with {error.code}"
    broken = _exchange(run, chance) or run.observe(purestep.UserMessage(content="And now?"))
    broken = broken or _exchange(run, chance)
    if broken is not None:
        return broken
    return None if purestep.verify(run.log).ok else "its log does not verify"


def _exchange(run: "_Run", chance: random.Random) -> str | None:
    before = len(run.log)
    for _ in range(_TURNS):
        if run.ended:
            break
        broken = run.broken() or run.observe(_observation(run, chance))
        if broken is not None:
            return broken
    if not run.ended:
        return f"the exchange goes on after {_TURNS} turns"
    log = run.log[before:]
    moves = log.count('"kind":"switched"') - log.count('"cause":"window"')
    return f"{moves} moves by {run.rules} rules" if moves > run.rules else None


def _happens(chance: random.Random, share: float) -> bool:
    return chance.random() < share


def _definition(chance: random.Random) -> dict[str, Any]:
    rules: Any = True
    if _happens(chance, 0.8):
        rules = [_rule(chance) for _ in range(chance.randint(1, 12))]
    models: list[dict[str, Any]] = [{"name": f"m{number}"} for number in range(chance.randint(0, 3))]
    for model in models:
        if _happens(chance, 0.3):
            model["carry"] = chance.choice(("off", "ground"))
        if _happens(chance, 0.3):
            model["window_tokens"] = chance.choice((3000, 20_000))
    return {
        "dialect": chance.choice(_DIALECTS),
        "tools": _TOOLS,
        "models": models,
        "limits": {"max_corrections": chance.randint(0, 3), "max_turns": 20},
        "policies": [{"use": "negotiation", "rules": rules}],
    }


def _rule(chance: random.Random) -> dict[str, Any]:
    move = chance.choice(_MOVES)
    rule = {"cause": chance.choice(_CAUSES), "move": move, "count": chance.randint(1, 3)}
    if move == "dialect" and _happens(chance, 0.6):
        rule["to"] = chance.choice(_TARGETS)
    if move == "carry" and _happens(chance, 0.6):
        rule["to"] = "ground"
    return rule


class _Run:
    """One run, by the typed functions, and what its model is sent."""

    def __init__(self, definition: dict[str, Any], query: str) -> None:
        agent = purestep.Agent.load(definition)
        self.query = query
        self.rules = len(agent.options.rules)
        self.step = purestep.start(agent, purestep.UserMessage(content=query), "run")
        self.transcript, self.log = list(self.step.messages), self.step.log
        self.windowed = any("window_tokens" in model for model in definition["models"])
        self.told: list[int] = []
        """The messages that tell of calls that were handed out."""

    @property
    def ended(self) -> bool:
        """Whether the exchange has ended."""
        return isinstance(self.step.decision, purestep.Done | purestep.Failed)

    def observe(self, observation: purestep.Observation) -> str | None:
        """Take an observation; the decision asked for again has to be the same."""
        self.step = purestep.step(self.step.state, observation)
        if isinstance(observation, purestep.UserMessage):
            self.query = str(observation.content)
        if isinstance(observation, purestep.ToolResults | purestep.Approvals):
            first = len(self.transcript)
            self.told += range(first - 1 if self.step.messages else first, first + len(self.step.messages))
        self.transcript += self.step.messages
        self.log += self.step.log
        again = purestep.current_decision(self.step.state)
        return None if again == self.step.decision else "the decision differs when it is asked for again"

    def broken(self) -> str | None:
        """Say what is wrong with the prompt that the model is sent."""
        decision = self.step.decision
        if not isinstance(decision, purestep.CallModel):
            return None
        sent = purestep.prompt_messages(decision, self.transcript)
        if decision.prompt and not any(message.content == self.query for message in sent):
            return "the user's words are not in the prompt"
        if decision.prompt and not self.windowed and not self._tells_all(decision):
            return "a call that was handed out is not in the prompt"
        if sum(message.role == "system" for message in sent) > 1:
            return "the prompt has two heads"
        return _torn(sent, native=decision.tools is not UNSET)

    def _tells_all(self, decision: purestep.CallModel) -> bool:
        ranges = [entry for entry in decision.prompt if isinstance(entry, tuple)]
        return all(any(begin <= index < end for begin, end in ranges) for index in self.told)


def _torn(sent: list[purestep.Message], native: bool) -> str | None:
    """Say what result stands without its call, or apart from the text beside no tools."""
    called: set[str] = set()
    for message in sent:
        if message.tool_calls:
            called |= {call.id or "" for call in message.tool_calls}
        if message.role == "tool" and message.tool_call_id not in called:
            return "a result without its call is sent"
    return None if native or not called else "calls are sent to a server beside no tools"


def _observation(run: _Run, chance: random.Random) -> purestep.Observation:
    decision = run.step.decision
    if isinstance(decision, purestep.RequestApproval):
        return purestep.Approvals(
            approvals=tuple(
                purestep.Approval(call_id=call.call_id, key=call.key, approved=_happens(chance, 0.5))
                for call in decision.calls
            )
        )
    if isinstance(decision, purestep.InvokeTool):
        return purestep.ToolResults(
            results=tuple(
                purestep.ToolResult(call_id=call.call_id, ok=False, error="no", error_kind="execution")
                if _happens(chance, 0.5)
                else purestep.ToolResult(call_id=call.call_id, ok=True, output=chance.choice(_OUTPUTS))
                for call in decision.calls
            )
        )
    return _output(run, chance)


def _right(run: _Run, chance: random.Random) -> purestep.ModelOutput:
    """Return a call that runs, in the form that is asked for."""
    tool, parameter = chance.choice((("fetch_page", "url"), ("get_weather", "city"), ("run", "command")))
    arguments = {parameter: f"value {chance.randrange(1000)}"}
    decision = run.step.decision
    if isinstance(decision, purestep.CallModel) and decision.tools is not UNSET:
        function = purestep.NativeFunction(name=tool, arguments=json.dumps(arguments))
        return purestep.ModelOutput(tool_calls=(purestep.NativeCall(function=function),))
    head = str(purestep.prompt_messages(decision, run.transcript)[0].content)  # type: ignore[arg-type]
    if '"kind"' in head:
        return purestep.ModelOutput(
            content=json.dumps({"kind": "tool_call", "tool_name": tool, "arguments": arguments})
        )
    if "[TOOL" in head:
        return purestep.ModelOutput(content=f"[TOOL_CALL]{json.dumps({'name': tool, 'args': arguments})}[/TOOL_CALL]")
    return purestep.ModelOutput(content=f"<tool_call>{json.dumps({'name': tool, 'arguments': arguments})}</tool_call>")


def _output(run: _Run, chance: random.Random) -> purestep.ModelOutput:
    tool = chance.choice(("fetch_page", "get_weather", "save_note", "run", "fetch", "weathers"))
    value = chance.choice((1, "https://example.com/1", "Lisbon", "some url"))
    arguments = {chance.choice(("url", "city", "note", "command")): value}
    if _happens(chance, 0.4):
        return _right(run, chance)
    form = chance.randrange(8)
    if form < 2:  # noqa: PLR2004
        text = json.dumps(arguments) if form else '{"url'
        call = purestep.NativeCall(function=purestep.NativeFunction(name=tool, arguments=text))
        return purestep.ModelOutput(tool_calls=(call,))
    texts = (
        json.dumps({"kind": "tool_call", "tool_name": tool, "arguments": arguments}),
        f"[TOOL_CALL]{json.dumps({'name': tool, 'args': arguments})}[/TOOL_CALL]",
        f"<tool_call>{json.dumps({'name': tool, 'arguments': arguments})}</tool_call>",
        chance.choice(("[TOOL_CALL]{", '{"kind": "tool', "<tool_call>{")),
        chance.choice(("", run.query, "I will do that.", json.dumps({"kind": "final", "content": ""}))),
        json.dumps({"kind": "final", "content": run.query}),
    )
    return purestep.ModelOutput(content=texts[form - 2])


ATTACKS: Final = (
    Attack(
        name="negotiation",
        promise="Negotiation makes at most one move for each rule in an exchange, and hides no call that has run.",
        trial=endless_switching,
        least=200,
    ),
)
