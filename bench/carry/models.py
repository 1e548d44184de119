"""The models of a measurement: the real one with its replies kept on disk, and the controls that know nothing."""

import hashlib
import json
import re._parser as parser
import time
from pathlib import Path
from typing import Any, Protocol

import msgspec

import purestep
from bench.carry.judge import as_text, expected_arguments
from bench.carry.sets import Task
from bench.carry.toolbox import SimulatedToolbox
from purestep_hosts.models.model import Model, ModelEnd, ModelRequest, ReplySink


class Asked(msgspec.Struct, kw_only=True):
    """One request, what came of it and what it cost."""

    request: ModelRequest
    output: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cpu_s: float = 0.0


class Counted(Protocol):
    """A model that remembers what it was asked."""

    asked: list[Asked]


class _Kept(msgspec.Struct, frozen=True, kw_only=True):
    """A reply as it is kept on disk."""

    chunks: list[str]
    cpu_s: float
    prompt_tokens: int
    completion_tokens: int
    end: purestep.ReplyEnd


class KeptReplies:
    """A model in this process whose replies are kept by the digest of model and request.

    At temperature 0 the same request has the same reply, so a rerun costs nothing; its CPU time is that of the first.
    """

    def __init__(self, model: Model, identity: str, folder: Path | None) -> None:
        """`identity` tells models apart; without a folder nothing is kept."""
        self.name = model.name
        self.asked: list[Asked] = []
        self.spent_s = 0.0
        self._model = model
        self._identity = identity
        self._folder = folder

    def complete(self, request: ModelRequest, reply: ReplySink) -> ModelEnd:
        """Answer from the folder, or ask the model."""
        body = self._identity.encode() + json.dumps(msgspec.to_builtins(request), sort_keys=True).encode()
        place = self._folder / f"{hashlib.sha256(body).hexdigest()}.json" if self._folder else None
        if place is not None and place.exists():
            kept = msgspec.json.decode(place.read_bytes(), type=_Kept)
            for chunk in kept.chunks:
                if reply.chunk(chunk):
                    break
        else:
            kept = self._ask(request, reply)
            if place is not None and kept.end.kind == "ended":
                _write(place, msgspec.json.encode(kept))
        counts = {"prompt_tokens": kept.prompt_tokens, "completion_tokens": kept.completion_tokens}
        output = "".join(map(_text, kept.chunks))
        self.asked.append(Asked(request=request, output=output, cpu_s=kept.cpu_s, **counts))
        return kept.end

    def stop(self) -> None:
        """Give up the reply."""
        self._model.stop()

    def _ask(self, request: ModelRequest, reply: ReplySink) -> _Kept:
        recorder = _Recorder(reply)
        began = time.process_time()
        end = self._model.complete(request, recorder)
        cpu_s = time.process_time() - began
        self.spent_s += cpu_s
        assert isinstance(end, purestep.ReplyEnd)
        usage: dict[str, Any] = {}
        for chunk in recorder.chunks:
            usage = json.loads(chunk).get("usage") or usage
        prompt, completion = usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)
        return _Kept(chunks=recorder.chunks, cpu_s=cpu_s, prompt_tokens=prompt, completion_tokens=completion, end=end)


class _Recorder:
    """Passes chunks on until the core has enough, and records all: the last one holds the counts of tokens."""

    def __init__(self, reply: ReplySink) -> None:
        self.chunks: list[str] = []
        self._reply = reply
        self._is_over = False

    def chunk(self, chunk: str | bytes) -> bool:
        """Record a chunk; never asks to stop."""
        text = chunk if isinstance(chunk, str) else chunk.decode()
        self.chunks.append(text)
        if not self._is_over:
            self._is_over = self._reply.chunk(text)
        return False

    def text(self, piece: str) -> bool:
        """Record a piece of text as a chunk."""
        return self.chunk(json.dumps({"choices": [{"delta": {"content": piece}}]}))


class FirstValue:
    """No model: gives the first value that the constraint allows."""

    name = "none"

    def __init__(self) -> None:
        self.asked: list[Asked] = []

    def complete(self, request: ModelRequest, reply: ReplySink) -> purestep.ModelOutput:
        """Give the first branch, the first value, an empty text, zero."""
        schema = ((request.response_format or {}).get("json_schema") or {}).get("schema")
        output = "" if schema is None else json.dumps(first_value(schema, schema))
        self.asked.append(Asked(request=request, output=output))
        return purestep.ModelOutput(content=output)

    def stop(self) -> None:
        """Nothing is awaited."""


class ExpectedCalls:
    """A script that makes exactly the calls a task expects and then gives the answer: shows that the task can be done."""

    name = "expected"

    def __init__(self, task: Task, toolbox: SimulatedToolbox) -> None:
        self.asked: list[Asked] = []
        self._task = task
        self._toolbox = toolbox

    def complete(self, request: ModelRequest, reply: ReplySink) -> purestep.ModelOutput:
        """Give the next expected call, or the answer after the last one."""
        done = len(self._toolbox.ran)
        if done < len(self._task.calls):
            call = {"tool_name": self._task.calls[done][0], "arguments": self._arguments(done)}
            output = json.dumps({"kind": "tool_call", **call})
        else:
            output = json.dumps({"kind": "final", "content": self._answer()})
        self.asked.append(Asked(request=request, output=output))
        return purestep.ModelOutput(content=output)

    def stop(self) -> None:
        """Nothing is awaited."""

    def _arguments(self, index: int) -> dict[str, Any]:
        properties = self._toolbox.tools[self._task.calls[index][0]].spec["parameters"]["properties"]
        chosen = {}
        for name, wanted in expected_arguments(self._task, index)[0].items():
            if isinstance(wanted, dict) and "optional" in wanted:
                continue
            chosen[name] = self._value(wanted, properties[name].get("type"))
        return chosen

    def _value(self, wanted: Any, kind: Any) -> Any:
        match wanted:
            case {"any": [first, *_]}:
                return self._value(first, kind)
            case {"holds": words}:
                return " ".join(words)
            case {"result": number}:
                result = self._toolbox.ran[number - 1].output
                return as_text(result) if kind == "string" else result
            case _:
                return wanted

    def _answer(self) -> str:
        said = " ".join(each if isinstance(each, str) else each[0] for each in self._task.answer)
        return f"Here it is: {said}" if said else "Good."


def first_value(schema: Any, root: dict[str, Any]) -> Any:
    """Give the first value that a schema allows, with no more members, letters or size than it asks for."""
    if not isinstance(schema, dict):
        return ""
    if "$ref" in schema:
        return first_value(_pointed(schema["$ref"], root), root)
    for key in ("anyOf", "oneOf"):
        if schema.get(key):
            return first_value({**{k: v for k, v in schema.items() if k != key}, **schema[key][0]}, root)
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return schema["enum"][0]
    return _first_of_type(schema, root)


def _first_of_type(schema: dict[str, Any], root: dict[str, Any]) -> Any:
    kinds = schema.get("type", "object" if "properties" in schema else "string")
    match kinds[0] if isinstance(kinds, list) else kinds:
        case "object":
            wanted = schema.get("required", ())
            properties = schema.get("properties", {})
            return {name: first_value(part, root) for name, part in properties.items() if name in wanted}
        case "array":
            return [first_value(schema.get("items"), root)] * schema.get("minItems", 0)
        case "integer" | "number":
            return schema["exclusiveMinimum"] + 1 if "exclusiveMinimum" in schema else max(schema.get("minimum", 0), 0)
        case "boolean":
            return False
        case "null":
            return None
        case _:
            shortest = _shortest(schema["pattern"]) if "pattern" in schema else ""
            return shortest.ljust(schema.get("minLength", 0), "a")


def _pointed(pointer: str, root: dict[str, Any]) -> Any:
    found: Any = root
    for part in pointer.removeprefix("#/").split("/"):
        found = found[part]
    return found


def _shortest(pattern: str) -> str:
    """Give a text that fits a pattern: first alternatives, fewest repetitions."""
    return "".join(_of_part(operation, value) for operation, value in parser.parse(pattern))


def _of_part(operation: Any, value: Any) -> str:
    match str(operation):
        case "LITERAL":
            return chr(value)
        case "IN":
            return _of_part(*value[0])
        case "RANGE":
            return chr(value[0])
        case "CATEGORY":
            return {"CATEGORY_DIGIT": "0", "CATEGORY_SPACE": " "}.get(str(value), "a")
        case "BRANCH":
            return "".join(_of_part(*part) for part in value[1][0])
        case "SUBPATTERN":
            return "".join(_of_part(*part) for part in value[3])
        case "MAX_REPEAT" | "MIN_REPEAT":
            return "".join(_of_part(*part) for part in value[2]) * value[0]
        case "ANY" | "NOT_LITERAL" | "NEGATE":
            return "a"
        case _:
            return ""


def _text(chunk: str) -> str:
    choices = json.loads(chunk).get("choices") or [{}]
    return (choices[0].get("delta") or {}).get("content") or ""


def _write(place: Path, content: bytes) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    staging = place.with_suffix(f".{time.monotonic_ns()}")
    staging.write_bytes(content)
    staging.replace(place)
