"""The definitions of an agent file: its own, and those of the agents that it calls, in it or in files that it names.

In the place of a definition, an entry of `agents` may have the name of a file, from the folder of the file that names
it. What lies outside of that folder did not come with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

import purestep
from purestep_hosts.agent_file import AgentFileError, in_file, read_agent_file, with_rates

MOST_LEVELS: Final = 2
"""Agents below one another, as the core has them: a file further down is not read."""
MOST_AGENTS: Final = 32
"""Agents that one definition names, as the core has them."""

_INTO: Final = re.compile(r"/agents/([^/]*)/agent(?=/|$)")
"""The part of a JSON pointer that leads into the definition of an agent."""


class AgentPart(msgspec.Struct, frozen=True, kw_only=True):
    """A definition and the file that it stands in.

    `path`: the names of the agents down to it; none for the file's own. `below`: those that it calls, by name.
    """

    definition: dict[str, Any]
    file: Path
    path: tuple[str, ...] = ()
    below: dict[str, AgentPart] = {}

    @property
    def where(self) -> str:
        """What errors call it."""
        return f"{self.file}, agent {' > '.join(self.path)}" if self.path else str(self.file)

    def parts(self) -> Iterator[AgentPart]:
        """Yield this definition, and all below it."""
        yield self
        for each in self.below.values():
            yield from each.parts()

    def whole(self, made: Callable[[AgentPart], dict[str, Any]]) -> dict[str, Any]:
        """Return the definition with all below it in their places; made: gives what stands for each of them."""
        definition = made(self)
        if not self.below:
            return definition
        entries = self.definition["agents"]
        agents = {name: {**entries[name], "agent": each.whole(made)} for name, each in self.below.items()}
        return {**definition, "agents": {**entries, **agents}}


def read_agent_parts(path: Path) -> AgentPart:
    """Return the definitions of an agent file; raises AgentFileError.

    Entries of a wrong shape stay as they are, and the core reports them.
    """
    return _with_below(AgentPart(definition=read_agent_file(path), file=path), (path.resolve(),))


def in_parts(error: purestep.PurestepError, path: Path) -> purestep.PurestepError:
    """Return the error about a whole definition with the place in its file, or in that of an agent, that it is of."""
    part, before, left = read_agent_parts(path), "", error.path or ""
    while (found := _INTO.match(left)) and (name := _unescaped(found[1])) in part.below:
        below = part.below[name]
        before = before + found[0] if below.file == part.file else ""
        part, left = below, left[found.end() :]
    place, told = before + left, error.message.removeprefix(f"{error.path}: ")
    message = error.message if told == error.message else f"{place}: {told}"
    return in_file(purestep.PurestepError(error.code, message, place), part.file)


def _unescaped(token: str) -> str:
    return token.replace("~1", "/").replace("~0", "~")


def _with_below(part: AgentPart, files: tuple[Path, ...]) -> AgentPart:
    """Return a definition with those that it calls; files: those that lead to it, links followed."""
    part = replace(part, definition=_in_own_shape(part))
    entries = part.definition.get("agents")
    below: dict[str, AgentPart] = {}
    if not isinstance(entries, dict) or len(entries) > MOST_AGENTS:  # the core says so
        return part
    for name, entry in entries.items():
        given = entry.get("agent") if isinstance(entry, dict) else None
        path = (*part.path, str(name))
        if isinstance(given, str | dict) and len(path) > MOST_LEVELS:
            raise AgentFileError(
                f"{part.file}, agent {' > '.join(path)}: it is {len(path)} levels below {files[0].name}; agents are at "
                f"most {MOST_LEVELS} levels below the first: name it further up"
            )
        if isinstance(given, str):
            file = _named_file(given, path, part.file, files)
            named = AgentPart(definition=_read(file, path, part.file), file=file, path=path)
            below[name] = _with_below(named, (*files, file.resolve()))
        elif isinstance(given, dict):
            definition = with_rates(given, part.file.parent)
            below[name] = _with_below(AgentPart(definition=definition, file=part.file, path=path), files)
    return replace(part, below=below)


def _in_own_shape(part: AgentPart) -> dict[str, Any]:
    """Return a definition with its agents by the names by which they are called; a text in their place names a file."""
    tools = part.definition.get("tools")
    named = [each for each in tools if isinstance(each, dict)] if isinstance(tools, list) else []
    files = {each["agent"]: each["agent"] for each in named if isinstance(each.get("agent"), str)}
    given = part.definition.get("agents")
    known = {**files, **(given or {})} if isinstance(given, dict | None) else {}
    try:
        return purestep.agents_in_own_shape({**part.definition, "agents": known} if known else part.definition)
    except purestep.PurestepError as error:
        raise AgentFileError(f"{part.where}: {error.path}: {error.message}") from None


def _named_file(name: str, path: tuple[str, ...], by: Path, files: tuple[Path, ...]) -> Path:
    where, file = f"{by}, agent {' > '.join(path)}", by.parent / name
    try:
        found, folder = file.resolve(), by.parent.resolve()
    except (OSError, ValueError, RuntimeError):
        raise AgentFileError(f"{where}: {name!r:.200} is no name of a file; expected one in its folder") from None
    if not name:
        raise AgentFileError(f"{where}: expected the name of a file, or a definition; got an empty text")
    if not found.is_relative_to(folder):
        raise AgentFileError(
            f"{where}: the file {name!r:.200} is not in the folder of {by.name}; move it there, or write the "
            "definition in its place"
        )
    if found in files:
        what = "is this file itself" if found == files[-1] else "calls this one"
        raise AgentFileError(
            f"{where}: the file {name!r:.200} {what}; an agent calls neither itself nor one that calls it: name another"
        )
    return file


def _read(file: Path, path: tuple[str, ...], by: Path) -> dict[str, Any]:
    try:
        return read_agent_file(file)
    except AgentFileError as error:
        raise AgentFileError(f"{by}, agent {' > '.join(path)}: {error.message}") from None
