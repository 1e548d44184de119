"""Calls that go on elsewhere, in the book of an onlooker: handed over, with a result that comes and is read later."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from purestep import Decision, InvokeTool, ToolPending, ToolResult, ToolResults

from .alphabet import OUTCOMES, Alphabet, Message, Move
from .book import ELSEWHERE, Act, Book, Call, act_status, begun, tool_of
from .policy import Policy


def late_moves(alphabet: Alphabet, book: Book, decision: Decision | None) -> Iterator[Move]:
    """Yield what may come of calls that go on elsewhere: one is handed over, each has a result, all have theirs."""
    if not alphabet.elsewhere:
        return
    if isinstance(decision, InvokeTool):
        call_id = decision.calls[0].call_id
        yield Move(name=f"{call_id} goes on elsewhere", observation=ToolPending(call_id=call_id, handle="job"))
    for call in book.away:
        for outcome in alphabet.outcomes:
            yield _came(outcome, call)
    if len(book.away) > 1:
        yield _came(alphabet.outcomes[0], *book.away[::-1])


def _came(outcome: str, *calls: Call) -> Move:
    results = tuple([ToolResult(call_id=call.call_id, key=call.key, **OUTCOMES[outcome]) for call in calls])
    name = f"{outcome} for {' and '.join([call.call_id for call in calls])}, later"
    return Move(name=name, observation=ToolResults(results=results), late=True)


def late_noted(policy: Policy, book: Book, move: Move, *, begins: bool) -> Book:
    """Write down that a call went on elsewhere, or that results came of such calls; begins: an exchange with them."""
    book = _noted(policy, book, move)
    return begun(policy, book, Message("")) if begins else book


def _noted(policy: Policy, book: Book, move: Move) -> Book:
    match observation := move.observation:
        case ToolPending():
            return _gone(policy, book, observation)
        case ToolResults() if move.late:
            return _came_later(book, observation)
        case _:
            return book


def _gone(policy: Policy, book: Book, pending: ToolPending) -> Book:
    """Write down that a call went on elsewhere: it may act by now, and nobody knows with what outcome."""
    (call,) = [each for each in book.calls if each.call_id == pending.call_id]
    calls = tuple([replace(each, outcome=ELSEWHERE) if each == call else each for each in book.calls])
    acting = [call.same] if tool_of(policy, call.tool).acts_once else []
    unsettled = tuple(sorted({*book.unsettled, *acting}))
    return replace(book, calls=calls, away=(*book.away, call), unsettled=unsettled)


def _came_later(book: Book, observation: ToolResults) -> Book:
    """Write down results that came later; the model has not read them yet."""
    for result in observation.results:
        (call,) = [each for each in book.away if each.call_id == result.call_id]
        outcome = f"fine: {result.output}" if result.ok else f"{result.error_kind or 'failed'}: {result.error}"
        away = tuple([each for each in book.away if each != call])
        book = replace(book, away=away, came=(*book.came, replace(call, outcome=outcome)))
    return book


def read_late(policy: Policy, book: Book, lines: Sequence[dict[str, Any]]) -> Book:
    """Write down that the model reads what came, where a step says so."""
    if not any(line.get("reason") == "late_results" for line in lines):
        return book
    acts = {act.call_id: act for act in book.acts}
    for call in sorted(book.came, key=lambda each: each.ordinal):
        if status := act_status(policy, call):
            acts[call.call_id] = Act(call.call_id, call.tool, call.params, status)
    effects = {call.same for call in book.came if tool_of(policy, call.tool).destructive}
    known = {call.same for call in book.came if call.outcome.startswith("fine")}
    return replace(
        book,
        came=(),
        acts=tuple(acts.values()),
        effects=tuple(sorted({*book.effects, *effects})),
        unsettled=tuple([same for same in book.unsettled if same not in known]),
    )
