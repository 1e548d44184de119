"""A model whose outputs are given beforehand, in order, or by a function; for tests and demonstrations.

A script is a list, or a file of JSON lines. An entry is the text of an output, or a `model_output` or `model_error`
observation (in a file a JSON object, whose `type` may be left out for an output). Another object is what the model
writes, such as `{"kind": "final", "content": "42"}`. `says` and `calls` write texts in the dialect `envelope`, which
definitions have by default.

In a file, the line `{"agent": "desk"}` says that the outputs after it are of the agent of that name: each agent then
has a script of its own. One further down is named by its path, as in `{"agent": ["lead", "desk"]}`. Without such lines
the outputs are given in the order in which they are asked for, whoever asks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

import purestep
from purestep import convert_to
from purestep_hosts.models.model import ModelRequest, ReplySink
from purestep_hosts.regular_files import open_regular

_ScriptedReply = purestep.ModelOutput | purestep.ModelError
_written = json.JSONEncoder(ensure_ascii=False).encode
# Pieces as a model streams them: a word with the space before it.
_PIECE = re.compile(r"\s*\S+|\s+\Z")
_KEPT_REQUESTS: Final = 1000
_NAMED: Final = 10
"""Agents that an error names."""
_MEMBERS: Final = frozenset(purestep.ModelOutput.__struct_fields__)


class ScriptError(Exception):
    """A script cannot be used; `message` names the line and what was expected."""

    code = "bad_script"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


Output = str | purestep.ModelOutput | purestep.ModelError
"""One entry of a script."""


def says(text: str | Any) -> str:
    """Return an output that is the answer: a text, or the data of an agent with an output type."""
    # The text by itself: the library writes a text in one piece, and an object in many.
    return f'{{"kind": "final", "content": {_written(text)}}}'


def calls(tool: str, /, **arguments: Any) -> str:
    """Return an output that calls a tool."""
    return _written({"kind": "tool_call", "tool_name": tool, "arguments": arguments})


class ScriptedModel:
    """Gives the outputs of a script, one for each request; `requests` are the last 1,000 that it was asked."""

    name = "script"

    def __init__(
        self,
        script: Path | Iterable[Output] | Callable[[ModelRequest], Output],
        start: int = 0,
        path: tuple[str, ...] = (),
    ) -> None:
        """Take a script, a file of one, or a function that answers a request.

        `start` is the number of outputs used before, when a run is resumed. `path`: of the agent whose outputs of a
        file are taken. Raises ScriptError.
        """
        self._whose = f" for the agent {' > '.join(path)}" if path else ""
        self.requests: list[ModelRequest] = []
        self._answer = script if callable(script) else None
        self._replies: list[_ScriptedReply] = []
        if isinstance(script, Path):
            self._replies = read_scripts(script).get(path, [])
        elif not callable(script):
            if isinstance(script, str):
                raise ScriptError("A script is a list of outputs; put the text in one.")
            self._replies = [_reply(entry) for entry in script]
        self._next = start

    def complete(self, request: ModelRequest, reply: ReplySink) -> purestep.ModelOutput | purestep.ModelError:
        """Return the next output; after the last one, a `model_error`."""
        self.requests.append(request)
        del self.requests[:-_KEPT_REQUESTS]
        scripted = self._scripted(request)
        if isinstance(scripted, purestep.ModelOutput):
            content = scripted.content or ""
            # In pieces where somebody looks; what comes of it is the same.
            for piece in _PIECE.findall(content) if getattr(reply, "is_watched", True) else (content,):
                if reply.text(piece):
                    break
        return scripted

    async def acomplete(self, request: ModelRequest, reply: ReplySink) -> purestep.ModelOutput | purestep.ModelError:
        """Do as `complete`, which waits for nothing."""
        return self.complete(request, reply)

    def stop(self) -> None:
        """Nothing is awaited."""

    def _scripted(self, request: ModelRequest) -> _ScriptedReply:
        if self._answer is not None:
            return _reply(self._answer(request))
        if self._next >= len(self._replies):
            outputs = "1 output" if len(self._replies) == 1 else f"{len(self._replies)} outputs"
            text = f"The script has {outputs}{self._whose} and was asked for one more."
            return purestep.ModelError(code="unavailable", message=text)
        self._next += 1
        return self._replies[self._next - 1]


def _reply(entry: Output) -> _ScriptedReply:
    if isinstance(entry, str):
        return purestep.ModelOutput(content=entry)
    if isinstance(entry, _ScriptedReply):
        return entry
    raise ScriptError(f"An output is a text, a ModelOutput or a ModelError, not {type(entry).__name__}.")


def read_scripts(path: Path) -> dict[tuple[str, ...], list[_ScriptedReply]]:
    """Return the outputs in a file, by the path of the agent that they are of; raises ScriptError."""
    try:
        with open_regular(path) as file:
            lines = file.read().decode().split("\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise ScriptError(f"The script {path} cannot be read ({reason}). Expected one JSON value a line.") from None
    scripts: dict[tuple[str, ...], list[_ScriptedReply]] = {}
    agent: tuple[str, ...] = ()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        value = _decoded(line, where := f"{path}, line {number}")
        if isinstance(value, dict) and {*value} == {"agent"}:
            agent = _path(value["agent"], where)
            scripts.setdefault(agent, [])
        else:
            scripts.setdefault(agent, []).append(scripted_output(value, where))
    return scripts


def scripts_below(
    script: Path, agents: Iterable[tuple[str, ...]], starts: Mapping[tuple[str, ...], int]
) -> dict[tuple[str, ...], ScriptedModel]:
    """Return the models of the agents below one, by their paths, of a script that has outputs for some; else none.

    agents: the paths of all. starts: how many outputs each has used before. Raises ScriptError.
    """
    known, scripts = [*agents], read_scripts(script)
    others = [path for path in scripts if path and path not in known]
    if others:
        more = f" and {len(known) - _NAMED} more" if len(known) > _NAMED else ""
        names = f"{', '.join(map(' > '.join, known[:_NAMED]))}{more}" if known else "none"
        raise ScriptError(f"{script} has outputs for the agent {' > '.join(others[0])}; the agents below are {names}.")
    if not any(scripts):
        return {}
    return {path: ScriptedModel(scripts.get(path, []), starts.get(path, 0), path) for path in known}


def _decoded(line: str, where: str) -> Any:
    try:
        return msgspec.json.decode(line)
    except msgspec.MsgspecError as error:
        raise ScriptError(f"{where}: {error}. Expected a JSON string or an observation.") from None


def _path(value: Any, where: str) -> tuple[str, ...]:
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ScriptError(f'{where}: expected the name of an agent, or a list of names, as in {{"agent": "desk"}}.')
    return tuple(filter(None, names))


def scripted_output(value: Any, where: str) -> purestep.ModelOutput | purestep.ModelError:
    """Return the output that an entry of a script is as JSON; raises ScriptError, which begins with `where`."""
    try:
        if isinstance(value, str):
            return purestep.ModelOutput(content=value)
        if isinstance(value, dict) and not {*value} <= _MEMBERS and "type" not in value:
            return purestep.ModelOutput(content=_written(value))
        if isinstance(value, dict):
            scripted: _ScriptedReply = convert_to({"type": "model_output", **value}, _ScriptedReply)
            return scripted
    except msgspec.MsgspecError as error:
        raise ScriptError(f"{where}: {error}. Expected a JSON string or an observation.") from None
    raise ScriptError(f"{where}: expected a JSON string or an observation.")
