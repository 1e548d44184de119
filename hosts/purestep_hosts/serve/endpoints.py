"""What the service answers, endpoint by endpoint; `openapi` makes the document of the same table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container, Iterable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Final

import msgspec
from msgspec import UNSET, Meta
from msgspec.structs import replace

from purestep import Approval, PurestepError, ToolChoice, replay
from purestep_formats import project
from purestep_hosts.agents.late import LateResult, late_calls, late_result
from purestep_hosts.async_loop import in_thread
from purestep_hosts.extras import SERVE
from purestep_hosts.serve import ag_ui_request, ai_sdk_request
from purestep_hosts.serve.bodies import read_body
from purestep_hosts.serve.event_stream import EventStream, StreamForm, ended_stream
from purestep_hosts.serve.faults import ServiceError, as_sent, fault_of, goes_on, shown
from purestep_hosts.serve.live_run import LiveRun
from purestep_hosts.serve.run_answer import RunAnswer, RunList, questions_in, waiting_calls
from purestep_hosts.serve.run_keys import key_of
from purestep_hosts.serve.service import Asked
from purestep_hosts.serve.user_runs import ExchangeRequest, UserRuns
from purestep_hosts.sessions import SessionError
from purestep_hosts.tools.tool import ToolFailure

with SERVE:
    from starlette.responses import Response

Answer = Response | EventStream


class BeginRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A query that begins a run; `tool_choice` holds for this query."""

    query: str
    tool_choice: ToolChoice | None = None


class GoOnRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Answers to calls that wait, then the next query of the chat; an empty object goes on after an interruption."""

    query: str | None = None
    tool_choice: ToolChoice | None = None
    approvals: tuple[Approval, ...] = ()


class KeyedResult(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What came of the call with this key: `output`, which may be null, or `error`, which says why it failed."""

    key: str
    output: Any = UNSET
    error: str | None = None


class ResultsRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Results of calls of a run that go on elsewhere, which stand in its `late`."""

    run: str
    results: Annotated[tuple[KeyedResult, ...], Meta(min_length=1)]


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """One method of one path. `takes` is the body's type, `gives` that of the answer, a media type if it is no JSON.

    `is_for_tools`: it is called by what carries out calls, with a token that is no user's.
    """

    method: str
    path: str
    summary: str
    call: Callable[[Asked], Awaitable[Answer]]
    takes: type | None = None
    gives: type | str
    parameters: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    is_for_tools: bool = False


async def _begin(asked: Asked) -> Answer:
    body = await read_body(asked.request, BeginRequest, asked.service.limits)
    given, key = _exchange(body.query, body.tool_choice, (), asked), key_of(asked.request, body)
    if key is None:
        return await _shown(asked, lambda: asked.runs.begin(given))
    form = asked.form  # before anything begins
    found = await asked.runs.begin_once(key, given)
    if not isinstance(found, str):
        return await _shown_live(asked, found, form)
    if form is not None:
        return ended_stream(await asked.runs.log(found), form, found)
    return _json(await asked.runs.answer(found), {"Run": found})


async def _go_on(asked: Asked) -> Answer:
    run_id = asked.request.path_params["run"]
    body = await read_body(asked.request, GoOnRequest, asked.service.limits)
    if body.tool_choice is not None and body.query is None:
        raise ServiceError(
            "invalid_input", "expected a query beside tool_choice, which is for it; leave tool_choice out"
        )
    given = _exchange(body.query, body.tool_choice, body.approvals, asked)
    await asked.read_late(run_id, given)
    return await _shown(asked, lambda: asked.runs.go_on(run_id, given))


async def _give_results(asked: Asked) -> Answer:
    body = await read_body(asked.request, ResultsRequest, asked.service.limits)
    runs, log = await _found(asked, body.run)
    given = await in_thread(lambda: tuple(_late_results(log, body.results)))
    await runs.go_on(body.run, ExchangeRequest(results=given, is_detached=True))
    return _json(await runs.answer(body.run), {"Run": body.run})


async def _found(asked: Asked, run_id: str) -> tuple[UserRuns, str]:
    """Return the runs of the user whose run that is, with its log; raises ServiceError, SessionError."""
    users = asked.service.admission.users
    for user in users:
        runs = asked.service.runs_of(user)
        try:
            return runs, await runs.log(run_id)
        except (ServiceError, SessionError) as error:
            if fault_of(error).error != "run_not_found" or user == users[-1]:
                raise
    raise AssertionError("a service has users")


def _late_results(log: str, results: Iterable[KeyedResult]) -> Iterator[LateResult]:
    """Yield results for the calls with their keys; raises ServiceError, ToolFailure."""
    late = {call.key: call for call in late_calls(replay(log).state)} if log else {}
    given: set[str] = set()
    for each in results:
        _check_result(each, late, given)
        given.add(each.key)
        output = None if each.output is UNSET else each.output
        try:
            yield late_result(late[each.key], output, error=each.error)
        except ToolFailure as failure:
            raise ServiceError("invalid_input", failure.message) from None


def _check_result(result: KeyedResult, late: Container[str], given: Container[str]) -> None:
    """Refuse a result; late: the keys of the calls that one is awaited of. given: those of the results before it."""
    key = shown(result.key)
    if result.key in given:
        raise ServiceError("not_awaited", f"expected one result of a call; the key {key} is given twice: leave one out")
    if result.key not in late:
        raise ServiceError(
            "not_awaited",
            f"no result is awaited of a call with the key {key}; `late` of the run has those keys that are, and a "
            "result is given once",
        )
    # A client may write both members, and null for the one that it does not mean.
    if result.output is UNSET if result.error is None else result.output not in (UNSET, None):
        raise ServiceError("invalid_input", f"expected `output` or `error` of the key {key}: one of the two")


async def _list(asked: Asked) -> Answer:
    return _json(await asked.listed())


async def _look(asked: Asked) -> Answer:
    return _json(await asked.runs.answer(asked.request.path_params["run"]))


async def _log(asked: Asked) -> Answer:
    log = await asked.runs.log(asked.request.path_params["run"])
    return Response(log, media_type="application/jsonl")


async def _events(asked: Asked) -> Answer:
    run_id, form = asked.request.path_params["run"], asked.form or "ag-ui"
    live = await asked.runs.live(run_id)
    if live is not None:
        return EventStream(live, form, is_whole=True)
    return ended_stream(await asked.runs.log(run_id), form, run_id)


async def _cancel(asked: Asked) -> Answer:
    run_id = asked.request.path_params["run"]
    await asked.runs.cancel(run_id)
    return _json(await asked.runs.answer(run_id))


async def _ai_sdk(asked: Asked) -> Answer:
    body = await read_body(asked.request, ai_sdk_request.AiSdkRequest, asked.service.limits)
    run_id = await asked.runs.run_of(body.id)
    linked, is_detached = asked.service.file_origins.fetches(), asked.is_detached
    exchange = await in_thread(lambda: ai_sdk_request.exchange_of(body, linked, is_detached=is_detached))
    given = _of_user(exchange, asked)
    await asked.read_late(run_id, given)
    with _sent_at(ai_sdk_request.places_of(body)):
        live = await asked.runs.in_thread_of(body.id, given)
    return EventStream(live, "ai-sdk")


async def _ai_sdk_again(asked: Asked) -> Answer:
    run_id = await asked.runs.run_of(asked.request.path_params["chat"])
    live = await asked.runs.live(run_id) if run_id else None
    return Response(status_code=204) if live is None else EventStream(live, "ai-sdk")


async def _ai_sdk_messages(asked: Asked) -> Answer:
    run_id = await asked.runs.run_of(asked.request.path_params["chat"])
    log = await asked.runs.log(run_id) if run_id else ""
    return _json(await in_thread(lambda: project(log, "ai-sdk-messages")) if log else [])


async def _ag_ui(asked: Asked) -> Answer:
    body = await read_body(asked.request, ag_ui_request.AgUiRequest, asked.service.limits)
    run_id = await asked.runs.run_of(body.thread_id)
    log = await asked.runs.log(run_id) if run_id and body.resume else ""
    linked, is_detached = asked.service.file_origins.fetches(), asked.is_detached

    def exchange() -> ExchangeRequest:
        waiting, known = waiting_calls(log), questions_in(log)
        return ag_ui_request.exchange_of(body, waiting, known, linked, is_detached=is_detached)

    given = _of_user(await in_thread(exchange), asked)
    await asked.read_late(run_id, given)
    with _sent_at(ag_ui_request.places_of(body)):
        live = await asked.runs.in_thread_of(body.thread_id, given)
    return EventStream(live, "ag-ui", shown=ag_ui_request.with_ids(body))


@contextmanager
def _sent_at(places: dict[str, str]) -> Iterator[None]:
    """Say where in the body of a protocol something is that the core refuses."""
    try:
        yield
    except PurestepError as error:
        raise as_sent(error, places) from error


async def _shown(asked: Asked, start: Callable[[], Awaitable[LiveRun]]) -> Answer:
    """Start an exchange, and answer with its events, or with where it stands at its end."""
    form = asked.form
    return await _shown_live(asked, await start(), form)


async def _shown_live(asked: Asked, live: LiveRun, form: StreamForm | None) -> Answer:
    if form is not None:
        return EventStream(live, form)
    await live.ended()
    try:
        return _json(await asked.runs.answer(live.run_id), {"Run": live.run_id})
    except ServiceError as error:
        if error.code != "storage_failed":
            raise
        raise goes_on(live.run_id, error.message) from error


def _exchange(
    query: str | None, tool_choice: ToolChoice | None, approvals: tuple[Approval, ...], asked: Asked
) -> ExchangeRequest:
    # Who waits for JSON reads nothing before the end, so nobody could be seen leaving.
    is_detached = asked.is_detached or asked.form is None
    given = ExchangeRequest(query=query, tool_choice=tool_choice, approvals=approvals, is_detached=is_detached)
    return _of_user(given, asked)


def _of_user(given: ExchangeRequest, asked: Asked) -> ExchangeRequest:
    """Return an exchange whose approvals name the user, as far as tokens say who that is."""
    if given.query is not None and not given.query.strip() and not given.attachments:
        raise ServiceError("invalid_input", "expected a query with words in it")
    if not asked.user:
        return given
    return replace(given, approvals=tuple([replace(answer, by=asked.user) for answer in given.approvals]))


def _json(value: Any, headers: dict[str, str] | None = None) -> Response:
    return Response(msgspec.json.encode(value), 200, headers, "application/json")


_STREAM: Final = "text/event-stream"

ENDPOINTS: Final = (
    Endpoint(
        method="POST", path="/runs", summary="Begin a run.", call=_begin, takes=BeginRequest, gives=RunAnswer,
        parameters=("form", "detached"), headers=("Idempotency-Key",),
    ),
    Endpoint(
        method="GET", path="/runs", summary="List your runs, newest first.", call=_list, gives=RunList,
        parameters=("before", "limit"),
    ),
    Endpoint(method="GET", path="/runs/{run}", summary="Look where a run stands.", call=_look, gives=RunAnswer),
    Endpoint(
        method="POST", path="/runs/{run}", summary="Answer, ask on, or go on after an interruption.", call=_go_on,
        takes=GoOnRequest, gives=RunAnswer, parameters=("form", "detached"),
    ),
    Endpoint(
        method="GET", path="/runs/{run}/events", summary="Read all events of a run, and those to come.", call=_events,
        gives=_STREAM, parameters=("form",),
    ),
    Endpoint(
        method="GET", path="/runs/{run}/log", summary="Read the log of a run.", call=_log, gives="application/jsonl"
    ),
    Endpoint(method="POST", path="/runs/{run}/cancel", summary="Cancel a run.", call=_cancel, gives=RunAnswer),
    Endpoint(
        method="POST", path="/results", summary="Give results of calls that go on elsewhere.", call=_give_results,
        takes=ResultsRequest, gives=RunAnswer, is_for_tools=True,
    ),
    Endpoint(
        method="POST", path="/ai-sdk", summary="A message or approvals of the AI SDK's useChat.", call=_ai_sdk,
        takes=ai_sdk_request.AiSdkRequest, gives=_STREAM, parameters=("detached",),
    ),
    Endpoint(
        method="GET", path="/ai-sdk/{chat}/stream", summary="Read on in a chat; 204 if nothing goes on.",
        call=_ai_sdk_again, gives=_STREAM,
    ),
    Endpoint(
        method="GET", path="/ai-sdk/{chat}/messages", summary="The UI messages of a chat, to begin useChat with.",
        call=_ai_sdk_messages, gives=list[dict[str, Any]],
    ),
    Endpoint(
        method="POST", path="/ag-ui", summary="A run of an AG-UI client.", call=_ag_ui,
        takes=ag_ui_request.AgUiRequest, gives=_STREAM, parameters=("detached",),
    ),
)  # fmt: skip
"""All that needs a token."""
