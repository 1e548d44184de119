"""What a workflow is started with: one exchange of a run, as JSON in the database."""

from __future__ import annotations

import json
from typing import Any

import msgspec

import purestep
from purestep import decode_as
from purestep_hosts.agents.exchange import exchange_effects
from purestep_hosts.agents.late import LateResult, late_calls
from purestep_hosts.agents.run_arguments import ExchangeInput
from purestep_hosts.agents.run_log import RunLog
from purestep_hosts.attachments import Attachment
from purestep_hosts.durable.log_table import TableAttachments
from purestep_hosts.effects import Effects, RunEffects


class SentFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An image or a file of the query, whose bytes are in a table."""

    digest: str
    media_type: str
    name: str | None = None


class ExchangeOrder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One exchange: results that come later, answers to calls that wait, then a query; with none the run goes on.

    number: that of the order in its run, from 1. agent: the digest of the definition that it is meant for. at: when it
    was asked, in milliseconds since 1970. cancels: whether the run ends as cancelled instead.
    """

    run_id: str
    number: int
    query: str | None
    at: int
    agent: str = ""
    approvals: tuple[purestep.Approval, ...] = ()
    results: tuple[LateResult, ...] = ()
    tool_choice: purestep.ToolChoice | None = None
    files: tuple[SentFile, ...] = ()
    cancels: bool = False
    request: str = ""
    """Of orders of the first format."""

    @property
    def workflow_id(self) -> str:
        """The id of the workflow, which the database has once."""
        return f"{self.run_id}:{self.number}"


def json_text(value: Any) -> str:
    """Return what is stored of a value, as ASCII: text of a model or a tool may hold what no database takes."""
    return json.dumps(msgspec.to_builtins(value), allow_nan=False)


def decoded_order(text: str) -> ExchangeOrder:
    """Return an order that was stored; raises PurestepError `unsupported` for one of a newer release."""
    try:
        return decode_as(text, ExchangeOrder)
    except msgspec.ValidationError:
        message = "the exchange was ordered by a newer release; install that one here, then go on with the run"
        raise purestep.PurestepError("unsupported", message) from None


def ordered_effects(
    run: RunEffects, log: RunLog, order: ExchangeOrder, files: TableAttachments, *, takes_over: bool = False
) -> Effects:
    """Return the effects of an order; raises PurestepError, with the first ones, for what does not fit the run.

    takes_over: whether what was ordered from another agent, and begun with one, is carried out by this one.
    """
    if order.agent not in ("", run.agent.digest) and not takes_over:
        text = "the exchange was ordered from another agent; let a process with that agent go on with the run"
        raise purestep.PurestepError("agent_mismatch", text)
    if order.cancels:
        return _cancelled(run, log, order.query)
    given = ExchangeInput(
        query=order.query,
        approvals=order.approvals,
        results=order.results,
        tool_choice=order.tool_choice,
        attachments=tuple([_attachment(each, files) for each in order.files]),
        takes_over=takes_over,
    )
    return exchange_effects(run, log, given)


def left_of(order: ExchangeOrder, before: str, lines: str) -> ExchangeOrder:
    """Return what is left to do of an order whose execution was cut off; lines: what that wrote after `before`."""
    if order.results and lines:
        open_calls = {(call.run_id, call.call_id) for call in late_calls(purestep.replay(before + lines).state)}
        left = tuple([each for each in order.results if (each.run_id, each.result.call_id) in open_calls])
        order = msgspec.structs.replace(order, results=left)
    events = [*map(json.loads, lines.splitlines())]
    if any(_innermost(event)["kind"] == "approval" for event in events):
        order = msgspec.structs.replace(order, approvals=())
    if any(event["kind"] == "user_message" for event in events):
        order = msgspec.structs.replace(order, query=None, files=(), tool_choice=None)
    return order


def _innermost(event: dict[str, Any]) -> dict[str, Any]:
    """Return an event, or the one of an agent's run that its line holds."""
    while event["kind"] == "child":
        event = event["line"]
    return event


def _attachment(file: SentFile, files: TableAttachments) -> Attachment:
    data = files.get(file.digest)
    if data is None:
        raise purestep.PurestepError("invalid_input", "an image or a file of the query is not in the database")
    return Attachment(data=data, media_type=file.media_type, name=file.name)


def _cancelled(run: RunEffects, log: RunLog, query: str | None) -> Effects:
    if log.is_new:
        asked = run.ask(query or "")
        yield next(asked)  # the first step is recorded, and what it decided is not carried out
        asked.send(None)
        asked.close()
        return (yield from run.cancel())
    step = yield from run.take_up(log.text, log.found())
    if isinstance(step.decision, purestep.Done | purestep.Failed):
        return step
    return (yield from run.cancel())
