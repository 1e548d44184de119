"""Checks skill folders strictly, by the rules of the Agent Skills specification.

Source: agentskills.io; the verdicts are those of its reference library, skills-ref.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

from purestep_hosts.skill_file import (
    FIELDS,
    MAX_COMPATIBILITY_CHARS,
    MAX_DESCRIPTION_CHARS,
    MAX_NAME_CHARS,
    NO_DESCRIPTION,
    NO_END,
    NO_FIELDS,
    NO_START,
    unusable_yaml,
)
from purestep_hosts.skill_folders import file_name, has_file
from purestep_hosts.strict_yaml import YAMLError, load_texts, unusual_parts
from purestep_hosts.tools.files import read_text
from purestep_hosts.tools.root_folder import RootFolder
from purestep_hosts.tools.tool import ToolFailure

_MARK = "---"


def lint_skill(folder: Path) -> list[str]:
    """Return what of a skill folder is not as the specification has it, a sentence each; none if all is."""
    if not folder.is_dir():
        return ["expected a folder with a file SKILL.md"]
    if not has_file(folder):
        return ["expected a file SKILL.md"]
    try:
        text = read_text(RootFolder(folder, ()), file_name(folder))
    except ToolFailure as failure:
        return [failure.message]
    fields = _fields(text)
    return fields if isinstance(fields, list) else _problems(fields, folder.resolve().name)


def _fields(text: str) -> dict[str, Any] | list[str]:
    """Return the fields of the frontmatter, or what is wrong with it as a whole."""
    if not text.startswith(_MARK):
        return [NO_START]
    # Its end is the next ---, wherever that stands: so the reference library reads it.
    parts = text.split(_MARK, 2)
    if len(parts) != len(("before", "frontmatter", "body")):
        return [NO_END]
    try:
        unusual = unusual_parts(parts[1])
        fields = load_texts(parts[1])
    except (YAMLError, RecursionError, ValueError) as error:
        return [unusable_yaml(error)]
    if unusual:
        return [f"expected plain YAML in the frontmatter; it has {' and '.join(unusual)}"]
    if not isinstance(fields, dict):
        return [NO_FIELDS]
    return fields


def _problems(fields: dict[str, Any], folder_name: str) -> list[str]:
    unknown = sorted(set(fields) - set(FIELDS))
    found = [f"unknown fields: {', '.join(unknown)}; there are {', '.join(FIELDS)}"] if unknown else []
    found += _of_name(fields.get("name"), folder_name)
    found += _of_description(fields.get("description"))
    compatibility = fields.get("compatibility", "")
    if not isinstance(compatibility, str):
        found.append("expected compatibility as text")
    elif len(compatibility) > MAX_COMPATIBILITY_CHARS:
        found.append(f"expected a compatibility of at most {MAX_COMPATIBILITY_CHARS} characters")
    return found


def _of_name(given: Any, folder_name: str) -> list[str]:
    if not isinstance(given, str) or not given.strip():
        return ["expected a name: lowercase letters, digits and hyphens"]
    name, found = unicodedata.normalize("NFKC", given.strip()), list[str]()
    if len(name) > MAX_NAME_CHARS:
        found.append(f"expected a name of at most {MAX_NAME_CHARS} characters")
    if name != name.lower():
        found.append("expected a name in lowercase")
    if name.startswith("-") or name.endswith("-") or "--" in name:
        found.append("expected hyphens only between letters or digits of the name, one at a time")
    if not all(each.isalnum() or each == "-" for each in name):
        found.append("expected a name of letters, digits and hyphens")
    if name != unicodedata.normalize("NFKC", folder_name):
        found.append(f"expected the name of its folder, {folder_name!r}; got {given!r}")
    return found


def _of_description(given: Any) -> list[str]:
    if not isinstance(given, str) or not given.strip():
        return [NO_DESCRIPTION]
    if len(given) > MAX_DESCRIPTION_CHARS:
        return [f"expected a description of at most {MAX_DESCRIPTION_CHARS} characters"]
    return []
