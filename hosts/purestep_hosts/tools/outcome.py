"""What a tool's function came to: a result object, whatever it returned or raised."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import Any, Final

import msgspec

import purestep
from purestep_hosts.inner_runs import stop_if_waiting
from purestep_hosts.mask import HIDDEN
from purestep_hosts.tools.later import Later, pending
from purestep_hosts.tools.output_parts import Keep, OutputParts, kept_parts, taken_apart
from purestep_hosts.tools.results import checked_output, failed
from purestep_hosts.tools.tool import Tool, ToolAsks, ToolFailure

_LOGGER: Final = logging.getLogger("purestep_hosts")
"""Has the traceback, for the one who writes the tool; it is shown where the program asks for DEBUG."""

_CREDENTIALS: Final = re.compile(
    r"(?<=://)[^\s/@]+(?=@)"  # of an address
    r"|(?i:(?<=bearer )|(?<=basic ))[A-Za-z0-9._~+/=-]{8,}"
    r"|(?i:(?<=password=)|(?<=passwd=)|(?<=pwd=)|(?<=secret=)|(?<=token=)|(?<=api_key=)|(?<=apikey=))[^\s&;,'\"]+"
    r"|\b(?:sk|pk|rk|ghp|gho|xox[abp])[-_][A-Za-z0-9_-]{16,}"
)
"""What looks like a secret in the text of an exception, which nobody wrote for a model to read."""


def outcome_of(name: str, run: Callable[[], Any], keep: Keep | None = None) -> dict[str, Any]:
    """Return `{"ok": True, "output"}` or `{"ok": False, "error", "error_kind"}`, whatever a tool did.

    Raises RunStopped where it ran an agent that waits for a person: that is no failure of the tool, here and below.
    keep: takes the images and files of the result, which then has references to them as `parts`.
    """
    try:
        output = run()
    except BaseException as error:  # a tool is foreign code: whatever it raises is its result
        return failure_of(name, error)
    return pending(output) if isinstance(output, Later) else result_of(name, lambda: taken_apart(output), keep)


def result_of(name: str, output: Callable[[], Any], keep: Keep | None = None) -> dict[str, Any]:
    """Return the result of a tool that has run, with what `output` makes of its value, whatever that is."""
    try:
        found = output()
        if not isinstance(found, OutputParts):
            return {"ok": True, "output": checked_output(found)}
        shown, parts = kept_parts(found, keep)
        result = {"ok": True, "output": checked_output(shown)}
        return {**result, "parts": parts} if parts else result
    except BaseException as error:  # a value's own conversion is foreign code too
        return failure_of(name, unusable(name, error))


def failure_of(name: str, error: BaseException) -> dict[str, Any]:
    """Return the result of a tool that raised."""
    stop_if_waiting(name, error)
    _LOGGER.debug("the tool %s raised", name, exc_info=error)
    match error:
        case ToolAsks():
            return {"ok": False, "asks": msgspec.to_builtins(error.form)}
        case ToolFailure():
            return failed(error.message, error.kind)
        case OSError():
            return failed(f"{name} failed: {error.strerror or type(error).__name__}", "io")
        case _:
            return failed(f"{name} failed: {_said(error)}", "execution")


def unusable(name: str, error: BaseException) -> ToolFailure:
    """Return the failure of a tool that has run, and whose value cannot be taken: its effect is not undone by that."""
    why = error.message if isinstance(error, ToolFailure) else _said(error)
    failure = ToolFailure(f"{name} ran; its result cannot be used: {why}", "interrupted")
    failure.__cause__ = error
    return failure


def check_arguments(tool: Tool, params: object) -> None:
    """Raise ToolFailure for invalid arguments: a definition may have shown the model another schema."""
    problems = purestep.check_json(tool.parameters, params).errors
    if problems:
        raise ToolFailure("; ".join(problem.message for problem in problems), "invalid_arguments")


def _said(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {_CREDENTIALS.sub(HIDDEN, str(error))}".removesuffix(": ")
    except BaseException:  # its words are foreign code too
        return f"{type(error).__name__}, which does not say why"
