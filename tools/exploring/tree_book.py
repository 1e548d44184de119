"""The book of a tree: what was asked, answered and handed out in a run and in the agents below it, from the outside.

Which run stands below which is read from the state; all else is what came and what the decisions said.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import UNSET, Struct
from msgspec.structs import replace

from purestep import (
    Approvals,
    CallModel,
    Cancel,
    Decision,
    InvokeTool,
    ModelOutput,
    RequestApproval,
    Resumed,
    RunState,
    ToolResult,
    ToolResults,
    UserMessage,
)

from .alphabet import Move

ASKED: Final = "asked"
APPROVED: Final = "approved"
REFUSED: Final = "refused"
HANDED: Final = "handed"
IN_DOUBT: Final = "in doubt"
GONE: Final = "gone"
SUCCEEDED: Final = "succeeded"
FAILED: Final = "failed"
UNKNOWN: Final = "unknown"
SETTLED: Final = (REFUSED, GONE, SUCCEEDED, FAILED, UNKNOWN)


class TreeCall(Struct, frozen=True, array_like=True):
    """A call of a tool in the tree, by its key; `run` is the id of the run that made it, `path` the agents down to it.

    approved: a person has said yes to it, however often its host was stopped since. lost: its host was stopped while it
    ran.
    """

    key: str
    run: str
    path: tuple[str, ...]
    call_id: str
    tool: str
    status: str
    approved: bool = False
    lost: bool = False


class TreeBook(Struct, frozen=True, array_like=True):
    """What has happened in the exchange; `ended` are the runs of agents that are over, in the run as a whole.

    turns: outputs of models, of all runs together. agents: runs of agents that have begun. steered: a message came in
    the middle of it.
    """

    calls: tuple[TreeCall, ...] = ()
    ended: tuple[str, ...] = ()
    turns: int = 0
    agents: int = 0
    steered: bool = False


Opened = tuple[str, tuple[str, ...], Decision]
"""A decision that is open: the run that waits with it, the agents down to it, and itself."""


def opened(root: str, decision: Decision, also: Sequence[Decision]) -> list[Opened]:
    """Return all decisions of a tree that are open."""
    return [(_run_of(root, each), _path_of(each), each) for each in (decision, *also)]


def _run_of(root: str, decision: Decision) -> str:
    run_id = getattr(decision, "run_id", UNSET)
    return root if run_id is UNSET else str(run_id)


def _path_of(decision: Decision) -> tuple[str, ...]:
    path = getattr(decision, "path", UNSET)
    return () if path is UNSET else tuple(path)


def parents_of(state: RunState) -> dict[str, str]:
    """Return the run above each run of an agent that goes on, by their ids."""
    return dict(_below(state))


def _below(state: RunState) -> Iterator[tuple[str, str]]:
    for call in state.pending:
        if call.child is not None:
            yield call.child.run_id, state.run_id
            yield from _below(call.child)


def above(parents: dict[str, str], run_id: str) -> list[str]:
    """Return the runs above one, the nearest first."""
    found: list[str] = []
    while (parent := parents.get(run_id)) is not None:
        found.append(parent)
        run_id = parent
    return found


def is_within(parents: dict[str, str], run_id: str, whole: str) -> bool:
    """Whether a run is that one, or below it."""
    return run_id == whole or whole in above(parents, run_id)


def addressed(root: str, observation: Any) -> str:
    """Return the run that an observation names."""
    return str(observation.run_id) if getattr(observation, "run_id", None) is not None else root


def noted(book: TreeBook, move: Move, root: str, parents: dict[str, str], repeatable: frozenset[str]) -> TreeBook:
    """Write down what has come; repeatable: the tools that run again unasked."""
    came = move.observation
    run = addressed(root, came)
    match came:
        case UserMessage() if not move.steers:
            return TreeBook(ended=book.ended)
        case UserMessage():
            return replace(book, steered=True)
        case ModelOutput():
            return replace(book, turns=book.turns + 1)
        case ToolResults():
            lost = {call.call_id for call in book.calls if call.run == run and call.lost}
            return _with(book, {(run, each.call_id): _status_of(each, each.call_id in lost) for each in came.results})
        case Approvals():
            answers = {answer.key: answer.approved for answer in came.approvals}
            return replace(book, calls=tuple([_answered(call, answers) for call in book.calls]))
        case Resumed():
            runs = [each for each in (root, *parents) if is_within(parents, each, run)]
            calls = [_resumed(call, repeatable) if call.run in runs else call for call in book.calls]
            return replace(book, calls=tuple(calls))
        case Cancel():
            return _stopped(book, [each for each in (root, *parents) if is_within(parents, each, run)])
        case _:
            return book


def _status_of(result: ToolResult, is_lost: bool) -> str:
    if result.ok:
        return SUCCEEDED
    return UNKNOWN if is_lost or result.error_kind == "interrupted" else FAILED


def _answered(call: TreeCall, answers: dict[str, bool]) -> TreeCall:
    if call.key not in answers:
        return call
    if answers[call.key]:
        return replace(call, status=APPROVED, approved=True)
    # What may have run before its host was stopped is not undone by a no.
    return replace(call, status=UNKNOWN if call.status == IN_DOUBT else REFUSED)


def _resumed(call: TreeCall, repeatable: frozenset[str]) -> TreeCall:
    if call.status != HANDED:
        return call
    return replace(call, lost=True, status=HANDED if call.tool in repeatable else IN_DOUBT)


def _stopped(book: TreeBook, runs: list[str]) -> TreeBook:
    """Write down that runs were ended: of what was handed out nobody knows, what only waited is gone."""
    ended: dict[tuple[str, str], str] = {}
    for call in book.calls:
        if call.run in runs and call.status not in SETTLED:
            ended[call.run, call.call_id] = UNKNOWN if call.lost or call.status in (HANDED, IN_DOUBT) else GONE
    return _with(book, ended)


def _with(book: TreeBook, status: dict[tuple[str, str], str]) -> TreeBook:
    calls = [replace(call, status=status.get((call.run, call.call_id), call.status)) for call in book.calls]
    return replace(book, calls=tuple(calls))


def seen(book: TreeBook, decisions: list[Opened], before: dict[str, str], after: dict[str, str], root: str) -> TreeBook:
    """Write down the decisions, and which agents have begun and ended."""
    over = [run for run in before if run not in after]
    if over:
        book = _stopped(book, over)
    for run, path, decision in decisions:
        if isinstance(decision, InvokeTool | RequestApproval):
            for call in decision.calls:
                book = _told(book, run, path, call, is_asked=isinstance(decision, RequestApproval))
    if isinstance(decisions[0][2], InvokeTool | RequestApproval | CallModel):
        new = len([run for run in after if run not in before])
        return replace(book, ended=tuple(sorted({*book.ended, *over})), agents=book.agents + new)
    book = _stopped(book, [root])
    return replace(book, ended=tuple(sorted({*book.ended, *over})))


def _told(book: TreeBook, run: str, path: tuple[str, ...], call: Any, *, is_asked: bool) -> TreeBook:
    known = next((each for each in book.calls if each.key == call.key), None)
    status = ASKED if is_asked else HANDED
    if known is None:
        return replace(book, calls=(*book.calls, TreeCall(call.key, run, path, call.call_id, call.tool, status)))
    if is_asked and known.status == IN_DOUBT:
        return book
    return _with(book, {(known.run, known.call_id): status})


def bare(state: RunState) -> RunState:
    """Return a state without its place in the log, and so the agents in it."""
    pending = [each if each.child is None else replace(each, child=bare(each.child)) for each in state.pending]
    return replace(state, head="", run=replace(state.run, seq=0), pending=tuple(pending))
