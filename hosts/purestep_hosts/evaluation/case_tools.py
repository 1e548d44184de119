"""The tools of a case as data: what a call gives is looked up, computed, or that of a built-in tool that computes."""

from __future__ import annotations

import json
import re
from typing import Any, Final

import msgspec

import purestep
from purestep_hosts.evaluation.cases import CannedResult
from purestep_hosts.evaluation.matching import same_arguments
from purestep_hosts.tools import arithmetic
from purestep_hosts.tools.outcome import outcome_of
from purestep_hosts.tools.results import failed
from purestep_hosts.tools.tool import RunningCall, Tool, ToolFailure
from purestep_tools import CalculatorError, calculate

BUILT_IN: Final = {tool.name: tool for tool in arithmetic.tools()}
"""What a suite may name: these only compute, so a run has no effect outside of its log."""
_OWN: Final = ("results", "compute")
_NAME: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_RESULTS: Final = msgspec.json.Decoder(list[CannedResult])


class ToolDataError(Exception):
    """The tools of a case cannot be used; `pointer` names the member of the case."""

    def __init__(self, pointer: str, message: str) -> None:
        super().__init__(message)
        self.pointer = pointer
        self.message = message


class CaseTool(msgspec.Struct, frozen=True, kw_only=True):
    """One tool: its entry of the definition, and where its results come from."""

    spec: dict[str, Any]
    results: tuple[CannedResult, ...] = ()
    compute: str | None = None
    built_in: Tool | None = None

    def output(self, params: dict[str, Any]) -> dict[str, Any]:
        """Return the result object of a call."""
        name = self.spec["name"]
        if self.built_in is not None:
            tool = self.built_in
            return outcome_of(name, lambda: tool.run(params, RunningCall("", tool.time_limit_s)))
        for canned in self.results:
            if canned.arguments is None or same_arguments(canned.arguments, params, self.defaults(), ()):
                return (
                    {"ok": True, "output": canned.output} if canned.error is None else failed(canned.error, "execution")
                )
        if self.compute is not None:
            expression = self.compute
            return outcome_of(name, lambda: _computed(expression, params))
        return failed("nothing is known for these arguments", "execution")

    def defaults(self) -> dict[str, Any]:
        """Return the defaults of its schema by parameter."""
        schema = self.spec.get("parameters") or {}
        properties = schema.get("properties", {}) if isinstance(schema, dict) else {}
        return {
            name: each["default"] for name, each in properties.items() if isinstance(each, dict) and "default" in each
        }

    @property
    def is_read_only(self) -> bool:
        """Whether a call of it changes nothing; what its spec does not say counts as that."""
        return (self.spec.get("annotations") or {}).get("readOnlyHint", True) is not False


def case_tools(entries: list[str | dict[str, Any]]) -> dict[str, CaseTool]:
    """Return the tools of a case or definition by name; raises ToolDataError."""
    found: dict[str, CaseTool] = {}
    for index, entry in enumerate(entries):
        made = _tool(entry, f"/tools/{index}")
        name = made.spec.get("name")
        if not isinstance(name, str):
            raise ToolDataError(f"/tools/{index}", "expected a tool's name")
        if name in found:
            raise ToolDataError(f"/tools/{index}", f"two tools are named {name!r:.80}; keep one")
        found[name] = made
    return found


def _tool(entry: str | dict[str, Any], pointer: str) -> CaseTool:
    name = entry.get("name") if isinstance(entry, dict) and set(entry) == {"name"} else entry
    if isinstance(name, str):
        if name not in BUILT_IN:
            known = ", ".join(BUILT_IN)
            raise ToolDataError(
                pointer, f"{name!r:.80} is no built-in tool that only computes ({known}); give its spec with results"
            )
        return CaseTool(spec=BUILT_IN[name].spec(), built_in=BUILT_IN[name])
    assert isinstance(entry, dict)
    if not any(member in entry for member in _OWN):
        raise ToolDataError(pointer, "expected results or compute: what a call of the tool gives")
    spec = {name: value for name, value in entry.items() if name not in _OWN}
    results, compute = _results(entry, pointer), entry.get("compute")
    if compute is not None and not isinstance(compute, str):
        raise ToolDataError(f"{pointer}/compute", 'expected an expression with the parameters\' names, such as "a * b"')
    return CaseTool(spec=spec, results=results, compute=compute)


def _results(entry: dict[str, Any], pointer: str) -> tuple[CannedResult, ...]:
    try:
        found = _RESULTS.decode(json.dumps(entry.get("results", [])))
    except msgspec.ValidationError as error:
        raise ToolDataError(f"{pointer}/results", f"{error}") from None
    for index, each in enumerate(found):
        if (each.output is msgspec.UNSET) == (each.error is None):
            raise ToolDataError(f"{pointer}/results/{index}", "expected either output or error")
    return tuple(found)


def _computed(expression: str, params: dict[str, Any]) -> Any:
    """Return the value of an expression in which parameters stand by their names."""

    def value(found: re.Match[str]) -> str:
        given = params.get(found[0])
        if given is None:
            return found[0]
        if isinstance(given, bool) or not isinstance(given, int | float):
            raise ToolFailure(f"expected {found[0]} to be a number")
        return f"({given!r})"

    try:
        return calculate(_NAME.sub(value, expression))
    except CalculatorError as error:
        raise ToolFailure(str(error), "invalid_arguments") from None


class CaseCalls:
    """Runs the calls of one run: the port `tools` of the loop."""

    def __init__(self, tools: dict[str, CaseTool]) -> None:
        self._tools = tools

    async def run(self, call: purestep.ToolCall) -> dict[str, Any]:
        """Return the result of a call, which takes no time."""
        return self._tools[call.tool].output(call.params)
