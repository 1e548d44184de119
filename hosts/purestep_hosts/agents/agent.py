"""`Agent`: a model, tools and a definition, run in the caller's event loop or, by `run_sync`, in one of its own."""

from __future__ import annotations

import asyncio
import inspect
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Generic, Unpack, overload

import msgspec
from typing_extensions import TypeForm, TypeVar

import purestep
from purestep_hosts.agents.agent_tool import AgentTool, agents_by_name
from purestep_hosts.agents.approving import Approve, approver_of, check_approve
from purestep_hosts.agents.blocking import run_blocking
from purestep_hosts.agents.calls import AnyTool, ToolCalls
from purestep_hosts.agents.exchange import exchange_effects
from purestep_hosts.agents.function_tool import FunctionTool
from purestep_hosts.agents.members import DefinitionMembers, check_names, check_text
from purestep_hosts.agents.output_type import OutputType
from purestep_hosts.agents.result import RunResult, note_cancelled
from purestep_hosts.agents.run_arguments import ExchangeInput, RunArguments, exchange_input
from purestep_hosts.agents.run_log import RunLog
from purestep_hosts.agents.streaming import RunStream, Steering, Watched
from purestep_hosts.agents.tool_ranking import RANKING, ranking_tool
from purestep_hosts.agents_below import all_waiting, handed_to
from purestep_hosts.async_loop import AsyncPorts, drive, in_thread
from purestep_hosts.attachments import AttachmentStore, MemoryAttachments
from purestep_hosts.effects import RunEffects
from purestep_hosts.mask import Mask, is_secret
from purestep_hosts.models.model import Model, as_served, refused_by
from purestep_hosts.models.named import NamedModel, named_model
from purestep_hosts.models.prices import with_prices
from purestep_hosts.settings import environment_secrets
from purestep_hosts.tools.tool import Tool

Data = TypeVar("Data")
Deps = TypeVar("Deps", default=Any)


class Agent(Generic[Data, Deps]):
    """An agent of this host. It keeps nothing of its runs, so any number of them may go on at once."""

    @overload
    def __init__(
        self: Agent[Data, Any],
        model: Model | str | None = None,
        *,
        output_type: TypeForm[Data],
        output_retries: int | None = None,
        tools: Sequence[AnyTool | AgentTool | Agent[Any, Any] | Callable[..., Any]] = (),
        instructions: str = "",
        base_url: str | None = None,
        api_key: str | None = None,
        approve: Approve | None = None,
        mask: Mask | None = None,
        clock: Callable[[], int] | None = None,
        **definition: Unpack[DefinitionMembers],
    ) -> None: ...

    @overload
    def __init__(
        self: Agent[str, Any],
        model: Model | str | None = None,
        *,
        tools: Sequence[AnyTool | AgentTool | Agent[Any, Any] | Callable[..., Any]] = (),
        instructions: str = "",
        base_url: str | None = None,
        api_key: str | None = None,
        approve: Approve | None = None,
        mask: Mask | None = None,
        clock: Callable[[], int] | None = None,
        **definition: Unpack[DefinitionMembers],
    ) -> None: ...

    @overload
    def __init__(
        self,
        model: Model | str | None = None,
        *,
        output_type: TypeForm[Data],
        output_retries: int | None = None,
        deps_type: TypeForm[Deps],
        tools: Sequence[AnyTool | AgentTool | Agent[Any, Any] | Callable[..., Any]] = (),
        instructions: str = "",
        base_url: str | None = None,
        api_key: str | None = None,
        approve: Approve | None = None,
        mask: Mask | None = None,
        clock: Callable[[], int] | None = None,
        **definition: Unpack[DefinitionMembers],
    ) -> None: ...

    @overload
    def __init__(
        self: Agent[str, Deps],
        model: Model | str | None = None,
        *,
        deps_type: TypeForm[Deps],
        tools: Sequence[AnyTool | AgentTool | Agent[Any, Any] | Callable[..., Any]] = (),
        instructions: str = "",
        base_url: str | None = None,
        api_key: str | None = None,
        approve: Approve | None = None,
        mask: Mask | None = None,
        clock: Callable[[], int] | None = None,
        **definition: Unpack[DefinitionMembers],
    ) -> None: ...

    def __init__(  # noqa: PLR0913 (an agent's parts, all but the model by name)
        self,
        model: Model | str | None = None,
        *,
        output_type: Any = str,
        output_retries: int | None = None,
        deps_type: Any = Any,
        tools: Sequence[AnyTool | AgentTool | Agent[Any, Any] | Callable[..., Any]] = (),
        instructions: str = "",
        base_url: str | None = None,
        api_key: str | None = None,
        approve: Approve | None = None,
        mask: Mask | None = None,
        clock: Callable[[], int] | None = None,
        **definition: Any,
    ) -> None:
        """Check all parts and load no model yet.

        model: a model of `purestep_hosts.models`; a GGUF file, or `bundled`; `hf:ORG/REPO[:FILE]`; `openai:NAME`,
        `ollama:NAME` and others (`server_kinds`); `litellm:PROVIDER/NAME`; the name of one on the server at `base_url`
        or on that of the environment; None for what the environment names, else the bundled one.
        output_type: the type of the answer: text, or anything that a tool's parameter may be. output_retries: how often
        an answer that fits the type's schema, and that its validators reject, is sent back: it sets
        `limits.max_corrections`, which says so otherwise; with 0, such an answer ends the run. deps_type: that of
        the `deps` of its runs, by which a type checker finds others. approve: asked about
        each call that needs a person; None leaves the run waiting. mask: the secrets that are hidden from the log and
        the model; by default those of the environment. clock: gives milliseconds since 1970. definition: other members
        of the agent definition, such as `limits` and `dialect`; `tools_ranked_by` may be a function.

        Raises TypeError for a type or function that cannot be used, PurestepError for a definition that is wrong.
        """
        check_names(definition)
        check_text(instructions, "instructions")
        check_approve(approve)
        self._deps_type: Any = deps_type
        self._model: Model | None = None
        self._named: NamedModel | None = None
        if model is None or isinstance(model, str):
            self._named = named_model(model, base_url, api_key)
        else:
            self._model = _checked_model(model)
            _check_unused(base_url=base_url, api_key=api_key)
        # A type of a plain function may be local to the function in which the agent is made.
        _check_list(tools)
        self._agents = agents_by_name([each for each in tools if isinstance(each, Agent | AgentTool)])
        functions = [each for each in tools if not isinstance(each, Agent | AgentTool)]
        rank = definition.get("tools_ranked_by")
        if callable(rank):
            functions.append(ranking_tool(rank, lambda: self.definition))
            definition["tools_ranked_by"] = RANKING
        self._tools = _by_name(functions, sys._getframe(1).f_locals)
        self._approve = approve
        self._mask = (
            mask if mask is not None else Mask(environment_secrets(os.environ) | {*filter(is_secret, (api_key or "",))})
        )
        self._clock = clock or _now_ms
        self._output: OutputType[Data] = OutputType(output_type, output_retries)
        specs = [each.spec() for each in self._tools.values()]
        members = {"instructions": instructions, "tools": specs, **definition}
        if self._agents:
            members["agents"] = {name: each.member() for name, each in self._agents.items()}
        named = self._named
        members = _completed(members, self._model) if named is None else named.defined(members)
        self.definition = purestep.Agent.load(self._output.defined(members))

    @property
    def tools(self) -> Mapping[str, AnyTool]:
        """The tools by name."""
        return dict(self._tools)

    @property
    def agents(self) -> Mapping[str, Agent[Any, Any]]:
        """The agents that it calls, by the names of their tools."""
        return {name: each.agent for name, each in self._agents.items()}

    @property
    def mask(self) -> Mask:
        """What hides secrets from the log and the model."""
        return self._mask

    @property
    def clock(self) -> Callable[[], int]:
        """What gives milliseconds since 1970."""
        return self._clock

    @property
    def output(self) -> OutputType[Data]:
        """What its answers are made of."""
        return self._output

    async def run(self, query: str | None = None, **options: Unpack[RunArguments[Deps]]) -> RunResult[Data]:
        """Run one exchange: from the query, or from where an earlier one stopped, to its end.

        deps: what tools get as `Invocation.deps`. after: a result, or the text of a log, whose run goes on: with a
        query after a run that ended, with `approvals` after one that waits, with neither after a crash; with `results`
        of calls that went on elsewhere (`late_result`) whenever they are there. approve: for
        this exchange, instead of the agent's. session: where the log is kept, a `Session` on disk or a `RunStore`; one
        that holds a log goes on. run_id: the host's id of a new run; by default a random one. tool_choice: instead of
        the definition's. pinned: under the policy `history`, the query and its answer are never left out of a prompt.
        history: what was said before a new run, as another program kept it: messages, or dicts in
        OpenAI's form, without role `system`, up to the assistant's answer. attachments: images and files that are sent
        with the query: paths, bytes, `Attachment`s, or what an MCP server gave. attachment_store: keeps their bytes; by
        default the session's folder, or memory, which a result passes on to what goes on `after` it.

        What goes wrong in the run is in the result. Of a run that was cancelled, `cancelled_result(error)` gives how
        it stood. Raises PurestepError for what does not fit the run, TypeError for
        missing `deps`, AttachmentError for images and files that cannot be sent, what the session raises when the log
        cannot be written, and what `approve` raises.
        """
        return await self._exchange(exchange_input(query, options), Watched(None))

    def run_sync(self, query: str | None = None, **options: Unpack[RunArguments[Deps]]) -> RunResult[Data]:
        """Do as `run` and wait for it, also where an event loop runs already.

        Ctrl-C cancels the run and raises RunInterrupted, a KeyboardInterrupt whose `result` has the log.
        """
        given = exchange_input(query, options)
        return run_blocking(lambda: self._exchange(given, Watched(None)))

    def stream(self, query: str | None = None, **options: Unpack[RunArguments[Deps]]) -> RunStream[Data]:
        """Do as `run`, and yield what happens: `async for event in agent.stream(...)`.

        Leaving it early (`aclose`, or the end of an `async with`) cancels the run.
        """
        given, steering = exchange_input(query, options), Steering()
        return RunStream(lambda watch: self._exchange(given, watch, steering), steering)

    def read(self, after: RunResult[Any] | str) -> RunResult[Data]:
        """Return where the run of a result or a log stands, without going on; for another process, or a later day."""
        log = _log_of(after)
        found = purestep.replay(log)
        decision = all_waiting(found.decision, found.also or ())
        output = self._having(found.state)._output
        read: RunResult[Data] = output.result(RunLog.of(log).run_id, found.state, decision, list(found.messages), log)
        if isinstance(after, RunResult):
            read.attachments = after.attachments
        return read

    def take_over(self, after: RunResult[Any] | str) -> RunResult[Data]:
        """Return where a run of another agent stands under the definition of this one, which goes on `after` it.

        The log says so. Calls that waited and that this agent would not have left so are answered. Raises PurestepError
        where the run cannot go on under this definition as it stands.
        """
        log = _log_of(after)
        found = purestep.replay(log)
        if self.definition.among(found.state.agent) is not None:
            return self.read(after)
        change = purestep.AgentChanged(agent=msgspec.Raw(self.definition.source), at=self._clock())
        data = log.encode()
        whole = data[: len(data) - found.torn_bytes].decode()
        return self.read(whole + found.lost + purestep.step(found.state, change).log)

    async def _exchange(
        self, given: ExchangeInput, watch: Watched, steering: Steering | None = None
    ) -> RunResult[Data]:
        _check_deps(self._tools, given.deps)
        if not _is_of(given.deps, self._deps_type):
            wanted = self._deps_type.__name__
            raise TypeError(
                f"the agent's deps_type is {wanted}; give the run such deps, not {type(given.deps).__name__}"
            )
        log = await RunLog.opened(given.after, given.session, given.run_id)
        if log.is_new and given.query is None:
            raise TypeError("a query is missing; give one, or `after` with what goes on")
        if log.is_new and (given.approvals or given.results):
            raise TypeError("approvals and results are for calls of a run; give it as `after` or `session`")
        if given.history and not log.is_new:
            raise TypeError("a run that goes on has its messages; leave out `history`")
        store = _store_of(given)
        for each in given.attachments:
            await in_thread(partial(store.put, each))
        tools = ToolCalls({**self._tools, **self._output.tools}, given.deps, store.put, watch.on_note)
        ports = AsyncPorts(
            below=await self._below(given.deps, store, watch),
            model=await self.loaded_model(),
            tools=tools,
            approve=approver_of(given.approve or self._approve, watch),
            append=log.append,
            watch=watch,
            clock=self._clock,
            attachments=store,
            mask=self._mask,
        )
        run = RunEffects(self.definition, log.run_id, self._clock, self._mask)
        run.refused = refused_by(ports.model)
        if steering is not None:
            steering.begin(run.steer)
        try:
            step = await drive(exchange_effects(run, log, given), ports)
        except asyncio.CancelledError as error:
            if not log.text:
                raise
            stopped = self.read(log.text)
            stopped.attachments = store
            note_cancelled(error, stopped)
            raise
        decision = all_waiting(step.decision, step.also)
        output = self._having(step.state)._output
        ended: RunResult[Data] = output.result(log.run_id, step.state, decision, run.messages, log.text)
        ended.attachments = store
        if tools.stopped is not None:
            acts = step.decision.acts if isinstance(step.decision, purestep.Failed) else msgspec.UNSET
            ended.failure = purestep.Failed(code=tools.stopped.code, message=tools.stopped.message, acts=acts)
        return ended

    def _having(self, state: purestep.RunState) -> Agent[Any, Any]:
        """Return the agent that has the conversation, after hand-offs."""
        having: Agent[Any, Any] = self
        for name in handed_to(self.definition, state):
            having = having.agents[name]
        return having

    async def _below(self, deps: Any, store: AttachmentStore, watch: Watched) -> dict[str, AsyncPorts]:
        """Return the models and tools of the agents that it calls; all else is the caller's."""
        found: dict[str, AsyncPorts] = {}
        for name, each in self._agents.items():
            agent, told = each.agent, watch if each.hand_off else watch.below(name)
            _check_deps(agent._tools, deps)
            found[name] = AsyncPorts(
                below=await agent._below(deps, store, told),
                model=await agent.loaded_model(),
                tools=ToolCalls({**agent._tools, **agent._output.tools}, deps, store.put, told.on_note),
                approve=approver_of(None, watch),
                append=lambda _log, _head: None,
                watch=told,
            )
        return found

    def as_tool(self, name: str | None = None, description: str | None = None) -> AgentTool:
        """Return this agent as a tool for the `tools` of another, which calls it with a question.

        name: that of the tool; by default the `name` of the agent's definition. description: what the caller's model
        reads of it; by default the beginning of its instructions. Raises ValueError where there is no name.
        """
        return AgentTool(self, name, description)

    def as_hand_off(self, name: str | None = None, description: str | None = None) -> AgentTool:
        """Return this agent as one of the `tools` of another, by whose call it takes the conversation over.

        name and description: as for `as_tool`. Raises ValueError where there is no name.
        """
        return AgentTool(self, name, description, hand_off=True)

    async def loaded_model(self) -> Model:
        """Return the model, which is loaded once for all runs; raises DownloadError, ModelLoadError, AdapterError."""
        if self._model is None:
            assert self._named is not None
            named = self._named
            self._model = await in_thread(lambda: named.load(self.definition))
        return self._model


def _store_of(given: ExchangeInput) -> AttachmentStore:
    """Return what keeps the images and files of a run."""
    if given.attachment_store is not None:
        return given.attachment_store
    after, session = given.after, given.session
    kept = after.attachments if isinstance(after, RunResult) else getattr(session, "attachments", None)
    return MemoryAttachments() if kept is None else kept


def _log_of(after: Any) -> str:
    """Return the log of what goes on; raises TypeError for what is neither a result nor a text."""
    if not isinstance(after, RunResult | str):
        raise TypeError(f"expected a result, or the text of a log, got {type(after).__name__}")
    return after if isinstance(after, str) else after.log


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _checked_model(model: Any) -> Model:
    """Return a model; raises TypeError for what is none, which would be noticed in the middle of a run."""
    if inspect.isclass(model) or not callable(getattr(model, "complete", None)):
        got = f"the class {model.__name__}" if inspect.isclass(model) else type(model).__name__
        raise TypeError(f"model is {got}; expected an object of purestep_hosts.models, or a model's name")
    if not isinstance(getattr(model, "name", None), str):
        raise TypeError(f"model is {type(model).__name__}, which has no name; give it an attribute `name`, a text")
    found: Model = model
    return found


def _check_unused(**server: str | None) -> None:
    """Raise TypeError for what names a server beside a model that has one: it would be left unused."""
    for name, given in server.items():
        if given is not None:
            raise TypeError(f"{name} goes with a model's name; give it to the model, or name the model in its place")


def _completed(members: dict[str, Any], model: Model | None) -> dict[str, Any]:
    """Return a definition as the server of its model wants to be asked, and with what it costs, as far as known."""
    if model is None:
        return members
    profile, price_of = getattr(model, "profile", None), getattr(model, "price_of", None)
    served = members if profile is None else as_served(members, model.name, profile)
    return served if price_of is None else with_prices(served, model.name, price_of)


def _check_list(tools: Any) -> None:
    if isinstance(tools, FunctionTool | Tool | Agent | AgentTool) or not isinstance(tools, Iterable):
        raise TypeError(f"tools is {tools!r:.80}; expected a list of tools")


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
