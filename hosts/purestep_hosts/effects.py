"""A run as a generator of effects: what a host has to do next, one thing at a time, and nothing is done here.

`RunEffects` makes the steps of a run, keeps its state and transcript, and yields an effect wherever the outside is
needed. The host performs it and sends the outcome:

    effect       what the host does                                        what it sends back
    Record       write the step's log durably, then show the step          None
    Wait         let the time pass                                         None or CANCELLED
    AskModel     ask the model and close the reply                         ModelOutput, ModelError, Cancel or CANCELLED
    RunCalls     run the calls, all at once                                CallOutcomes, each result with its call
    AskPerson    ask a person about the calls                              approvals, CANCELLED or DEFERRED
    Together     perform the effects of each, those of several at once     what each gave, in their order

The sync loop (`loop.Run`) and the async one (`async_loop.AsyncRun`) drive the same generator, so a run has the same
steps and the same log in both. What a host sends is masked here, before it is logged.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Coroutine, Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypeVar

import msgspec
from msgspec.structs import replace

import purestep
from purestep import (
    Agent,
    ContentPart,
    DataText,
    Message,
    RunState,
    Step,
    ToolChoice,
    UserMessage,
    convert_to,
    prompt_messages,
    sent_message,
)
from purestep_formats import open_reply
from purestep_hosts.agents_below import (
    agents_down_to,
    asked_calls,
    below,
    calls_below,
    handed_to,
    has_work,
    is_below,
    log_below,
    runs_calls,
)
from purestep_hosts.hidden_texts import HiddenTexts
from purestep_hosts.mask import Mask
from purestep_hosts.models.model import ModelRequest, sent_parameters
from purestep_hosts.models.system_role import with_system_role
from purestep_hosts.output_gate import OutputGate, OutputWatcher

INTERRUPTED: Final = "interrupted"
"""Why a run is cancelled that a person stopped."""
CANCELLED: Final = "cancelled"
"""Sent for an effect that was given up: the run is cancelled."""

DEFERRED: Final = "deferred"
"""Sent when nobody answers now: the run stops where it is, and its log holds what it waits for."""


class Record(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Write the log of a step before anything else is done."""

    step: Step


class Wait(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Let this many seconds pass, before a model that failed is asked again."""

    seconds: float


class AskModel(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Ask the model; `state` is what the reply is read with (`open_reply`).

    `path`: the names of the agents down to the one whose model it is; none for that which the run began with.
    `is_below`: it answers another agent, not the user.
    """

    state: RunState
    request: ModelRequest
    path: tuple[str, ...] = ()
    is_below: bool = False


class RunCalls(msgspec.Struct, frozen=True, kw_only=True):
    """Run these calls at once: they are no more than may run at a time.

    `known`: the results, by their call's id, of those for which nothing is to be run. `revealed`: the arguments, by
    call, of tools that are given hidden texts. `hidden`: gives a call's result as it may be shown. `path` and
    `is_below`: as in AskModel, whose tools they are. `agent` and `state`: of the whole run, and `run_id` that of the
    one below whose calls they are, for what a call may have its model asked.
    """

    calls: tuple[purestep.ToolCall, ...]
    known: dict[str, dict[str, Any]]
    revealed: dict[str, dict[str, Any]]
    hidden: Callable[[purestep.ToolCall, dict[str, Any]], dict[str, Any]]
    path: tuple[str, ...] = ()
    is_below: bool = False
    agent: Agent | None = None
    state: RunState | None = None
    run_id: str = ""

    def given(self, call: purestep.ToolCall) -> purestep.ToolCall:
        """Return a call as its tool is given it."""
        params = self.revealed.get(call.call_id)
        return call if params is None else replace(call, params=params)


class CallOutcomes(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The results of calls, one for each, in their order; with `is_cancelled` the run is cancelled after them.

    None is of a call that was begun before the host was stopped: nobody knows what came of it, and the core is told.
    """

    results: Sequence[dict[str, Any] | None]
    is_cancelled: bool = False
    reason: str = INTERRUPTED
    """Why the run is cancelled."""


class AskPerson(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Ask a person about these calls; those of agents below have a `path`."""

    calls: tuple[purestep.ApprovalCall, ...]


class Together(msgspec.Struct, frozen=True, kw_only=True):
    """Perform what several agents ask for, each a generator of effects of its own."""

    works: tuple[Generator[Any, Any, list[purestep.Observation]], ...]


Outcome = TypeVar("Outcome")

Effect = Record | Wait | AskModel | RunCalls | AskPerson | Together
Effects = Generator[Effect, Any, Step]
"""Yields effects, takes the outcome of each, and returns the step at which the run ended or stopped."""


async def performed(
    work: Generator[Effect, Any, Outcome], perform: Callable[[Effect], Coroutine[Any, Any, Any]]
) -> Outcome:
    """Perform the effects of a run, or of one of its agents, until it has none left; returns what it gives then."""
    came: Any = None
    while True:
        try:
            effect = work.send(came)
        except StopIteration as end:
            given: Outcome = end.value
            return given
        came = await perform(effect)


def has_answer(step: Step) -> bool:
    """Whether a step took an answer, also one that a message begins the next exchange after."""
    if isinstance(step.decision, purestep.Done):
        return True
    return any(isinstance(event, purestep.events.FinalAnswer) for _, event in purestep.read_events(step.log))


ModelObservation = purestep.ModelOutput | purestep.ModelError | purestep.Cancel
"""What came of asking a model; a run that was stopped while it answered says so with what is known of the output."""

_ENDS: Final = (purestep.Done, purestep.Failed)
"""The decisions after which nothing is left to do."""
_Observations = list[purestep.Observation]
_Given = Literal["cancelled", "deferred"]


class RunEffects:
    """The steps of one run: its state, its transcript, and the effects that lead on."""

    def __init__(
        self, agent: Agent, run_id: str, clock: Callable[[], int], mask: Mask, salt: str | None = None
    ) -> None:
        """Begin with no step made.

        clock: gives milliseconds since 1970. salt: of the digests of hidden texts; None for a random one.
        """
        self.agent = agent
        self.run_id = run_id
        self.messages: list[Message] = []
        self.children: dict[str, list[Message]] = {}
        """The transcripts of the agents that were called, by the ids of their runs."""
        self._put_off: set[str] = set()
        """The keys of calls about which nobody answers now."""
        self.state: RunState | None = None
        self.refused: tuple[str, ...] = ()
        """What the model's server has refused in other runs."""
        self.kept_results: Mapping[str, dict[str, Any]] = {}
        """Results, by their calls' keys, that a host has kept of calls which were handed out before it was stopped."""
        self._clock = clock
        self._hidden = HiddenTexts(agent, mask, salt)
        self._steering: deque[str] = deque()
        self._lines: list[str] = []
        """The log, where the definition allows that outputs are read on: such calls are answered from it."""

    def ask(
        self,
        query: str | tuple[ContentPart, ...],
        tool_choice: ToolChoice | None = None,
        history: Sequence[Message] = (),
        data: Sequence[DataText] = (),
        *,
        pinned: bool = False,
    ) -> Effects:
        """Send a user message, and go on until the run ends or stops.

        query: text, or parts whose images and files the host keeps. history: what was said before a run that begins;
        see `purestep.start`. data: texts that came along and are not the user's. pinned: it stays in every prompt.
        """
        said = UserMessage(
            content=query,
            data=tuple(data),
            tool_choice=tool_choice,
            refused=self.refused,
            pinned=pinned,
            at=self._clock(),
        )
        message = self._hidden.observed(said, self.state)
        if self.state is None:
            step = purestep.start(self.agent, message, self.run_id, self._hidden.messages(history))
        else:
            step = purestep.step(self.state, message)
        return (yield from self._run(step))

    def as_logged(self, observation: ModelObservation) -> ModelObservation:
        """Return what came of asking the model as it may be written; what takes it again hides nothing more."""
        hidden: ModelObservation = self._hidden.observed(observation, self.state)
        return hidden

    def steer(self, text: str) -> None:
        """Have the model told something in the middle of an exchange; may be called in any thread.

        It is taken with whatever comes next: before an output that is under way, a result, or the answer of a person.
        """
        self._steering.append(text)

    def answer(self, approvals: Iterable[purestep.Approval]) -> Effects:
        """Send answers of people to calls that wait for approval, and go on until the run ends or stops."""
        assert self.state is not None, "a run that has begun"
        self._put_off.clear()  # who did not answer may now
        return (yield from self._run(self._stepped(self.state, purestep.Approvals(approvals=tuple(approvals)))))

    def take(self, results: Iterable[purestep.ToolResults]) -> Effects:
        """Record results of calls that went on elsewhere, at least one; what they lead to is for `go_on`."""
        assert self.state is not None, "a run that has begun"
        step: Step | None = None
        for each in results:
            step = yield from self._record(self._stepped(self.state, each))
        assert step is not None
        return step

    def change(self, step: Step) -> Effects:
        """Have a run of another agent go on under this one's definition; the log says so."""
        change = purestep.AgentChanged(agent=msgspec.Raw(self.agent.source), at=self._clock())
        return (yield from self._record(purestep.step(step.state, change)))

    def go_on_with(self, results: Iterable[purestep.ToolResults]) -> Effects:
        """Record such results, and go on until the run ends or stops."""
        return (yield from self.go_on((yield from self.take(results))))

    def cancel(self) -> Effects:
        """End a run that was taken up as cancelled."""
        assert self.state is not None, "a run that has begun"
        return (yield from self._run(self._stepped(self.state, _cancel())))

    def take_up(self, log: str, found: purestep.Replayed) -> Effects:
        """Take up the run that a log was replayed into, where it stands; nothing is carried out but the record.

        Derived lines that a crash cut off are written first. Calls that were handed out before may have run: the core
        is told, where it takes that.
        """
        self._keep(log)
        self.state, self.messages = found.state, list(found.messages)
        also, children = found.also or (), found.children or {}
        self.children = {run_id: list(messages) for run_id, messages in children.items()}
        step = Step(state=found.state, decision=found.decision, messages=(), log=found.lost, also=also)
        yield from self._record(step)
        for given in self._kept_of((found.decision, *also)):
            step = yield from self._record(self._stepped(step.state, given))
        if not any(runs_calls(each) for each in (step.decision, *step.also)):
            return step  # it waits for people, models or what goes on elsewhere, be it in its agents
        if "resumed" in purestep.accepted_observations(step.state):
            return (yield from self._record(self._stepped(step.state, purestep.Resumed())))
        for decision in step.also:  # of a run that waits itself while its agents' calls ran
            if isinstance(decision, purestep.InvokeTool):
                resumed = purestep.Resumed(run_id=decision.run_id or None)
                step = yield from self._record(self._stepped(step.state, resumed))
        return step

    def _kept_of(self, decisions: Iterable[purestep.Decision]) -> Iterator[purestep.Observation]:
        """Yield the results that are kept of the calls of decisions, for the run of each."""
        for decision in decisions:
            calls = decision.calls if isinstance(decision, purestep.InvokeTool | purestep.InvokeSkill) else ()
            kept = [(call, result) for call in calls if not call.handle and (result := self._kept(call.key))]
            for given in _of_calls(kept):
                yield replace(given, run_id=getattr(decision, "run_id", None) or None)

    def _kept(self, key: str) -> dict[str, Any]:
        return self.kept_results.get(key, {})

    def resume(self, log: str, found: purestep.Replayed) -> Effects:
        """Take up a run from its log, and go on until it ends or stops."""
        step = yield from self.take_up(log, found)
        return (yield from self.go_on(step))

    def go_on(self, step: Step) -> Effects:
        """Carry out decisions from a recorded step until the run ends or stops."""
        while not isinstance(step.decision, _ENDS):
            if step.also or getattr(step.decision, "path", None):
                observations = yield from self._carry_out_all(step)
            else:
                observations = yield from self._carry_out(step.state, step.decision)
            step = yield from self._steered(step)
            if not observations:
                return step
            for observation in observations:
                if not isinstance(step.decision, _ENDS):
                    step = yield from self._record(self._stepped(step.state, observation))
        return step

    def _steered(self, step: Step) -> Effects:
        """Send what was said meanwhile."""
        while self._steering:
            message = UserMessage(content=self._steering.popleft())
            step = yield from self._record(self._stepped(step.state, message))
        return step

    def _run(self, step: Step) -> Effects:
        yield from self._record(step)
        return (yield from self.go_on(step))

    def _record(self, step: Step) -> Effects:
        yield Record(step=step)
        self._keep(step.log)
        self.state = step.state
        self.messages += step.messages
        for run_id, messages in step.children.items():
            self.children.setdefault(run_id, []).extend(messages)
        return step

    def _keep(self, log: str) -> None:
        if self.agent.options.reads_on or self.agent.agents:
            self._lines.append(log)

    def _stepped(self, state: RunState, observation: purestep.Observation) -> Step:
        at = replace(observation, at=self._clock())
        if is_below(state, at):
            return purestep.step(state, self._hidden.masked(at))
        return purestep.step(state, self._hidden.observed(at, state))

    def _carry_out_all(self, step: Step) -> Generator[Effect, Any, _Observations]:
        """Return the observations that the decisions of a run and of its agents led to; nothing if it stops here.

        People are asked once nothing else is left to do.
        """
        decisions: tuple[purestep.Decision, ...] = (step.decision, *step.also)
        asking = [each for each in decisions if isinstance(each, purestep.RequestApproval)]
        works = [each for each in decisions if has_work(each)]
        due = works or [each for each in asking if not self._put_off.issuperset(call.key for call in each.calls)]
        if not due:
            return []
        given: list[_Observations] = yield Together(works=tuple([self._work(step.state, each) for each in due]))
        for decision, observations in zip(due, given, strict=True):
            if not observations and isinstance(decision, purestep.RequestApproval):
                self._put_off.update(call.key for call in decision.calls)
        found = [each for observations in given for each in observations]
        if not found:  # nobody has answered: who is asked yet, or the end of this exchange
            return (yield from self._carry_out_all(step))
        is_cancelled = [isinstance(each, purestep.Cancel) for each in found]
        others = [each for each, cancels in zip(found, is_cancelled, strict=True) if not cancels]
        return [*others, *[each for each, cancels in zip(found, is_cancelled, strict=True) if cancels][:1]]

    def _work(self, state: RunState, decision: Any) -> Generator[Effect, Any, _Observations]:
        """Return what a decision of the run or of an agent led to, for that one."""
        observations = yield from self._carry_out(state, decision)
        run_id = decision.run_id or None
        return [
            each
            if run_id is None or isinstance(each, purestep.Cancel | purestep.AgentChanged)
            else replace(each, run_id=run_id)
            for each in observations
        ]

    def _carry_out(self, state: RunState, decision: purestep.Decision) -> Generator[Effect, Any, _Observations]:
        """Return the observations that a decision led to, in order; nothing if the run stops here."""
        match decision:
            case purestep.CallModel():
                return (yield from self._ask_model(state, decision))
            case purestep.InvokeTool(calls=calls) | purestep.InvokeSkill(calls=calls):
                calls = tuple([call for call in calls if not call.handle])
                if not calls:
                    return []  # all of them go on elsewhere, and are waited for
                return (yield from self._run_calls(state, calls, decision))
            case purestep.RequestApproval():
                answers: _Given | Iterable[purestep.Approval] = yield AskPerson(calls=asked_calls(decision))
                if answers == CANCELLED:
                    return [_cancel()]
                return [] if answers == DEFERRED else [purestep.Approvals(approvals=tuple(answers))]
            case decision:
                raise AssertionError(f"no action for {type(decision).__name__}")

    def _ask_model(self, state: RunState, decision: purestep.CallModel) -> Generator[Effect, Any, _Observations]:
        if decision.wait_ms and (yield Wait(seconds=decision.wait_ms / 1000)) == CANCELLED:
            return [_cancel()]
        messages = self.children[decision.run_id] if decision.run_id else self.messages
        run_id = decision.run_id or ""
        given = yield AskModel(
            state=below(state, run_id),
            request=model_request(decision, messages),
            path=agents_down_to(self.agent, state, run_id),
            is_below=bool(decision.path),
        )
        if given == CANCELLED:
            return [_cancel()]
        return [given]

    def _run_calls(
        self,
        state: RunState,
        calls: tuple[purestep.ToolCall, ...],
        decision: purestep.InvokeTool | purestep.InvokeSkill,
    ) -> Generator[Effect, Any, _Observations]:
        if isinstance(decision, purestep.InvokeTool) and decision.path:
            ordered = self._ordered_below(state, calls, decision)
        else:
            ordered = self._ordered(state, calls)
        outcomes: CallOutcomes = yield ordered
        came = zip(calls, outcomes.results, strict=True)
        given: _Observations = [*_of_calls([(call, result) for call, result in came if result is not None])]
        if None in outcomes.results:
            given.append(purestep.Resumed())
        return [*given, _cancel(outcomes.reason)] if outcomes.is_cancelled else given

    def _ordered(self, state: RunState, calls: tuple[purestep.ToolCall, ...]) -> RunCalls:
        shown = {call.call_id: self._hidden.revealed(call, state) for call in calls}
        lost = {call_id: msgspec.to_builtins(each.result) for call_id, each in shown.items() if each.result}
        return RunCalls(
            calls=calls,
            known={**self._known(calls), **lost},
            revealed={call_id: each.params for call_id, each in shown.items()},
            hidden=lambda call, result: self._hidden.result(call, result, self.state),
            path=handed_to(self.agent, state),
            agent=self.agent,
            state=state,
        )

    def _ordered_below(
        self, state: RunState, calls: tuple[purestep.ToolCall, ...], decision: purestep.InvokeTool
    ) -> RunCalls:
        log = log_below("".join(self._lines), calls_below(state, decision.run_id or ""))
        return RunCalls(
            calls=calls,
            known=_known(log, calls),
            revealed={},
            hidden=lambda _call, result: self._hidden.masked_result(result),
            path=agents_down_to(self.agent, state, decision.run_id or ""),
            is_below=True,
            agent=self.agent,
            state=state,
            run_id=decision.run_id or "",
        )

    def _known(self, calls: tuple[purestep.ToolCall, ...]) -> dict[str, dict[str, Any]]:
        return _known("".join(self._lines), calls)


def _known(log: str, calls: tuple[purestep.ToolCall, ...]) -> dict[str, dict[str, Any]]:
    """Return the results, by their call's id, of the calls that the log answers."""
    return {
        call.call_id: msgspec.to_builtins(purestep.read_part(log, call.part))
        for call in calls
        if call.part is not msgspec.UNSET
    }


def _of_calls(
    came: Sequence[tuple[purestep.ToolCall, dict[str, Any]]],
) -> Iterator[purestep.ToolPending | purestep.ToolResults]:
    """Yield what is observed of calls that came back: that some go on elsewhere, then the results of the others."""
    for call, result in came:
        if "pending" in result:
            yield purestep.ToolPending(call_id=call.call_id, **result["pending"])
    results = [{"call_id": call.call_id, **result} for call, result in came if "pending" not in result]
    if results:
        yield convert_to({"type": "tool_results", "results": results}, purestep.ToolResults)


def _cancel(reason: str = INTERRUPTED) -> purestep.Cancel:
    return purestep.Cancel(reason=reason)


def opened_gate(effect: AskModel, model: str, watcher: OutputWatcher | None, clock: Callable[[], int]) -> OutputGate:
    """Return the sink of the reply that an effect asks for, as it is about to be asked; model: its name."""
    parameters = sent_parameters(effect.request, model)
    reply = open_reply(effect.state, model, parameters, clock(), is_shown=watcher is not None)
    return OutputGate(reply, watcher, clock)


def model_request(decision: purestep.CallModel, messages: list[Message]) -> ModelRequest:
    """Return the model request of a decision: the messages that it names and its constraints."""
    sent = [sent_message(message) for message in prompt_messages(decision, messages)]
    return ModelRequest(
        messages=with_system_role(sent, decision.system) if decision.system else sent,
        model=decision.model or None,
        tools=_decoded(decision.tools),
        tool_choice=_decoded(decision.tool_choice),
        response_format=_decoded(decision.response_format),
        grammar=decision.grammar or None,
        stop=decision.stop or (),
        sampling=_decoded(decision.sampling) or {},
        choices=tuple(choice.text for choice in decision.choices or ()),
        without=decision.without or (),
        logprobs=decision.logprobs,
    )


_decode: Final = msgspec.json.Decoder().decode


def _decoded(part: msgspec.Raw | msgspec.UnsetType) -> Any:
    return None if part is msgspec.UNSET else _decode(part)
