"""What one exchange may be given beside its query: the arguments of `Agent.run`, `run_sync` and `stream`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, Generic, TypedDict

import msgspec
from typing_extensions import TypeVar

from purestep import Approval, DataText, Message, ToolChoice
from purestep_hosts.agents.approving import Approve, check_approve
from purestep_hosts.agents.late import LateResult
from purestep_hosts.agents.members import check_text, name_hint
from purestep_hosts.agents.result import RunResult
from purestep_hosts.agents.run_log import After, RunStore
from purestep_hosts.attachments import Attachment, AttachmentStore, attachment
from purestep_hosts.outside_data import OutsideData

Deps = TypeVar("Deps", default=Any)

_STORE_METHODS: Final = ("text", "append", "clear")


class RunArguments(TypedDict, Generic[Deps], total=False):
    """Arguments of one exchange; see `Agent.run`."""

    deps: Deps
    after: After
    approvals: Iterable[Approval]
    results: Iterable[LateResult]
    approve: Approve | None
    session: RunStore | None
    run_id: str | None
    tool_choice: ToolChoice | None
    pinned: bool
    history: Sequence[Message | dict[str, Any]]
    attachments: Sequence[Attachment | OutsideData | Path | bytes]
    attachment_store: AttachmentStore | None


class ExchangeInput(msgspec.Struct, frozen=True, kw_only=True):
    """What one exchange is given, checked."""

    query: str | None
    deps: Any = None
    after: After = None
    approvals: tuple[Approval, ...] = ()
    results: tuple[LateResult, ...] = ()
    approve: Approve | None = None
    session: RunStore | None = None
    run_id: str | None = None
    tool_choice: ToolChoice | None = None
    pinned: bool = False
    history: Sequence[Any] = ()
    attachments: tuple[Attachment, ...] = ()
    data: tuple[DataText, ...] = ()
    attachment_store: AttachmentStore | None = None
    takes_over: bool = False
    """Whether a run that was begun with another definition goes on under this one, instead of being refused."""


def exchange_input(query: str | None, options: RunArguments[Any]) -> ExchangeInput:
    """Return what an exchange is given; raises TypeError for an argument that cannot be used, and says which.

    Raises AttachmentError for an image or a file that cannot be sent.
    """
    if query is not None:
        check_text(query, "query")
    if not options:
        return ExchangeInput(query=query)
    known = RunArguments.__annotations__
    for name in options:
        if name not in known:
            raise TypeError(f"run has no argument {name}; {_hint(name, ('query', *known))}")
    files, data = _attachments(query, options.get("attachments", ()))
    values: dict[str, Any] = {
        **options,
        "approvals": _approvals(options.get("approvals", ())),
        "results": _results(options.get("results", ())),
        "attachments": files,
        "data": data,
    }
    check_approve(options.get("approve"))
    given = ExchangeInput(query=query, **values)
    _check_pinned(given)
    _check_log(given)
    return given


def _hint(name: str, known: Sequence[str]) -> str:
    other = _OTHER_NAMES.get(name)
    return f"write {other}" if other else name_hint(name, known, "arguments")


_OTHER_NAMES: Final = {
    "prompt": "query",
    "input": "query",
    "message": "query",
    "user_prompt": "query",
    "messages": "history",
    "context": "deps",
    "files": "attachments",
    "images": "attachments",
    "max_turns": "Agent(..., limits={'max_turns': ...})",
    "timeout": "Agent(..., limits={'deadline_ms': ...}), or wait no longer: asyncio.timeout",
    "model": "Agent(model): an agent has one",
    "output_type": "Agent(..., output_type=...)",
}
"""What other libraries call a part of a run, and what it is here."""


def _approvals(given: Any) -> tuple[Approval, ...]:
    wanted = "expected what `approved` or `refused` gives"
    if not isinstance(given, Iterable) or isinstance(given, Approval):
        raise TypeError(f"approvals is {type(given).__name__}; {wanted} in a list")
    answers = tuple(given)
    for each in answers:
        if not isinstance(each, Approval):
            raise TypeError(f"approvals has {type(each).__name__}; {wanted}")
    return answers


def _results(given: Any) -> tuple[LateResult, ...]:
    wanted = "expected what `late_result` gives"
    if not isinstance(given, Iterable) or isinstance(given, str | dict | LateResult):
        raise TypeError(f"results is {type(given).__name__}; {wanted} in a list")
    results = tuple(given)
    for each in results:
        if not isinstance(each, LateResult):
            raise TypeError(f"results has {type(each).__name__}; {wanted}")
    return results


def _attachments(query: str | None, given: Any) -> tuple[tuple[Attachment, ...], tuple[DataText, ...]]:
    """Return the files that go with a query, and the texts from outside."""
    if not isinstance(given, list | tuple):
        raise TypeError(f"attachments is {type(given).__name__}; expected a list of paths, bytes or Attachments")
    if given and query is None:
        raise TypeError("attachments go with a query; give the words that are asked about them")
    outside = [each for each in given if isinstance(each, OutsideData)]
    files = [attachment(each) for each in given if not isinstance(each, OutsideData)]
    texts = tuple([text for each in outside for text in each.texts])
    return (*files, *[file for each in outside for file in each.files]), texts


def _check_pinned(given: ExchangeInput) -> None:
    if not isinstance(given.pinned, bool):
        raise TypeError(f"pinned is {type(given.pinned).__name__}; expected True or False")
    if given.pinned and given.query is None:
        raise TypeError("pinned goes with a query; give the words that are to stay")


def _check_log(given: ExchangeInput) -> None:
    after, session = given.after, given.session
    if after is not None and not isinstance(after, RunResult | str):
        raise TypeError(f"after is {type(after).__name__}; expected a result, or the text of a log")
    if session is not None and not all(callable(getattr(session, name, None)) for name in _STORE_METHODS):
        raise TypeError(f"session is {type(session).__name__}; expected an open Session, or a RunStore of your own")
    if session is not None and (after is not None or given.run_id is not None):
        raise TypeError("a session has a log and an id of its own; give it without `after` and `run_id`")
    if not isinstance(given.history, list | tuple):
        raise TypeError(f"history is {type(given.history).__name__}; expected a list of messages")
    if given.history and after is not None:
        raise TypeError("a run that goes on has its messages; give `after` without `history`")
    if after is not None and given.run_id is not None:
        raise TypeError("a run that goes on has an id; give `after` without `run_id`")
