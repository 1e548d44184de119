"""Reads a SKILL.md file: frontmatter in YAML between two lines `---`, then the instructions.

Reading is lenient: what can be understood is taken, and what is odd is named. `skill_lint` is the strict reader.
Source: the Agent Skills specification (agentskills.io).
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

FIELDS = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")
"""The fields of the specification."""

MAX_DESCRIPTION_CHARS = 1024
MAX_NAME_CHARS = 64
MAX_COMPATIBILITY_CHARS = 500

NO_START = "expected a first line ---, which begins the frontmatter"
NO_END = "expected a line --- that ends the frontmatter"
NO_FIELDS = "expected fields in the frontmatter, such as name and description"
NO_DESCRIPTION = "expected a description: what the skill does, and when to use it"

_BLANK = " \t\r\n"
_END = re.compile(r"^---[ \t]*$", re.ASCII | re.MULTILINE)
_PLAIN = re.compile(r"^([A-Za-z_-]{1,40}):[ \t]++([^\"'|>\[{\r\n][^\r\n]*:[^\r\n]*)$", re.ASCII | re.MULTILINE)
"""A value with a colon in it that was left without quotes."""


class SkillFileError(Exception):
    """A SKILL.md file cannot be used; `message` says what was expected and what came."""

    code = "bad_skill"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class SkillFile(msgspec.Struct, frozen=True, kw_only=True):
    """What a SKILL.md file says; `odd` names what was not as the specification has it."""

    name: str
    description: str
    body: str
    license: str | None = None
    compatibility: str | None = None
    metadata: dict[str, str] = {}
    allowed_tools: tuple[str, ...] = ()
    odd: tuple[str, ...] = ()


def read_skill_file(text: str, folder_name: str) -> SkillFile:
    """Return what the file says, leniently; raises SkillFileError where no description can be read.

    folder_name: the name of the skill where the file gives none.
    """
    head, body = _parts(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    fields, odd = _fields(head)
    description = _text(fields.get("description"))
    if not description:
        raise SkillFileError(NO_DESCRIPTION)
    name = _text(fields.get("name"))
    if not name:
        name = folder_name
        odd.append(f"it has no name, so it is called {folder_name}")
    elif name != folder_name:
        odd.append(f"its name {name!r} is not that of its folder, {folder_name!r}")
    if len(description) > MAX_DESCRIPTION_CHARS:
        description = description[:MAX_DESCRIPTION_CHARS]
        odd.append(f"its description was cut to {MAX_DESCRIPTION_CHARS} characters")
    metadata = fields.get("metadata")
    return SkillFile(
        name=name,
        description=description,
        body=body.strip(_BLANK),
        license=_text(fields.get("license")) or None,
        compatibility=_text(fields.get("compatibility")) or None,
        metadata={key: str(value) for key, value in metadata.items()} if isinstance(metadata, dict) else {},
        allowed_tools=_tools(fields.get("allowed-tools")),
        odd=tuple(odd),
    )


def _parts(text: str) -> tuple[str, str]:
    begin = _END.match(text)
    if begin is None:
        raise SkillFileError(NO_START)
    end = _END.search(text, begin.end())
    if end is None:
        raise SkillFileError(NO_END)
    return text[begin.end() : end.start()], text[end.end() :]


def _fields(head: str) -> tuple[dict[str, Any], list[str]]:
    """Return the frontmatter's fields; values with a colon that lack quotes are read as they are meant."""
    from purestep_hosts.strict_yaml import YAMLError, load_texts

    try:
        fields, odd = load_texts(head), list[str]()
    except (YAMLError, RecursionError, ValueError) as error:
        fields, odd = _quoted_fields(head, error), ["a value with a colon in it stands without quotes"]
    if not isinstance(fields, dict):
        raise SkillFileError(NO_FIELDS)
    return fields, odd


def _quoted_fields(head: str, first: Exception) -> Any:
    from purestep_hosts.strict_yaml import YAMLError, load_texts

    quoted = _PLAIN.sub(lambda found: f"{found[1]}: {msgspec.json.encode(found[2]).decode()}", head)
    try:
        if quoted != head:
            return load_texts(quoted)
    except (YAMLError, RecursionError, ValueError):
        pass
    raise SkillFileError(unusable_yaml(first)) from None


def unusable_yaml(error: Exception) -> str:
    """Return why a frontmatter cannot be read, on one line of bounded length."""
    why = "it is nested too deeply" if isinstance(error, RecursionError) else " ".join(str(error).split())[:200]
    return f"its frontmatter is not usable YAML: {why}"


def _text(value: Any) -> str:
    return value.strip(_BLANK) if isinstance(value, str) else ""


def _tools(value: Any) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(each for each in value if isinstance(each, str))
    return tuple(_text(value).split())
