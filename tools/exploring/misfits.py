"""Observations that a state must refuse: of another phase, of calls that do not wait, twice, under another key."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from purestep import (
    Approval,
    Approvals,
    Cancel,
    Decision,
    InvokeTool,
    ModelError,
    ModelOutput,
    Observation,
    RequestApproval,
    Resumed,
    ToolResult,
    ToolResults,
    UserMessage,
)

from .alphabet import EXECUTED
from .book import ELSEWHERE, Book, Call


class Misfit(Struct, frozen=True):
    """An observation that is refused, and the code that says so."""

    observation: Observation
    code: str


_BY_KIND: Final[dict[str, Observation]] = {
    "user_message": UserMessage(content="Go on with it."),
    "model_output": ModelOutput(content="It is done."),
    "model_error": ModelError(code="timeout", retryable=True),
    "approvals": Approvals(approvals=(Approval(call_id="call_1", key="0" * 32, approved=True),)),
    "tool_results": ToolResults(results=(ToolResult(call_id="call_1", ok=True, output="It was fine."),)),
    "resumed": Resumed(),
    "cancel": Cancel(),
}


def misfits(book: Book, decision: Decision, accepted: tuple[str, ...]) -> Iterator[Misfit]:
    """Return one observation of each kind that is not accepted, and those that fit no waiting call."""
    for kind, observation in _BY_KIND.items():
        if kind not in accepted:
            yield Misfit(observation, _misfit_code(book, decision, kind))
    yield from _wrong_late(book)
    if isinstance(decision, InvokeTool):
        yield from _wrong_results(book, decision.calls[0].call_id)
    elif isinstance(decision, RequestApproval):
        yield from _wrong_approvals(book, decision.calls[0].call_id, decision.calls[0].key)


def _misfit_code(book: Book, decision: Decision, kind: str) -> str:
    if kind != "tool_results":
        return "wrong_phase"
    if any(call.call_id == "call_1" for call in book.came):
        return "duplicate_result"
    return "not_approved" if isinstance(decision, RequestApproval) else "wrong_phase"


def _wrong_late(book: Book) -> Iterator[Misfit]:
    """Yield results of a call that went on elsewhere: twice, with a stranger's, and under another run's key."""
    for call in book.away:
        yield Misfit(_results(call.call_id, call.call_id), "duplicate_result")
        yield Misfit(_results(call.call_id, "call_99"), "unknown_call")
        other = ToolResult(call_id=call.call_id, key="0" * 32, ok=True, output="It was fine.")
        yield Misfit(ToolResults(results=(other,)), "unknown_call")
    for call in book.came:
        yield Misfit(_results(call.call_id), "duplicate_result")


def _wrong_results(book: Book, waiting: str) -> Iterator[Misfit]:
    yield Misfit(_results(waiting, waiting), "duplicate_result")
    yield Misfit(_results("call_99"), "unknown_call")
    yield Misfit(_results(waiting, "call_99"), "unknown_call")
    yield Misfit(_results(), "invalid_input")
    for call in book.calls:
        if call.tool in EXECUTED and not _is_closed(call):
            yield Misfit(_results(call.call_id), "unknown_call")
    for call in [each for each in book.calls if _is_closed(each) and each.outcome != ELSEWHERE]:
        yield Misfit(_results(call.call_id), "duplicate_result")
        yield Misfit(_results(waiting, call.call_id), "duplicate_result")


def _wrong_approvals(book: Book, waiting: str, key: str) -> Iterator[Misfit]:
    yes = Approval(call_id=waiting, key=key, approved=True)
    yield Misfit(_approvals(Approval(call_id=waiting, key="0" * 32, approved=True)), "stale_approval")
    yield Misfit(_approvals(Approval(call_id=waiting, key=key[:-1], approved=True)), "stale_approval")
    yield Misfit(_approvals(yes, yes), "duplicate_approval")
    yield Misfit(_approvals(yes, Approval(call_id="call_99", key=key, approved=True)), "unknown_call")
    yield Misfit(_approvals(Approval(call_id=waiting, key=key, approved=True, params={"to": 7})), "invalid_arguments")
    yield Misfit(_approvals(), "invalid_input")
    for call in book.calls:
        if call.answer or _is_closed(call):
            answer = Approval(call_id=call.call_id, key=call.key, approved=True)
            yield Misfit(_approvals(answer), "duplicate_approval")


def _is_closed(call: Call) -> bool:
    return bool(call.outcome or call.barred or call.answer == "no")


def _results(*call_ids: str) -> ToolResults:
    return ToolResults(results=tuple(ToolResult(call_id=each, ok=True, output="It was fine.") for each in call_ids))


def _approvals(*answers: Approval) -> Approvals:
    return Approvals(approvals=answers)
