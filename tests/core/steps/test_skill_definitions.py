"""Skills of a definition: those that are none are refused, and written ones stand in the prompt."""

import json
from typing import Any

import pytest

import purestep
from tests.core.driver import Driver, stepped

READ_SKILL = {"name": "read_skill", "parameters": {"type": "object"}}


def test_approvals_of_skills_are_none_of_the_policy() -> None:
    """A rule of the policy names tools; a skill among them is an error with its path."""
    output = stepped(
        agent={"skills": ["extract"], "approval": {"tools": {"extract": "ask"}}},
        observation={"type": "user_message", "content": "q"},
    )
    assert ("invalid_agent", "/approval/tools") == (output["error"]["code"], output["error"]["path"])


@pytest.mark.parametrize(
    ("definition", "code", "path"),
    [
        ({"skills": ["extrakt"]}, "invalid_agent", "/skills/0"),
        ({"skills": [{"name": "extrakt"}]}, "invalid_agent", "/skills/0/name"),
        ({"skills": ["extract", {"name": "extract"}]}, "invalid_agent", "/skills/1/name"),
        ({"skills": ["extract"], "tools": [{"name": "extract"}]}, "duplicate_tool", "/skills/0"),
        ({"skills": [{"name": "pdf", "description": "PDF files."}]}, "invalid_agent", "/skills/0"),
        ({"skills": [{"name": "extract", "model": "x"}]}, "invalid_agent", "/skills/0/model"),
        ({"skills": [3]}, "invalid_agent", "/skills/0"),
        ({"skills": "extract"}, "invalid_agent", "/skills"),
        ({"skills": [{"name": "a\nb", "description": "x"}], "tools": [READ_SKILL]}, "invalid_agent", "/skills/0/name"),
    ],
)
def test_definition_is_refused_with_its_path(definition: dict[str, Any], code: str, path: str) -> None:
    """A name that no skill has, a doubled one, and written skills without their tool are errors."""
    error = json.loads(purestep.load_agent(json.dumps(definition)))["error"]
    assert (code, path) == (error["code"], error["path"])


def test_written_skills_stand_in_the_prompt_by_name_and_description() -> None:
    """They are sorted, each on one line, and part of the digest; they are no tools."""
    skills = [{"name": "pdf", "description": "Fill\nin PDF forms."}, {"name": "csv", "description": "Read tables."}]
    driver = Driver({"skills": [*skills, "extract"], "tools": [READ_SKILL]})
    system = driver.messages[0]["content"]
    head = "Before a task that one of these skills is about, read the skill with read_skill:"
    assert f"{head}\n- csv: Read tables.\n- pdf: Fill in PDF forms." in system
    assert ["extract", "read_skill"] == sorted(purestep.Agent.load(driver.definition or {}).tools)
    fewer = purestep.Agent.load({"skills": skills[:1], "tools": [READ_SKILL]})
    assert fewer.digest != purestep.Agent.load({"skills": skills, "tools": [READ_SKILL]}).digest
