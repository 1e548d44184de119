"""A model whose outputs are the lines of a script, in order; for tests and demonstrations.

A line is a JSON string (the text of the output) or a JSON object: a `model_output` or `model_error`
observation. `type` may be left out for an output.
"""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

import purestep
from purestep_hosts.models.model import ModelRequest, ReplySink

_ScriptedReply = purestep.ModelOutput | purestep.ModelError
# Pieces as a model streams them: a word with the space before it.
_PIECE = re.compile(r"\s*\S+|\s+\Z")


class ScriptError(Exception):
    """A script cannot be used; `message` names the line and what was expected."""

    code = "bad_script"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ScriptedModel:
    """Gives the outputs of a script, one for each request."""

    name = "script"

    def __init__(self, path: Path, start: int = 0) -> None:
        """Read the script; `start` is the number of outputs used before, when a run is resumed.

        Raises ScriptError.
        """
        self._replies = _read(path)
        self._next = start

    def complete(self, request: ModelRequest, reply: ReplySink) -> purestep.ModelOutput | purestep.ModelError:
        """Return the next output; after the last one, a `model_error`."""
        if self._next >= len(self._replies):
            text = f"The script has {len(self._replies)} outputs and was asked for one more."
            return purestep.ModelError(code="unavailable", message=text)
        scripted = self._replies[self._next]
        self._next += 1
        if isinstance(scripted, purestep.ModelOutput):
            for piece in _PIECE.findall(scripted.content or ""):
                if reply.text(piece):
                    break
        return scripted

    def stop(self) -> None:
        """Nothing is awaited."""


def _read(path: Path) -> list[_ScriptedReply]:
    try:
        lines = path.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise ScriptError(f"The script {path} cannot be read ({reason}). Expected one JSON value a line.") from None
    return [_output(line, f"{path}, line {number}") for number, line in enumerate(lines, 1) if line.strip()]


def _output(line: str, where: str) -> _ScriptedReply:
    try:
        value = msgspec.json.decode(line)
        if isinstance(value, str):
            return purestep.ModelOutput(content=value)
        if isinstance(value, dict):
            scripted: _ScriptedReply = msgspec.convert({"type": "model_output", **value}, _ScriptedReply)
            return scripted
    except msgspec.MsgspecError as error:
        raise ScriptError(f"{where}: {error}. Expected a JSON string or an observation.") from None
    raise ScriptError(f"{where}: expected a JSON string or an observation.")
