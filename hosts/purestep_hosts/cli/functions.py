"""The tools in Python of a run: of the files that `--functions` names, and of those that its agent file names.

A file on the command line is the user's own wish. One that an agent file names may have come with a cloned folder: it
is not run before a person has confirmed its content.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from purestep_hosts.agent_file import AgentFileError, read_agent_file
from purestep_hosts.cli.confirming import confirm_functions
from purestep_hosts.cli.options import AgentChoice
from purestep_hosts.interrupts import Interrupts

if TYPE_CHECKING:
    from purestep_hosts.tools.tool import Tool

_KEY = "functions"


def functions_of(
    choice: AgentChoice, interrupts: Interrupts, taken: frozenset[str], *, is_confirmed: bool
) -> tuple[Tool, ...]:
    """Return the tools of all files of functions; raises FunctionFileError, AgentFileError, NotConfirmed.

    taken: the names of the built-in tools. is_confirmed: whether the user approves everything.
    """
    named = _named_by_agent(choice)
    if not choice.functions and not named:
        return ()
    from purestep_hosts.function_files import join_tools, load_functions, read_functions

    def loaded() -> Iterator[tuple[Path, tuple[Tool, ...]]]:
        for path in choice.functions:
            yield path, load_functions(read_functions(path), path, imports_beside=True)
        for path in named:
            source = read_functions(path)
            if not is_confirmed:
                confirm_functions(path, source, str(choice.agent), interrupts)
            # Only what was confirmed is run, so nothing beside the file is imported.
            yield path, load_functions(source, path)

    with interrupts.raising():
        return join_tools(loaded(), taken)


def _named_by_agent(choice: AgentChoice) -> tuple[Path, ...]:
    if choice.agent is None:
        return ()
    entries = [entry for entry in _tools(read_agent_file(choice.agent)) if _names_file(entry)]
    return tuple(_path_of(entry, choice.agent) for entry in entries)


def _path_of(entry: dict[str, Any], agent: Path) -> Path:
    """Return where the file of an entry is: below the agent file's folder, links followed, or AgentFileError is raised.

    What lies elsewhere did not come with the agent file, and `--functions` names it as the user's own wish.
    """
    name = entry[_KEY]
    if set(entry) != {_KEY} or not isinstance(name, str):
        raise AgentFileError(f'{agent}: expected a file of functions as {{"functions": "name.py"}} in tools')
    path = agent.parent / name
    try:
        is_below = path.resolve().is_relative_to(agent.parent.resolve())
    except (OSError, ValueError):
        is_below = True  # it cannot be read, which is said where it is
    if not is_below:
        raise AgentFileError(
            f"{agent}: the file of functions {name!r:.200} is not in the folder of the agent file; "
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
