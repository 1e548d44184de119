"""Runs whose definition has the skill `extract`."""

from typing import Any

from tests.core.agents import call, said
from tests.core.driver import Driver

TEXT = "Anna Kurz wrote to Tom."
NAMES = call("extract", text=TEXT, target="name")
EMAIL = call("extract", text="Write to bob@mail.example.", target="email")
RIGHT = '{"name":["Tom","Anna Kurz"]}'
DOWN = {"type": "model_error", "code": "unavailable", "message": "down", "retryable": True}


def skill_run(*tools: dict[str, Any], **members: Any) -> Driver:
    """A run with the skill and these tools."""
    return Driver({"skills": ["extract"], "tools": [*tools], **members}, query="Who wrote to whom?")


def begun_skill(**members: Any) -> Driver:
    """A run whose model has called the skill for names, and is asked with the skill's prompt."""
    driver = skill_run(**members)
    driver.send(said(NAMES))
    return driver


def ended_skills(driver: Driver) -> list[dict[str, Any]]:
    """How the skills of a run ended, as its log says."""
    return [
        {key: event[key] for key in ("call_id", "ok", "output", "error_kind") if key in event}
        for event in driver.events("skill_ended")
    ]
