"""Where a run stands, as the JSON that a client reads."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

import purestep
from purestep import Act, ApprovalCall, Done, Failed, RequestApproval, decoder_of
from purestep_hosts.agents.late import LateCall, late_calls
from purestep_hosts.agents.output_type import OutputType
from purestep_hosts.agents_below import all_waiting, has_work
from purestep_hosts.costs import exchange_cost
from purestep_hosts.sessions import SessionInfo
from purestep_hosts.stored_runs import status_of

Status = Literal["running", "waiting", "interrupted", "done", "failed"]
"""`waiting`: for approvals, or for results that come later. `interrupted`: the service was stopped in the middle; an
empty request goes on with it."""


class RunFailure(msgspec.Struct, frozen=True):
    """Why a run ended without an answer."""

    code: str
    message: str


class UsageCounts(msgspec.Struct, frozen=True, kw_only=True):
    """What the exchange used, as far as the model's server reported tokens.

    `cached_tokens`: of the prompt's. `cost`: in millionths of the unit of the definition's prices; null where it is not
    known.
    """

    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int
    turns: int
    tool_calls: int
    cost: int | None


class RunAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A run: its status, and what goes with that.

    `acts`: beside an ending, the calls that may have changed something; absent where no tool may act. `question`: the
    answer asks the user for something. `late`: the calls that go on elsewhere, whose results are not there yet.
    """

    run: str
    status: Status
    answer: str | None = None
    data: Any = UNSET
    question: bool = False
    failure: RunFailure | None = None
    acts: tuple[Act, ...] | UnsetType = UNSET
    approvals: tuple[ApprovalCall, ...] = ()
    late: tuple[LateCall, ...] = ()
    usage: UsageCounts | UnsetType = UNSET


class RunEntry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A run in a list; `problem` instead of a status says that it cannot be read."""

    run: str
    created_ms: int = 0
    query: str = ""
    status: Status | UnsetType = UNSET
    problem: str = ""


class RunList(msgspec.Struct, frozen=True, kw_only=True):
    """Runs, newest first; `next` is the `before` of the next part, null at the end."""

    runs: tuple[RunEntry, ...]
    next: str | None


def run_answer(run_id: str, log: str, output: OutputType[Any], *, is_live: bool = False) -> RunAnswer:
    """Return where the run of a log stands; raises PurestepError for a log that is damaged.

    output: what answers are made of; one that its validators reject is no answer.
    """
    if not log:
        return RunAnswer(run=run_id, status="running" if is_live else "interrupted")
    found = purestep.replay(log)
    answer = _answer(run_id, log, found, output, is_live=is_live)
    return replace(answer, late=tuple(late_calls(found.state)))


def _answer(run_id: str, log: str, found: purestep.Replayed, output: OutputType[Any], *, is_live: bool) -> RunAnswer:
    decision, used = _stands(found), found.state.exchange.used
    usage = UsageCounts(
        prompt_tokens=used.input_tokens,
        completion_tokens=used.output_tokens,
        cached_tokens=used.cached_tokens,
        turns=used.turns,
        tool_calls=used.tool_calls,
        cost=exchange_cost(log).known,
    )
    status = "running" if is_live else _status(decision)
    match decision:
        case Done() if rejection := output.rejection(decision):
            failure = RunFailure("output_type", f"the answer fits its schema, and yet: {rejection}")
            status = "running" if is_live else "failed"
            return RunAnswer(run=run_id, status=status, failure=failure, acts=decision.acts, usage=usage)
        case Done():
            return RunAnswer(
                run=run_id,
                status=status,
                answer=decision.answer,
                data=decision.data,
                question=decision.question,
                acts=decision.acts,
                usage=usage,
            )
        case Failed():
            failure = RunFailure(decision.code, decision.message)
            return RunAnswer(run=run_id, status=status, failure=failure, acts=decision.acts, usage=usage)
        case RequestApproval():
            return RunAnswer(run=run_id, status=status, approvals=decision.calls, usage=usage)
    return RunAnswer(run=run_id, status=status, usage=usage)


def waiting_calls(log: str) -> tuple[ApprovalCall, ...]:
    """Return the calls of a log that wait for a person."""
    decision = _stands(purestep.replay(log)) if log else None
    return decision.calls if isinstance(decision, RequestApproval) else ()


def _stands(found: purestep.Replayed) -> purestep.Decision:
    """Return what is due in a run: all calls that wait for a person, here and below, where nothing else is due."""
    also = found.also or ()
    due = [each for each in (found.decision, *also) if has_work(each)]
    return due[0] if due else all_waiting(found.decision, also)


class _LineKind(msgspec.Struct, frozen=True):
    kind: str = ""


_LINES: Final = decoder_of(_LineKind)


def questions_in(log: str) -> int:
    """Return how many messages of the user's a log has."""
    return sum(line.kind == "user_message" for line in _LINES.decode_lines(log)) if log else 0


def run_entry(info: SessionInfo, stand: RunAnswer) -> RunEntry:
    """Return a run as it stands in a list."""
    return RunEntry(run=info.id, created_ms=info.created_ms, query=info.query, status=stand.status)


def _status(decision: purestep.Decision) -> Status:
    status = status_of(decision)
    return "interrupted" if status == "running" else status
