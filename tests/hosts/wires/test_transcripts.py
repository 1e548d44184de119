"""Conversations of models without a mistake, on each wire: nothing is refused, and nothing is asked twice."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from purestep import CallModel
from purestep.values import Message
from purestep_hosts.effects import model_request
from purestep_hosts.models.model import Model
from purestep_hosts.models.named import elsewhere, settings_of
from tests.core.conversations.conversations import Conversation, Played, requests_of, transcripts
from tests.hosts.asking import observed
from tests.hosts.wires.protocol import VendorServer
from tests.hosts.wires.replies import Called, Said
from tests.hosts.wires.servers import SERVERS, Server

Web = Callable[[Any], str]
_ENOUGH = 60


class Asked(Played):
    """A conversation whose model is asked over a wire."""

    def __init__(self, conversation: Conversation, server: Server, model: Model, vendor: VendorServer) -> None:
        self._model, self._vendor = model, vendor
        vendor.replies, vendor.bodies, vendor.given = [], [], []
        spec = {"name": model.name, "window_tokens": 128_000, "profile": server.kind}
        super().__init__(conversation, "native", models=[spec])

    def _say(self, output: dict[str, Any]) -> None:
        decision = self.driver.decision
        if decision["type"] != "call_model":
            self._stop()
        if not self.stopped:
            self._vendor.replies = [*self._vendor.replies, said_by(output)]
            messages = msgspec.json.decode(json.dumps(self.driver.messages), type=list[Message])
            request = model_request(msgspec.json.decode(json.dumps(decision), type=CallModel), messages)
            self._send(observed(self._model, request))


def said_by(output: dict[str, Any]) -> Said:
    """Return an output as a server sends it; before calls the model thinks."""
    functions = [call["function"] for call in output.get("tool_calls") or ()]
    calls = tuple(Called(name=each["name"], arguments=each["arguments"]) for each in functions)
    return Said(text=output["content"] or "", calls=calls, thought="Let me see." if calls else "")


@pytest.mark.parametrize("server", SERVERS, ids=lambda server: server.name)
def test_a_model_without_mistakes_is_asked_no_more_than_it_says(
    server: Server, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each request is taken by the rules of the vendor, and the calls and answers are those that were said."""
    vendor = VendorServer(server.protocol, [])
    server.at(web(vendor), monkeypatch)
    model = elsewhere(settings_of(server.model, None))
    found, asked_of = [], transcripts()
    for conversation in asked_of:
        asked = Asked(conversation, server, model, vendor)
        if asked.stopped or vendor.refused or len(vendor.bodies) != requests_of(conversation):
            found.append(f"{conversation.id}: {asked.stopped} {vendor.refused} {len(vendor.bodies)} requests")
        vendor.refused = []
    assert ([], True) == (found, len(asked_of) >= _ENOUGH)
