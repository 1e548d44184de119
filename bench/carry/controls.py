"""Models that are none: the control that gives the first value allowed, and a script of the expected calls."""

import json
import re._parser as parser
from typing import Any

import purestep
from bench.carry.judge import as_text, expected_arguments
from bench.carry.models import Asked
from bench.carry.sets import Task
from bench.carry.toolbox import SimulatedToolbox
from purestep_hosts.models.model import ModelRequest, ReplySink


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
    """A script that makes exactly the expected calls and then answers: it shows that the task can be done."""

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
            chosen[name] = self._value(wanted, properties.get(name, {}).get("type"))
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
        return f"{'Done' if self._task.calls else 'I cannot act on this'}: {said}"


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
