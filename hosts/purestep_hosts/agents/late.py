"""Results that come later: the calls of a run that go on elsewhere, and what gives their results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

import msgspec

import purestep
from purestep import RunState, convert_to
from purestep_hosts.attachments import Attachment
from purestep_hosts.tools.later import due_ms
from purestep_hosts.tools.results import checked_output


class LateCall(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A call that goes on elsewhere; `key` is its idempotency key, `handle` what its tool has said.

    `path` and `run_id`, of a call that an agent below made: the agents' names down to it, and its run.
    """

    call_id: str
    tool: str
    params: dict[str, Any]
    key: str
    handle: str
    path: tuple[str, ...] = ()
    run_id: str | None = None


class LateResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a call that went on elsewhere; `late_result` makes one."""

    result: purestep.ToolResult
    run_id: str | None = None


class LateSource(Protocol):
    """Where results of calls that went on elsewhere are asked for, such as `McpServers`."""

    def knows(self, call: LateCall) -> bool:
        """Whether a call went on there."""
        ...

    def late_results(
        self,
        calls: Iterable[LateCall],
        tell: Callable[[str], object] | None = None,
        keep: Callable[[Attachment], None] | None = None,
    ) -> tuple[LateResult, ...]:
        """Return the results that are there; tell: is given a sentence of others. keep: takes images and files."""
        ...


def late_result(call: LateCall, output: Any = None, *, error: str | None = None) -> LateResult:
    """Give the result of a call that went on elsewhere, or with `error` why it failed; for `results=` of a run.

    call: of `RunResult.late`; no other run takes it. output: JSON values; None says that it was done and gave nothing.
    Raises ToolFailure for an output past the bounds; TypeError for one that is no JSON, and for both.
    """
    if not isinstance(call, LateCall):
        raise TypeError(f"late_result has {type(call).__name__}; expected a call of `late` of a result")
    if output is not None and error is not None:
        raise TypeError(
            "expected an output or an error in late_result(call, output, error=...); got both: leave one out"
        )
    found: dict[str, Any] = {"call_id": call.call_id, "key": call.key, "ok": error is None}
    found |= {"output": checked_output(output)} if error is None else {"error": error, "error_kind": "execution"}
    return LateResult(result=convert_to(found, purestep.ToolResult), run_id=call.run_id)


def observed(results: Iterable[LateResult]) -> list[purestep.ToolResults]:
    """Return the observations of results: one for each run, so that what was given together is read together."""
    of_runs: dict[str | None, list[purestep.ToolResult]] = {}
    for each in results:
        of_runs.setdefault(each.run_id, []).append(each.result)
    return [purestep.ToolResults(results=tuple(given), run_id=run_id) for run_id, given in of_runs.items()]


def late_calls(state: RunState, path: tuple[str, ...] = (), run_id: str | None = None) -> Iterator[LateCall]:
    """Yield the calls of a run, and of those below it, that go on elsewhere and have no result yet."""
    for call in (*state.run.late, *state.pending):
        if call.handle and call.status == "run":
            yield LateCall(
                call_id=call.call_id, tool=call.tool, params=call.params, key=call.key, handle=call.handle, path=path,
                run_id=run_id,
            )  # fmt: skip
        if call.child is not None:
            yield from late_calls(call.child, (*path, call.tool, *call.child.run.handed), call.child.run_id)


def due_results(calls: Iterable[LateCall], now_ms: int) -> Iterator[LateResult]:
    """Yield the results of the calls that wait for a time, as `Later.until` says, which has come.

    calls: of `RunResult.late`; others are passed over. now_ms: by the clock of whoever asks, since 1970.
    """
    for call in calls:
        due = due_ms(call.handle)
        if due is not None and due <= now_ms:
            yield late_result(call, f"The time has come: {call.handle.removeprefix('until:')}.")


def timers(state: RunState) -> dict[str, int]:
    """Return when the calls of a run are due that wait for a time, by their keys, in milliseconds since 1970."""
    found = {call.key: due_ms(call.handle) for call in late_calls(state)}
    return {key: due for key, due in found.items() if due is not None}
