"""Asks a model outside of a run, as a test reads the outcome."""

import json
from collections.abc import Callable
from typing import Any

import msgspec

import purestep_formats
from purestep_hosts.models.model import Model, ModelRequest, ReplySink
from purestep_hosts.output_gate import OutputGate

OnText = Callable[[str], bool | None]
"""Told of each piece of text; a true answer ends the reply."""


class Listener:
    """Passes a reply on, and tells of its text."""

    def __init__(self, sink: ReplySink, on_text: OnText) -> None:
        self._sink = sink
        self._on_text = on_text

    def chunk(self, chunk: str | bytes) -> bool:
        """Pass a chunk on."""
        is_over = self._sink.chunk(chunk)
        text = _text_of(chunk)
        return bool(text and self._on_text(text)) or is_over

    def text(self, piece: str) -> bool:
        """Pass a text on."""
        is_over = self._sink.text(piece)
        return bool(self._on_text(piece)) or is_over


def _text_of(chunk: str | bytes) -> str:
    choices = json.loads(chunk)["choices"] if chunk not in ("[DONE]", b"[DONE]") else []
    return (choices[0]["delta"].get("content") or "") if choices else ""


def observed(model: Model, request: ModelRequest, on_text: OnText | None = None) -> dict[str, Any]:
    """Ask once; gives the observation as JSON has it, with the members that every one of its type has."""
    gate = OutputGate(purestep_formats.open_reply(model=model.name))
    observation = gate.close(model.complete(request, Listener(gate, on_text) if on_text else gate))
    given = json.loads(msgspec.json.encode(observation))
    always = {"retryable": False} if "code" in given else {"content": None, "finish_reason": None}
    return {**always, **given}
