"""AG-UI events: each is one for the protocol's own package, with no member that it does not know."""

from typing import Any

from ag_ui.core import Event
from pydantic import BaseModel, TypeAdapter

from purestep_formats import project
from tests.formats.projections.logs import LOGS, own_lines

EVENT = TypeAdapter[Any](Event)


def unknown_members(value: Any) -> list[str]:
    """Name the members that a model was given and does not declare; the package keeps them instead of refusing them."""
    if isinstance(value, BaseModel):
        inside = [found for name in type(value).model_fields for found in unknown_members(getattr(value, name))]
        return [*(value.model_extra or {}), *inside]
    return [found for item in value for found in unknown_members(item)] if isinstance(value, list) else []


def test_events_are_those_of_the_protocol() -> None:
    """Each event validates, and is written again as it was."""
    for name, log in LOGS.items():
        for event in project(log, "ag-ui"):
            found = EVENT.validate_python(event)
            assert [] == unknown_members(found), name
            assert event == found.model_dump(by_alias=True, mode="json"), name


def test_a_run_ends_as_the_log_says() -> None:
    """A failure is a RUN_ERROR, a stop is no success, and only an answer is one."""
    for name, log in LOGS.items():
        own = own_lines(log)
        kinds = [line.split('"kind":"')[1].split('"')[0] for line in own.splitlines()]
        ends = [event for event in project(log, "ag-ui") if event["type"] in ("RUN_FINISHED", "RUN_ERROR")]
        outcomes = [event.get("outcome", {"type": "error"})["type"] for event in ends]
        assert kinds.count("final_answer") == outcomes.count("success"), name
        assert kinds.count("run_failed") == outcomes.count("error") + outcomes.count("cancelled"), name
        assert own.count('"kind":"run_failed","code":"cancelled"') == outcomes.count("cancelled"), name
