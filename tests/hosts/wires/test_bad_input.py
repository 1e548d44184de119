"""What people get wrong, at each server: one sentence with what to do, and no second request where none helps."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from purestep_hosts import Agent
from purestep_hosts.models.named import elsewhere, settings_of
from purestep_hosts.models.server_kinds import BY_NAME, SERVER_KINDS
from purestep_hosts.settings import SettingsError
from tests.hosts.asking import observed
from tests.hosts.test_hosts_bad_servers import REQUEST
from tests.hosts.wires.protocol import KEY, VendorServer
from tests.hosts.wires.servers import SERVERS, Server

Web = Callable[[Any], str]

each_server = pytest.mark.parametrize("server", SERVERS, ids=lambda server: server.name)
WITH_KEYS = [server for server in SERVERS if BY_NAME[server.kind].key_names]
HOSTED = [server for server in WITH_KEYS if not BY_NAME[server.kind].is_local]
with_key = pytest.mark.parametrize("server", WITH_KEYS, ids=lambda server: server.name)


def failed(server: Server, answer: Any, web: Web, environment: pytest.MonkeyPatch, **members: Any) -> str:
    """Return the message of a run that fails, after a single request for a reply."""
    posts: list[str] = []

    def counted(handler: Any, number: int) -> None:
        if handler.command == "POST":
            posts.append(handler.path)
        answer(handler, number)

    server.at(web(counted), environment)
    key = members.pop("key", None)
    if key is not None:
        environment.setenv(BY_NAME[server.kind].key_names[0], key)
    if key == "":
        environment.delenv(BY_NAME[server.kind].key_names[0])
    result = Agent(server.model, **members).run_sync("Hello")
    assert ("failed", 1) == (result.status, len(posts)), posts
    assert result.failure is not None
    message: str = result.failure.message
    assert (False, True, False) == ("\n" in message, message.endswith((".", "?")), KEY in message)
    return message


@with_key
def test_wrong_key(server: Server, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its variable is named, and it is not repeated."""
    message = failed(server, VendorServer(server.protocol, []), web, monkeypatch, key="wrong-key-of-mine")
    assert f"Check {BY_NAME[server.kind].key_name}." in message
    assert (True, False) == ("refused the API key" in message, "wrong-key" in message)


@with_key
def test_no_key(server: Server, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """At an address of one's own one may not be needed: the server says so."""
    message = failed(server, VendorServer(server.protocol, []), web, monkeypatch, key="")
    assert "wants an API key, and none is set" in message
    assert BY_NAME[server.kind].key_name in message


@pytest.mark.parametrize("server", HOSTED, ids=lambda server: server.name)
def test_no_key_for_the_own_address(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Known before anything is sent."""
    row = BY_NAME[server.kind]
    for name in (*row.key_names, row.address_name):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SettingsError) as raised:
        Agent(server.model)
    assert (True, True) == (row.key_name in raised.value.message, row.url.split("/")[2] in raised.value.message)


OTHERS = [
    (server, kind) for server in WITH_KEYS for kind in SERVER_KINDS
    if kind.key_start and kind.key_names != BY_NAME[server.kind].key_names
]  # fmt: skip


@pytest.mark.parametrize(("server", "kind"), OTHERS, ids=lambda each: each.name)
def test_key_of_another_vendor(server: Server, kind: Any, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """By how it begins."""
    message = failed(server, VendorServer(server.protocol, []), web, monkeypatch, key=f"{kind.key_start}0123456789")
    assert message.endswith(f"This key begins as those of {kind.title} do.")
    assert kind.key_start + "0123" not in message


def lacking(server: Server, status: int, listed: list[str]) -> Any:
    """Return a server that has other models, and says so with a status."""
    name = server.model.partition(":")[2]
    in_google = {"models": [{"name": f"models/{each}"} for each in listed]}
    body = in_google if server.kind == "google" else {"data": [{"id": each} for each in listed]}

    def answer(handler: Any, number: int) -> None:
        if handler.command == "GET":
            return handler.reply(200, "application/json", json.dumps(body).encode())
        error = server.protocol.refusal(status, f"{name} is not a valid model ID")
        handler.reply(status, "application/json", json.dumps(error).encode())

    return answer


@pytest.mark.parametrize("status", [400, 404])
@each_server
def test_model_that_does_not_exist(server: Server, status: int, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names that are near are told, of those that the server has. OpenRouter answers with 400."""
    name = server.model.partition(":")[2]
    message = failed(server, lacking(server, status, ["other", f"{name}-2"]), web, monkeypatch)
    assert message.endswith(f"It has no model {name}, but {name}-2 and 1 more.")


@each_server
def test_page_instead_of_a_reply(server: Server, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """A status of 200 does not make it one."""

    def answer(handler: Any, number: int) -> None:
        handler.reply(200, "text/html; charset=utf-8", b"<!doctype html><title>Welcome</title>")

    assert "its type is text/html; expected JSON or an event stream. Check the base URL" in failed(
        server, answer, web, monkeypatch
    )


@pytest.mark.parametrize("server", [each for each in SERVERS if "openai" in each.kind], ids=lambda each: each.name)
def test_address_without_its_version(server: Server, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the models are is looked up once, and told."""

    def answer(handler: Any, number: int) -> None:
        if handler.path == "/v1/models":
            return handler.reply(200, "application/json", b'{"data": [{"id": "gpt-5"}]}')
        handler.reply(404, "text/html", b"<html>Not found</html>")

    url = web(answer)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    output = observed(elsewhere(settings_of(server.model, None)), REQUEST)
    assert output["message"].endswith(f"Its models are at {url}/v1: give this base URL.")


@pytest.mark.parametrize(
    ("status", "members", "said", "is_tried_again"),
    [
        (429, {"code": "insufficient_quota"}, "The account has no quota left.", False),
        (402, {}, "The account has no credit left.", False),
        (400, {"message": "Your credit balance is too low to access the API."}, "wants to be paid (400)", False),
        (529, {"type": "overloaded_error"}, "is overloaded (529)", True),
        (503, {}, "Try again later", True),
    ],
)
@each_server
def test_server_that_has_no_room(
    server: Server,
    status: int,
    members: dict[str, Any],
    said: str,
    is_tried_again: bool,
    web: Web,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Quota and credit do not come back by themselves; an overload passes."""

    def answer(handler: Any, number: int) -> None:
        error = server.protocol.refusal(status, "No.")
        error["error"] |= members
        handler.reply(status, "application/json", json.dumps(error).encode())

    server.at(web(answer), monkeypatch)
    output = observed(elsewhere(settings_of(server.model, None)), REQUEST)
    assert (True, is_tried_again) == (said in output["message"], output["retryable"]), output
