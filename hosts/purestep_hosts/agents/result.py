"""How an exchange ended: `RunResult`, which never passes a failure off as an answer."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

import msgspec

import purestep
from purestep import Act, ApprovalCall, Done, Failed, RequestApproval
from purestep_hosts.agents.events import Status
from purestep_hosts.agents.late import LateCall, late_calls
from purestep_hosts.attachments import AttachmentStore, MemoryAttachments
from purestep_hosts.costs import exchange_cost
from purestep_hosts.inner_runs import RunNotDone

Data = TypeVar("Data")

_OTHER_NAMES: Final = frozenset({"output", "final_output", "content", "text", "value"})
"""What other libraries call the answer."""


class RunInterrupted(KeyboardInterrupt):
    """Ctrl-C cancelled a run that `run_sync` waited for; `result` has its code and its log."""

    def __init__(self, result: RunResult[Any]) -> None:
        super().__init__("the run was cancelled; its `result` has the log")
        self.result = result


_RESULT: Final = "purestep_result"


def note_cancelled(error: asyncio.CancelledError, result: RunResult[Any]) -> None:
    """Keep the result of a run with the error that ends it: `asyncio.timeout` takes no other kind of error."""
    setattr(error, _RESULT, result)


def cancelled_result(error: BaseException | None) -> RunResult[Any] | None:
    """Return how a run stood that a cancellation, a time limit or Ctrl-C has ended: its code and its log.

    error: an asyncio.CancelledError, a TimeoutError that has one as its cause, or a RunInterrupted. None for others.
    """
    left = [error]
    for _ in range(_CAUSES):
        each = left.pop(0) if left else None
        if each is None:
            break
        result = each.result if isinstance(each, RunInterrupted) else getattr(each, _RESULT, None)
        if isinstance(result, RunResult):
            return result
        inner = each.exceptions if isinstance(each, BaseExceptionGroup) else ()
        left += [*inner, *filter(None, [each.__cause__ or each.__context__])]
    return None


_CAUSES: Final = 16
"""Errors that are followed from one to its cause: libraries wrap one in few others."""


class RunUsage(msgspec.Struct, frozen=True, kw_only=True):
    """What one exchange used, as far as the model's server reported tokens; two are added with `+`.

    `cached_tokens` are those of the prompt that the server had in its cache, `reasoning_tokens` those of the completion
    that are reasoning. `cost` is in millionths of the unit of the definition's prices, None where it is not known.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    turns: int = 0
    tool_calls: int = 0
    cost: int | None = 0

    def __add__(self, other: RunUsage) -> RunUsage:
        """Return what both used together."""
        if not isinstance(other, RunUsage):
            return NotImplemented
        counts = [name for name in self.__struct_fields__ if name != "cost"]
        both = {name: getattr(self, name) + getattr(other, name) for name in counts}
        cost = None if self.cost is None or other.cost is None else self.cost + other.cost
        return RunUsage(**both, cost=cost)


class RunResult(Generic[Data]):
    """The end of an exchange: `status` is `done`, `failed`, or `waiting` for approvals or what goes on elsewhere.

    `answer` and `data` raise RunNotDone unless it is done. `log` is the run's whole log: another process goes on with
    it (`Agent.run(after=log)`). `messages` is the transcript, `state` the core's state.
    """

    def __init__(
        self,
        *,
        run_id: str,
        state: purestep.RunState,
        decision: purestep.Decision,
        messages: list[purestep.Message],
        log: str,
        data: Data | msgspec.UnsetType,
        failure: Failed | None = None,
    ) -> None:
        self.run_id = run_id
        self.attachments: AttachmentStore = MemoryAttachments()
        """Keeps the images and files of the run, for an exchange `after` this one."""
        self.state = state
        self.messages = messages
        self.log = log
        self._decision = decision
        self._data = data
        self.failure = failure if failure is not None else decision if isinstance(decision, Failed) else None
        """Why the run ended without an answer: a stable `code`, and a `message` for people."""

    @property
    def status(self) -> Status:
        """How the exchange ended."""
        if self.failure is not None:
            return "failed"
        return "done" if isinstance(self._decision, Done) else "waiting"

    @property
    def answer(self) -> str:
        """The answer's text; raises RunNotDone if there is none."""
        return self._done().answer

    @property
    def data(self) -> Data:
        """The answer as the agent's `output_type`; raises RunNotDone if there is none, as of a question."""
        asked = self._done().question
        if isinstance(self._data, msgspec.UnsetType):
            assert asked
            raise RunNotDone("question", "the run ended with a question; reply to it in a query `after` this result")
        return self._data

    @property
    def approvals(self) -> tuple[ApprovalCall, ...]:
        """The calls that wait for a person; answer them with `approved` and `refused`."""
        return self._decision.calls if isinstance(self._decision, RequestApproval) else ()

    @property
    def late(self) -> tuple[LateCall, ...]:
        """The calls that go on elsewhere and have no result yet; give it with `late_result`."""
        return tuple(late_calls(self.state))

    @property
    def question(self) -> bool:
        """Whether the answer asks the user for something; the next query goes on from there."""
        return self._done().question

    @property
    def citations(self) -> tuple[Any, ...]:
        """The results that the answer cites, where the definition demands that."""
        return tuple(self._done().citations or ())

    @property
    def acts(self) -> tuple[Act, ...] | None:
        """The calls of the exchange that may have changed something, in order; None where no tool may act.

        Empty, where nothing was changed, whatever the answer says. Each has its `tool`, `params` and `status`.
        """
        decision = self._decision
        acts = decision.acts if isinstance(decision, Done | Failed) else self.state.exchange.acts
        return None if isinstance(acts, msgspec.UnsetType) else acts

    @property
    def usage(self) -> RunUsage:
        """What the exchange used, answers that were sent back included."""
        used = self.state.exchange.used
        return RunUsage(
            prompt_tokens=used.input_tokens,
            completion_tokens=used.output_tokens,
            cached_tokens=used.cached_tokens,
            reasoning_tokens=used.reasoning_tokens,
            turns=used.turns,
            tool_calls=used.tool_calls,
            cost=exchange_cost(self.log).known,
        )

    def _done(self) -> Done:
        if self.failure is not None:
            raise RunNotDone(self.failure.code, self.failure.message)
        if not isinstance(self._decision, Done):
            tools = ", ".join(call.tool for call in self.approvals)
            late = ", ".join(call.tool for call in self.late) if not tools else ""
            if late:
                raise RunNotDone("waiting", f"the run waits for the result of {late}, which goes on elsewhere")
            raise RunNotDone("waiting", f"the run waits for a person to approve {tools or 'it to go on'}")
        return self._decision

    if not TYPE_CHECKING:  # a checker names an attribute that there is not by itself

        def __getattr__(self, name: str) -> Any:
            hint = "; its text is `answer`, its typed value is `data`" if name in _OTHER_NAMES else ""
            raise AttributeError(f"a RunResult has no attribute {name}{hint}")

    def __repr__(self) -> str:
        return f"<RunResult {self.status} {self.run_id}>"

    def __str__(self) -> str:
        from purestep_hosts.agents.rendering import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from purestep_hosts.agents.rendering import as_html

        return as_html(self)


def approved(call: ApprovalCall, *, params: dict[str, Any] | None = None, by: str | None = None) -> purestep.Approval:
    """Approve a call, or with `params` the call with other arguments; `by` names the person, for the log."""
    return purestep.Approval(call_id=call.call_id, key=call.key, approved=True, params=params, by=by)


def refused(call: ApprovalCall, reason: str | None = None, *, by: str | None = None) -> purestep.Approval:
    """Refuse a call; the model reads the reason, and may try another way."""
    return purestep.Approval(call_id=call.call_id, key=call.key, approved=False, reason=reason, by=by)
