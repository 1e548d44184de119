"""The tools in Python of a run: of the files that `--functions` names, and of those that its agent file names.

A file on the command line is the user's own wish. One that an agent file names may have come with a cloned folder: it
is not run before a person has confirmed its content.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from purestep_hosts.agent_file import AgentFileError
from purestep_hosts.agent_tree import AgentPart, read_agent_parts
from purestep_hosts.cli.confirming import confirm_functions
from purestep_hosts.cli.options import AgentChoice
from purestep_hosts.cli.tool_owners import OwnTools
from purestep_hosts.interrupts import Interrupts

if TYPE_CHECKING:
    from purestep_hosts.tools.tool import Tool

_KEY = "functions"


def functions_of(choice: AgentChoice, interrupts: Interrupts, taken: frozenset[str], *, is_confirmed: bool) -> OwnTools:
    """Return the tools of all files of functions; raises FunctionFileError, AgentFileError, NotConfirmed.

    taken: the names of the built-in tools. is_confirmed: whether the user approves everything.
    """
    named = _named_by_agent(choice)
    if not choice.functions and not named:
        return OwnTools()
    from purestep_hosts.function_files import join_tools, load_functions, read_functions

    brought: dict[tuple[str, ...], tuple[str, ...]] = {}

    def loaded() -> Iterator[tuple[Path, tuple[Tool, ...]]]:
        for path in choice.functions:
            yield path, load_functions(read_functions(path), path, imports_beside=True)
        for path, agents in named.items():
            source = read_functions(path)
            if not is_confirmed:
                confirm_functions(path, source, str(choice.agent), interrupts)
            # Only what was confirmed is run, so nothing beside the file is imported.
            tools = load_functions(source, path)
            for agent in agents:
                brought[agent] = (*brought.get(agent, ()), *[tool.name for tool in tools])
            yield path, tools

    with interrupts.raising():
        return OwnTools(tools=join_tools(loaded(), taken), brought=brought)


def _named_by_agent(choice: AgentChoice) -> dict[Path, list[tuple[str, ...]]]:
    """Return the files that the definitions of an agent file name, each with the paths of the agents that have it."""
    found: dict[Path, list[tuple[str, ...]]] = {}
    for part in () if choice.agent is None else read_agent_parts(choice.agent).parts():
        for entry in filter(_names_file, _tools(part.definition)):
            found.setdefault(_path_of(entry, part), []).append(part.path)
    return found


def _path_of(entry: dict[str, Any], part: AgentPart) -> Path:
    """Return where the file of an entry is: below the agent file's folder, links followed, or AgentFileError is raised.

    What lies elsewhere did not come with the agent file, and `--functions` names it as the user's own wish.
    """
    name, agent = entry[_KEY], part.file
    if set(entry) != {_KEY} or not isinstance(name, str):
        raise AgentFileError(f'{part.where}: expected a file of functions as {{"functions": "name.py"}} in tools')
    path = agent.parent / name
    try:
        is_below = path.resolve().is_relative_to(agent.parent.resolve())
    except (OSError, ValueError):
        is_below = True  # it cannot be read, which is said where it is
    if not is_below:
        raise AgentFileError(
            f"{part.where}: the file of functions {name!r:.200} is not in the folder of the agent file; "
            "move it there, or name it with --functions"
        )
    return path


def _tools(definition: dict[str, Any]) -> list[Any]:
    entries = definition.get("tools")
    return entries if isinstance(entries, list) else []


def _names_file(entry: Any) -> bool:
    return isinstance(entry, dict) and _KEY in entry


def with_functions(definition: dict[str, Any], specs: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the definition of an agent file with the tools that its files of functions have, or `--functions` adds.

    specs: of all functions. One that an entry names stands there; the others follow the file's own tools.
    """
    if not specs and not any(map(_names_file, _tools(definition))):
        return definition
    own = [entry for entry in _tools(definition) if not _names_file(entry)]
    named = {entry.get("name") if isinstance(entry, dict) else entry for entry in own}
    return {**definition, "tools": [*own, *(spec for spec in specs if spec["name"] not in named)]}
