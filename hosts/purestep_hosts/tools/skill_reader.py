"""The tool read_skill: the instructions of a written skill, and files of its folder, nothing outside of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from purestep import Example
from purestep_hosts.skill_file import SkillFileError, read_skill_file
from purestep_hosts.skill_folders import file_name
from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.files import read_text
from purestep_hosts.tools.lengths import bounded_text
from purestep_hosts.tools.root_folder import RootFolder
from purestep_hosts.tools.tool import READ_ONLY, RunningCall, Tool, ToolFailure, ToolFunction, parameters, text

_MAX_PATH_CHARS = 1000
_MAX_LISTED = 50
_MAX_DEPTH = 3
MAX_SHOWN_CHARS = 20_000
"""Of one result: the specification advises instructions of under 5,000 tokens."""


def tools(config: ToolConfig) -> tuple[Tool, ...]:
    """Return the tool over the skills of the configuration, none without skills."""
    if not config.skills:
        return ()
    skills = {name: (folder, RootFolder(folder, config.hidden)) for name, folder in sorted(config.skills.items())}

    def run(params: dict[str, Any], call: RunningCall) -> str:
        found = skills.get(params["name"])
        if found is None:
            raise ToolFailure(f"no skill has that name; there are {', '.join(skills)}", "invalid_arguments")
        if "path" in params:
            return read_text(found[1], bounded_text(params, "path", max_chars=_MAX_PATH_CHARS))
        return _instructions(*found)

    return (_tool(run, next(iter(skills))),)


def _tool(run: ToolFunction, first: str) -> Tool:
    names = parameters(name=text("name of the skill"), path=text("a file of the skill; without it the instructions"))
    return Tool(
        name="read_skill",
        description="Read the instructions of a skill, or a file that they name.",
        parameters={**names, "required": ["name"]},
        run=run,
        annotations=READ_ONLY,
        max_output_chars=MAX_SHOWN_CHARS,
        examples=(Example(query=f"Read the skill {first}", arguments={"name": first}),),
    )


def _instructions(folder: Path, root: RootFolder) -> str:
    name = file_name(folder)
    try:
        body = read_skill_file(read_text(root, name), folder.resolve().name).body
    except SkillFileError as error:
        raise ToolFailure(f"the skill cannot be read: {error.message}", "io") from None
    listed = [path for path in _files(root, ".", 0) if path != name]
    if not listed:
        return body
    more = len(listed) - _MAX_LISTED
    lines = [*listed[:_MAX_LISTED], *([f"and {more} more"] if more > 0 else [])]
    return "\n".join([body, "", "Files of this skill, read with path:", *lines])


def _files(root: RootFolder, path: str, depth: int) -> Iterator[str]:
    """Yield the files below a folder, sorted, without links and hidden ones."""
    with root.open(path, os.O_RDONLY | os.O_DIRECTORY) as descriptor, os.scandir(descriptor) as found:
        entries = sorted((entry.name, entry.is_dir(follow_symlinks=False), entry.is_symlink()) for entry in found)
    for name, is_folder, is_link in entries:
        inner = name if path == "." else f"{path}/{name}"
        if is_link or name.startswith(".") or not root.shows(name):
            continue
        if not is_folder:
            yield inner
        elif depth < _MAX_DEPTH:
            yield from _files(root, inner, depth + 1)
