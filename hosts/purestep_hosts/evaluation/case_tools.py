"""The tools of a case as data: what a call gives is looked up, computed, or that of a built-in tool that computes."""

from __future__ import annotations

from typing import Any, Final

import msgspec

import purestep
from purestep import convert_to
from purestep_hosts.evaluation.case_state import (
    CaseState,
    StateTooLargeError,
    computed,
    faults_of_patch,
    faults_of_value,
    filled,
    names_state,
)
from purestep_hosts.evaluation.cases import CannedResult
from purestep_hosts.evaluation.json_patch import PatchError
from purestep_hosts.evaluation.matching import same_arguments
from purestep_hosts.evaluation.suite import place_and_message
from purestep_hosts.tools import arithmetic
from purestep_hosts.tools.outcome import outcome_of
from purestep_hosts.tools.results import failed
from purestep_hosts.tools.tool import RunningCall, Tool, ToolFailure

BUILT_IN: Final = {tool.name: tool for tool in arithmetic.tools()}
"""What a suite may name: these only compute, so a run has no effect outside of its log."""
_OWN: Final = ("results", "compute")


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

    def output(self, params: dict[str, Any], state: CaseState) -> dict[str, Any]:
        """Return the result object of a call, and change the state as it says."""
        name = self.spec["name"]
        if self.built_in is not None:
            tool = self.built_in
            return outcome_of(name, lambda: tool.run(params, RunningCall("", tool.time_limit_s)))
        defaults = self.defaults()
        for canned in self.results:
            if canned.arguments is None or same_arguments(canned.arguments, params, defaults, ()):
                try:
                    return _given(name, canned, {**defaults, **params}, state)
                except PatchError:
                    continue
        if self.compute is not None:
            expression = self.compute
            return outcome_of(name, lambda: computed(expression, params))
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
        """Whether a call of it changes nothing; what neither its spec nor a patch says counts as that."""
        is_patching = any(canned.patch for canned in self.results)
        return not is_patching and (self.spec.get("annotations") or {}).get("readOnlyHint", True) is not False


def _given(name: str, canned: CannedResult, arguments: dict[str, Any], state: CaseState) -> dict[str, Any]:
    """Return a result and change the state; raises PatchError where it is not given, and the state is as before."""
    try:
        after = state.after(canned.patch or (), arguments)
        if canned.error is not None:
            state.put(after)
            return failed(canned.error, "execution")
        output = filled(canned.output, after[0], arguments)
    except StateTooLargeError as error:
        return failed(f"{name} failed: {error}", "execution")
    except ToolFailure as error:
        return failed(error.message, error.kind)
    result = outcome_of(name, lambda: output)
    if result["ok"]:
        state.put(after)
    return result


def case_tools(entries: list[str | dict[str, Any]], *, has_state: bool = False) -> dict[str, CaseTool]:
    """Return the tools of a case or definition by name; raises ToolDataError.

    has_state: whether the case has a state, which its tools may read and change.
    """
    found: dict[str, CaseTool] = {}
    for index, entry in enumerate(entries):
        made = _tool(entry, f"/tools/{index}")
        name = made.spec.get("name")
        if not isinstance(name, str):
            raise ToolDataError(f"/tools/{index}", "expected a tool's name")
        if name in found:
            raise ToolDataError(f"/tools/{index}", f"two tools are named {name!r:.80}; keep one")
        _check_results(made, f"/tools/{index}", has_state=has_state)
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
    compute = entry.get("compute")
    if compute is not None and not isinstance(compute, str):
        raise ToolDataError(f"{pointer}/compute", 'expected an expression with the parameters\' names, such as "a * b"')
    return CaseTool(spec=spec, results=_results(entry, pointer), compute=compute)


def _results(entry: dict[str, Any], pointer: str) -> tuple[CannedResult, ...]:
    try:
        return tuple(convert_to(entry.get("results", []), list[CannedResult]))
    except msgspec.ValidationError as error:
        place, said = place_and_message(error)
        raise ToolDataError(f"{pointer}/results{place}", said) from None


def _check_results(tool: CaseTool, pointer: str, *, has_state: bool) -> None:
    """Raise ToolDataError for results that no type refuses."""
    schema = tool.spec.get("parameters")
    parameters = frozenset(schema.get("properties", {})) if isinstance(schema, dict) else None
    annotations = tool.spec.get("annotations")
    for index, each in enumerate(tool.results):
        at = f"{pointer}/results/{index}"
        if (each.output is msgspec.UNSET) == (each.error is None):
            raise ToolDataError(at, "expected either output or error")
        if not has_state and (each.patch is not None or names_state(each.output)):
            raise ToolDataError(at, 'the case has no state; give it one, such as "state": {}')
        for place, fault in faults_of_patch(each.patch or (), parameters):
            raise ToolDataError(f"{at}/patch{place}", fault)
        for place, fault in faults_of_value(each.output, parameters):
            raise ToolDataError(f"{at}/output{place}", fault)
        if each.patch and isinstance(annotations, dict) and annotations.get("readOnlyHint") is True:
            raise ToolDataError(f"{at}/patch", "the tool is readOnlyHint and changes the state; say one of both")


class CaseCalls:
    """Runs the calls of one run: the port `tools` of the loop."""

    def __init__(self, tools: dict[str, CaseTool], state: CaseState) -> None:
        self._tools = tools
        self._state = state

    async def run(self, call: purestep.ToolCall) -> dict[str, Any]:
        """Return the result of a call, which takes no time; those of one output run in their order."""
        return self._tools[call.tool].output(call.params, self._state)
