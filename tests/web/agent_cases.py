"""Runs that the loops in Python and in JavaScript both play, as data, and the adapters of the one in Python."""

import json
from typing import Any

import purestep
from purestep_hosts.models.model import ModelRequest, ReplySink

TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


def call(tool: str, **arguments: Any) -> str:
    """Return an envelope's call."""
    return json.dumps({"kind": "tool_call", "tool_name": tool, "arguments": arguments})


def final(content: str) -> str:
    """Return an envelope's answer."""
    return json.dumps({"kind": "final", "content": content})


PLAIN: dict[str, dict[str, Any]] = {
    "call and answer": {
        "definition": {"tools": [{"name": "shout", "parameters": TEXT}]},
        "outputs": [call("shout", text="h\u00e9llo \U0001f600"), final('It says "H\u00c9LLO" \U0001f600\n')],
        "results": {"shout": [{"ok": True, "output": "H\u00c9LLO \U0001f600"}]},
        "queries": ["Shout h\u00e9llo"],
    },
    "numbers past 2^53": {
        "definition": {"tools": [{"name": "keep", "parameters": NUMBER, "approval": "ask"}]},
        "outputs": [call("keep", n=2**60 + 1), final("Kept it.")],
        "results": {"keep": [{"ok": True, "output": "kept"}]},
        "approvals": [{"approved": True, "by": "a test"}],
        "queries": ["Keep it"],
    },
    "refused, then two questions": {
        "definition": {"tools": [{"name": "shout", "parameters": TEXT, "approval": "ask"}]},
        "outputs": [call("shout", text="no"), final("I may not."), final("Still here.")],
        "approvals": [{"approved": False, "reason": "not now"}],
        "queries": ["Shout no", "Are you there?"],
    },
    "garbage, then failure": {
        "definition": {"tools": [{"name": "shout", "parameters": TEXT}]},
        "outputs": ["hm", "{{{", "{"],
        "queries": ["Shout"],
    },
    "a tool that throws": {
        "definition": {"tools": [{"name": "shout", "parameters": TEXT}]},
        "outputs": [call("shout", text="a"), final("It broke.")],
        "results": {"shout": [{"throws": "no voice"}]},
        "queries": ["Shout a"],
    },
    "an output read on in parts": {
        "definition": {
            "tools": [{"name": "shout", "parameters": TEXT, "max_output_chars": 8}],
            "policies": [{"use": "read_output"}],
        },
        "outputs": [
            call("shout", text="long"),
            call("read_output", call_id="call_1", **{"from": 8}),
            call("read_output", call_id="call_1", **{"from": 16}),
            final("It is long."),
        ],
        "results": {"shout": [{"ok": True, "output": "\U0001f600 H\u00c9LLO \u2028" * 2}]},
        "queries": ["Shout something long"],
    },
    "cancelled while the model is asked": {
        "definition": {"tools": [{"name": "shout", "parameters": TEXT}]},
        "outputs": [],
        "cancel_at": 1,
        "queries": ["Shout"],
    },
}


READS = {"readOnlyHint": True}
EXPRESSION = {"type": "object", "properties": {"expression": {"type": "string"}}, "required": ["expression"]}
SHELF = {"type": "object", "properties": {"shelf": {"enum": ["upper", "lower"]}}, "required": ["shelf"]}
TOOLS = [
    {
        "name": "calculator",
        "description": "Compute the value of an arithmetic expression.",
        "parameters": EXPRESSION,
        "annotations": READS,
    },
    {
        "name": "count_books",
        "description": "Count the books of a shelf.",
        "parameters": SHELF,
        "annotations": READS,
    },
]
GROUND = [{"name": "scripted", "carry": "ground"}]
CARRIED_TOOLS = {"tools": TOOLS, "models": GROUND}
SUM = {
    "queries": ["What is 17 plus 25?"],
    "outputs": [call("calculator", expression="17 + 25"), final("It is 42.")],
    "results": {"calculator": [{"ok": True, "output": 42}]},
}
BOOKS = {
    "queries": ["How many books are there?"],
    "outputs": [call("count_books", shelf="upper"), final("There are 12.")],
    "results": {"count_books": [{"ok": True, "output": 12}]},
}
CLOCK = {"name": "now", "annotations": READS, "parameters": {"type": "object"}}
CARRIED: dict[str, dict[str, Any]] = {
    "the only call of a definition": {
        "definition": {"tools": [*TOOLS, CLOCK], "models": GROUND, "tool_choice": {"tool": "now"}},
        "queries": ["What time is it?"],
        "outputs": [final("It is noon.")],
        "results": {"now": [{"ok": True, "output": "12:00"}]},
    },
    "the option for a definition without models": {"definition": {"tools": TOOLS}, "carry": "ground", **SUM},
    "the option for a model without a level": {
        "definition": {"tools": TOOLS, "models": [{"name": "scripted", "window_tokens": 4096}]},
        "carry": "ground",
        **SUM,
    },
    "the option for a definition that is text": {
        "definition": f'\n{{"sampling": {{"temperature": 0.10}}, "tools": {json.dumps(TOOLS)} }}\n',
        "carry": "ground",
        **SUM,
    },
    "a level of its own beside the option": {"definition": CARRIED_TOOLS, "carry": "off", **SUM},
    "asked which value": {"definition": CARRIED_TOOLS, **BOOKS},
}
NEGOTIATED: dict[str, dict[str, Any]] = {
    "asked in another form": {
        "definition": {
            "tools": TOOLS,
            "models": [{"name": "scripted", "carry": "off"}],
            "policies": [{"use": "negotiation", "rules": [{"cause": "unread", "move": "dialect"}]}],
        },
        "queries": SUM["queries"],
        "results": SUM["results"],
        "outputs": [
            "I add them up.",
            '[TOOL_CALL]{"name": "calculator", "args": {"expression": "17 + 25"}}[/TOOL_CALL]',
            "It is 42.",
        ],
    },
}
CHOSEN: dict[str, dict[str, Any]] = {
    "no tool for the first question": {
        "definition": CARRIED_TOOLS,
        "outputs": [final("It is 42."), call("calculator", expression="1 + 2"), final("It is 3.")],
        "tool_choice": "none",
        "choices": [None, "required"],
        "queries": [*SUM["queries"], "What is 1 plus 2?"],
        "results": {"calculator": [{"ok": True, "output": 3}]},
    },
    "a tool that the words do not name": {
        "definition": {"tools": TOOLS, "dialect": "native", "models": [{"name": "scripted", "carry": "off"}]},
        "outputs": ["None.", "None at all."],
        "choices": [{"tool": "count_books"}],
        "queries": ["Hello there"],
    },
}
PINNED: dict[str, dict[str, Any]] = {
    "a query that is pinned": {
        "definition": {"tools": [], "policies": [{"use": "history", "keep_exchanges": 1, "slack": 0}]},
        "outputs": [final(f"The answer {at}.") for at in range(5)],
        "pins": [False, True],
        "queries": ["One?", "Two?", "Three?", "Four?", "Five?"],
    },
}
WORDS = "The tide comes in and the boats go out. " * 20
LONG_CHAT: dict[str, Any] = {
    "outputs": [final(f"Answer {number}. {WORDS}") for number in range(8)],
    "queries": [f"Question {number}: what of the harbour?" for number in range(8)],
}
WINDOWED: dict[str, dict[str, Any]] = {
    "a long chat in the window of the model": {
        "definition": {"tools": [{"name": "shout", "parameters": TEXT}]},
        "window_tokens": 2000,
        **LONG_CHAT,
    },
    "a long chat of a definition that is text": {
        "definition": '{"tools": [], "sampling": {"temperature": 0.10}}',
        "window_tokens": 2000,
        **LONG_CHAT,
    },
    "a long chat of a model that says no window": {"definition": {"tools": []}, **LONG_CHAT},
    "a window of the definition beside that of the model": {
        "definition": {"tools": [], "models": [{"name": "scripted", "window_tokens": 8000}]},
        "window_tokens": 2000,
        **LONG_CHAT,
    },
    "the window of a model with a level": {
        "definition": {"tools": TOOLS},
        "carry": "ground",
        "window_tokens": 2000,
        **SUM,
    },
}
CASES = {**PLAIN, **CARRIED, **NEGOTIATED, **CHOSEN, **PINNED, **WINDOWED}


def definition_of(case: dict[str, Any]) -> dict[str, Any]:
    """Return the definition of a case with the level of its option and the window of its model, where it names none."""
    given = case["definition"]
    definition: dict[str, Any] = json.loads(given) if isinstance(given, str) else given
    known = {member: case[member] for member in ("carry", "window_tokens") if member in case}
    if not known:
        return definition
    first, *others = definition.get("models", [{"name": "scripted"}])
    return {**definition, "models": [{**known, **first}, *others]}


class Scripted:
    """The adapters of a case, in Python."""

    name = "scripted"

    def __init__(self, case: dict[str, Any]) -> None:
        self.outputs = list(case["outputs"])
        self.results = {name: list(results) for name, results in case.get("results", {}).items()}
        self.approvals = list(case.get("approvals", ()))
        self.cancel_at = case.get("cancel_at")
        self.requests: list[Any] = []
        self.now = 1000
        self.lines = ""
        self.shown = ""

    def complete(self, request: ModelRequest, reply: ReplySink) -> purestep.ModelOutput:
        """Say the next output at once, where the page says it in pieces: what is shown is the same."""
        self.requests.append(request.messages)
        if len(self.requests) == self.cancel_at:
            raise KeyboardInterrupt
        content = self.outputs.pop(0)
        reply.text(content)
        return purestep.ModelOutput(content=content)

    def stop(self) -> None:
        """Nothing is left of a reply that was never begun."""

    def run(self, tool: str, params: dict[str, Any], key: str) -> dict[str, Any]:
        """Return the next outcome of the tool."""
        outcome: dict[str, Any] = self.results[tool].pop(0)
        if "throws" in outcome:
            return {"ok": False, "error": outcome["throws"], "error_kind": "execution"}
        return outcome

    def approve(self, calls: tuple[purestep.ApprovalCall, ...]) -> list[purestep.Approval]:
        """Return the next answers."""
        return [purestep.Approval(call_id=c.call_id, key=c.key, **self.approvals.pop(0)) for c in calls]

    def append(self, log: str, head: str) -> None:
        """Keep the lines; a second passes, unless nothing was lost that a resumed run had to write."""
        self.lines += log
        self.now += 1000 if log else 0

    def clock(self) -> int:
        """Return the time, which stands still while something runs: calls may end in any order."""
        return self.now

    def on_text(self, text: str) -> None:
        """Keep what is shown."""
        self.shown += text

    def on_step(self, step: Any) -> None:
        """Nothing is shown of a step."""

    def on_result(self, call: Any, result: Any) -> None:
        """Nothing is shown of a result."""
