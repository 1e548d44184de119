"""Sounds that tools and MCP servers give, on each wire: sent to a model that hears, and told to one that does not."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest

from purestep_hosts import tool
from purestep_hosts.mcp.results import server_result
from tests.hosts.wires.asked import Asked
from tests.hosts.wires.replies import Called, Said
from tests.hosts.wires.servers import SERVERS, Server

Ask = Callable[..., Asked]
WAVE = b"RIFF\x24\x00\x00\x00WAVEfmt " + bytes(28)
SONG = b"ID3\x04" + bytes(60)
DEAF = ("OpenAI Responses", "Anthropic")
HEARING = [server for server in SERVERS if server.name not in DEAF]
each_server = pytest.mark.parametrize("server", SERVERS, ids=lambda server: server.name)


@tool(read_only=True)
def listen(to: str) -> Any:
    """Give a sound."""
    if to != "server":
        return {"wave": WAVE, "song": SONG}[to]
    block = {"type": "audio", "data": base64.b64encode(WAVE).decode(), "mimeType": "audio/wav"}
    return server_result({"content": [{"type": "text", "text": "A bell."}, block]}).output("s")


def heard(server: Server, ask: Ask, to: str, *supports: str) -> str:
    """Return the last request of a run in which a tool gives a sound."""
    models = [{"name": server.model.partition(":")[2], "supports": ["tools", *supports]}]
    calls = (Called(name="listen", arguments={"to": to}),)
    asked = ask(server, Said(calls=calls), Said(text="A bell."), tools=[listen], models=models)
    log = asked.answered().log
    assert base64.b64encode(WAVE).decode() not in log
    return json.dumps(asked.vendor.bodies[1])


@pytest.mark.parametrize(
    ("to", "data", "form"), [("wave", WAVE, "wav"), ("song", SONG, "mp3"), ("server", WAVE, "wav")]
)
@pytest.mark.parametrize("server", HEARING, ids=lambda server: server.name)
def test_sound_goes_to_a_model_that_hears(server: Server, ask: Ask, to: str, data: bytes, form: str) -> None:
    """In the form of its vendor, whose rules the server checks."""
    body = heard(server, ask, to, "audio")
    assert base64.b64encode(data).decode() in body
    kind = {"wav": "audio/wav", "mp3": "audio/mpeg"}[form]
    assert (f'"mimeType": "{kind}"' if server.name == "Gemini" else f'"format": "{form}"') in body


@pytest.mark.parametrize("server", [each for each in SERVERS if each.name in DEAF], ids=lambda server: server.name)
def test_vendor_that_takes_no_sound_is_told_of_it_in_words(server: Server, ask: Ask) -> None:
    """Whatever the definition says that its model hears."""
    body = heard(server, ask, "server", "audio")
    assert base64.b64encode(WAVE).decode() not in body
    assert all(text in body for text in ("A bell.", "left out: a sound, audio/wav"))


@each_server
def test_model_that_does_not_hear_is_told_of_the_sound_in_words(server: Server, ask: Ask) -> None:
    """Nothing says that it does."""
    body = heard(server, ask, "server")
    assert base64.b64encode(WAVE).decode() not in body
    assert all(text in body for text in ("A bell.", "[audio: audio/wav, 44 bytes]", "a sound"))
