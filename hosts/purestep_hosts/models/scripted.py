"""A model that says what a script holds, for tests and demonstrations: one output a line, in order.

A line is a JSON string (the text of the output) or a JSON object: a `model_output` or `model_error`
observation, of which `type` may be left out for an output.
"""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

import purestep
from purestep_hosts.models.port import ModelRequest, ReplySink

_Said = purestep.ModelOutput | purestep.ModelError
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
        """Read the script; `start` outputs were given before, when a run is taken up again.

        Raises ScriptError.
        """
        self._said = _read(path)
        self._next = start

    def complete(self, request: ModelRequest, reply: ReplySink) -> purestep.ModelOutput | purestep.ModelError:
        """Return the next output; past the end of the script, a `model_error`."""
        if self._next >= len(self._said):
            text = f"The script has {len(self._said)} outputs and was asked for one more."
            return purestep.ModelError(code="unavailable", message=text)
        said = self._said[self._next]
        self._next += 1
        if isinstance(said, purestep.ModelOutput):
            for piece in _PIECE.findall(said.content or ""):
                if reply.text(piece):
                    break
        return said


def _read(path: Path) -> list[_Said]:
    try:
        lines = path.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise ScriptError(f"The script {path} cannot be read ({reason}). Expected one JSON value a line.") from None
    return [_output(line, f"{path}, line {number}") for number, line in enumerate(lines, 1) if line.strip()]


def _output(line: str, where: str) -> _Said:
    try:
        value = msgspec.json.decode(line)
        if isinstance(value, str):
            return purestep.ModelOutput(content=value)
        if isinstance(value, dict):
            said: _Said = msgspec.convert({"type": "model_output", **value}, _Said)
            return said
    except msgspec.MsgspecError as error:
        raise ScriptError(f"{where}: {error}. Expected a JSON string or an observation.") from None
    raise ScriptError(f"{where}: expected a JSON string or an observation.")
