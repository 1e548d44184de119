"""The skills of a definition: built-in ones stand beside the tools, written ones in the prompt, by name.

A built-in skill is called as a tool is, in every dialect, and executed by the core. It has no effect, so no approval
policy asks about it. A written skill is text that the host keeps; the model reads it with the tool `read_skill`.
"""

from collections.abc import Mapping
from typing import Final

from ..bounds import DEFAULT_MAX_OUTPUT_CHARS
from ..errors import PurestepError
from ..schema import compile_schema
from ..skills import SKILLS, Skill, unknown_skill
from ..values import AgentDefinition, Annotations, SkillEntry, SkillSpec
from .tools import CompiledTool

READ_SKILL: Final = "read_skill"
"""The tool by which a model reads a written skill."""


def skill_entries(definition: AgentDefinition) -> tuple[SkillEntry, ...]:
    """Return the skills of a definition, those by name alone as entries."""
    return tuple([SkillEntry(name=entry) if isinstance(entry, str) else entry for entry in definition.skills])


def written_skills(definition: AgentDefinition) -> tuple[SkillEntry, ...]:
    """Return the skills that have a description, sorted by name."""
    return tuple(sorted([each for each in skill_entries(definition) if each.description], key=lambda each: each.name))


def compile_skills(definition: AgentDefinition, tools: Mapping[str, CompiledTool]) -> dict[str, CompiledTool]:
    """Return the built-in skills of a definition as tools by name.

    Error codes: `invalid_agent` for a name that no skill has, one that stands there twice, or written skills without
    the tool that reads them; `duplicate_tool` for the name of a tool.
    """
    names, compiled = list[str](), dict[str, CompiledTool]()
    for number, (entry, given) in enumerate(zip(skill_entries(definition), definition.skills, strict=True)):
        path = f"/skills/{number}" if isinstance(given, str) else f"/skills/{number}/name"
        if entry.name in names:
            raise PurestepError("invalid_agent", f'two skills are named "{entry.name}"; leave one out', path)
        names.append(entry.name)
        if entry.description:
            _check_readable(tools, f"/skills/{number}")
            continue
        skill = SKILLS.get(entry.name)
        if skill is None:
            raise PurestepError("invalid_agent", _unknown(entry.name), path)
        if skill.name in tools:
            raise PurestepError("duplicate_tool", f'a tool and a skill are named "{skill.name}"; rename the tool', path)
        compiled[skill.name] = _as_tool(skill)
    return compiled


def _unknown(name: str) -> str:
    return f"{unknown_skill(name, tuple(SKILLS)).message}; a written skill has a description"


def _check_readable(tools: Mapping[str, CompiledTool], path: str) -> None:
    if READ_SKILL not in tools:
        raise PurestepError(
            "invalid_agent", f"expected a tool named {READ_SKILL}, by which the model reads a written skill", path
        )


def _as_tool(skill: Skill) -> CompiledTool:
    spec = SkillSpec(
        name=skill.name,
        description=skill.description,
        parameters=skill.parameters,
        annotations=Annotations(readOnlyHint=True, idempotentHint=True),
        examples=skill.examples,
    )
    return CompiledTool(
        spec=spec,
        parameters=compile_schema(skill.parameters),
        output=None,
        approval="auto",
        max_output_chars=DEFAULT_MAX_OUTPUT_CHARS,
    )
