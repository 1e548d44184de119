"""`@tool`: a typed function as a tool. Its name, docstring and types are what the model sees."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from types import MethodType, UnionType
from typing import Any, Final, Generic, Literal, ParamSpec, TypeVar, Union, get_args, get_origin, overload

import msgspec

from purestep import Example
from purestep_hosts.agents.docstrings import example_of, read_docstring
from purestep_hosts.agents.members import name_hint
from purestep_hosts.agents.parameters import Invocation, Parameters, hints_of, read_parameters
from purestep_hosts.agents.type_shapes import shape_of
from purestep_hosts.tools.later import Later
from purestep_hosts.tools.output_parts import holds_parts

P = ParamSpec("P")
R = TypeVar("R")

ApprovalWord = Literal["auto", "ask", "deny"]
TIME_LIMIT_S: Final = 60.0
"""Of a function that sets no limit of its own: it may ask another service, which has limits of this order."""

MAX_TIME_LIMIT_S: Final = 86_400
"""A day: what takes longer is begun by one tool and asked for by another."""

_HINTS: Final = {
    "read_only": "readOnlyHint",
    "destructive": "destructiveHint",
    "idempotent": "idempotentHint",
    "open_world": "openWorldHint",
}


class ToolOptions(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What `tool` takes beside the function; see there."""

    name: str | None = None
    description: str | None = None
    approval: ApprovalWord | None = None
    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None
    labels: tuple[str, ...] = ()
    time_limit_s: float = TIME_LIMIT_S
    max_output_chars: int | None = None
    examples: tuple[Example, ...] = ()
    checks: tuple[str | dict[str, Any], ...] = ()
    always: bool = False


class FunctionTool(Generic[P, R]):
    """A function with what a model sees of it; it can still be called as the function that it is."""

    def __init__(
        self, function: Callable[P, R], options: ToolOptions | None = None, names: Mapping[str, Any] | None = None
    ) -> None:
        """Read the function; raises TypeError for one that no model can call, which says what to change.

        names: those that annotations may use beside the module's.
        """
        _check_kind(function)
        self.function = function
        self.options = options or ToolOptions()
        self.name = self.options.name or _name_of(function)
        self.is_async = _is_async(function)
        found = read_docstring(_docstring(function), self.name)
        self._is_method = _is_method(function)
        self._names = names if self._is_method else None  # else nothing of the function around it is kept alive
        self.parameters: Parameters = read_parameters(function, self.name, found, names, is_method=self._is_method)
        self.description = found.description if self.options.description is None else self.options.description
        self.output_schema = self._output_schema(names)
        self.examples = self.options.examples or tuple(
            example_of(each, arguments, self.description)
            for each in found.examples
            if (arguments := self.parameters.arguments_of(each)) is not None
        )
        functools.update_wrapper(self, function, ("__module__", "__name__", "__qualname__", "__doc__"), ())

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function."""
        return self.function(*args, **kwargs)

    def __get__(self, instance: Any, owner: type | None = None) -> FunctionTool[..., R]:
        """Return the tool of an instance, where the function is a method."""
        if instance is None or not self._is_method:
            return self
        bound: Callable[..., R] = MethodType(self.function, instance)
        return FunctionTool(bound, msgspec.structs.replace(self.options, name=self.name), self._names)

    def __repr__(self) -> str:
        return f"<tool {self.name}>"

    @property
    def time_limit_s(self) -> float:
        """How long a call may take, in seconds."""
        return self.options.time_limit_s

    def spec(self) -> dict[str, Any]:
        """Return the tool's entry for an agent definition."""
        if self._is_method:
            raise TypeError(f"{self.name} is a method; give the one of an instance, such as shop.{self.name}")
        options = self.options
        hints = {ours: getattr(options, name) for name, ours in _HINTS.items()}
        optional = {
            "annotations": {name: value for name, value in hints.items() if value is not None},
            "approval": options.approval,
            "labels": list(options.labels),
            "max_output_chars": options.max_output_chars,
            "examples": [msgspec.to_builtins(example) for example in self.examples],
            "output_schema": self.output_schema,
            "checks": list(options.checks),
            "always": options.always,
        }
        spec = {"name": self.name, "description": self.description, "parameters": self.parameters.schema()}
        return {**spec, **{name: value for name, value in optional.items() if value}}

    def run(self, params: Mapping[str, Any], invocation: Invocation[Any]) -> Any:
        """Call the function with the model's arguments as its types; raises ToolFailure where they do not fit.

        An async function gives an awaitable; what comes of either is made JSON by `json_value`.
        """
        positional, named = self.parameters.bound(params, invocation)
        return self.function(*positional, **named)

    def _output_schema(self, names: Mapping[str, Any] | None) -> dict[str, Any] | None:
        returned = _at_once(hints_of(self.function, self.name, names).get("return", Any))
        if returned in (None, type(None), Any, str) or any(map(holds_parts, _types_in(returned))):
            return None
        return shape_of(returned, f"what {self.name} returns", is_output=True).schema or None


def _at_once(annotation: Any) -> Any:
    """Return the type of what a function gives itself: a result that comes later is no part of it."""
    if annotation is Later:
        return Any
    if get_origin(annotation) not in (Union, UnionType):
        return annotation
    kept = tuple([each for each in get_args(annotation) if each is not Later])
    return Union[kept]  # noqa: UP007 - of as many as there are


def _types_in(annotation: Any) -> Iterator[Any]:
    """Return a type, and those that it is made of."""
    yield annotation
    for inner in get_args(annotation):
        yield from _types_in(inner)


@overload
def tool(function: Callable[P, R], /) -> FunctionTool[P, R]: ...


@overload
def tool(
    *,
    name: str | None = None,
    description: str | None = None,
    approval: ApprovalWord | None = None,
    read_only: bool | None = None,
    destructive: bool | None = None,
    idempotent: bool | None = None,
    open_world: bool | None = None,
    labels: tuple[str, ...] = (),
    time_limit_s: float = TIME_LIMIT_S,
    max_output_chars: int | None = None,
    examples: tuple[Example, ...] = (),
    checks: tuple[str | dict[str, Any], ...] = (),
    always: bool = False,
) -> Callable[[Callable[P, R]], FunctionTool[P, R]]: ...


def tool(function: Callable[P, R] | None = None, /, **options: Any) -> Any:
    """Make a tool of a typed function, sync or async: `@tool`, `@tool(approval="ask")`, or `tool(function)`.

    name, description: what the model sees, instead of the function's name and docstring. approval: `auto`, `ask` (a
    person approves each call) or `deny`. read_only, destructive, idempotent, open_world: MCP's hints. labels: of its
    results, such as `open` for text that anybody may have written. time_limit_s: of one call, in seconds.
    max_output_chars: how much of a result the model is shown. examples: instead of the docstring's doctest lines.
    checks: of its results, as in a definition. always: offered also where most tools are found. Raises TypeError for
    a function that no model can call.
    """
    names = sys._getframe(1).f_locals  # a type may be local to the function in which the tool is defined
    chosen = _checked(options)
    if function is None:
        return lambda decorated: FunctionTool(decorated, chosen, names)
    return FunctionTool(function, chosen, names)


def _checked(options: dict[str, Any]) -> ToolOptions:
    for name in options:
        if name not in ToolOptions.__struct_fields__:
            hint = name_hint(name, ToolOptions.__struct_fields__, "options")
            raise TypeError(f"tool has no option {name}; {hint}")
    if options.get("approval") not in (None, *get_args(ApprovalWord)):
        raise TypeError(f"approval is {options['approval']!r}; expected auto, ask or deny")
    if isinstance(options.get("checks"), str | dict):
        raise TypeError(f'checks is {options["checks"]!r}; expected several, such as checks=("not_empty",)')
    limit = options.get("time_limit_s", TIME_LIMIT_S)
    if isinstance(limit, bool) or not isinstance(limit, int | float) or not 0 < limit <= MAX_TIME_LIMIT_S:
        raise TypeError(f"time_limit_s is {limit!r}; expected seconds, more than 0 and at most {MAX_TIME_LIMIT_S}")
    return ToolOptions(**options)


def _check_kind(function: Any) -> None:
    """Raise TypeError for what is no function that gives one result."""
    from purestep_hosts.agents.agent import Agent  # which makes its tools here

    if isinstance(function, Agent) or isinstance(getattr(function, "__self__", None), Agent):
        raise TypeError(
            "expected the agent itself, not its `run`: tools=[agent], so that its approvals reach a person and its log "
            "is part of the caller's"
        )
    if inspect.isclass(function) or not callable(function):
        got = f"the class {function.__name__}" if inspect.isclass(function) else type(function).__name__
        raise TypeError(f"a tool is made of a function, not of {got}")
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise TypeError(f"{function.__name__} is a generator; a tool returns one result, such as a list")


def _name_of(function: Callable[..., Any]) -> str:
    plain = function.func if isinstance(function, functools.partial) else function
    name: str = getattr(plain, "__name__", "")
    if not name or name == "<lambda>":
        what = "a lambda" if name else f"an object of the type {type(plain).__name__}"
        raise TypeError(f"{what} has no name for the model; give one: tool(name=...)(function)")
    return name


def _docstring(function: Callable[..., Any]) -> str | None:
    if isinstance(function, functools.partial):
        return _docstring(function.func)
    return function.__doc__ if inspect.isroutine(function) else type(function).__call__.__doc__


def _is_async(function: Callable[..., Any]) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)


def _is_method(function: Callable[..., Any]) -> bool:
    """Return whether a function is one of a class body: its first parameter is `self`, which has no type."""
    if not inspect.isfunction(function) or "." not in function.__qualname__.rpartition("<locals>.")[2]:
        return False
    first = next(iter(inspect.signature(function).parameters.values()), None)
    return first is not None and first.name in ("self", "cls") and first.annotation is inspect.Parameter.empty
