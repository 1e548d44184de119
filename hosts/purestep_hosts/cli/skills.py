"""Skills of folders in the command: those of a run, and the commands `skills list` and `skills lint`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from purestep_hosts.agent_file import AgentFileError
from purestep_hosts.agent_tree import AgentPart, read_agent_parts
from purestep_hosts.cli import codes
from purestep_hosts.cli.options import AgentChoice
from purestep_hosts.show.printer import stderr_printer, stdout_printer
from purestep_hosts.show.rows import Row
from purestep_hosts.show.sanitize import one_line, sanitized_json
from purestep_hosts.skill_folders import FoundSkill, FoundSkills, find_skills, skill_folders
from purestep_hosts.tools.config import ToolConfig

_FOLDER = "folder"
_HIDDEN = ToolConfig(session_dir=Path()).hidden


def skills_of(choice: AgentChoice) -> FoundSkills:
    """Return the skills of `--skills` and of the folders that the agent file names; raises SkillFileError."""
    return find_skills(*skill_places(choice), hidden=_HIDDEN)


def skill_places(choice: AgentChoice) -> tuple[Path, ...]:
    """Return the folders of `--skills` and of the agent file, else those that a resumed session remembers."""
    places = [] if choice.skills is None else [choice.skills]
    if choice.agent is not None:
        places += [place for part in read_agent_parts(choice.agent).parts() for place in folders_of(part)]
    return tuple(dict.fromkeys(places)) or choice.remembered_skills


def skills_for(part: AgentPart, found: FoundSkills) -> FoundSkills:
    """Return the skills that a definition of an agent file is offered: those of `--skills` are the first agent's."""
    own = {*folders_of(part)}
    others = {place for each in part.below.values() for below in each.parts() for place in folders_of(below)}

    def is_offered(skill: FoundSkill) -> bool:
        places = {skill.folder, skill.folder.parent}
        return bool(places & own) or not (part.path or places & others)

    return replace(found, skills=tuple(filter(is_offered, found.skills)))


def folders_of(part: AgentPart) -> list[Path]:
    """Return the folders of skills that a definition names; raises AgentFileError."""
    entries = part.definition.get("skills")
    named = [entry for entry in entries if _names_folder(entry)] if isinstance(entries, list) else []
    for entry in named:
        if set(entry) != {_FOLDER} or not isinstance(entry[_FOLDER], str):
            raise AgentFileError(f"{part.where}: expected a folder of skills as {{{_FOLDER!r}: name}} in skills")
    return [part.file.parent / entry[_FOLDER] for entry in named]


def _names_folder(entry: Any) -> bool:
    return isinstance(entry, dict) and _FOLDER in entry


def without_folders(definition: dict[str, Any]) -> dict[str, Any]:
    """Return the definition of an agent file without the folders of skills that it names."""
    entries = definition.get("skills")
    if not isinstance(entries, list) or not any(map(_names_folder, entries)):
        return definition
    return {**definition, "skills": [entry for entry in entries if not _names_folder(entry)]}


def print_skills(place: Path, *, as_json: bool) -> int:
    """Print the skills of a folder; what is odd or left out goes to stderr."""
    found = find_skills(place, hidden=_HIDDEN)
    if as_json:
        print(sanitized_json([_described(each.folder, each.entry(), each.file) for each in found.skills]), flush=True)
    else:
        rows = [
            (one_line(each.file.name), one_line(", ".join(each.file.allowed_tools)), one_line(each.file.description))
            for each in found.skills
        ]
        stdout_printer().table(("skill", "allowed tools", "description"), rows)
    warn(found)
    return codes.DONE


def _described(folder: Path, entry: dict[str, str], file: Any) -> dict[str, Any]:
    more = {"license": file.license, "compatibility": file.compatibility, "metadata": file.metadata}
    tools = list(file.allowed_tools)
    return {
        **entry,
        **{key: value for key, value in more.items() if value},
        "allowed-tools": tools,
        "folder": str(folder),
    }


def warn(found: FoundSkills) -> None:
    """Say on stderr what of the skills was odd, or left out."""
    printer = stderr_printer()
    for warning in found.warnings:
        printer.row(Row("skill", one_line(warning), "warning"))


def lint_skills(place: Path) -> int:
    """Print what of a folder's skills is not as the specification has it; returns the exit code."""
    from purestep_hosts.skill_lint import lint_skill  # brings a YAML library, which other commands need not load

    folders = skill_folders(place) or [place]
    printer, wrong = stdout_printer(), 0
    for folder in folders:
        problems = lint_skill(folder)
        wrong += bool(problems)
        name = one_line(folder.resolve().name)
        for problem in problems:
            printer.row(Row("wrong", f"{name}: {one_line(problem)}", "bad"))
        if not problems:
            printer.row(Row("valid", name, "good"))
    return codes.FAILED if wrong else codes.DONE
