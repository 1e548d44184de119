"""The parameters of a function as a model's arguments: their JSON Schema, and a call's arguments from JSON values."""

from __future__ import annotations

import copy
import functools
import inspect
import typing
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final, Generic, TypeVar, get_args, get_origin

import msgspec

from purestep_hosts.agents.docstrings import DocExample, DocText
from purestep_hosts.agents.type_shapes import NotOfType, TypeShape, json_value, shape_of
from purestep_hosts.tools.tool import RunningCall, ToolFailure

Deps = TypeVar("Deps")

_REF: Final = "#/$defs/"
_VARIADIC: Final = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
_DESCRIPTIONS: Final = (("pydantic", "FieldInfo"), ("msgspec", "Field"), ("msgspec", "Meta"))
_MUTABLE: Final = (list, dict, set, bytearray)


class Invocation(Generic[Deps]):
    """What the host's program gives a tool beside the model's arguments: a parameter of this type is never the model's.

    `deps` is what the run was given. `key` is the idempotency key: the same call of the same run has the same one after
    every restart.
    """

    def __init__(self, deps: Deps, call_id: str, tool: str, running: RunningCall) -> None:
        self.deps = deps
        self.call_id = call_id
        self.tool = tool
        self._running = running

    @property
    def key(self) -> str:
        """The call's idempotency key."""
        return self._running.key

    def tell(self, text: str = "", *, done: float | None = None, total: float | None = None) -> None:
        """Tell the run's stream how far the call is, as `CallProgress`; the model does not read it."""
        self._running.tell(text, done=done, total=total)

    def remaining_s(self) -> float:
        """Return the seconds that are left; 0 after the time limit, or once the run is cancelled."""
        return self._running.remaining_s()

    def check(self) -> None:
        """Raise ToolFailure when no time is left: for a function in a thread, which nothing else can end."""
        self._running.check()


class ToolParameter(msgspec.Struct, frozen=True, kw_only=True):
    """One parameter that the model fills in; `default` is UNSET where there is none."""

    name: str
    shape: TypeShape
    default: Any = msgspec.UNSET


class Parameters(msgspec.Struct, frozen=True, kw_only=True):
    """All parameters of a function, in order; `invocation` names the one that takes an `Invocation`."""

    given: tuple[ToolParameter, ...]
    invocation: str | None = None
    deps_type: Any = None
    order: tuple[str, ...] = ()

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the arguments."""
        definitions: dict[str, Any] = {}
        properties = {each.name: _own_names(each, definitions) for each in self.given}
        schema: dict[str, Any] = {
            "type": "object",
            "properties": properties,
            "required": [each.name for each in self.given if each.default is msgspec.UNSET],
            "additionalProperties": False,
        }
        return {**schema, "$defs": definitions} if definitions else schema

    def bound(self, params: Mapping[str, Any], invocation: Invocation[Any]) -> tuple[list[Any], dict[str, Any]]:
        """Return positional and named arguments of the declared types; raises ToolFailure for what does not fit."""
        values = {each.name: _value(each, params) for each in self.given}
        if self.invocation is not None:
            values[self.invocation] = invocation
        positional = [values.pop(name) for name in self.order]
        return positional, values

    def arguments_of(self, example: DocExample) -> dict[str, Any] | None:
        """Return the arguments of a documented call by name; None where they are not those of the function."""
        names = [each.name for each in self.given]
        if len(example.positional) > len(names) or not set(example.named) <= set(names):
            return None
        return {**dict(zip(names, example.positional, strict=False)), **example.named}


def read_parameters(
    function: Callable[..., Any], tool: str, found: DocText, names: Mapping[str, Any] | None, *, is_method: bool
) -> Parameters:
    """Return the parameters of a function; raises TypeError for one that no model can fill in.

    names: those that annotations may use beside the module's, as where a type is local to the function around it.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        raise TypeError(f"the parameters of {tool} cannot be read; give a Python function around it") from None
    hints = hints_of(function, tool, names)
    bound = set(function.keywords) if isinstance(function, functools.partial) else set()
    given, order, invocation, deps_type = [], [], None, None
    for each in list(signature.parameters.values())[is_method:]:
        if each.kind in _VARIADIC:
            sign = _VARIADIC[each.kind]
            raise TypeError(f"{tool} takes {sign}{each.name}; name each argument, with its type, for the model to see")
        if each.name in bound:
            continue
        annotation = hints.get(each.name, inspect.Parameter.empty)
        if each.kind is each.POSITIONAL_ONLY:
            order.append(each.name)
        if _is_invocation(annotation):
            if invocation is not None:
                raise TypeError(f"{tool} takes two of Invocation, {invocation} and {each.name}; one is enough")
            invocation, deps_type = each.name, next(iter(get_args(annotation)), None)
            continue
        given.append(_parameter(each, annotation, tool, found))
    return Parameters(given=tuple(given), invocation=invocation, deps_type=deps_type, order=tuple(order))


def hints_of(function: Callable[..., Any], tool: str, names: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the types of a function's parameters and of what it returns; raises TypeError for an unknown name."""
    plain = function.func if isinstance(function, functools.partial) else function
    if not inspect.isroutine(plain):
        plain = type(plain).__call__
    try:
        return typing.get_type_hints(inspect.unwrap(plain), localns=dict(names or {}), include_extras=True)
    except NameError as error:
        raise TypeError(f"{tool} has a type that cannot be found: {error}; define it before the function") from None


def _is_invocation(annotation: Any) -> bool:
    return annotation is Invocation or get_origin(annotation) is Invocation


def _parameter(each: inspect.Parameter, annotation: Any, tool: str, found: DocText) -> ToolParameter:
    if annotation is inspect.Parameter.empty:
        raise TypeError(f"the parameter {each.name} of {tool} has no type; write for instance {each.name}: str")
    _check_default(each, tool)
    shape = shape_of(annotation, f"the parameter {each.name} of {tool}")
    schema = dict(shape.schema)
    if each.name in found.parameters and "description" not in schema and found.parameters[each.name]:
        schema["description"] = found.parameters[each.name]
    default: Any = msgspec.UNSET if each.default is inspect.Parameter.empty else each.default
    if default is not msgspec.UNSET:
        with suppress(TypeError, ValueError):  # the model need not see it; the function gets it all the same
            schema["default"] = json_value(default)
    return ToolParameter(name=each.name, shape=TypeShape(schema, shape.value_of), default=default)


def _check_default(each: inspect.Parameter, tool: str) -> None:
    """Raise TypeError for a default that describes a parameter, which the function would get as its value."""
    kind = type(each.default)
    library = kind.__module__.partition(".")[0]
    if (library, kind.__name__) in _DESCRIPTIONS:
        text = "write its description and limits in Annotated[...], and the default itself after ="
        raise TypeError(
            f"the parameter {each.name} of {tool} has a {kind.__name__} of {library} as its default; {text}"
        )


def _value(each: ToolParameter, params: Mapping[str, Any]) -> Any:
    if each.name not in params:
        # A default that one call changes is not the next one's.
        return copy.deepcopy(each.default) if isinstance(each.default, _MUTABLE) else each.default
    try:
        return each.shape.value_of(params[each.name])
    except NotOfType as fault:
        raise ToolFailure(f"{each.name}: {fault.message}", "invalid_arguments") from None


def _own_names(each: ToolParameter, definitions: dict[str, Any]) -> dict[str, Any]:
    """Return a parameter's schema with its definitions moved to those of all; one of another type gets its own name."""
    schema = dict(each.shape.schema)
    renamed: dict[str, str] = {}
    own = schema.pop("$defs", {})
    for name in own:
        is_taken = name in definitions and definitions[name] != own[name]
        renamed[_REF + name] = _REF + (f"{each.name}.{name}" if is_taken else name)
    for name, item in own.items():
        definitions[renamed[_REF + name].removeprefix(_REF)] = _renamed(item, renamed)
    moved: dict[str, Any] = _renamed(schema, renamed)
    return moved


def _renamed(schema: Any, names: dict[str, str]) -> Any:
    match schema:
        case dict():
            return {
                key: names.get(item, item) if key == "$ref" and isinstance(item, str) else _renamed(item, names)
                for key, item in schema.items()
            }
        case list():
            return [_renamed(item, names) for item in schema]
        case _:
            return schema
