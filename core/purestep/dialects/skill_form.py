"""The call of a skill as an object of its own: `{"skill": "extract", "text": "...", "target": "email"}`.

Source: the form that programs of agent.rs have. It is read where a skill is offered, or where any name is taken.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from ..json_text import BLANK
from ..lazy import lazy_pattern
from ..values import ReadCall, SkillSpec, Tools
from .call_keys import ARGUMENTS

SKILL: Final = "skill"

SKILL_KEY: Final = lazy_pattern(r"""[{,][ \t\r\n]*["']?skill["']?[ \t\r\n]*:""", re.ASCII)
"""Where an object has a member of that name."""


def offers_skills(tools: Tools | None) -> bool:
    """Whether one of the tools is a skill."""
    return tools is not None and any(isinstance(spec, SkillSpec) for spec in tools.values())


def skill_call(value: Any) -> ReadCall | None:
    """Return the call of a skill that a decoded value is; the arguments stand beside the name, or in an object."""
    if not isinstance(value, Mapping) or "tool" in value:
        return None
    name = value.get(SKILL)
    if not isinstance(name, str) or not name.strip(BLANK):
        return None
    params = {key: item for key, item in value.items() if key != SKILL}
    only = next(iter(params)) if len(params) == 1 else ""
    if only in ARGUMENTS and isinstance(params[only], dict):
        params = params[only]
    return ReadCall(tool=name, params=params, skill=True)
