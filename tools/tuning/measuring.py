"""How a model does on trees that it was not taught: it is asked by the core, under the core's grammar, turn by turn.

Each turn is asked after the turns before it as they should have gone, so that one mistake counts once.
"""

import json
import re
import time
from collections.abc import Iterable
from typing import Any, Final

import msgspec

import purestep
from purestep_hosts.approval import approve_all
from purestep_hosts.loop import Ports, Run
from purestep_hosts.models.model import Model, ModelEnd, ModelRequest, ReplySink
from tools.tuning import form
from tools.tuning.trees import Branch, Tree, Turn


class Measured(msgspec.Struct, kw_only=True):
    """What came of the turns: those that should call, ask and answer, how many did, and the seconds of each."""

    calls: int = 0
    called: int = 0
    right_tool: int = 0
    right_arguments: int = 0
    questions: int = 0
    asked: int = 0
    answers: int = 0
    answered: int = 0
    seconds: float = 0.0
    unreadable: int = 0
    """Trees whose tools are not known, and turns that the core did not come to."""

    @property
    def turns(self) -> int:
        """The turns that were asked."""
        return self.calls + self.questions + self.answers

    def count(self, turn: Turn, output: str, seconds: float) -> None:
        """Count one turn."""
        self.seconds += seconds
        expected, got = form.first_name(turn.output), form.first_name(output)
        match expected:
            case "ask":
                self.questions += 1
                self.asked += got == expected
            case "answer":
                self.answers += 1
                self.answered += got == expected
            case _:
                self.calls += 1
                self.called += got not in ("ask", "answer", "")
                self.right_tool += got == expected
                self.right_arguments += _value(output) == _value(turn.output)

    def table(self) -> str:
        """Return the figures as lines."""
        rows = (
            ("calls a tool where one is needed", self.called, self.calls),
            ("calls the right tool", self.right_tool, self.calls),
            ("with all arguments", self.right_arguments, self.calls),
            ("asks where a value is missing", self.asked, self.questions),
            ("calls nothing where none is needed", self.answered, self.answers),
        )
        lines = [f"{name:<36}{right:>5} of {of:<5}{_share(right, of)}" for name, right, of in rows]
        return "\n".join([*lines, f"{'seconds for a decision':<36}{self.seconds / max(1, self.turns):>8.2f}"])


def _value(output: str) -> Any:
    """Return an output as a value, in which the order of arguments says nothing."""
    try:
        return json.loads(output)
    except ValueError:
        return output


def _share(right: int, of: int) -> str:
    return f"{100 * right / of:5.1f} %" if of else "    -"


def measure(model: Model, trees: Iterable[Tree]) -> Measured:
    """Return how a model does on the turns of these trees; those whose tools are not known are counted and left out."""
    measured = Measured()
    for tree in trees:
        tools = tree.tools or tools_of_lines(tree.system)
        if tools is None:
            measured.unreadable += 1
            continue
        agent = purestep.Agent.load(form.definition(list(tools), tree.instructions or instructions_of(tree.system)))
        for branch in tree.branches:
            _follow(agent, branch, model, measured)
    return measured


def _follow(agent: purestep.Agent, branch: Branch, model: Model, measured: Measured) -> None:
    """Ask about the turns of a branch; a user's next words are a message of their own."""
    led = _LedModel(model, branch, measured)
    tools = TreeTools([turn for turn in branch if turn.kind == "result"])
    nothing = NoLog()
    ports = Ports(model=led, tools=tools, approve=approve_all, log=nothing, watch=nothing, clock=lambda: 0)
    run = Run(agent, ports, run_id="measured")
    for turn in branch:
        if turn.kind == "user":
            run.ask(turn.text)
    measured.unreadable += len(led.left)


class _LedModel:
    """Asks the model, counts what it says, and goes on with what it should have said."""

    name = "small"

    def __init__(self, model: Model, branch: Branch, measured: Measured) -> None:
        self._model, self._measured = model, measured
        self.left = list(branch)

    def complete(self, request: ModelRequest, reply: ReplySink) -> ModelEnd:
        """Ask, count, and reply with the turn's output."""
        if not self.left:  # the core sent an output of the tree back
            return purestep.ModelOutput(content=form.answer("-"))
        turn = self.left.pop(0)
        heard, begun = Heard(), time.monotonic()
        self._model.complete(request, heard)
        self._measured.count(turn, heard.said, time.monotonic() - begun)
        return purestep.ModelOutput(content=turn.output if turn.learnt == "all" else form.answer("-"))

    def stop(self) -> None:
        """Stop the model."""
        self._model.stop()


class Heard:
    """Keeps the text of a reply, and the tokens of its prompt as the model counts them."""

    def __init__(self) -> None:
        self.said = ""
        self.prompt_tokens = 0

    def chunk(self, chunk: str | bytes) -> bool:
        """Take the text of a chunk."""
        value = {} if chunk == "[DONE]" else json.loads(chunk)
        for choice in value.get("choices") or []:
            self.said += (choice.get("delta") or {}).get("content") or ""
        self.prompt_tokens = (value.get("usage") or {}).get("prompt_tokens", self.prompt_tokens)
        return False

    def text(self, piece: str) -> bool:
        """Take a piece of text."""
        self.said += piece
        return False


class TreeTools:
    """Gives the results of a branch, one after the other."""

    def __init__(self, results: list[Turn]) -> None:
        self._results = results

    def run(self, tool: str, params: dict[str, Any], key: str) -> dict[str, Any]:
        """Return the next result."""
        text = self._results.pop(0).text if self._results else "ok"
        error = text.removeprefix(_ERROR)
        if error != text:
            return {"ok": False, "error": error}
        return {"ok": True, "output": text}

    def stop(self) -> None:
        """Stop nothing: no call takes time."""


_ERROR: Final = "Error: "


class NoLog:
    """Keeps no log and shows nothing."""

    def append(self, log: str, head: str) -> None:
        """Keep nothing."""

    def on_text(self, text: str) -> None:
        """Show nothing."""

    def on_retract(self) -> None:
        """Show nothing."""

    def on_step(self, step: purestep.Step) -> None:
        """Show nothing."""

    def on_result(self, call: purestep.ToolCall, result: dict[str, Any]) -> None:
        """Show nothing."""


# --- tools from their lines ------------------------------------------------------------------------------------

_LINE: Final = re.compile(r"([\w.-]+)\((.*?)\)(?:: (.*))?")
_PARAMETER: Final = re.compile(r"([\w.-]+)(\??): (.*)")
_TYPES: Final = ("string", "integer", "number", "boolean", "object", "list", "array")
_TOOLS: Final = "Tools:\n"


def instructions_of(system: str) -> str:
    """Return what a system text says before its tools."""
    return system.partition(_TOOLS)[0].strip()


def tools_of_lines(system: str) -> tuple[dict[str, Any], ...] | None:
    """Return specs that have the lines of a system text; None where the lines do not say enough."""
    lines = system.partition(_TOOLS)[2].split("\n")
    specs = [_spec_of_line(line) for line in lines if line]
    known = [spec for spec in specs if spec is not None]
    if len(known) < len(specs) or not known:
        return None
    return tuple(known)


def _spec_of_line(line: str) -> dict[str, Any] | None:
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    name, inner, about = found.groups()
    properties: dict[str, Any] = {}
    required = []
    for part in re.split(r", (?=[\w.-]+\??: )", inner) if inner else []:
        parameter = _PARAMETER.fullmatch(part)
        if parameter is None:
            return None
        key, optional, kind = parameter.groups()
        properties[key] = _schema_of_type(kind)
        if not optional:
            required.append(key)
    schema = {"type": "object", "properties": properties, "required": required}
    return {"name": name, "description": about or "", "parameters": schema}


def _schema_of_type(kind: str) -> dict[str, Any]:
    if kind.startswith("list of "):
        return {"type": "array", "items": _schema_of_type(kind.removeprefix("list of "))}
    if kind in _TYPES:
        return {"type": "array"} if kind == "list" else {"type": kind}
    return {"type": "string", "enum": kind.split("|")}
