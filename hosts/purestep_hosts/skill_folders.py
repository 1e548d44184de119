"""Finds skills: folders with a file SKILL.md. One that cannot be used is left out, with a warning.

The model is told names and descriptions; it reads the instructions, and files beside them, with `read_skill`. What a
skill says is text for the model and allows nothing: its scripts run only through a tool that runs commands.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

import purestep
from purestep_hosts.skill_file import SkillFile, SkillFileError, read_skill_file
from purestep_hosts.tools.files import read_text
from purestep_hosts.tools.root_folder import RootFolder
from purestep_hosts.tools.tool import ToolFailure

FILE_NAMES = ("SKILL.md", "skill.md")

MAX_FOUND = 60
"""Skills of one run: the core takes 64, and each is a line of every prompt."""
_MAX_LOOKED_AT = 1000


class FoundSkill(msgspec.Struct, frozen=True, kw_only=True):
    """A skill and its folder."""

    file: SkillFile
    folder: Path

    def entry(self) -> dict[str, str]:
        """Return the skill's entry for an agent definition."""
        return {"name": self.file.name, "description": self.file.description}


class FoundSkills(msgspec.Struct, frozen=True, kw_only=True):
    """The skills of some folders, sorted by name, and a sentence for each that is odd or left out."""

    skills: tuple[FoundSkill, ...] = ()
    warnings: tuple[str, ...] = ()

    def folders(self) -> dict[str, Path]:
        """Return the skills' folders by name, as `ToolConfig` takes them."""
        return {skill.file.name: skill.folder for skill in self.skills}


def find_skills(*places: Path, hidden: tuple[str, ...] = ()) -> FoundSkills:
    """Return the skills in these folders, each a skill itself or a folder of skills.

    hidden: patterns of file names that are never read. Of two skills with one name the first counts. Raises
    SkillFileError for a place that is no folder.
    """
    found, warnings, too_many = dict[str, FoundSkill](), list[str](), 0
    for place in places:
        folders = skill_folders(place)
        if not folders:
            warnings.append(f"{place} holds no skills: expected folders in it, each with a file SKILL.md")
        for folder in folders:
            if len(found) == MAX_FOUND:
                too_many += 1
                continue
            try:
                skill = _read(folder, hidden)
            except (SkillFileError, ToolFailure) as error:
                warnings.append(f"{folder.name} is left out: {error.message}")
                continue
            warnings += [f"{folder.name}: {each}" for each in skill.file.odd]
            if skill.file.name in found:
                warnings.append(f"{folder.name} is left out: another skill is named {skill.file.name!r}")
            else:
                found[skill.file.name] = skill
    if too_many:
        warnings.append(f"{too_many} more are left out, which were not read: at most {MAX_FOUND} skills are offered")
    return FoundSkills(skills=tuple(found[name] for name in sorted(found)), warnings=tuple(warnings))


def skill_folders(place: Path) -> list[Path]:
    """Return the folders with a skill file: the one given, or those in it, sorted; raises SkillFileError."""
    if not place.is_dir():
        raise SkillFileError(f"{place} is no folder; expected one that holds skills, each in a folder of its own")
    if has_file(place):
        return [place]
    try:
        inner = sorted(each for each in place.iterdir() if not each.name.startswith("."))[:_MAX_LOOKED_AT]
    except OSError as error:
        raise SkillFileError(f"{place} cannot be read ({error.strerror}); expected a folder of skills") from None
    return [each for each in inner if has_file(each)]


def has_file(folder: Path) -> bool:
    """Return whether a folder has a skill file."""
    return any(_is_file(folder / name) for name in FILE_NAMES)


def file_name(folder: Path) -> str:
    """Return the name of a folder's skill file; the one in capitals goes first."""
    return next((name for name in FILE_NAMES if _is_file(folder / name)), FILE_NAMES[0])


def _is_file(path: Path) -> bool:
    """Return whether a file is there; in a folder that this user may not look into there is none."""
    try:
        return path.is_file()
    except OSError:
        return False


def _read(folder: Path, hidden: tuple[str, ...]) -> FoundSkill:
    skill = read_skill_file(read_text(RootFolder(folder, hidden), file_name(folder)), folder.resolve().name)
    entry = {"name": skill.name, "description": skill.description}
    reader = {"name": "read_skill", "parameters": {"type": "object"}}
    try:
        purestep.Agent.load({"skills": [entry], "tools": [reader]})
    except purestep.PurestepError as error:
        raise SkillFileError(error.message) from None
    return FoundSkill(file=skill, folder=folder)


def with_skills(definition: dict[str, Any], found: FoundSkills, reader: dict[str, Any]) -> dict[str, Any]:
    """Return the definition with these skills and the tool that reads them; one without skills stays as it is."""
    if not found.skills:
        return definition
    tools, skills = definition.get("tools", []), definition.get("skills", [])
    if not isinstance(tools, list) or not isinstance(skills, list):
        return definition  # the core reports what is wrong with it
    return {
        **definition,
        "skills": [*skills, *(skill.entry() for skill in found.skills)],
        "tools": [*tools, reader],
    }
