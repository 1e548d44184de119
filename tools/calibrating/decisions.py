"""Decisions of the bundled model about requests, each asked as a host asks it and read as the core reads it."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

import purestep
from purestep_formats import Reply, close_reply, feed_reply, open_reply
from purestep_hosts.effects import model_request
from purestep_hosts.models.adapters import with_taught
from purestep_hosts.models.model import Model
from tools.calibrating.curve import Record
from tools.tuning.converters.bfcl import with_json_types


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """A request, the tools that there are, and the calls that it needs, if any."""

    q: str
    tools: list[dict[str, Any]]
    calls: list[tuple[str, dict[str, Any]]]


def records_of(model: Model, requests: Iterable[Request]) -> Iterator[Record]:
    """Yield what came of each request; those that the core refuses, or that were not told, are left out."""
    for request in requests:
        try:
            found = _decided(model, request)
        except purestep.PurestepError:
            continue  # two tools of one name, or more than have room
        if found is not None:
            yield found


def _decided(model: Model, request: Request) -> Record | None:
    tools = [{**tool, "parameters": with_json_types(tool["parameters"])} for tool in request.tools]
    agent = purestep.Agent.load(with_taught({"tools": tools, "sampling": {"temperature": 0, "max_tokens": 160}}))
    begun = purestep.start(agent, purestep.UserMessage(content=request.q), run_id="decided")
    assert isinstance(begun.decision, purestep.CallModel)
    sink = _Kept(open_reply(begun.state, is_shown=False))
    end = model.complete(model_request(begun.decision, list(begun.messages)), sink)
    output, _ = close_reply(sink.reply, end)
    if not isinstance(output, purestep.ModelOutput) or output.confidence is None:
        return None
    decision = purestep.step(begun.state, output).decision
    sure = output.confidence.branch + output.confidence.name
    if isinstance(decision, purestep.InvokeTool | purestep.RequestApproval):
        (call,) = decision.calls
        right = [arguments for name, arguments in request.calls if name == call.tool]
        return Record(sure=sure, does="call", is_right=bool(right), has_arguments=call.params in right)
    does = "ask" if isinstance(decision, purestep.Done) and decision.question else "answer"
    return Record(sure=sure, does=does, is_right=not request.calls, has_arguments=False)


class _Kept:
    """Keeps a reply while it comes."""

    def __init__(self, reply: Reply) -> None:
        self.reply = reply

    def chunk(self, chunk: str | bytes) -> bool:
        """Take a chunk."""
        self.reply, _ = feed_reply(self.reply, chunk)
        return self.reply.is_over

    def text(self, piece: str) -> bool:
        """Take a piece of text."""
        self.reply, _ = feed_reply(self.reply, piece, is_text=True)
        return self.reply.is_over
