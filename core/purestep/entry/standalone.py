"""Reading a model's text and checking a value, without a run."""

from collections.abc import Mapping
from typing import Any, Final, Literal, get_args

import msgspec
from msgspec import Struct

from ..bounds import MAX_CHECK_STEPS, MAX_SUGGESTIONS
from ..dialects import dialect_named, read_output
from ..errors import PurestepError, closest
from ..json_text import clean_text
from ..regex import Budget, compile_budget
from ..schema import Formats, Schema, SchemaError, Unknown, compile_schema, render
from ..values import Problem, ReadCall, Reading, ToolSpec


class StandaloneReading(Struct, frozen=True, kw_only=True):
    """What a model's text says, read without a run."""

    content: str | None
    reasoning: str | None
    calls: tuple[dict[str, Any], ...]
    problems: tuple[Problem, ...]


class ValueProblem(Struct, frozen=True, kw_only=True):
    """One thing that is wrong with a value, as a message of the core."""

    path: str
    code: str
    message: str


class Checked(Struct, frozen=True, kw_only=True):
    """Whether a value fits a schema, and each thing that does not fit."""

    ok: bool
    errors: tuple[ValueProblem, ...]


def read_text(
    text: str,
    dialect: str = "auto",
    tools: list[dict[str, Any]] | None = None,
    *,
    reasoning: Literal["opened"] | None = None,
    truncated: bool = False,
) -> StandaloneReading:
    """Read a model's text without a run.

    text: the output, any text; lone surrogates are read as U+FFFD. dialect: a registered name. tools: in OpenAI's,
    MCP's or our shape, or None for any name. reasoning: `opened` when the chat template opened it, so nothing is
    content before its closing tag. truncated: the server or the host ended the text, so a call without its own end is
    none. Gives content, reasoning, calls and problems; calls of unknown tools are problems. Error codes:
    `unknown_dialect`, `invalid_input`.
    """
    specs = specs_of(tools)
    opened = is_opened(reasoning)
    reading = read_output(dialect_named(dialect), clean_text(text), specs, opened=opened, cut=truncated)
    return _checked(reading, specs) if specs is not None else _given(reading, reading.calls, ())


def read_standalone(given: dict[str, Any]) -> StandaloneReading:
    """Return the reading of `text` in `dialect`, its calls checked against `tools` where any are given.

    `reasoning` and `truncated` are the host's words on it, as in `read_text`.
    """
    _only(given, ("text", "tools", "dialect", "reasoning", "truncated"))
    text, dialect = given.get("text"), given.get("dialect") or "auto"
    if not isinstance(text, str):
        raise PurestepError("invalid_input", "expected text: the model's output as a string", "/text")
    if not isinstance(dialect, str):
        raise PurestepError("invalid_input", "expected dialect: a name", "/dialect")
    truncated = given.get("truncated", False)
    if not isinstance(truncated, bool):
        raise PurestepError("invalid_input", "expected truncated: true or false", "/truncated")
    return read_text(text, dialect, given.get("tools"), reasoning=given.get("reasoning"), truncated=truncated)


def is_opened(reasoning: object) -> bool:
    """Tell what the host says of the reasoning. Error codes: `invalid_input` for another word."""
    if reasoning not in (None, "opened"):
        raise PurestepError("invalid_input", 'expected reasoning: "opened" or null', "/reasoning")
    return reasoning == "opened"


def _only(given: dict[str, Any], known: tuple[str, ...]) -> None:
    for key in given:
        if key not in known:
            raise PurestepError("invalid_input", f"expected the keys {', '.join(known)}; got another", f"/{key}")


def specs_of(tools: Any) -> dict[str, ToolSpec] | None:
    """Return tool specs from OpenAI's, MCP's or our shape; None when no tools are named."""
    if tools is msgspec.UNSET or not tools:
        return None
    if not isinstance(tools, list):
        raise PurestepError("invalid_input", "expected tools: a list or null", "/tools")
    specs = [_spec(entry, f"/tools/{index}") for index, entry in enumerate(tools)]
    return {spec.name: spec for spec in sorted(specs, key=lambda spec: spec.name)}


def _spec(entry: Any, path: str) -> ToolSpec:
    function = entry.get("function", entry) if isinstance(entry, dict) else None
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        raise PurestepError("invalid_input", 'expected a tool with a "name"', path)
    parameters = function.get("parameters", function.get("inputSchema"))
    described = function.get("description")
    return ToolSpec(
        name=function["name"],
        description=described if isinstance(described, str) else "",
        parameters=parameters if isinstance(parameters, dict) else {},
    )


def _checked(reading: Reading, specs: dict[str, ToolSpec]) -> StandaloneReading:
    known: list[ReadCall] = []
    problems: list[Problem] = []
    # All calls share one second's work, however many there are; each tool is compiled once.
    near = dict[str, str | None]()
    schemas, budget = dict[str, Schema | None](), compile_budget()
    steps = MAX_CHECK_STEPS // max(1, len(reading.calls))
    for call in reading.calls:
        if call.tool in specs:
            known.append(call)
            if call.tool not in schemas:
                schemas[call.tool] = _compiled(specs[call.tool], budget)
            problems += _argument_problems(call, schemas[call.tool], steps)
        else:
            if call.tool not in near:
                near[call.tool] = closest(call.tool, tuple(specs)) if len(near) < MAX_SUGGESTIONS else None
            problems.append(_unknown(call.tool, near[call.tool]))
    return _given(reading, tuple(known), tuple(problems))


def _unknown(name: str, near: str | None) -> Problem:
    hint = f'; did you mean "{near}"?' if near else ""
    return Problem(code="unknown_tool", message=f'no tool is named "{name}"{hint}')


def _compiled(spec: ToolSpec, budget: Budget) -> Schema | None:
    try:
        # A schema from elsewhere may use unsupported keywords, or be invalid; the text is still read.
        return compile_schema(spec.parameters, unknown="ignore", budget=budget)
    except SchemaError:
        return None


def _argument_problems(call: ReadCall, schema: Schema | None, steps: int) -> list[Problem]:
    issues = () if schema is None else schema.check(call.params, steps)
    return [Problem(code="invalid_arguments", message=f"{call.tool}: {render(issue, 'argument')}") for issue in issues]


def _given(reading: Reading, calls: tuple[ReadCall, ...], problems: tuple[Problem, ...]) -> StandaloneReading:
    return StandaloneReading(
        content=reading.content,
        reasoning=reading.reasoning,
        calls=tuple(_call(call) for call in calls),
        problems=(*reading.problems, *problems),
    )


def _call(call: ReadCall) -> dict[str, Any]:
    given = {"tool": call.tool, "params": call.params}
    return {**given, "skill": True} if call.skill else given


def check_json(
    schema: object,
    value: object,
    *,
    unknown: Unknown = "refuse",
    formats: Formats = "annotate",
    documents: Mapping[str, object] | None = None,
) -> Checked:
    """Check a decoded JSON value against a JSON Schema; see `compile_schema` for the choices.

    Raises the schema's own error, its path from `/schema`.
    """
    try:
        compiled = compile_schema(schema, "/schema", unknown=unknown, formats=formats, documents=documents or {})
    except SchemaError as error:
        raise PurestepError(error.code, error.message, error.path) from None
    issues = compiled.check(value)
    errors = tuple(ValueProblem(path=issue.path, code=issue.code, message=render(issue)) for issue in issues)
    return Checked(ok=not errors, errors=errors)


_CHOICES: Final = {"unknown": get_args(Unknown), "formats": get_args(Formats)}


def check_standalone(given: dict[str, Any]) -> Checked:
    """Return whether `value` fits `schema`; `unknown`, `formats` and `documents` are those of `compile_schema`."""
    _only(given, ("schema", "value", *_CHOICES, "documents"))
    for key in ("schema", "value"):
        if key not in given:
            raise PurestepError("invalid_input", f"expected {key}", f"/{key}")
    for key, allowed in _CHOICES.items():
        if key in given and given[key] not in allowed:
            raise PurestepError("invalid_input", f"expected {key}: {' or '.join(allowed)}", f"/{key}")
    if not isinstance(given.get("documents", {}), dict):
        raise PurestepError("invalid_input", "expected documents: schemas by their addresses", "/documents")
    return check_json(**given)
