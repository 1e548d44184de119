"""Python files with functions decorated by `tool`, as tools of a toolbox.

To load such a file is to run it, with all that the user may do: who loads one has made sure that the user wants that.
"""

from __future__ import annotations

import asyncio
import re
import sys
import traceback
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager, suppress
from inspect import isawaitable
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from purestep_hosts.agents.blocking import run_blocking
from purestep_hosts.agents.calls import plain_output
from purestep_hosts.agents.function_tool import FunctionTool
from purestep_hosts.agents.parameters import Invocation
from purestep_hosts.regular_files import read_regular
from purestep_hosts.show.streams import stdout_aside
from purestep_hosts.tools.outcome import unusable
from purestep_hosts.tools.tool import RunningCall, Tool, ToolFailure

MAX_FILE_BYTES: Final = 4 * 1024 * 1024
"""More is no file that a person wrote."""


class FunctionFileError(Exception):
    """A file of functions cannot be used; `message` says what was expected, what came and what to do."""

    code = "bad_functions_file"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def read_functions(path: Path) -> bytes:
    """Return the source in a file, which is not run yet; raises FunctionFileError."""
    try:
        if not path.is_file():
            raise FunctionFileError(f"{path} is not a file; expected a Python file with functions decorated by tool")
        source = read_regular(path, MAX_FILE_BYTES)
    except OSError as error:
        raise FunctionFileError(f"{path} cannot be read ({error.strerror}); expected a Python file") from None
    if len(source) > MAX_FILE_BYTES:
        raise FunctionFileError(f"{path} has more than {MAX_FILE_BYTES} bytes; expected a Python file of functions")
    return source


def load_functions(source: bytes, path: Path, *, imports_beside: bool = False) -> tuple[Tool, ...]:
    """Run the source that was read from a file, and return its functions as tools, in order.

    imports_beside: whether the file may import modules in its folder. Raises FunctionFileError for a file that does not
    run, and for one without functions that a model can call.
    """
    with _path_for(path.resolve().parent, imports_beside=imports_beside):
        names = vars(_module(source, path))
    found = {id(value): value for name, value in names.items() if _is_offered(name, value)}
    if not found:
        raise FunctionFileError(
            f"{path} has no tools; put @tool above each function that the model may call, after "
            "from purestep_hosts import tool"
        )
    return tuple(_tool(value, path) for value in found.values())


@contextmanager
def _path_for(folder: Path, *, imports_beside: bool) -> Iterator[None]:
    """Have modules in a file's folder found, or not: `python -m` has the working folder in its path."""
    before = list(sys.path)
    if not imports_beside:
        sys.path[:] = [place for place in before if Path(place).resolve() != folder]
    elif str(folder) not in before:
        sys.path.append(str(folder))  # last, so that no file there takes the place of a module that this program uses
    try:
        yield
    finally:
        if not imports_beside:
            sys.path[:] = before


def _is_offered(name: str, value: Any) -> bool:
    return isinstance(value, FunctionTool) and not name.startswith("_")


def _module(source: bytes, path: Path) -> ModuleType:
    """Run a file as a module of its own name; what it prints goes to stderr, since stdout has the answer."""
    module = ModuleType(f"functions_of_{re.sub(r'[^0-9A-Za-z_]', '_', path.stem)}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # dataclasses look up the names of their types there
    try:
        code = compile(source, str(path), "exec", dont_inherit=True)
        with stdout_aside():
            exec(code, vars(module))
    except KeyboardInterrupt:
        raise
    except SyntaxError as error:
        place = f", line {error.lineno}" if error.filename == str(path) and error.lineno else ""
        raise FunctionFileError(f"{path}{place}: not usable Python: {error.msg}") from None
    except BaseException as error:  # foreign code; also an exit
        raise FunctionFileError(f"{path}{_line(error, path)}: {_said(error)}") from error
    return module


def _line(error: BaseException, path: Path) -> str:
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return f", line {lines[-1]}" if lines else ""


def _said(error: BaseException) -> str:
    if isinstance(error, TypeError):
        return str(error)
    return f"it raised {type(error).__name__}: {error}".removesuffix(": ")


def _tool(function: FunctionTool[..., Any], path: Path) -> Tool:
    wanted = function.parameters.deps_type
    if wanted not in (None, type(None), Any):
        shown = getattr(wanted, "__name__", wanted)
        raise FunctionFileError(
            f"{path}: {function.name} needs dependencies of the type {shown}, which only a program can give; "
            "see docs/python.md, or have the function make what it needs"
        )
    try:
        spec = function.spec()
    except TypeError as error:
        raise FunctionFileError(f"{path}: {error}") from None
    members = ("annotations", "approval", "output_schema", "max_output_chars")
    known = {"approval": None, **{name: spec[name] for name in members if name in spec}}
    return Tool(
        name=function.name,
        description=function.description,
        parameters=spec["parameters"],
        run=lambda params, call: _run(function, params, call),
        labels=function.options.labels,
        examples=function.examples,
        time_limit_s=function.time_limit_s,
        **known,
    )


def _run(function: FunctionTool[..., Any], params: dict[str, Any], call: RunningCall) -> Any:
    with stdout_aside():
        value = function.run(params, Invocation(None, call.key, function.name, call))
        found = _awaited(value, call) if isawaitable(value) else value
        try:
            return plain_output(found)
        except BaseException as error:  # a value's own conversion is foreign code too
            raise unusable(function.name, error) from error


def _awaited(value: Awaitable[Any], call: RunningCall) -> Any:
    """Return what an async function gives; a stop of the call cancels it.

    All of them run in one event loop, with which a client that the file keeps open stays usable, and which is not that
    of a program that calls the tool from an event loop of its own.
    """

    async def wait() -> Any:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None

        def cancel() -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(task.cancel)

        with call.cut_by(cancel):
            return await value

    try:
        return run_blocking(wait)
    except asyncio.CancelledError:
        raise ToolFailure("it was cancelled, or the time limit was reached; it may have run", "interrupted") from None


def join_tools(named: Iterator[tuple[Path, tuple[Tool, ...]]], taken: frozenset[str]) -> tuple[Tool, ...]:
    """Return the tools of several files; raises FunctionFileError for a name that is there twice.

    taken: the names of other tools.
    """
    found: dict[str, Tool] = {}
    for path, tools in named:
        for tool in tools:
            if tool.name in taken or tool.name in found:
                raise FunctionFileError(
                    f"{path} has a tool {tool.name!r}, which is the name of another tool; give it one of its own: "
                    "@tool(name=...)"
                )
            found[tool.name] = tool
    return tuple(found.values())
