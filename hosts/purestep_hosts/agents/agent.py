"""`Agent`: a model, tools and a definition, run in the caller's event loop or, by `run_sync`, in one of its own."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import msgspec

import purestep
from purestep import Approval, Done, Failed, ToolChoice
from purestep_hosts.agents.approving import Approve, approver_of
from purestep_hosts.agents.blocking import run_blocking
from purestep_hosts.agents.calls import AnyTool, ToolCalls
from purestep_hosts.agents.function_tool import FunctionTool
from purestep_hosts.agents.result import RunResult
from purestep_hosts.agents.run_log import After, RunLog
from purestep_hosts.agents.streaming import RunStream, Watched
from purestep_hosts.agents.type_shapes import NotOfType, TypeShape, shape_of
from purestep_hosts.async_loop import AsyncPorts, drive, in_thread
from purestep_hosts.effects import Effects, RunEffects
from purestep_hosts.mask import Mask
from purestep_hosts.models.model import Model
from purestep_hosts.models.named import NamedModel, named_model
from purestep_hosts.settings import environment_secrets
from purestep_hosts.tools.tool import Tool

if TYPE_CHECKING:
    from purestep_hosts.sessions import Session

Data = TypeVar("Data")


class _Given(msgspec.Struct, frozen=True):
    """What one exchange is given; see `Agent.run`."""

    query: str | None
    deps: Any
    after: After
    approvals: tuple[Approval, ...]
    approve: Approve | None
    session: Session | None
    run_id: str | None
    tool_choice: ToolChoice | None


class Agent(Generic[Data]):
    """An agent of this host. It keeps nothing of its runs, so any number of them may go on at once."""

    @overload
    def __init__(
        self,
        model: Model | str | None = None,
        *,
        output_type: type[Data],
        tools: Sequence[AnyTool | Callable[..., Any]] = (),
        instructions: str = "",
        base_url: str | None = None,
        api_key: str | None = None,
        approve: Approve | None = None,
        mask: Mask | None = None,
        clock: Callable[[], int] | None = None,
        **definition: Any,
    ) -> None: ...

    @overload
    def __init__(
        self: Agent[str],
        model: Model | str | None = None,
        *,
        tools: Sequence[AnyTool | Callable[..., Any]] = (),
        instructions: str = "",
        base_url: str | None = None,
        api_key: str | None = None,
        approve: Approve | None = None,
        mask: Mask | None = None,
        clock: Callable[[], int] | None = None,
        **definition: Any,
    ) -> None: ...

    def __init__(  # noqa: PLR0913 (an agent's parts, all but the model by name)
        self,
        model: Model | str | None = None,
        *,
        output_type: Any = str,
        tools: Sequence[AnyTool | Callable[..., Any]] = (),
        instructions: str = "",
        base_url: str | None = None,
        api_key: str | None = None,
        approve: Approve | None = None,
        mask: Mask | None = None,
        clock: Callable[[], int] | None = None,
        **definition: Any,
    ) -> None:
        """Check all parts and load no model yet.

        model: a model of `purestep_hosts.models`; a GGUF file, or `bundled`; the name of one on the server at
        `base_url` or on that of the environment; None for what the environment names, else the bundled one.
        output_type: the type of the answer: text, or anything that a tool's parameter may be. approve: asked about each
        call that needs a person; None leaves the run waiting. mask: the secrets that are hidden from the log and the
        model; by default those of the environment. clock: gives milliseconds since 1970. definition: other members
        of the agent definition, such as `limits` and `dialect`.

        Raises TypeError for a type or function that cannot be used, PurestepError for a definition that is wrong.
        """
        self._model = model if model is not None and not isinstance(model, str) else None
        self._named: NamedModel | None = None if self._model else named_model(model, base_url, api_key)  # type: ignore[arg-type]
        # A type of a plain function may be local to the function in which the agent is made.
        self._tools = _by_name(tools, sys._getframe(1).f_locals)
        self._approve = approve
        self._mask = mask if mask is not None else Mask(environment_secrets(os.environ) | {api_key or ""})
        self._clock = clock or _now_ms
        self._shape: TypeShape | None = None if output_type is str else shape_of(output_type, "output_type")
        given: dict[str, Any] = {"instructions": instructions, "tools": [each.spec() for each in self._tools.values()]}
        if self._shape is not None:
            given["answer_schema"] = self._shape.schema
        if self._named is not None:
            given |= self._named.definition
        self.definition = purestep.Agent.load({**given, **definition})

    @property
    def tools(self) -> Mapping[str, AnyTool]:
        """The tools by name."""
        return dict(self._tools)

    async def run(
        self,
        query: str | None = None,
        *,
        deps: Any = None,
        after: After = None,
        approvals: Iterable[Approval] = (),
        approve: Approve | None = None,
        session: Session | None = None,
        run_id: str | None = None,
        tool_choice: ToolChoice | None = None,
    ) -> RunResult[Data]:
        """Run one exchange: from the query, or from where an earlier one stopped, to its end.

        deps: what tools get as `Invocation.deps`. after: a result, or the text of a log, whose run goes on: with a
        query after a run that ended, with `approvals` after one that waits, with neither after a crash. approve: for
        this exchange, instead of the agent's. session: where the log is kept on disk; one that holds a log goes on.
        run_id: the host's id of a new run; by default a random one.

        What goes wrong in the run is in the result. Raises PurestepError for what does not fit the run, TypeError for
        missing `deps`, SessionError when the log cannot be written, and what `approve` raises.
        """
        given = _Given(query, deps, after, tuple(approvals), approve, session, run_id, tool_choice)
        return await self._exchange(given, Watched(None))

    def run_sync(self, query: str | None = None, **options: Any) -> RunResult[Data]:
        """Do as `run` and wait for it, also where an event loop runs already; Ctrl-C cancels the run."""
        return run_blocking(lambda: self.run(query, **options))

    def stream(
        self,
        query: str | None = None,
        *,
        deps: Any = None,
        after: After = None,
        approvals: Iterable[Approval] = (),
        approve: Approve | None = None,
        session: Session | None = None,
        run_id: str | None = None,
        tool_choice: ToolChoice | None = None,
    ) -> RunStream[Data]:
        """Do as `run`, and yield what happens: `async for event in agent.stream(...)`.

        Leaving it early (`aclose`, or the end of an `async with`) cancels the run.
        """
        given = _Given(query, deps, after, tuple(approvals), approve, session, run_id, tool_choice)
        return RunStream(lambda watch: self._exchange(given, watch))

    def read(self, log: str) -> RunResult[Data]:
        """Return where the run of a log stands, without going on; for another process, or a later day."""
        found = purestep.replay(log)
        return self._result(RunLog.of(log).run_id, found.state, found.decision, list(found.messages), log)

    async def _exchange(self, given: _Given, watch: Watched) -> RunResult[Data]:
        _check_deps(self._tools, given.deps)
        log = await RunLog.opened(given.after, given.session, given.run_id)
        if given.query is None and log.is_new:
            raise TypeError("a query is missing; give one, or `after` with what goes on")
        ports = AsyncPorts(
            model=await self._loaded(),
            tools=ToolCalls(self._tools, given.deps),
            approve=approver_of(given.approve or self._approve, watch),
            append=log.append,
            watch=watch,
        )
        run = RunEffects(self.definition, log.run_id, self._clock, self._mask)
        step = await drive(self._effects(run, log, given), ports)
        return self._result(log.run_id, step.state, step.decision, run.messages, log.text)

    def _effects(self, run: RunEffects, log: RunLog, given: _Given) -> Effects:
        """Yield the effects of an exchange: of one that was open, and then of the query."""
        if log.is_new:
            return (yield from run.ask(given.query or "", given.tool_choice))
        found = log.found()
        if found.state.agent != self.definition.digest:
            text = "the run was begun with another definition; go on with the agent that began it, or begin a new run"
            raise purestep.PurestepError("agent_mismatch", text)
        step = yield from run.take_up(log.text, found)
        if given.approvals:
            step = yield from run.answer(given.approvals)
        elif not isinstance(step.decision, Done | Failed):
            step = yield from run.go_on(step)
        has_failed_now = isinstance(step.decision, Failed) and not isinstance(found.decision, Failed)
        if given.query is None or has_failed_now:
            return step
        return (yield from run.ask(given.query, given.tool_choice))

    async def _loaded(self) -> Model:
        if self._model is None:
            assert self._named is not None
            named = self._named
            self._model = await in_thread(named.load)  # one load for all runs, see NamedModel
        return self._model

    def _result(
        self,
        run_id: str,
        state: purestep.RunState,
        decision: purestep.Decision,
        messages: list[purestep.Message],
        log: str,
    ) -> RunResult[Data]:
        data, failure = self._data(decision)
        return RunResult(
            run_id=run_id, state=state, decision=decision, messages=messages, log=log, data=data, failure=failure
        )

    def _data(self, decision: purestep.Decision) -> tuple[Any, Failed | None]:
        """Return the answer as the output type, or why it is none of that type."""
        if not isinstance(decision, Done):
            return msgspec.UNSET, None
        if self._shape is None:
            return decision.answer, None
        try:
            return self._shape.value_of(decision.data), None
        except NotOfType as fault:
            return msgspec.UNSET, Failed(
                code="output_type", message=f"the answer fits its schema, and yet: {fault.message}"
            )


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _by_name(tools: Sequence[AnyTool | Callable[..., Any]], names: Mapping[str, Any]) -> dict[str, AnyTool]:
    found: dict[str, AnyTool] = {}
    for each in tools:
        one = each if isinstance(each, FunctionTool | Tool) else FunctionTool(each, names=names)
        if one.name in found:
            raise ValueError(f"two tools are named {one.name!r}; give one another name: tool(name=...)")
        found[one.name] = one
    return found


def _check_deps(tools: Mapping[str, AnyTool], deps: Any) -> None:
    """Raise TypeError where a tool takes dependencies that the run was not given."""
    for each in tools.values():
        if not isinstance(each, FunctionTool) or each.parameters.deps_type is None:
            continue
        wanted = each.parameters.deps_type
        if not _is_of(deps, wanted):
            raise TypeError(
                f"{each.name} takes an Invocation[{wanted.__name__}]; give the run deps of this type, "
                f"not {type(deps).__name__}"
            )


def _is_of(deps: Any, wanted: Any) -> bool:
    """Return whether dependencies are of a type, as far as that can be told: not of a union or a protocol."""
    if wanted is Any or not isinstance(wanted, type):
        return True
    try:
        return isinstance(deps, wanted)
    except TypeError:
        return True
